// SPDX-License-Identifier: Apache-2.0
#include "CPty.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <spawn.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

int na_run_spawn(const na_run_program *program, pid_t *process)
{
    const int streams[3] = {program->input, program->output, program->errors};
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t all, none;
    sigfillset(&all);
    sigemptyset(&none);
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    for (int number = 0; number < 3; number++) {
        if (streams[number] >= 0)
            posix_spawn_file_actions_adddup2(&actions, streams[number], number);
        else
            posix_spawn_file_actions_addclose(&actions, number);
    }
    /* Descriptors that other tests have open are none of its business. */
    posix_spawn_file_actions_addclosefrom_np(&actions, 3);
    posix_spawn_file_actions_addchdir_np(&actions, program->directory);
    posix_spawnattr_setsigdefault(&attributes, &all);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK);
    int error = posix_spawn(process, program->path, &actions, &attributes, program->arguments, program->environment);
    posix_spawn_file_actions_destroy(&actions);
    posix_spawnattr_destroy(&attributes);
    return error;
}

/* 0 after its end, or an errno; ETIMEDOUT if it goes on. */
static int await_end(pid_t process, int milliseconds)
{
    int descriptor = (int)syscall(SYS_pidfd_open, process, 0);
    if (descriptor < 0)
        return errno;
    struct pollfd entry = {.fd = descriptor, .events = POLLIN};
    int ready;
    do
        ready = poll(&entry, 1, milliseconds);
    while (ready < 0 && errno == EINTR);
    close(descriptor);
    return ready > 0 ? 0 : ETIMEDOUT;
}

bool na_run_has_ended(pid_t process, int milliseconds)
{
    return await_end(process, milliseconds) != ETIMEDOUT;
}

int na_run_wait(pid_t process, int milliseconds, int *status)
{
    int error = await_end(process, milliseconds);
    if (error != 0)
        kill(-process, SIGKILL); /* it leads a session, so its children go with it */
    while (waitpid(process, status, 0) < 0 && errno == EINTR)
        continue;
    return error;
}
