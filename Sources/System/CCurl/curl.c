// SPDX-License-Identifier: Apache-2.0
#include "CCurl.h"

#include <curl/curl.h>
#include <dlfcn.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

/* The functions that are used, found at run time. The names are libcurl's. */
static struct {
    CURLcode (*global_init)(long);
    CURL *(*easy_init)(void);
    void (*easy_reset)(CURL *);
    void (*easy_cleanup)(CURL *);
    CURLcode (*easy_setopt)(CURL *, CURLoption, ...);
    CURLcode (*easy_getinfo)(CURL *, CURLINFO, ...);
    const char *(*easy_strerror)(CURLcode);
    CURLM *(*multi_init)(void);
    CURLMcode (*multi_cleanup)(CURLM *);
    CURLMcode (*multi_add_handle)(CURLM *, CURL *);
    CURLMcode (*multi_remove_handle)(CURLM *, CURL *);
    CURLMcode (*multi_perform)(CURLM *, int *);
    CURLMcode (*multi_poll)(CURLM *, struct curl_waitfd[], unsigned int, int, int *);
    CURLMcode (*multi_wakeup)(CURLM *);
    CURLMsg *(*multi_info_read)(CURLM *, int *);
    struct curl_slist *(*slist_append)(struct curl_slist *, const char *);
    void (*slist_free_all)(struct curl_slist *);
} curl;

static char load_failure[256];

static int find(void *library, const char *name, void *target) {
    void *symbol = dlsym(library, name);
    if (!symbol) snprintf(load_failure, sizeof load_failure, "libcurl has no %s", name);
    memcpy(target, &symbol, sizeof symbol);
    return symbol != NULL;
}

static void load(void) {
    /* Lazily: resolving every symbol of the thirty libraries behind libcurl takes longer than a request. */
    void *library = dlopen("libcurl.so.4", RTLD_LAZY | RTLD_LOCAL);
    if (!library) {
        snprintf(load_failure, sizeof load_failure, "%s", dlerror());
        return;
    }
    int found = find(library, "curl_global_init", &curl.global_init) &&
                find(library, "curl_easy_init", &curl.easy_init) &&
                find(library, "curl_easy_reset", &curl.easy_reset) &&
                find(library, "curl_easy_cleanup", &curl.easy_cleanup) &&
                find(library, "curl_easy_setopt", &curl.easy_setopt) &&
                find(library, "curl_easy_getinfo", &curl.easy_getinfo) &&
                find(library, "curl_easy_strerror", &curl.easy_strerror) &&
                find(library, "curl_multi_init", &curl.multi_init) &&
                find(library, "curl_multi_cleanup", &curl.multi_cleanup) &&
                find(library, "curl_multi_add_handle", &curl.multi_add_handle) &&
                find(library, "curl_multi_remove_handle", &curl.multi_remove_handle) &&
                find(library, "curl_multi_perform", &curl.multi_perform) &&
                find(library, "curl_multi_poll", &curl.multi_poll) &&
                find(library, "curl_multi_wakeup", &curl.multi_wakeup) &&
                find(library, "curl_multi_info_read", &curl.multi_info_read) &&
                find(library, "curl_slist_append", &curl.slist_append) &&
                find(library, "curl_slist_free_all", &curl.slist_free_all);
    if (found && curl.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
        snprintf(load_failure, sizeof load_failure, "libcurl does not start");
}

struct na_http {
    CURLM *multi;
    CURL *easy;
    atomic_int cancelled;
};

void na_http_load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
}

na_http *na_http_open(char message[256]) {
    na_http_load();
    snprintf(message, 256, "%s", load_failure);
    if (load_failure[0]) return NULL;
    na_http *http = calloc(1, sizeof *http);
    if (!http) return NULL;
    http->multi = curl.multi_init();
    http->easy = curl.easy_init();
    if (http->multi && http->easy) return http;
    snprintf(message, 256, "out of memory");
    na_http_close(http);
    return NULL;
}

void na_http_close(na_http *http) {
    if (http->easy) curl.easy_cleanup(http->easy);
    if (http->multi) curl.multi_cleanup(http->multi);
    free(http);
}

void na_http_cancel(na_http *http) {
    atomic_store(&http->cancelled, 1);
    curl.multi_wakeup(http->multi);
}

void na_http_rearm(na_http *http) { atomic_store(&http->cancelled, 0); }

/* --- Receiving ----------------------------------------------------------------------------------------------- */

/* No answer of an identity provider comes near this; a longer one is a fault or an attack. */
enum { BODY_LIMIT = 1024 * 1024, HEADERS_LIMIT = 64 * 1024 };

/* What libcurl's callbacks see of the running request. */
struct transfer {
    const na_http_request *request;
    na_http_response *response;
    struct curl_slist *headers;
    struct curl_slist *hosts;
    int refused_address;
};

static size_t append(void *data, size_t size, uint8_t **buffer, size_t *length, size_t limit) {
    if (size > limit - *length) return 0;
    uint8_t *grown = realloc(*buffer, *length + size + 1);
    if (!grown) return 0;
    memcpy(grown + *length, data, size);
    grown[*length + size] = 0;
    *buffer = grown;
    *length += size;
    return size;
}

static size_t receive_body(char *data, size_t size, size_t count, void *context) {
    struct transfer *transfer = context;
    na_http_response *response = transfer->response;
    size_t limit = transfer->request->body_limit ? transfer->request->body_limit : BODY_LIMIT;
    return append(data, size * count, &response->body, &response->body_length, limit);
}

static size_t receive_header(char *data, size_t size, size_t count, void *context) {
    na_http_response *response = context;
    /* A new status line (after 100 Continue, or a proxy's CONNECT) starts a new block. */
    if (size * count >= 5 && memcmp(data, "HTTP/", 5) == 0) response->headers_length = 0;
    return append(data, size * count, (uint8_t **)&response->headers, &response->headers_length, HEADERS_LIMIT);
}

/* --- Connecting ---------------------------------------------------------------------------------------------- */

static int admits(const na_http_request *request, const struct curl_sockaddr *address) {
    switch (address->family) {
    case AF_INET: {
        const struct sockaddr_in *v4 = (const struct sockaddr_in *)&address->addr;
        return request->admits((const uint8_t *)&v4->sin_addr, sizeof v4->sin_addr);
    }
    case AF_INET6: {
        const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)&address->addr;
        return request->admits((const uint8_t *)&v6->sin6_addr, sizeof v6->sin6_addr);
    }
    default: return 0;
    }
}

static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
    struct transfer *transfer = context;
    if (purpose != CURLSOCKTYPE_IPCXN || !admits(transfer->request, address)) {
        transfer->refused_address = 1;
        return CURL_SOCKET_BAD;
    }
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}

/* --- Performing ---------------------------------------------------------------------------------------------- */

static void configure(CURL *easy, struct transfer *transfer) {
    const na_http_request *request = transfer->request;
    curl.easy_setopt(easy, CURLOPT_URL, request->url);
    curl.easy_setopt(easy, CURLOPT_PROTOCOLS_STR, request->loopback ? "http,https" : "https");
    curl.easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
    curl.easy_setopt(easy, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    curl.easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    curl.easy_setopt(easy, CURLOPT_TCP_NODELAY, 1L);
    curl.easy_setopt(easy, CURLOPT_HTTPHEADER, transfer->headers);
    curl.easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, request->connect_timeout_ms);
    curl.easy_setopt(easy, CURLOPT_TIMEOUT_MS, request->timeout_ms);
    /* A name service that does not answer holds up neither a time-out nor a cancellation. */
    curl.easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
    if (request->ca_file) {
        curl.easy_setopt(easy, CURLOPT_CAINFO, request->ca_file);
        /* Instead of the system's, which libcurl would go on to look at. */
        curl.easy_setopt(easy, CURLOPT_CAPATH, NULL);
    }
    if (request->loopback || request->direct)
        curl.easy_setopt(easy, CURLOPT_PROXY, "");
    else if (request->proxy)
        curl.easy_setopt(easy, CURLOPT_PROXY, request->proxy);
    if (transfer->hosts) curl.easy_setopt(easy, CURLOPT_RESOLVE, transfer->hosts);
    if (request->admits) {
        curl.easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket);
        curl.easy_setopt(easy, CURLOPT_OPENSOCKETDATA, transfer);
    }
    if (request->body) {
        curl.easy_setopt(easy, CURLOPT_POSTFIELDS, request->body);
        curl.easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body_length);
    }
    curl.easy_setopt(easy, CURLOPT_CUSTOMREQUEST, request->method);
    curl.easy_setopt(easy, CURLOPT_WRITEFUNCTION, receive_body);
    curl.easy_setopt(easy, CURLOPT_WRITEDATA, transfer);
    curl.easy_setopt(easy, CURLOPT_HEADERFUNCTION, receive_header);
    curl.easy_setopt(easy, CURLOPT_HEADERDATA, transfer->response);
}

static na_http_outcome outcome(CURLcode code) {
    switch (code) {
    case CURLE_OK: return NA_HTTP_DONE;
    case CURLE_COULDNT_RESOLVE_HOST: return NA_HTTP_UNKNOWN_HOST;
    case CURLE_COULDNT_CONNECT: return NA_HTTP_NO_CONNECTION;
    case CURLE_COULDNT_RESOLVE_PROXY:
    case CURLE_PROXY: return NA_HTTP_PROXY_REFUSED;
    case CURLE_OPERATION_TIMEDOUT: return NA_HTTP_TIMED_OUT;
    case CURLE_GOT_NOTHING:
    case CURLE_SEND_ERROR:
    case CURLE_RECV_ERROR:
    case CURLE_PARTIAL_FILE: return NA_HTTP_CONNECTION_LOST;
    case CURLE_SSL_CONNECT_ERROR:
    case CURLE_PEER_FAILED_VERIFICATION:
    case CURLE_SSL_CACERT_BADFILE:
    case CURLE_SSL_ISSUER_ERROR:
    case CURLE_SSL_CIPHER: return NA_HTTP_UNTRUSTED;
    case CURLE_WRITE_ERROR: return NA_HTTP_TOO_LARGE;
    default: return NA_HTTP_OTHER;
    }
}

/* Drives the one transfer to its end. */
static na_http_outcome drive(na_http *http, na_http_response *response) {
    int running = 1;
    while (running) {
        if (atomic_load(&http->cancelled)) return NA_HTTP_CANCELLED;
        if (curl.multi_perform(http->multi, &running) != CURLM_OK) return NA_HTTP_OTHER;
        if (running) curl.multi_poll(http->multi, NULL, 0, 1000, NULL);
    }
    int left = 0;
    CURLMsg *message = curl.multi_info_read(http->multi, &left);
    if (!message || message->msg != CURLMSG_DONE) return NA_HTTP_OTHER;
    CURLcode code = message->data.result;
    if (code != CURLE_OK && !response->message[0])
        snprintf(response->message, sizeof response->message, "%s", curl.easy_strerror(code));
    return outcome(code);
}

static int add(struct curl_slist **list, const char *text) {
    struct curl_slist *longer = curl.slist_append(*list, text);
    if (!longer) return 0;
    *list = longer;
    return 1;
}

/* The lists that libcurl reads while the request runs; 0 when the memory does not suffice. */
static int make_lists(struct transfer *transfer) {
    const na_http_request *request = transfer->request;
    for (size_t i = 0; i < request->header_count; i++)
        if (!add(&transfer->headers, request->headers[i])) return 0;
    return !request->hosts || add(&transfer->hosts, request->hosts);
}

static void free_lists(struct transfer *transfer) {
    curl.slist_free_all(transfer->headers);
    curl.slist_free_all(transfer->hosts);
}

na_http_outcome na_http_perform(na_http *http, const na_http_request *request, na_http_response *response) {
    memset(response, 0, sizeof *response);
    struct transfer transfer = {.request = request, .response = response};
    if (!make_lists(&transfer)) {
        free_lists(&transfer);
        return NA_HTTP_OTHER;
    }
    char words[CURL_ERROR_SIZE] = "";
    curl.easy_reset(http->easy);
    curl.easy_setopt(http->easy, CURLOPT_ERRORBUFFER, words);
    configure(http->easy, &transfer);
    curl.multi_add_handle(http->multi, http->easy);
    na_http_outcome result = drive(http, response);
    if (result == NA_HTTP_NO_CONNECTION && transfer.refused_address) result = NA_HTTP_ADDRESS_REFUSED;
    /* libcurl takes a proxy that refuses to CONNECT for a connection that ended. */
    long connected = 0;
    curl.easy_getinfo(http->easy, CURLINFO_HTTP_CONNECTCODE, &connected);
    if (result == NA_HTTP_CONNECTION_LOST && connected >= 300) result = NA_HTTP_PROXY_REFUSED;
    if (words[0]) snprintf(response->message, sizeof response->message, "%s", words);
    curl.easy_getinfo(http->easy, CURLINFO_RESPONSE_CODE, &response->status);
    curl.multi_remove_handle(http->multi, http->easy);
    curl.easy_reset(http->easy);
    free_lists(&transfer);
    return result;
}

void na_http_response_free(na_http_response *response) {
    free(response->headers);
    free(response->body);
}
