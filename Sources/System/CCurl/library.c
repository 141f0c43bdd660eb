// SPDX-License-Identifier: Apache-2.0
#include "library.h"

#include <dlfcn.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

struct na_curl_library na_curl;

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
    int found = find(library, "curl_global_init", &na_curl.global_init) &&
                find(library, "curl_easy_init", &na_curl.easy_init) &&
                find(library, "curl_easy_reset", &na_curl.easy_reset) &&
                find(library, "curl_easy_cleanup", &na_curl.easy_cleanup) &&
                find(library, "curl_easy_setopt", &na_curl.easy_setopt) &&
                find(library, "curl_easy_getinfo", &na_curl.easy_getinfo) &&
                find(library, "curl_easy_strerror", &na_curl.easy_strerror) &&
                find(library, "curl_multi_init", &na_curl.multi_init) &&
                find(library, "curl_multi_cleanup", &na_curl.multi_cleanup) &&
                find(library, "curl_multi_add_handle", &na_curl.multi_add_handle) &&
                find(library, "curl_multi_remove_handle", &na_curl.multi_remove_handle) &&
                find(library, "curl_multi_perform", &na_curl.multi_perform) &&
                find(library, "curl_multi_poll", &na_curl.multi_poll) &&
                find(library, "curl_multi_wakeup", &na_curl.multi_wakeup) &&
                find(library, "curl_multi_info_read", &na_curl.multi_info_read) &&
                find(library, "curl_slist_append", &na_curl.slist_append) &&
                find(library, "curl_slist_free_all", &na_curl.slist_free_all);
    if (found && na_curl.global_init(CURL_GLOBAL_DEFAULT) != CURLE_OK)
        snprintf(load_failure, sizeof load_failure, "libcurl does not start");
}

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
    http->multi = na_curl.multi_init();
    http->easy = na_curl.easy_init();
    if (http->multi && http->easy) return http;
    snprintf(message, 256, "out of memory");
    na_http_close(http);
    return NULL;
}

void na_http_close(na_http *http) {
    if (http->easy) na_curl.easy_cleanup(http->easy);
    if (http->multi) na_curl.multi_cleanup(http->multi);
    free(http);
}

void na_http_cancel(na_http *http) {
    atomic_store(&http->cancelled, 1);
    na_curl.multi_wakeup(http->multi);
}

void na_http_rearm(na_http *http) { atomic_store(&http->cancelled, 0); }

/* --- Transfers ----------------------------------------------------------------------------------------------- */

CURLcode na_curl_drive(na_http *http) {
    int running = 1;
    while (running) {
        if (atomic_load(&http->cancelled)) return CURLE_ABORTED_BY_CALLBACK;
        if (na_curl.multi_perform(http->multi, &running) != CURLM_OK) return CURLE_FAILED_INIT;
        if (running) na_curl.multi_poll(http->multi, NULL, 0, 1000, NULL);
    }
    int left = 0;
    CURLMsg *message = na_curl.multi_info_read(http->multi, &left);
    if (!message || message->msg != CURLMSG_DONE) return CURLE_FAILED_INIT;
    return message->data.result;
}

na_http_outcome na_curl_outcome(CURLcode code) {
    switch (code) {
    case CURLE_OK: return NA_HTTP_DONE;
    case CURLE_ABORTED_BY_CALLBACK: return NA_HTTP_CANCELLED;
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
    case CURLE_USE_SSL_FAILED: return NA_HTTP_NOT_ENCRYPTED;
    case CURLE_LOGIN_DENIED: return NA_HTTP_LOGIN_REFUSED;
    default: return NA_HTTP_OTHER;
    }
}

static int admitted(int (*admits)(const uint8_t *, size_t), const struct curl_sockaddr *address) {
    switch (address->family) {
    case AF_INET: {
        const struct sockaddr_in *v4 = (const struct sockaddr_in *)&address->addr;
        return admits((const uint8_t *)&v4->sin_addr, sizeof v4->sin_addr);
    }
    case AF_INET6: {
        const struct sockaddr_in6 *v6 = (const struct sockaddr_in6 *)&address->addr;
        return admits((const uint8_t *)&v6->sin6_addr, sizeof v6->sin6_addr);
    }
    default: return 0;
    }
}

curl_socket_t na_curl_socket(
    int (*admits)(const uint8_t *, size_t), curlsocktype purpose, struct curl_sockaddr *address) {
    if (purpose != CURLSOCKTYPE_IPCXN || !admitted(admits, address)) return CURL_SOCKET_BAD;
    return socket(address->family, address->socktype | SOCK_CLOEXEC, address->protocol);
}
