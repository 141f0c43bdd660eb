/* HTTPS requests and mail by libcurl, which is loaded when the first request is made: loading costs more than the rest of a
   short-lived program together. No libcurl type leaves this folder. */
#ifndef NATIVEAUTH_CCURL_H
#define NATIVEAUTH_CCURL_H

#include <stddef.h>
#include <stdint.h>

/* One connection cache. It carries one request at a time. */
typedef struct na_http na_http;

typedef struct {
    const char *method;
    const char *url;
    int loopback;                /* plain http is allowed, and no proxy is used */
    const char *const *headers;  /* "Name: value" */
    size_t header_count;
    const uint8_t *body;         /* may be NULL */
    size_t body_length;
    long connect_timeout_ms;
    long timeout_ms;
    const char *ca_file;         /* NULL: the system's */
    const char *proxy;           /* NULL: from the environment */
    size_t body_limit;           /* what an answer's body may have; 0: 1 MiB */
    int direct;                  /* no proxy, whatever the environment says */
    const char *hosts;           /* "HOST:PORT:ADDRESS,…", asked before the name service; may be NULL */
    /* Whether a connection to an address, 4 or 16 bytes in network order, may be opened; NULL: any. It is asked for the
       very address that is connected to, so a name that changes its mind in between gains nothing. */
    int (*admits)(const uint8_t *address, size_t length);
} na_http_request;

/* Why there is no answer. */
typedef enum {
    NA_HTTP_DONE = 0,
    NA_HTTP_CANCELLED,
    NA_HTTP_UNKNOWN_HOST,
    NA_HTTP_NO_CONNECTION,
    NA_HTTP_CONNECTION_LOST,
    NA_HTTP_TIMED_OUT,
    NA_HTTP_UNTRUSTED,           /* TLS: certificate, name or version */
    NA_HTTP_PROXY_REFUSED,
    NA_HTTP_TOO_LARGE,
    NA_HTTP_ADDRESS_REFUSED,     /* there are addresses, and admits wants none of them */
    NA_HTTP_NOT_ENCRYPTED,       /* the mail server does not offer what was insisted on */
    NA_HTTP_LOGIN_REFUSED,
    NA_HTTP_OTHER
} na_http_outcome;

typedef struct {
    long status;
    char *headers;               /* the last header block, lines ended by CRLF */
    size_t headers_length;
    uint8_t *body;
    size_t body_length;
    char message[256];           /* libcurl's words, for a failure */
} na_http_response;

/* Loads libcurl, if that is not done yet. */
void na_http_load(void);

/* NULL if libcurl cannot be loaded; the reason is written to message. */
na_http *na_http_open(char message[256]);
void na_http_close(na_http *http);

/* Blocks until there is an answer, a failure, or a cancellation. */
na_http_outcome na_http_perform(na_http *http, const na_http_request *request, na_http_response *response);
void na_http_response_free(na_http_response *response);

/* Ends a running or coming perform at once; from any thread. */
void na_http_cancel(na_http *http);
/* Makes the client usable again after a cancellation. */
void na_http_rearm(na_http *http);

/* --- Mail ---------------------------------------------------------------------------------------------------- */

typedef struct {
    const char *url;             /* smtp://HOST:PORT or smtps://HOST:PORT */
    const char *user;            /* NULL: nobody signs in */
    const char *password;
    const char *from;            /* addresses without brackets */
    const char *to;
    const uint8_t *text;         /* an Internet message, its lines ended by CRLF */
    size_t length;
    int encrypted;               /* nothing is said unless STARTTLS works; of no meaning to smtps */
    const char *ca_file;         /* NULL: the system's */
    const char *hosts;           /* "HOST:PORT:ADDRESS,…", asked before the name service; may be NULL */
    long timeout_ms;
    int (*admits)(const uint8_t *address, size_t length);
} na_mail;

/* How far a conversation came: what the client said last. */
typedef enum {
    NA_MAIL_OPENING = 0,         /* greeting, STARTTLS, signing in */
    NA_MAIL_SENDER,
    NA_MAIL_RECIPIENT,
    NA_MAIL_TEXT                 /* DATA and all that follows */
} na_mail_stage;

typedef struct {
    long code;                   /* of the server's last answer; 0 where there is none */
    char reply[256];             /* that answer's last line */
    na_mail_stage stage;
    char message[256];           /* libcurl's words, for a failure */
} na_mail_result;

/* Sends one mail to one recipient; blocks until the server has taken it, a failure, or a cancellation. The connection is
   kept for the next one. */
na_http_outcome na_mail_send(na_http *http, const na_mail *mail, na_mail_result *result);

#endif
