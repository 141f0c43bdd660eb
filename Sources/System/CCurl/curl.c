// SPDX-License-Identifier: Apache-2.0
#include "library.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
    struct transfer *transfer = context;
    curl_socket_t opened = na_curl_socket(transfer->request->admits, purpose, address);
    if (opened == CURL_SOCKET_BAD) transfer->refused_address = 1;
    return opened;
}

/* --- Performing ---------------------------------------------------------------------------------------------- */

static void configure(CURL *easy, struct transfer *transfer) {
    const na_http_request *request = transfer->request;
    na_curl.easy_setopt(easy, CURLOPT_URL, request->url);
    na_curl.easy_setopt(easy, CURLOPT_PROTOCOLS_STR, request->loopback ? "http,https" : "https");
    na_curl.easy_setopt(easy, CURLOPT_FOLLOWLOCATION, 0L);
    na_curl.easy_setopt(easy, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    na_curl.easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    na_curl.easy_setopt(easy, CURLOPT_TCP_NODELAY, 1L);
    na_curl.easy_setopt(easy, CURLOPT_HTTPHEADER, transfer->headers);
    na_curl.easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, request->connect_timeout_ms);
    na_curl.easy_setopt(easy, CURLOPT_TIMEOUT_MS, request->timeout_ms);
    /* A name service that does not answer holds up neither a time-out nor a cancellation. */
    na_curl.easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
    if (request->ca_file) {
        na_curl.easy_setopt(easy, CURLOPT_CAINFO, request->ca_file);
        /* Instead of the system's, which libcurl would go on to look at. */
        na_curl.easy_setopt(easy, CURLOPT_CAPATH, NULL);
    }
    if (request->loopback || request->direct)
        na_curl.easy_setopt(easy, CURLOPT_PROXY, "");
    else if (request->proxy)
        na_curl.easy_setopt(easy, CURLOPT_PROXY, request->proxy);
    if (transfer->hosts) na_curl.easy_setopt(easy, CURLOPT_RESOLVE, transfer->hosts);
    if (request->admits) {
        na_curl.easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket);
        na_curl.easy_setopt(easy, CURLOPT_OPENSOCKETDATA, transfer);
    }
    if (request->body) {
        na_curl.easy_setopt(easy, CURLOPT_POSTFIELDS, request->body);
        na_curl.easy_setopt(easy, CURLOPT_POSTFIELDSIZE_LARGE, (curl_off_t)request->body_length);
    }
    na_curl.easy_setopt(easy, CURLOPT_CUSTOMREQUEST, request->method);
    na_curl.easy_setopt(easy, CURLOPT_WRITEFUNCTION, receive_body);
    na_curl.easy_setopt(easy, CURLOPT_WRITEDATA, transfer);
    na_curl.easy_setopt(easy, CURLOPT_HEADERFUNCTION, receive_header);
    na_curl.easy_setopt(easy, CURLOPT_HEADERDATA, transfer->response);
}

static int add(struct curl_slist **list, const char *text) {
    struct curl_slist *longer = na_curl.slist_append(*list, text);
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
    na_curl.slist_free_all(transfer->headers);
    na_curl.slist_free_all(transfer->hosts);
}

/* Whether the header fields came to their end. libcurl takes a connection that ends among them for the end of an answer
   without a body. */
static int has_whole_head(const na_http_response *response) {
    size_t length = response->headers_length;
    return length >= 2 && response->headers[length - 1] == '\n'
        && (response->headers[length - 2] == '\n'
            || (length >= 3 && response->headers[length - 2] == '\r' && response->headers[length - 3] == '\n'));
}

na_http_outcome na_http_perform(na_http *http, const na_http_request *request, na_http_response *response) {
    memset(response, 0, sizeof *response);
    struct transfer transfer = {.request = request, .response = response};
    if (!make_lists(&transfer)) {
        free_lists(&transfer);
        return NA_HTTP_OTHER;
    }
    char words[CURL_ERROR_SIZE] = "";
    na_curl.easy_reset(http->easy);
    na_curl.easy_setopt(http->easy, CURLOPT_ERRORBUFFER, words);
    configure(http->easy, &transfer);
    na_curl.multi_add_handle(http->multi, http->easy);
    CURLcode code = na_curl_drive(http);
    if (code != CURLE_OK) snprintf(response->message, sizeof response->message, "%s", na_curl.easy_strerror(code));
    na_http_outcome result = na_curl_outcome(code);
    if (result == NA_HTTP_DONE && !has_whole_head(response)) result = NA_HTTP_CONNECTION_LOST;
    if (result == NA_HTTP_NO_CONNECTION && transfer.refused_address) result = NA_HTTP_ADDRESS_REFUSED;
    /* libcurl takes a proxy that refuses to CONNECT for a connection that ended. */
    long connected = 0;
    na_curl.easy_getinfo(http->easy, CURLINFO_HTTP_CONNECTCODE, &connected);
    if (result == NA_HTTP_CONNECTION_LOST && connected >= 300) result = NA_HTTP_PROXY_REFUSED;
    if (words[0]) snprintf(response->message, sizeof response->message, "%s", words);
    na_curl.easy_getinfo(http->easy, CURLINFO_RESPONSE_CODE, &response->status);
    na_curl.multi_remove_handle(http->multi, http->easy);
    na_curl.easy_reset(http->easy);
    free_lists(&transfer);
    return result;
}

void na_http_response_free(na_http_response *response) {
    free(response->headers);
    free(response->body);
}
