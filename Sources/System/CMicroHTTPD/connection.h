// SPDX-License-Identifier: Apache-2.0
/* What the files of this folder share. */
#ifndef NATIVEAUTH_HTTPD_CONNECTION_H
#define NATIVEAUTH_HTTPD_CONNECTION_H

#include "CMicroHTTPD.h"

#include <gnutls/gnutls.h>
#include <microhttpd.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdbool.h>

/* Where a connection is in its request. */
enum na_phase {
    NA_WAITING,   /* for a request line */
    NA_HEAD,      /* the request line is here, the header block is not complete */
    NA_BODY,
    NA_HANDLING,
    NA_ANSWERING,
    NA_CLOSING
};

/* No deadline. */
#define NA_NEVER INT64_MAX

/* Why the door itself says no. The numbers are rows of a table in refusal.c. */
enum na_refusal {
    NA_WELCOME = 0,
    NA_BAD_LINES,
    NA_BAD_TARGET,
    NA_BAD_FIELD,
    NA_BAD_HOST,
    NA_BAD_FRAMING,
    NA_MALFORMED,
    NA_TOO_SLOW,
    NA_BODY_TOO_LARGE,
    NA_LINE_TOO_LONG,
    NA_BLOCK_TOO_LARGE,
    NA_BROKEN,
    NA_UNKNOWN_CODING,
    NA_TOO_BUSY,
    NA_UNKNOWN_VERSION
};

/* One connection, from accept to close. */
struct na_connection {
    struct na_httpd *server;
    int fd;
    gnutls_session_t tls; /* NULL for plain HTTP */
    struct in6_addr address;
    struct in6_addr network;
    struct na_connection *previous, *next;

    /* Guarded by the server's lock. */
    enum na_phase phase;
    int64_t deadline;
    int64_t since; /* when the phase began */
    unsigned answered;

    /* The request that is being read; only the connection's thread looks at it. */
    bool begun;
    bool head_only;
    bool chunked;
    bool last; /* the connection ends behind this answer */
    bool clear; /* the target holds visible ASCII only */
    const char *target;
    size_t target_length;
    char *query; /* a copy: the library takes the original apart */
    size_t announced; /* Content-Length */
    uint8_t *body;
    size_t body_length, body_capacity;
    size_t field_count;
    na_httpd_field fields[]; /* limits.fields of them */
};

/* A certificate that replaced the one that the server began with. Sessions may still use it when there is a newer one, so
   it lives as long as the server. */
struct na_identity {
    gnutls_certificate_credentials_t credentials;
    struct na_identity *former;
};

struct na_httpd {
    struct MHD_Daemon *daemon;
    bool secure;
    int listener;
    bool inherited; /* the listening socket is somebody else's as well */
    uint16_t port;
    na_httpd_limits limits;
    na_httpd_handler handler;
    void *context;

    pthread_mutex_t lock;
    pthread_cond_t earlier; /* for the watchdog: a deadline before the one it sleeps for, or the end */
    pthread_cond_t left;    /* for stop: a connection is gone, or another stop is through */
    struct na_connection *first;
    struct na_identity *identity; /* the newest; NULL for the first one, which libmicrohttpd has */
    int64_t wake;           /* what the watchdog sleeps for */
    bool stopping, stopped, watching;
    pthread_t watchdog;
};

struct na_httpd_exchange {
    struct na_connection *connection;
    struct MHD_Connection *mhd;
    enum MHD_Result result;
    bool dropped;
};

/* watchdog.c */
int64_t na_now(void);
bool na_enter(struct na_connection *connection, enum na_phase phase, int64_t allowed_ms);
void na_enter_locked(struct na_connection *connection, enum na_phase phase, int64_t allowed_ms);
void na_cut_locked(struct na_connection *connection);
int na_monotonic_condition(pthread_cond_t *condition);
int na_wait_until(pthread_cond_t *condition, pthread_mutex_t *lock, int64_t deadline);
int na_watchdog_start(struct na_httpd *server);
void na_watchdog_stop(struct na_httpd *server);

/* refusal.c. The first is for the connection's own thread. */
void na_refuse(struct na_connection *connection, enum na_refusal refusal);
void na_refuse_from_outside(struct na_connection *connection, enum na_refusal refusal);
void na_on_log(void *server, const char *format, va_list arguments);
void na_serving(struct na_connection *connection);
void na_drain(struct na_connection *connection);

/* guard.c */
bool na_is_visible(const char *text, size_t length);
enum na_refusal na_guard(struct na_connection *connection, struct MHD_Connection *mhd, const char *target,
                         const char *method, const char *version);

/* requests.c */
void *na_on_target(void *server, const char *target, struct MHD_Connection *mhd);
enum MHD_Result na_on_request(void *server, struct MHD_Connection *mhd, const char *target, const char *method,
                              const char *version, const char *data, size_t *length, void **context);
void na_on_completed(void *server, struct MHD_Connection *mhd, void **context, enum MHD_RequestTerminationCode code);
void na_forget(struct na_connection *connection);

/* identity.c */
void na_show_identity(struct na_connection *connection);
void na_free_identities(struct na_httpd *server);

/* admission.c */
void na_on_connection(void *server, struct MHD_Connection *mhd, void **context,
                      enum MHD_ConnectionNotificationCode code);

#endif
