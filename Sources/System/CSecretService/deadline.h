// SPDX-License-Identifier: Apache-2.0
#ifndef NATIVEAUTH_CSECRETSERVICE_DEADLINE_H
#define NATIVEAUTH_CSECRETSERVICE_DEADLINE_H

#include <pthread.h>
#include <time.h>

/* Calls something once when a time has come, unless it is ended before. */
struct deadline {
    pthread_t thread;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    struct timespec end;
    int is_over, has_passed;
    void (*act)(void *);
    void *subject;
};

/* Returns 0, or an errno. */
int na_deadline_start(struct deadline *deadline, long milliseconds, void (*act)(void *), void *subject);

/* Returns whether the time had come. */
int na_deadline_end(struct deadline *deadline);

#endif
