// SPDX-License-Identifier: Apache-2.0
/* Answers of the door itself. They are written straight to the socket, which is shut afterwards: libmicrohttpd takes no
   answer while it reads a body, and none from the watchdog's thread. Over TLS only the connection's own thread can
   write, since a session is in the middle of its handshake or of a record as seen from any other. */
#include "connection.h"

#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

static const struct {
    unsigned status;
    const char *reason;
    const char *sentence;
} refusals[] = {
    [NA_BAD_LINES] = {400, "Bad Request", "The lines of the request head are not separated as RFC 9112 demands."},
    [NA_BAD_TARGET] = {400, "Bad Request", "The request line is malformed."},
    [NA_BAD_FIELD] = {400, "Bad Request", "A header field has a name or a value that is not allowed."},
    [NA_BAD_HOST] = {400, "Bad Request", "The request must have exactly one Host header field."},
    [NA_BAD_FRAMING] = {400, "Bad Request", "The length of the request body is not clear."},
    [NA_MALFORMED] = {400, "Bad Request", "The request is malformed."},
    [NA_TOO_SLOW] = {408, "Request Timeout", "The request took too long to arrive."},
    [NA_BODY_TOO_LARGE] = {413, "Content Too Large", "The request body is too large."},
    [NA_LINE_TOO_LONG] = {414, "URI Too Long", "The request line is too long."},
    [NA_BLOCK_TOO_LARGE] = {431, "Request Header Fields Too Large", "The header fields are too many or too large."},
    [NA_BROKEN] = {500, "Internal Server Error", "The server failed to answer."},
    [NA_UNKNOWN_CODING] = {501, "Not Implemented", "The only transfer coding that is understood is chunked."},
    [NA_TOO_BUSY] = {503, "Service Unavailable", "The server has too many connections."},
    [NA_UNKNOWN_VERSION] = {505, "HTTP Version Not Supported", "The server speaks HTTP/1.1."},
};

/* RFC 9110 5.6.7. The names of days and months are English in the C locale, which the server keeps. */
static void write_date(char *out, size_t capacity) {
    time_t now = time(NULL);
    struct tm utc;
    gmtime_r(&now, &utc);
    strftime(out, capacity, "%a, %d %b %Y %H:%M:%S GMT", &utc);
}

static size_t write_refusal(char *out, size_t capacity, enum na_refusal refusal, bool head_only) {
    char date[32], body[200];
    write_date(date, sizeof date);
    const char *error = refusals[refusal].status == 500 ? "server_error" : "invalid_request";
    int length = snprintf(body, sizeof body, "{\"error\":\"%s\",\"error_description\":\"%s\"}", error,
                          refusals[refusal].sentence);
    int total = snprintf(out, capacity,
                         "HTTP/1.1 %u %s\r\nDate: %s\r\nConnection: close\r\n"
                         "Content-Type: application/json; charset=utf-8\r\nCache-Control: no-store\r\n"
                         "X-Content-Type-Options: nosniff\r\n%sContent-Length: %d\r\n\r\n%s",
                         refusals[refusal].status, refusals[refusal].reason, date,
                         refusals[refusal].status == 503 ? "Retry-After: 1\r\n" : "", length, head_only ? "" : body);
    return (size_t)total;
}

/* No more is sent. The client of a TLS connection is told (RFC 8446 6.1), or it would suspect that someone cut it off. */
static void end_sending(struct na_connection *connection) {
    if (connection->tls) gnutls_bye(connection->tls, GNUTLS_SHUT_WR);
    shutdown(connection->fd, SHUT_WR);
}

/* A few hundred bytes fit into an empty send buffer. If it is not empty the client does not read, and loses.
   Whatever libmicrohttpd would still write is not sent any more. */
static void refuse_locked(struct na_connection *connection, enum na_refusal refusal) {
    char text[640];
    size_t length = write_refusal(text, sizeof text, refusal, connection->head_only);
    if (connection->tls) gnutls_record_send(connection->tls, text, length);
    else send(connection->fd, text, length, MSG_DONTWAIT | MSG_NOSIGNAL);
    end_sending(connection);
}

void na_refuse_from_outside(struct na_connection *connection, enum na_refusal refusal) {
    if (connection->tls) shutdown(connection->fd, SHUT_WR);
    else refuse_locked(connection, refusal);
}

void na_refuse(struct na_connection *connection, enum na_refusal refusal) {
    pthread_mutex_lock(&connection->server->lock);
    if (connection->phase != NA_CLOSING) {
        refuse_locked(connection, refusal);
        na_enter_locked(connection, NA_CLOSING, connection->server->limits.answer_ms);
    }
    pthread_mutex_unlock(&connection->server->lock);
}

/* A socket that is closed with unread bytes resets the connection, and a reset may overtake the answer (RFC 9112 9.6).
   So what the client still sends is read for a moment, as far as a well-meant request would go. */
void na_drain(struct na_connection *connection) {
    char waste[4096];
    end_sending(connection);
    pthread_mutex_lock(&connection->server->lock);
    int64_t end = na_now() + (connection->server->stopping ? 100 : 1000);
    pthread_mutex_unlock(&connection->server->lock);
    size_t left = connection->server->limits.body * 16;
    for (;;) {
        int64_t wait = end - na_now();
        struct pollfd ready = {.fd = connection->fd, .events = POLLIN};
        if (wait <= 0 || poll(&ready, 1, (int)wait) <= 0) return;
        ssize_t length = recv(connection->fd, waste, sizeof waste, MSG_DONTWAIT);
        if (length <= 0 || (size_t)length >= left) return;
        left -= (size_t)length;
    }
}

/* The connection that this thread serves, once its first request line is read. */
static _Thread_local struct na_connection *served;

void na_serving(struct na_connection *connection) {
    served = connection;
}

static enum na_refusal refusal_of(unsigned status) {
    switch (status) {
    case 413: return NA_BODY_TOO_LARGE;
    case 414: return NA_LINE_TOO_LONG;
    case 431: return NA_BLOCK_TOO_LARGE;
    case 505: return NA_UNKNOWN_VERSION;
    default: return NA_MALFORMED;
    }
}

/* libmicrohttpd answers some malformed requests by itself, in HTML and without headers. Its log line is the only
   notice before that, so our answer is sent from here. Should the line read differently one day, or be about a request
   line, its answer goes out instead. */
void na_on_log(void *server, const char *format, va_list arguments) {
    (void)server;
    static const char notice[] = "Error processing request (HTTP response code is %u";
    struct na_connection *connection = served;
    if (!connection || strncmp(format, notice, sizeof notice - 1) != 0) return;
    unsigned status = va_arg(arguments, unsigned);
    pthread_mutex_lock(&connection->server->lock);
    bool answered = connection->phase == NA_ANSWERING || connection->phase == NA_CLOSING;
    pthread_mutex_unlock(&connection->server->lock);
    if (!answered) na_refuse(connection, refusal_of(status));
}
