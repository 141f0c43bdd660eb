// SPDX-License-Identifier: Apache-2.0
#include "CPty.h"

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <signal.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

/*
 * Ends a program at its n-th change to a file, counted over all of its threads. strace's fault injection counts for
 * each thread by itself, so most of what the later threads do would never be reached.
 */

/* A filter hands the calls that change files to the tracer; all others go on at full speed. */
#define TRACED(number) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (number), 0, 1), \
                       BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_TRACE)

static struct sock_filter instructions[] = {
    BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
    TRACED(SYS_write),
    TRACED(SYS_writev),
    TRACED(SYS_pwrite64),
    TRACED(SYS_fsync),
    TRACED(SYS_fdatasync),
    TRACED(SYS_ftruncate),
    TRACED(SYS_renameat),
    TRACED(SYS_renameat2),
    TRACED(SYS_unlinkat),
    TRACED(SYS_mkdirat),
#ifdef SYS_rename
    TRACED(SYS_rename),
    TRACED(SYS_unlink),
    TRACED(SYS_mkdir),
#endif
    BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
};

/* Between fork and exec only async-signal-safe calls are allowed, for the test process has threads: fork(2). */
static _Noreturn void become(const na_run_program *program, unsigned seconds)
{
    struct sock_fprog filter = {sizeof instructions / sizeof *instructions, instructions};
    const int streams[3] = {program->input, program->output, program->errors};
    struct sigaction standard = {.sa_handler = SIG_DFL};
    for (int number = 1; number < NSIG; number++)
        sigaction(number, &standard, NULL);
    sigset_t none;
    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    setsid();
    for (int number = 0; number < 3; number++)
        dup2(streams[number], number);
    close_range(3, ~0U, 0);
    alarm(seconds); /* which execve keeps */
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0);
    ptrace(PTRACE_TRACEME, 0, NULL, NULL);
    kill(getpid(), SIGSTOP);
    if (chdir(program->directory) == 0 && syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &filter) == 0)
        execve(program->path, program->arguments, program->environment);
    _exit(127);
}

/* Whether a thread is one of the program's own, and not of a command that it runs. */
static int belongs(pid_t thread, pid_t program)
{
    return syscall(SYS_tgkill, program, thread, 0) == 0;
}

/* Lets the program and its children run to their ends, except for the n-th change. */
static int lead(pid_t program, long nth, int *status, long *count)
{
    const long options = PTRACE_O_TRACESECCOMP | PTRACE_O_TRACECLONE | PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK
        | PTRACE_O_TRACEEXEC | PTRACE_O_EXITKILL;
    int stop;
    if (waitpid(program, &stop, __WALL) != program || !WIFSTOPPED(stop))
        return ECHILD;
    if (ptrace(PTRACE_SETOPTIONS, program, NULL, options) != 0)
        return errno;
    ptrace(PTRACE_CONT, program, NULL, NULL);
    for (;;) {
        /* Of this thread's children only: those of other tests are none of its business. */
        pid_t thread = waitpid(-1, &stop, __WALL | __WNOTHREAD);
        if (thread < 0 && errno == EINTR)
            continue;
        if (thread < 0)
            return 0;
        if (!WIFSTOPPED(stop)) {
            if (thread == program)
                *status = stop;
            continue;
        }
        int event = stop >> 16, signal = WSTOPSIG(stop);
        if (event == PTRACE_EVENT_SECCOMP && belongs(thread, program) && ++*count == nth) {
            kill(program, SIGKILL);
            continue;
        }
        /* A new thread or process begins with a stop of its tracer's making. */
        long deliver = event == 0 && signal != SIGTRAP && signal != SIGSTOP ? signal : 0;
        ptrace(PTRACE_CONT, thread, NULL, deliver);
    }
}

int na_run_killed(const na_run_program *program, long nth, unsigned seconds, int *status, long *count)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_BLOCK, &all, &before); /* no handler of the test process may run in the copy */
    *count = 0;
    pid_t child = fork();
    if (child == 0)
        become(program, seconds);
    int error = child < 0 ? errno : 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return error != 0 ? error : lead(child, nth, status, count);
}
