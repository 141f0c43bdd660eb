// SPDX-License-Identifier: Apache-2.0
/*
 * A line that is there while the program waits. Whatever signal ends or stops the process meanwhile finds the line gone:
 * the shell's prompt takes its place.
 */
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <unistd.h>

#include "CTerminal.h"

enum { TAKEN = 5 };
static const int taken[TAKEN] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGTSTP};
static const char wipe[] = "\r\033[K";

/* Handlers have no context. One line is there at a time. */
static struct sigaction before[TAKEN];
static volatile sig_atomic_t place = -1;

/* Only what signal-safety(7) allows: write, sigaction, pthread_sigmask, raise. */
static void give_way(int signal)
{
    int error = errno;
    struct sigaction standard = {.sa_handler = SIG_DFL}, ours;
    sigset_t only;
    sigemptyset(&standard.sa_mask);
    sigemptyset(&only);
    sigaddset(&only, signal);
    if (place >= 0)
        (void)!write(place, wipe, sizeof wipe - 1);
    sigaction(signal, &standard, &ours);
    raise(signal);
    pthread_sigmask(SIG_UNBLOCK, &only, NULL);
    /* Only a stop comes back. */
    sigaction(signal, &ours, NULL);
    errno = error;
}

/* A signal that the parent had ignored (nohup, trap '' INT) stays ignored. */
static void take(void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler};
    sigemptyset(&action.sa_mask);
    for (int index = 0; index < TAKEN; index++) {
        sigaction(taken[index], NULL, &before[index]);
        if (before[index].sa_handler != SIG_IGN)
            sigaction(taken[index], &action, NULL);
    }
}

/* The bytes of an ASCII text that stay in one line. The last column stays free: some terminals wrap as it is filled. */
static size_t fitting(int terminal, const char *text)
{
    size_t length = strnlen(text, NA_NOTICE_MAX);
    int columns = na_columns(terminal);
    return columns > 0 && length >= (size_t)columns ? (size_t)columns - 1 : length;
}

void na_notice_show(int terminal, const char *text)
{
    if (place < 0) {
        place = terminal;
        take(give_way);
    }
    /* One write, so that a signal finds all of it or nothing. */
    char line[sizeof wipe + NA_NOTICE_MAX];
    size_t length = fitting(terminal, text);
    memcpy(line, wipe, sizeof wipe - 1);
    memcpy(line + sizeof wipe - 1, text, length);
    (void)!write(terminal, line, sizeof wipe - 1 + length);
}

void na_notice_end(void)
{
    if (place < 0)
        return;
    (void)!write(place, wipe, sizeof wipe - 1);
    place = -1;
    for (int index = 0; index < TAKEN; index++)
        sigaction(taken[index], &before[index], NULL);
}
