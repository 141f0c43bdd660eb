// SPDX-License-Identifier: Apache-2.0
#include "watch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <unistd.h>

static const int watched[NA_WATCHED] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGCONT, SIGTSTP};

/* Handlers have no context, and GNU Readline is one instance per process: hence statics, and a lock. */
static pthread_mutex_t prompting = PTHREAD_MUTEX_INITIALIZER;
static volatile sig_atomic_t ending;
static volatile sig_atomic_t stop_wanted;
static volatile sig_atomic_t continued;

static void note_signal(int signal)
{
    if (signal == SIGTSTP)
        stop_wanted = 1;
    else if (signal == SIGCONT)
        continued = 1;
    else
        ending = signal;
}

/* A signal that the parent had ignored (nohup, trap '' INT) stays ignored. */
static void take(na_watch *watch, int index)
{
    struct sigaction ours = {.sa_handler = note_signal};
    sigemptyset(&ours.sa_mask);
    sigaction(watched[index], NULL, &watch->before[index]);
    watch->taken[index] = watch->before[index].sa_handler != SIG_IGN;
    if (watch->taken[index])
        sigaction(watched[index], &ours, NULL);
}

/*
 * The threads of a pool block nearly every signal. Blocked, a stop of our own would not come about, and the kernel would
 * let a process in the background change the terminal under the shell: tcsetattr(3), tty_ioctl(4).
 */
static void unblock(na_watch *watch)
{
    sigset_t heard;
    sigemptyset(&heard);
    for (int index = 0; index < NA_WATCHED; index++)
        sigaddset(&heard, watched[index]);
    sigaddset(&heard, SIGTTIN);
    sigaddset(&heard, SIGTTOU);
    pthread_sigmask(SIG_UNBLOCK, &heard, &watch->mask);
}

void na_watch_begin(na_watch *watch, int count)
{
    pthread_mutex_lock(&prompting);
    ending = stop_wanted = continued = 0;
    *watch = (na_watch){0};
    for (int index = 0; index < count; index++)
        take(watch, index);
    unblock(watch);
}

void na_watch_end(na_watch *watch)
{
    for (int index = 0; index < NA_WATCHED; index++)
        if (watch->taken[index])
            sigaction(watched[index], &watch->before[index], NULL);
    pthread_sigmask(SIG_SETMASK, &watch->mask, NULL);
    pthread_mutex_unlock(&prompting);
}

int na_watch_ending(void)
{
    return ending;
}

bool na_watch_take_stop(void)
{
    bool wanted = stop_wanted;
    stop_wanted = 0;
    return wanted;
}

bool na_watch_take_continue(void)
{
    bool was = continued;
    continued = 0;
    return was;
}

/*
 * Linux may hand the continue to another thread, which notes it a moment after this one runs again. Taken for a second
 * one later, it would drop what was typed since. In an orphaned process group nothing stops, so the wait has an end.
 */
void na_watch_await_continue(void)
{
    for (int waits = 0; waits < 500 && !continued && !ending; waits++)
        usleep(1000);
}

void na_watch_stop(void)
{
    struct sigaction standard = {.sa_handler = SIG_DFL}, ours;
    sigemptyset(&standard.sa_mask);
    sigaction(SIGTSTP, &standard, &ours);
    continued = 0;
    /* Not SIGSTOP: in an orphaned process group nobody would ever continue us, and there SIGTSTP does nothing. */
    raise(SIGTSTP);
    na_watch_await_continue();
    sigaction(SIGTSTP, &ours, NULL);
    continued = 0;
}

void na_watch_wait_for_foreground(int terminal)
{
    pid_t foreground = tcgetpgrp(terminal);
    if (foreground < 0 || foreground == getpgrp())
        return;
    continued = 0;
    kill(0, SIGTTOU);
    na_watch_await_continue();
    continued = 0;
}

bool na_watch_is_pending(void)
{
    return ending || stop_wanted || continued;
}

static int wait_for_input(int milliseconds, int input, bool (*is_pending)(void))
{
    sigset_t all, before;
    sigfillset(&all);
    /* Blocked but for the wait itself: no signal can fall between looking at the flags and sleeping. */
    pthread_sigmask(SIG_BLOCK, &all, &before);
    /* Linux gives a process's signals to its main thread first. A prompt on another thread looks now and then. */
    if (milliseconds < 0 && gettid() != getpid())
        milliseconds = 200;
    struct timespec moment = {.tv_sec = milliseconds / 1000, .tv_nsec = milliseconds % 1000 * 1000 * 1000};
    struct pollfd entry = {.fd = input, .events = POLLIN};
    int ready = 0;
    if (!is_pending())
        ready = ppoll(&entry, 1, milliseconds < 0 ? NULL : &moment, &before);
    int error = errno;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return ready < 0 ? -error : ready;
}

int na_watch_open_input(void)
{
    return open("/dev/tty", O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
}

ssize_t na_watch_read(int input, bool (*is_pending)(void), void *bytes, size_t size)
{
    return na_watch_read_for(-1, input, is_pending, bytes, size);
}

ssize_t na_watch_read_for(int milliseconds, int input, bool (*is_pending)(void), void *bytes, size_t size)
{
    ssize_t result = wait_for_input(milliseconds, input, is_pending);
    if (result > 0) {
        result = read(input, bytes, size);
        if (result == 0)
            return -ENODATA;
        if (result < 0)
            result = -errno;
    }
    return result == -EINTR || result == -EAGAIN ? 0 : result;
}

na_answer na_watch_no_answer(ssize_t count)
{
    if (ending)
        return (na_answer){.outcome = NA_SIGNALLED, .detail = ending};
    if (count == -ENODATA)
        return (na_answer){.outcome = NA_ENDED};
    return (na_answer){.outcome = NA_FAILED, .detail = (int)-count};
}

na_answer na_watch_conclude(na_answer answer)
{
    return ending ? na_watch_no_answer(0) : answer;
}

_Noreturn void na_end_by_signal(int signal)
{
    struct sigaction standard = {.sa_handler = SIG_DFL};
    sigset_t only;
    sigemptyset(&standard.sa_mask);
    sigemptyset(&only);
    sigaddset(&only, signal);
    sigaction(signal, &standard, NULL);
    pthread_sigmask(SIG_UNBLOCK, &only, NULL);
    raise(signal);
    _exit(128 + signal);
}
