// SPDX-License-Identifier: Apache-2.0
/* The strict reading of a request head (RFC 9112) that libmicrohttpd leaves out.

   It parses the head in place: every separator in its buffer is overwritten by NUL, and what it hands out points into
   that buffer. So the shape of the original lines can be read off the gaps between those pointers. CR LF leaves two
   NULs where a bare LF leaves one; a NUL inside a value, a folded line or a stray byte leaves a gap of another size.
   The head is accepted only if method, target, version, fields and their separators cover it to the last byte, which
   is also what fails, visibly, with a library that lays out its buffer differently.

   Four forms leave the same bytes as CR LF, or none, and pass: NUL beside a bare LF; a line of ":" beside one, which
   the library takes for the empty line; lines before the request line that begin with NUL, and bare LFs there, both of
   which it skips. A proxy that would pass them on breaks RFC 9110 5.5 and RFC 9112 2.2 itself. The tests list them as
   known. */
#include "connection.h"

#include <string.h>
#include <strings.h>

struct reading {
    struct na_connection *connection;
    const char *at;  /* where the next line must begin */
    const char *end; /* of the head, behind its empty line */
    size_t count;
    unsigned hosts, lengths, codings;
    bool known_coding;
    enum na_refusal refusal;
};

/* A token's characters (RFC 9110 5.6.2). */
static bool is_token(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        bool alphanumeric = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
        if (!alphanumeric && (c == 0 || !strchr("!#$%&'*+-.^_`|~", c))) return false;
    }
    return length > 0;
}

/* A field's value: no control characters but the tab (RFC 9110 5.5). */
static bool is_value(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if ((c < 0x20 && c != '\t') || c == 0x7f) return false;
    }
    return true;
}

/* Visible ASCII: a superset of what a URI may hold (RFC 3986 2), without blanks and control characters. */
bool na_is_visible(const char *text, size_t length) {
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if (c <= 0x20 || c >= 0x7f) return false;
    }
    return length > 0;
}

static bool is_named(const char *name, size_t length, const char *expected) {
    return length == strlen(expected) && strncasecmp(name, expected, length) == 0;
}

/* True if a line that was ended by CR LF ends here. */
static bool line_ends(const struct reading *reading, const char *at) {
    return reading->end - at >= 2 && at[0] == 0 && at[1] == 0;
}

static bool take_request_line(struct reading *reading, const char *method, const char *version) {
    const struct na_connection *connection = reading->connection;
    size_t method_length = strlen(method), version_length = strlen(version);
    if (method + method_length + 1 != connection->target) return false;
    if (connection->target + connection->target_length + 1 != version) return false;
    reading->at = version + version_length;
    if (!line_ends(reading, reading->at)) return false;
    reading->at += 2;
    return true;
}

static bool take_field_lines(struct reading *reading, const char *name, size_t name_length, const char *value,
                             size_t value_length) {
    if (name != reading->at || name + name_length >= value || value + value_length > reading->end) return false;
    if (name[name_length] != 0) return false;
    for (const char *blank = name + name_length + 1; blank < value; blank++)
        if (*blank != ' ' && *blank != '\t') return false;
    if (!line_ends(reading, value + value_length)) return false;
    reading->at = value + value_length + 2;
    return true;
}

/* Content-Length is digits that fit into 64 bits: libmicrohttpd has refused everything else before. */
static void read_framing(struct reading *reading, const char *name, size_t name_length, const char *value,
                         size_t value_length) {
    struct na_connection *connection = reading->connection;
    if (is_named(name, name_length, "host")) reading->hosts++;
    if (is_named(name, name_length, "transfer-encoding")) {
        reading->codings++;
        connection->chunked = true;
        reading->known_coding = is_named(value, value_length, "chunked");
    }
    if (is_named(name, name_length, "content-length")) {
        reading->lengths++;
        for (size_t i = 0; i < value_length; i++) {
            if (value[i] < '0' || value[i] > '9') reading->refusal = NA_BAD_FRAMING;
            if (connection->announced < SIZE_MAX / 100)
                connection->announced = connection->announced * 10 + (size_t)(value[i] - '0');
        }
    }
}

static enum MHD_Result take_field(void *argument, enum MHD_ValueKind kind, const char *name, size_t name_length,
                                  const char *value, size_t value_length) {
    (void)kind;
    struct reading *reading = argument;
    struct na_connection *connection = reading->connection;
    if (!take_field_lines(reading, name, name_length, value, value_length)) reading->refusal = NA_BAD_LINES;
    else if (!is_token(name, name_length) || !is_value(value, value_length)) reading->refusal = NA_BAD_FIELD;
    else if (reading->count == connection->server->limits.fields) reading->refusal = NA_BLOCK_TOO_LARGE;
    else {
        connection->fields[reading->count++] = (na_httpd_field){name, name_length, value, value_length};
        read_framing(reading, name, name_length, value, value_length);
    }
    return reading->refusal == NA_WELCOME ? MHD_YES : MHD_NO;
}

/* How the message is framed (RFC 9112 6.1, 6.3): by one length, or by chunks, and never by both. */
static enum na_refusal judge_framing(const struct reading *reading, const char *version) {
    if (reading->hosts != 1) return NA_BAD_HOST;
    if (reading->lengths > 1 || reading->codings > 1) return NA_BAD_FRAMING;
    if (reading->codings == 0) {
        size_t limit = reading->connection->server->limits.body;
        return reading->connection->announced > limit ? NA_BODY_TOO_LARGE : NA_WELCOME;
    }
    if (reading->lengths > 0 || strcmp(version, "HTTP/1.0") == 0) return NA_BAD_FRAMING;
    return reading->known_coding ? NA_WELCOME : NA_UNKNOWN_CODING;
}

enum na_refusal na_guard(struct na_connection *connection, struct MHD_Connection *mhd, const char *target,
                         const char *method, const char *version) {
    const union MHD_ConnectionInfo *head = MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE);
    if (!head || target != connection->target) return NA_BAD_LINES;
    const na_httpd_limits *limits = &connection->server->limits;
    struct reading reading = {.connection = connection, .end = method + head->header_size};
    if (!take_request_line(&reading, method, version)) return NA_BAD_LINES;
    const char *block = reading.at;
    if ((size_t)(block - method) - 2 > limits->line) return NA_LINE_TOO_LONG;
    if ((size_t)(reading.end - block) - 2 > limits->block) return NA_BLOCK_TOO_LARGE;
    if (!is_token(method, strlen(method)) || !connection->clear) return NA_BAD_TARGET;
    MHD_get_connection_values_n(mhd, MHD_HEADER_KIND, take_field, &reading);
    if (reading.refusal != NA_WELCOME) return reading.refusal;
    if (!line_ends(&reading, reading.at) || reading.at + 2 != reading.end) return NA_BAD_LINES;
    connection->field_count = reading.count;
    return judge_framing(&reading, version);
}
