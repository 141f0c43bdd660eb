// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "CProcess.h"

static void inherit(const int *descriptors, size_t count, int flag)
{
    for (size_t i = 0; i < count; i++)
        fcntl(descriptors[i], F_SETFD, flag);
}

int na_become(const char *path, char *const arguments[], char *const environment[], const int *inherited, size_t count,
              na_surroundings surroundings)
{
    mode_t mask = umask(surroundings.mask);
    void (*handler)(int) = signal(SIGPIPE, surroundings.ignores_broken_pipe ? SIG_IGN : SIG_DFL);
    inherit(inherited, count, 0);
    execve(path, arguments, environment);
    int reason = errno;
    inherit(inherited, count, FD_CLOEXEC);
    signal(SIGPIPE, handler);
    umask(mask);
    return reason;
}

int na_start_bound(const char *path, char *const arguments[], char *const environment[], const int *inherited,
                   size_t count, na_surroundings surroundings, int output, pid_t *child)
{
    int report[2];
    if (pipe2(report, O_CLOEXEC) != 0)
        return errno;
    pid_t parent = getpid();
    *child = fork();
    /* Other threads may have held locks: from here on the child calls only what is async-signal-safe. */
    if (*child == 0) {
        prctl(PR_SET_PDEATHSIG, SIGTERM);
        sigset_t none;
        sigemptyset(&none);
        sigprocmask(SIG_SETMASK, &none, NULL);
        int reason = getppid() != parent ? ESRCH : dup2(output, STDOUT_FILENO) < 0 ? errno : 0;
        if (reason == 0)
            reason = na_become(path, arguments, environment, inherited, count, surroundings);
        ssize_t ignored = write(report[1], &reason, sizeof reason);
        (void)ignored;
        _exit(127);
    }
    int reason = *child < 0 ? errno : 0;
    close(report[1]);
    /* Closed without a word when the child has become the program. */
    while (*child > 0 && read(report[0], &reason, sizeof reason) < 0 && errno == EINTR)
        ;
    close(report[0]);
    if (*child > 0 && reason != 0)
        waitpid(*child, NULL, 0);
    return reason;
}
