// SPDX-License-Identifier: Apache-2.0
/* A request's way: request line, head, body, handler, answer. All of it on the connection's own thread. */
#include "connection.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>

static struct na_connection *connection_of(struct MHD_Connection *mhd) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_SOCKET_CONTEXT);
    return info ? info->socket_context : NULL;
}

/* What a handler leaves below it on the stack may be what people typed, and threads' stacks are used again. */
static __attribute__((noinline)) void wipe_stack(void) {
    uint8_t waste[96 * 1024];
    explicit_bzero(waste, sizeof waste);
}

void na_forget(struct na_connection *connection) {
    if (connection->body) {
        explicit_bzero(connection->body, connection->body_capacity); /* forms carry passwords */
        free(connection->body);
    }
    connection->body = NULL;
    if (connection->query) explicit_bzero(connection->query, strlen(connection->query)); /* logouts carry tokens */
    free(connection->query);
    connection->query = NULL;
    connection->body_length = connection->body_capacity = 0;
    connection->announced = 0;
    connection->begun = connection->head_only = connection->chunked = connection->last = false;
}

/* The request line is read. The target is still as it came; later its query is taken apart in place. */
void *na_on_target(void *server, const char *target, struct MHD_Connection *mhd) {
    (void)server;
    struct na_connection *connection = connection_of(mhd);
    if (!connection) return NULL;
    na_serving(connection);
    connection->target = target;
    connection->target_length = target ? strlen(target) : 0;
    connection->clear = na_is_visible(target, connection->target_length);
    const char *mark = target ? strchr(target, '?') : NULL;
    free(connection->query);
    connection->query = mark && connection->target_length <= connection->server->limits.line ? strdup(mark + 1) : NULL;
    pthread_mutex_lock(&connection->server->lock);
    if (connection->phase == NA_WAITING) {
        int64_t deadline = connection->deadline;
        na_enter_locked(connection, NA_HEAD, connection->server->limits.head_ms);
        /* A new connection has one deadline for its whole head. */
        if (connection->answered == 0 && deadline < connection->deadline) connection->deadline = deadline;
    }
    pthread_mutex_unlock(&connection->server->lock);
    return connection;
}

/* The head is read. MHD_NO closes the connection. */
static enum MHD_Result begin(struct na_connection *connection, struct MHD_Connection *mhd, const char *target,
                             const char *method, const char *version) {
    connection->begun = true;
    connection->head_only = strcmp(method, "HEAD") == 0;
    enum na_refusal refusal = na_guard(connection, mhd, target, method, version);
    if (refusal != NA_WELCOME) {
        na_refuse(connection, refusal);
        return MHD_NO;
    }
    return na_enter(connection, NA_BODY, connection->server->limits.body_ms) ? MHD_YES : MHD_NO;
}

static bool make_room(struct na_connection *connection, size_t length) {
    size_t needed = connection->body_length + length;
    if (needed <= connection->body_capacity) return true;
    size_t capacity = connection->chunked ? connection->server->limits.body : connection->announced;
    if (needed > capacity) return false;
    connection->body = malloc(capacity);
    connection->body_capacity = connection->body ? capacity : 0;
    return connection->body != NULL;
}

/* A piece of the body is here. */
static enum MHD_Result take(struct na_connection *connection, const char *data, size_t *length) {
    if (connection->body_length + *length > connection->server->limits.body) {
        na_refuse(connection, NA_BODY_TOO_LARGE);
        return MHD_NO;
    }
    if (!make_room(connection, *length)) {
        na_refuse(connection, NA_BROKEN);
        return MHD_NO;
    }
    memcpy(connection->body + connection->body_length, data, *length);
    connection->body_length += *length;
    *length = 0;
    return MHD_YES;
}

/* The request is complete. */
static enum MHD_Result handle(struct na_connection *connection, struct MHD_Connection *mhd, const char *target,
                              const char *method) {
    if (!na_enter(connection, NA_HANDLING, NA_NEVER)) return MHD_NO; /* the client has its refusal already */
    char address[INET6_ADDRSTRLEN] = "";
    bool v4 = IN6_IS_ADDR_V4MAPPED(&connection->address);
    inet_ntop(v4 ? AF_INET : AF_INET6, connection->address.s6_addr + (v4 ? 12 : 0), address, sizeof address);
    na_httpd_request request = {
        .method = method,
        .target = target,
        .query = connection->query,
        .fields = connection->fields,
        .field_count = connection->field_count,
        .body = connection->body,
        .body_length = connection->body_length,
        .address = address,
    };
    struct na_httpd_exchange exchange = {connection, mhd, MHD_NO, false};
    connection->server->handler(connection->server->context, &request, &exchange);
    wipe_stack();
    if (exchange.result != MHD_YES && !exchange.dropped) na_refuse(connection, NA_BROKEN);
    return exchange.result;
}

enum MHD_Result na_on_request(void *server, struct MHD_Connection *mhd, const char *target, const char *method,
                              const char *version, const char *data, size_t *length, void **context) {
    (void)server;
    struct na_connection *connection = *context;
    if (!connection) return MHD_NO;
    if (!connection->begun) return begin(connection, mhd, target, method, version);
    if (*length > 0) return take(connection, data, length);
    return handle(connection, mhd, target, method);
}

/* The answer is with the kernel, or the request came to nothing. */
void na_on_completed(void *argument, struct MHD_Connection *mhd, void **context, enum MHD_RequestTerminationCode code) {
    (void)mhd;
    (void)code;
    struct na_httpd *server = argument;
    struct na_connection *connection = *context;
    if (!connection) return;
    pthread_mutex_lock(&server->lock);
    bool ends = connection->last || connection->phase == NA_CLOSING;
    connection->answered++;
    if (!ends) na_enter_locked(connection, NA_WAITING, server->limits.idle_ms);
    /* Its answer left before the server was told to stop, so nobody told the client. */
    if (!ends && server->stopping) na_cut_locked(connection);
    pthread_mutex_unlock(&server->lock);
    na_forget(connection);
    if (ends) na_drain(connection);
}

void na_httpd_drop(na_httpd_exchange *exchange) {
    exchange->dropped = true;
    na_enter(exchange->connection, NA_CLOSING, 1000);
}

/* The fields of an answer, and what the door adds to it. */
static bool add_fields(struct MHD_Response *response, const na_httpd_field *fields, size_t count) {
    for (size_t i = 0; i < count; i++)
        if (MHD_add_response_header(response, fields[i].name, fields[i].value) != MHD_YES) return false;
    if (MHD_get_response_header(response, "X-Content-Type-Options")) return true;
    return MHD_add_response_header(response, "X-Content-Type-Options", "nosniff") == MHD_YES;
}

/* A body in chunks is the last on its connection: libmicrohttpd takes bare LF between chunks, where another reader of
   the same bytes may see other boundaries (RFC 9112 11.2), and then nothing behind it may count as a request. */
static bool is_last(struct na_connection *connection) {
    struct na_httpd *server = connection->server;
    pthread_mutex_lock(&server->lock);
    bool last = connection->chunked || server->stopping || connection->answered + 1 >= server->limits.requests;
    pthread_mutex_unlock(&server->lock);
    return last;
}

void na_httpd_answer(na_httpd_exchange *exchange, unsigned status, const na_httpd_field *fields, size_t field_count,
                     const uint8_t *body, size_t body_length) {
    struct na_connection *connection = exchange->connection;
    /* The body is copied, because the answer is sent after the handler has returned. */
    struct MHD_Response *response =
        MHD_create_response_from_buffer(body_length, (void *)(uintptr_t)body, MHD_RESPMEM_MUST_COPY);
    if (!response) return;
    connection->last = is_last(connection);
    bool complete = status >= 200 && add_fields(response, fields, field_count);
    if (complete && connection->last)
        complete = MHD_add_response_header(response, "Connection", "close") == MHD_YES;
    if (complete) {
        na_enter(connection, NA_ANSWERING, connection->server->limits.answer_ms);
        exchange->result = MHD_queue_response(exchange->mhd, status, response);
    }
    MHD_destroy_response(response);
}
