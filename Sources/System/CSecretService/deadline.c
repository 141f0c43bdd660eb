// SPDX-License-Identifier: Apache-2.0
#include "deadline.h"

#include <errno.h>
#include <signal.h>

static void *watch(void *context) {
    struct deadline *deadline = context;
    pthread_mutex_lock(&deadline->mutex);
    int code = 0;
    while (!deadline->is_over && code != ETIMEDOUT)
        code = pthread_cond_timedwait(&deadline->changed, &deadline->mutex, &deadline->end);
    deadline->has_passed = !deadline->is_over;
    pthread_mutex_unlock(&deadline->mutex);
    if (deadline->has_passed) deadline->act(deadline->subject);
    return NULL;
}

int na_deadline_start(struct deadline *deadline, long milliseconds, void (*act)(void *), void *subject) {
    *deadline = (struct deadline){.act = act, .subject = subject};
    clock_gettime(CLOCK_MONOTONIC, &deadline->end);
    deadline->end.tv_sec += milliseconds / 1000;
    deadline->end.tv_nsec += milliseconds % 1000 * 1000000;
    if (deadline->end.tv_nsec >= 1000000000) {
        deadline->end.tv_sec += 1;
        deadline->end.tv_nsec -= 1000000000;
    }
    pthread_condattr_t clock;
    pthread_condattr_init(&clock);
    pthread_condattr_setclock(&clock, CLOCK_MONOTONIC);
    pthread_mutex_init(&deadline->mutex, NULL);
    pthread_cond_init(&deadline->changed, &clock);
    pthread_condattr_destroy(&clock);
    /* The process's signals are for the threads that wait for them. */
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    int code = pthread_create(&deadline->thread, NULL, watch, deadline);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    return code;
}

int na_deadline_end(struct deadline *deadline) {
    pthread_mutex_lock(&deadline->mutex);
    deadline->is_over = 1;
    pthread_cond_signal(&deadline->changed);
    pthread_mutex_unlock(&deadline->mutex);
    pthread_join(deadline->thread, NULL);
    pthread_cond_destroy(&deadline->changed);
    pthread_mutex_destroy(&deadline->mutex);
    return deadline->has_passed;
}
