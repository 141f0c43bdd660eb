// SPDX-License-Identifier: Apache-2.0
/* Signals during a prompt, for the two readers in this folder and the one of CReadline. */
#ifndef NATIVEAUTH_WATCH_H
#define NATIVEAUTH_WATCH_H

#include <signal.h>
#include <stdbool.h>
#include <sys/types.h>

#include "CTerminal.h"

/* How many of the signals a reader takes: those that end a prompt, with them going on after a stop, and the stop. */
enum { NA_WATCH_ENDS = 4, NA_WATCH_CONTINUE, NA_WATCH_STOP, NA_WATCHED = NA_WATCH_STOP };

typedef struct na_watch {
    struct sigaction before[NA_WATCHED];
    bool taken[NA_WATCHED];
    sigset_t mask; /* of the thread that asks */
} na_watch;

/* Takes the prompt lock and the first count of the signals. */
void na_watch_begin(na_watch *watch, int count);
/* Gives both back. */
void na_watch_end(na_watch *watch);

/* The signal that ends the prompt, or 0. */
int na_watch_ending(void);
/* Whether the process was asked to stop, or went on after a stop, since the last call. */
bool na_watch_take_stop(void);
bool na_watch_take_continue(void);
/* Stops as the signal's default action does, and returns when the process goes on. */
void na_watch_stop(void);
/* In the background it stops the whole job, as the kernel does to who changes the terminal there; returns in the foreground. */
void na_watch_wait_for_foreground(int terminal);
/* After a stop: returns when the continue that ended it has been noted. */
void na_watch_await_continue(void);

/*
 * Opens the terminal a second time, for reading without blocking: between poll and read, Ctrl-Z drops what was typed,
 * and a read that blocks would sit there with the signal unheard. The first opening is not touched by that.
 */
int na_watch_open_input(void);
/*
 * Waits for input or a signal, and reads. The number of bytes, 0 after a signal, a negative errno; at the end of input
 * that is -ENODATA.
 */
ssize_t na_watch_read(int input, bool (*is_pending)(void), void *bytes, size_t size);
/* The same, and 0 after so many milliseconds; without end if they are negative. */
ssize_t na_watch_read_for(int milliseconds, int input, bool (*is_pending)(void), void *bytes, size_t size);
/* The is_pending for readers whose signals are all watched here. */
bool na_watch_is_pending(void);

/* What a reader gives back when the prompt is over without one; count is what na_watch_read returned. */
na_answer na_watch_no_answer(ssize_t count);
/* Replaces an answer by the signal, if one came while the terminal was put back. */
na_answer na_watch_conclude(na_answer answer);

#endif
