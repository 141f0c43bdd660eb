// SPDX-License-Identifier: Apache-2.0
/* An HTTP/1.1 door on libmicrohttpd, over TLS if it has a certificate: strict about what comes in, with deadlines and connection limits. One thread per
   connection, so the handler may block. No libmicrohttpd type leaves this folder. */
#ifndef NATIVEAUTH_CMICROHTTPD_H
#define NATIVEAUTH_CMICROHTTPD_H

#include <stddef.h>
#include <stdint.h>

/* A listening server. */
typedef struct na_httpd na_httpd;

/* One request that waits for its answer. */
typedef struct na_httpd_exchange na_httpd_exchange;

/* A header field. Both texts are followed by a NUL that their length does not count, and hold none. */
typedef struct {
    const char *name;
    size_t name_length;
    const char *value;
    size_t value_length;
} na_httpd_field;

/* A complete request. Everything is valid until the handler returns. */
typedef struct {
    const char *method;
    const char *target;           /* without the query, percent-decoded nowhere */
    const char *query;            /* what stands behind the '?', as it came; NULL where there is none */
    const na_httpd_field *fields; /* in the order of arrival */
    size_t field_count;
    const uint8_t *body;
    size_t body_length;
    const char *address;          /* the client's, as the socket tells it */
} na_httpd_request;

/* What a client may ask for, in bytes, milliseconds and numbers. */
typedef struct {
    size_t line;                  /* the request line, without its end */
    size_t block;                 /* the header fields with their line ends */
    size_t fields;
    size_t body;
    int64_t head_ms;              /* from the first byte that could come to the end of the header block */
    int64_t body_ms;              /* from there to the end of the body */
    int64_t answer_ms;            /* for the client to take the answer */
    int64_t idle_ms;              /* between an answer and the next request line */
    int64_t grace_ms;             /* for running requests, when the server stops */
    unsigned requests;            /* on one connection */
    unsigned connections;
    unsigned connections_per_address;
    size_t stack;                 /* of a connection's thread */
} na_httpd_limits;

/* A certificate chain and its key, both PEM. */
typedef struct {
    const char *chain;
    const char *key;
} na_httpd_tls;

/* The library takes neither this certificate nor this key. No errno value has this number. */
#define NA_HTTPD_CERTIFICATE (-1)

/* Called on the connection's thread. It calls na_httpd_answer or na_httpd_drop once; without that the client gets a 500. */
typedef void (*na_httpd_handler)(void *context, const na_httpd_request *request, na_httpd_exchange *exchange);

/* Listens on a literal address, or on "localhost", which is 127.0.0.1. With tls == NULL it speaks plain HTTP, else TLS 1.2 and
   1.3. Returns 0, an errno value, or NA_HTTPD_CERTIFICATE; ENOTSUP where libmicrohttpd was built without TLS.
   With inherited >= 0 it uses that socket, which listens already, and owns the descriptor from then on.
   The context must outlive na_httpd_stop. */
int na_httpd_start(na_httpd **server, const char *host, uint16_t port, int inherited, const na_httpd_limits *limits,
                   const na_httpd_tls *tls, na_httpd_handler handler, void *context);

/* Shows another certificate to those who connect from now on; sessions that have begun keep theirs. Returns 0,
   ENOTSUP for a server of plain HTTP, or NA_HTTPD_CERTIFICATE; then the former one is shown on. */
int na_httpd_renew(na_httpd *server, const na_httpd_tls *tls);

/* The port that it listens on. */
uint16_t na_httpd_port(const na_httpd *server);

/* How many connections there are. */
unsigned na_httpd_connections(na_httpd *server);

/* Sets the answer. Everything is copied. */
void na_httpd_answer(na_httpd_exchange *exchange, unsigned status, const na_httpd_field *fields, size_t field_count,
                     const uint8_t *body, size_t body_length);

/* Closes the connection instead of an answer. */
void na_httpd_drop(na_httpd_exchange *exchange);

/* Takes no more connections, closes idle ones, waits for running requests until the grace period is over, closes the
   rest and returns when no handler runs any more. May be called again, from any thread that runs no handler. */
void na_httpd_stop(na_httpd *server);

/* Stops the server and lets its memory go. */
void na_httpd_free(na_httpd *server);

#endif
