// SPDX-License-Identifier: Apache-2.0
#include "CPty.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

/* Between fork and exec only async-signal-safe calls are allowed, for the test process has threads: fork(2). */

/* Where the leader keeps its descriptors; all others are closed, or it would hold other tests' terminals open. */
enum { SLAVE = 3, CHANNEL = 4, OUTPUT = 5, FIRST_CLOSED = 6 };

static volatile pid_t program_pid;

static void forward_hangup(int signal)
{
    int error = errno;
    kill(-program_pid, signal);
    kill(-program_pid, SIGCONT);
    errno = error;
}

static void set_action(int signal, void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler};
    sigemptyset(&action.sa_mask);
    sigaction(signal, &action, NULL);
}

static void reset_signals(void)
{
    for (int signal = 1; signal < NSIG; signal++)
        set_action(signal, SIG_DFL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
}

/* Takes the terminal's foreground, as a shell does for a program that it starts. */
static void take_foreground(void)
{
    setpgid(0, 0);
    set_action(SIGTTOU, SIG_IGN);
    tcsetpgrp(SLAVE, getpid());
    set_action(SIGTTOU, SIG_DFL);
}

static _Noreturn void become(const na_pty_program *program)
{
    take_foreground();
    for (size_t index = 0; index < program->ignored_count; index++)
        set_action(program->ignored[index], SIG_IGN);
    dup2(SLAVE, STDIN_FILENO);
    dup2(program->output < 0 ? SLAVE : OUTPUT, STDOUT_FILENO);
    dup2(SLAVE, STDERR_FILENO);
    close_range(SLAVE, ~0U, 0);
    if (program->directory == NULL || chdir(program->directory) == 0)
        execve(program->path, program->arguments, program->environment);
    _exit(127);
}

/* High copies first, so that no descriptor is overwritten before it was copied. */
static void arrange_descriptors(int slave, int channel, int output)
{
    int copies[] = {
        fcntl(slave, F_DUPFD, 100),
        fcntl(channel, F_DUPFD, 100),
        output < 0 ? -1 : fcntl(output, F_DUPFD, 100),
    };
    for (int index = 0; index < 3; index++)
        if (copies[index] >= 0)
            dup2(copies[index], SLAVE + index);
    close_range(output < 0 ? OUTPUT : FIRST_CLOSED, ~0U, 0);
}

/* Waits for the program, tells the test, and holds the session until the test closes the channel. */
static _Noreturn void lead(const na_pty_program *program, int slave, int channel)
{
    reset_signals();
    setsid();
    arrange_descriptors(slave, channel, program->output);
    ioctl(SLAVE, TIOCSCTTY, 0);
    pid_t child = _Fork();
    if (child == 0)
        become(program);
    program_pid = child;
    set_action(SIGHUP, forward_hangup);
    setpgid(child, child);
    int process = (int)syscall(SYS_pidfd_open, child, 0);
    close(SLAVE); /* the end of the program is then the end of what can be read */
    write(CHANNEL, &child, sizeof child);
    struct pollfd events[] = {{.fd = CHANNEL, .events = POLLIN}, {.fd = process, .events = POLLIN}};
    for (;;) {
        if (poll(events, 2, -1) < 0)
            continue;
        if (events[0].revents != 0) {
            kill(-child, SIGKILL);
            _exit(0);
        }
        int status;
        if (events[1].revents != 0 && waitpid(child, &status, 0) == child) {
            write(CHANNEL, &status, sizeof status);
            events[1].fd = -1;
        }
    }
}

static int open_terminal(const na_pty_program *program, int *master, int *slave)
{
    *master = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC | O_NONBLOCK);
    if (*master < 0 || grantpt(*master) != 0 || unlockpt(*master) != 0)
        return errno;
    *slave = ioctl(*master, TIOCGPTPEER, O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (*slave < 0)
        return errno;
    return na_pty_resize(*master, program->columns, program->rows);
}

static int start(const na_pty_program *program, int slave, na_pty *pty)
{
    int channel[2];
    if (socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, channel) != 0)
        return errno;
    pty->channel = channel[0];
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before); /* no handler of the test process may run in the copy */
    pty->leader = fork();
    if (pty->leader == 0)
        lead(program, slave, channel[1]);
    int error = pty->leader < 0 ? errno : 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    close(channel[1]);
    if (error == 0 && read(pty->channel, &pty->program, sizeof pty->program) != sizeof pty->program)
        error = ECHILD;
    return error;
}

int na_pty_spawn(const na_pty_program *program, na_pty *pty)
{
    int slave = -1;
    *pty = (na_pty){.master = -1, .channel = -1, .leader = -1, .program = -1};
    int error = open_terminal(program, &pty->master, &slave);
    if (error == 0)
        error = na_pty_get_modes(pty->master, &pty->initial);
    if (error == 0)
        error = start(program, slave, pty);
    if (slave >= 0)
        close(slave);
    return error;
}

int na_pty_get_modes(int master, na_pty_modes *modes)
{
    struct termios state;
    if (tcgetattr(master, &state) != 0)
        return errno;
    *modes = (na_pty_modes){state.c_iflag, state.c_oflag, state.c_cflag, state.c_lflag, {0}};
    memcpy(modes->characters, state.c_cc, NCCS < 32 ? NCCS : 32);
    return 0;
}

int na_pty_resize(int master, uint16_t columns, uint16_t rows)
{
    struct winsize size = {.ws_row = rows, .ws_col = columns};
    return ioctl(master, TIOCSWINSZ, &size) == 0 ? 0 : errno;
}

int na_pty_take_status(const na_pty *pty, int *status)
{
    return read(pty->channel, status, sizeof *status) == sizeof *status ? 0 : errno;
}

int na_pty_memory_file(void)
{
    return memfd_create("output", MFD_CLOEXEC);
}

ssize_t na_pty_find(const uint8_t *bytes, size_t count, const uint8_t *wanted, size_t wanted_count)
{
    const uint8_t *place = memmem(bytes, count, wanted, wanted_count);
    return place == NULL ? -1 : place - bytes;
}

int na_pty_exit_code(int status, int *signal)
{
    *signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}
