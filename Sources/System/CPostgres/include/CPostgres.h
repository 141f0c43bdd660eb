/* PostgreSQL's client library, libpq, which is loaded when the first database server is met: most tenants are kept in a file.
   No libpq type leaves this folder. */
#ifndef NATIVEAUTH_CPOSTGRES_H
#define NATIVEAUTH_CPOSTGRES_H

#include <stddef.h>
#include <stdint.h>

/* A connection; one thread uses it at a time. */
typedef struct na_pg na_pg;
/* What came of a statement. */
typedef struct na_pg_result na_pg_result;

/* The numbers by which PostgreSQL knows the types that a tenant stores (pg_type.dat). */
enum { NA_PG_UNKNOWN = 0, NA_PG_BYTEA = 17, NA_PG_INT8 = 20, NA_PG_INT4 = 23, NA_PG_TEXT = 25, NA_PG_BOOL = 16 };

/* Whether libpq is there. */
int na_pg_is_there(void);

/* Connects. The arrays end with NULL, and the value of "dbname" may be a whole connection string; what comes after it counts
   more than what is in it. NULL where there is no memory or no libpq; na_pg_is_open tells whether there is a connection. */
na_pg *na_pg_open(const char *const *keywords, const char *const *values);
int na_pg_is_open(const na_pg *connection);
/* The server's words about the last failure; it ends with a newline. */
const char *na_pg_message(const na_pg *connection);
void na_pg_close(na_pg *connection);

/* Gives a statement a name, for parameters of the given types. */
na_pg_result *na_pg_prepare(na_pg *connection, const char *name, const char *sql, int count, const uint32_t *types);
/* Runs a statement that has a name; what it gives is in binary form. */
na_pg_result *na_pg_run(
    na_pg *connection, const char *name, int count, const char *const *values, const int *lengths, const int *binary);
/* Runs statements without parameters. */
na_pg_result *na_pg_do(na_pg *connection, const char *sql);

/* Whether the statement was carried out. */
int na_pg_succeeded(const na_pg_result *result);
/* SQLSTATE, five letters; "" where the server said nothing. */
const char *na_pg_state(const na_pg_result *result);
/* What the server says went wrong, without values of rows. */
const char *na_pg_reason(const na_pg_result *result);
/* The statement's own word for what it did: "COMMIT" or "ROLLBACK" after COMMIT. */
const char *na_pg_tag(const na_pg_result *result);
/* How many rows were changed. */
int na_pg_changed(const na_pg_result *result);
int na_pg_rows(const na_pg_result *result);
int na_pg_columns(const na_pg_result *result);
uint32_t na_pg_type(const na_pg_result *result, int column);
/* The bytes of a value; NULL for SQL's null. */
const char *na_pg_value(const na_pg_result *result, int row, int column, int *length);
void na_pg_free(na_pg_result *result);

#endif
