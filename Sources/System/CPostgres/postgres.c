// SPDX-License-Identifier: Apache-2.0
#include "CPostgres.h"

#include <dlfcn.h>
#include <postgresql/libpq-fe.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

/* Each name is libpq's, with its type from libpq's header. */
#define NAMES(each)                                                                                                          \
    each(PQconnectdbParams) each(PQstatus) each(PQerrorMessage) each(PQfinish) each(PQprepare) each(PQexecPrepared)          \
    each(PQexec) each(PQresultStatus) each(PQresultErrorField) each(PQcmdStatus) each(PQcmdTuples) each(PQntuples)           \
    each(PQnfields) each(PQftype) each(PQgetisnull) each(PQgetvalue) each(PQgetlength) each(PQclear)                         \
    each(PQsetNoticeProcessor)

#define MEMBER(name) __typeof__(&name) name;
static struct {
    NAMES(MEMBER)
} pq;
static int is_there;

static void load(void) {
    void *library = dlopen("libpq.so.5", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
#define FIND(name)                                                                                                           \
    void *found_##name = dlsym(library, #name);                                                                              \
    if (!found_##name) return;                                                                                               \
    memcpy(&pq.name, &found_##name, sizeof pq.name);
    NAMES(FIND)
    is_there = 1;
}

int na_pg_is_there(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    return is_there;
}

/* The server's notices are for somebody at a terminal; by default libpq prints them. */
static void be_silent(void *context, const char *message) {
    (void)context;
    (void)message;
}

na_pg *na_pg_open(const char *const *keywords, const char *const *values) {
    if (!na_pg_is_there()) return NULL;
    PGconn *connection = pq.PQconnectdbParams(keywords, values, 1);
    if (connection) pq.PQsetNoticeProcessor(connection, be_silent, NULL);
    return (na_pg *)connection;
}

int na_pg_is_open(const na_pg *connection) { return pq.PQstatus((const PGconn *)connection) == CONNECTION_OK; }

const char *na_pg_message(const na_pg *connection) { return pq.PQerrorMessage((const PGconn *)connection); }

void na_pg_close(na_pg *connection) { pq.PQfinish((PGconn *)connection); }

na_pg_result *na_pg_prepare(na_pg *connection, const char *name, const char *sql, int count, const uint32_t *types) {
    return (na_pg_result *)pq.PQprepare((PGconn *)connection, name, sql, count, types);
}

na_pg_result *na_pg_run(
    na_pg *connection, const char *name, int count, const char *const *values, const int *lengths, const int *binary) {
    return (na_pg_result *)pq.PQexecPrepared((PGconn *)connection, name, count, values, lengths, binary, 1);
}

na_pg_result *na_pg_do(na_pg *connection, const char *sql) {
    return (na_pg_result *)pq.PQexec((PGconn *)connection, sql);
}

int na_pg_succeeded(const na_pg_result *result) {
    ExecStatusType status = pq.PQresultStatus((const PGresult *)result);
    return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK;
}

static const char *field(const na_pg_result *result, int code) {
    const char *text = pq.PQresultErrorField((const PGresult *)result, code);
    return text ? text : "";
}

const char *na_pg_state(const na_pg_result *result) { return field(result, PG_DIAG_SQLSTATE); }

const char *na_pg_reason(const na_pg_result *result) { return field(result, PG_DIAG_MESSAGE_PRIMARY); }

/* libpq's own functions for the two take a result that is not const, and change nothing. */
const char *na_pg_tag(const na_pg_result *result) { return pq.PQcmdStatus((PGresult *)result); }

int na_pg_changed(const na_pg_result *result) { return atoi(pq.PQcmdTuples((PGresult *)result)); }

int na_pg_rows(const na_pg_result *result) { return pq.PQntuples((const PGresult *)result); }

int na_pg_columns(const na_pg_result *result) { return pq.PQnfields((const PGresult *)result); }

uint32_t na_pg_type(const na_pg_result *result, int column) { return pq.PQftype((const PGresult *)result, column); }

const char *na_pg_value(const na_pg_result *result, int row, int column, int *length) {
    const PGresult *answer = (const PGresult *)result;
    if (pq.PQgetisnull(answer, row, column)) return NULL;
    *length = pq.PQgetlength(answer, row, column);
    return pq.PQgetvalue(answer, row, column);
}

void na_pg_free(na_pg_result *result) { pq.PQclear((PGresult *)result); }
