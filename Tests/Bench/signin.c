// SPDX-License-Identifier: Apache-2.0
/* The three requests of a sign-in with a code, by libcurl on one connection, as curl would make them.

   usage: signin AUTHORITY CLIENT_ID USERNAME       the code comes on standard input */
#include <curl/curl.h>
#include <stdio.h>
#include <string.h>

static char answer[65536];
static size_t used;

static size_t receive(char *data, size_t size, size_t count, void *context) {
    (void)context;
    if (used + size * count >= sizeof answer) return 0;
    memcpy(answer + used, data, size * count);
    used += size * count;
    answer[used] = 0;
    return size * count;
}

static int post(CURL *curl, const char *authority, const char *path, const char *body) {
    char url[512];
    snprintf(url, sizeof url, "%s%s", authority, path);
    used = 0;
    curl_easy_setopt(curl, CURLOPT_URL, url);
    curl_easy_setopt(curl, CURLOPT_POSTFIELDS, body);
    long status = 0;
    if (curl_easy_perform(curl) != CURLE_OK) return 0;
    curl_easy_getinfo(curl, CURLINFO_RESPONSE_CODE, &status);
    return status == 200;
}

/* Cuts the value of a member out of the answer. */
static int member(const char *name, char *value, size_t capacity) {
    char mark[64];
    snprintf(mark, sizeof mark, "\"%s\":\"", name);
    char *start = strstr(answer, mark);
    if (!start) return 0;
    start += strlen(mark);
    size_t length = strcspn(start, "\"");
    if (length >= capacity) return 0;
    memcpy(value, start, length);
    value[length] = 0;
    return 1;
}

int main(int count, char **arguments) {
    if (count != 4) return 64;
    char token[512], body[2048], code[32];
    CURL *curl = curl_easy_init();
    if (!curl) return 1;
    curl_easy_setopt(curl, CURLOPT_WRITEFUNCTION, receive);
    curl_easy_setopt(curl, CURLOPT_PROXY, "");
    snprintf(body, sizeof body, "client_id=%s&username=%s&challenge_type=oob+redirect", arguments[2], arguments[3]);
    if (!post(curl, arguments[1], "/oauth2/v2.0/initiate", body)) return 1;
    if (!member("continuation_token", token, sizeof token)) return 1;
    snprintf(body, sizeof body, "client_id=%s&continuation_token=%s", arguments[2], token);
    if (!post(curl, arguments[1], "/oauth2/v2.0/challenge", body)) return 1;
    if (!member("continuation_token", token, sizeof token) || !fgets(code, sizeof code, stdin)) return 1;
    code[strcspn(code, "\n")] = 0;
    snprintf(body, sizeof body,
             "client_id=%s&continuation_token=%s&grant_type=oob&oob=%s&client_info=true"
             "&scope=openid+profile+offline_access",
             arguments[2], token, code);
    if (!post(curl, arguments[1], "/oauth2/v2.0/token", body)) return 1;
    curl_easy_cleanup(curl);
    return !strstr(answer, "access_token");
}
