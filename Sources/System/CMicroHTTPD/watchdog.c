// SPDX-License-Identifier: Apache-2.0
/* Absolute deadlines. libmicrohttpd's own time-out starts again with every byte, so a client that sends one byte every
   few seconds keeps its thread for ever. Here a deadline belongs to a phase of the request and bytes do not move it. */
#include "connection.h"

#include <stdio.h>
#include <sys/socket.h>
#include <time.h>

int64_t na_now(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

int na_monotonic_condition(pthread_cond_t *condition) {
    pthread_condattr_t attributes;
    int failure = pthread_condattr_init(&attributes);
    if (failure) return failure;
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    failure = pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
    return failure;
}

int na_wait_until(pthread_cond_t *condition, pthread_mutex_t *lock, int64_t deadline) {
    if (deadline == NA_NEVER) return pthread_cond_wait(condition, lock);
    struct timespec end = {.tv_sec = deadline / 1000, .tv_nsec = deadline % 1000 * 1000000};
    return pthread_cond_timedwait(condition, lock, &end);
}

void na_enter_locked(struct na_connection *connection, enum na_phase phase, int64_t allowed_ms) {
    connection->phase = phase;
    connection->since = na_now();
    connection->deadline = allowed_ms == NA_NEVER ? NA_NEVER : connection->since + allowed_ms;
    if (connection->deadline < connection->server->wake) pthread_cond_signal(&connection->server->earlier);
}

/* What is closing stays closing: a deadline or a stop may come between any two callbacks. */
bool na_enter(struct na_connection *connection, enum na_phase phase, int64_t allowed_ms) {
    pthread_mutex_lock(&connection->server->lock);
    bool open = connection->phase != NA_CLOSING;
    if (open) na_enter_locked(connection, phase, allowed_ms);
    pthread_mutex_unlock(&connection->server->lock);
    return open;
}

/* The connection's thread wakes up, finds the socket shut, and ends. The descriptor is still the connection's own: a
   connection leaves the list, under the same lock, before libmicrohttpd closes its socket. */
void na_cut_locked(struct na_connection *connection) {
    na_enter_locked(connection, NA_CLOSING, NA_NEVER);
    shutdown(connection->fd, SHUT_RDWR);
}

/* The deadline is over. */
static void expire(struct na_connection *connection) {
    bool reading = connection->phase == NA_HEAD || connection->phase == NA_BODY;
    bool first = connection->phase == NA_WAITING && connection->answered == 0;
    /* An idle client gets no answer: it would take it for the one to its next request. */
    if (reading || first) na_refuse_from_outside(connection, NA_TOO_SLOW);
    /* What a slow reader has not taken is thrown away; else the kernel keeps it for minutes. */
    struct linger reset = {.l_onoff = 1, .l_linger = 0};
    if (connection->phase == NA_ANSWERING)
        setsockopt(connection->fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
    na_cut_locked(connection);
}

static void *watch(void *argument) {
    struct na_httpd *server = argument;
    pthread_mutex_lock(&server->lock);
    while (server->watching) {
        int64_t now = na_now();
        server->wake = NA_NEVER;
        for (struct na_connection *each = server->first; each; each = each->next) {
            if (each->deadline <= now) expire(each);
            if (each->deadline < server->wake) server->wake = each->deadline;
        }
        na_wait_until(&server->earlier, &server->lock, server->wake);
    }
    pthread_mutex_unlock(&server->lock);
    return NULL;
}

int na_watchdog_start(struct na_httpd *server) {
    server->wake = NA_NEVER;
    server->watching = true;
    int failure = pthread_create(&server->watchdog, NULL, watch, server);
    if (failure) server->watching = false;
    return failure;
}

void na_watchdog_stop(struct na_httpd *server) {
    if (!server->watching) return;
    pthread_mutex_lock(&server->lock);
    server->watching = false;
    pthread_cond_signal(&server->earlier);
    pthread_mutex_unlock(&server->lock);
    pthread_join(server->watchdog, NULL);
}
