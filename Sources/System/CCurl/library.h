// SPDX-License-Identifier: Apache-2.0
/* What the files of this folder share: libcurl's functions, found at run time, and a handle with its connections. */
#ifndef NATIVEAUTH_CCURL_LIBRARY_H
#define NATIVEAUTH_CCURL_LIBRARY_H

#include "CCurl.h"

#include <curl/curl.h>
#include <stdatomic.h>

/* The functions that are used. The names are libcurl's. */
struct na_curl_library {
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
};

extern struct na_curl_library na_curl;

struct na_http {
    CURLM *multi;
    CURL *easy;
    atomic_int cancelled;
};

/* Drives the one transfer of a handle to its end; CURLE_ABORTED_BY_CALLBACK after a cancellation. */
CURLcode na_curl_drive(na_http *http);

/* What libcurl's result means. */
na_http_outcome na_curl_outcome(CURLcode code);

/* A socket to an address that `admits` lets through; CURL_SOCKET_BAD for another one. */
curl_socket_t na_curl_socket(
    int (*admits)(const uint8_t *address, size_t length), curlsocktype purpose, struct curl_sockaddr *address);

#endif
