// SPDX-License-Identifier: Apache-2.0
#include "library.h"

#include <stdio.h>
#include <string.h>

/* What libcurl's callbacks see of the mail on its way. */
struct letter {
    const na_mail *mail;
    na_mail_result *result;
    size_t sent;
    int refused_address;
    int is_over;
};

static size_t give_text(char *buffer, size_t size, size_t count, void *context) {
    struct letter *letter = context;
    size_t left = letter->mail->length - letter->sent;
    size_t piece = size * count < left ? size * count : left;
    memcpy(buffer, letter->mail->text + letter->sent, piece);
    letter->sent += piece;
    return piece;
}

/* libcurl hands each line of the server's over. */
static size_t take_reply(char *line, size_t size, size_t count, void *context) {
    struct letter *letter = context;
    size_t length = size * count;
    if (letter->is_over) return length;
    while (length && (line[length - 1] == '\r' || line[length - 1] == '\n')) length--;
    if (length >= sizeof letter->result->reply) length = sizeof letter->result->reply - 1;
    memcpy(letter->result->reply, line, length);
    letter->result->reply[length] = 0;
    return size * count;
}

/* Only the first word of a command is looked at, and nothing is kept: what follows may be a password. */
static int note_command(CURL *easy, curl_infotype type, char *data, size_t length, void *context) {
    (void)easy;
    struct letter *letter = context;
    if (type != CURLINFO_HEADER_OUT) return 0;
    if (length > 5 && memcmp(data, "MAIL ", 5) == 0) letter->result->stage = NA_MAIL_SENDER;
    if (length > 5 && memcmp(data, "RCPT ", 5) == 0) letter->result->stage = NA_MAIL_RECIPIENT;
    if (length >= 6 && memcmp(data, "DATA\r\n", 6) == 0) letter->result->stage = NA_MAIL_TEXT;
    /* What is said at parting is no answer to the mail. */
    if (length >= 6 && memcmp(data, "QUIT\r\n", 6) == 0) letter->is_over = 1;
    return 0;
}

static curl_socket_t open_socket(void *context, curlsocktype purpose, struct curl_sockaddr *address) {
    struct letter *letter = context;
    curl_socket_t opened = na_curl_socket(letter->mail->admits, purpose, address);
    if (opened == CURL_SOCKET_BAD) letter->refused_address = 1;
    return opened;
}

static void configure_connection(CURL *easy, struct letter *letter, struct curl_slist *hosts) {
    const na_mail *mail = letter->mail;
    na_curl.easy_setopt(easy, CURLOPT_URL, mail->url);
    na_curl.easy_setopt(easy, CURLOPT_PROTOCOLS_STR, "smtp,smtps");
    na_curl.easy_setopt(easy, CURLOPT_USE_SSL, (long)(mail->encrypted ? CURLUSESSL_ALL : CURLUSESSL_NONE));
    na_curl.easy_setopt(easy, CURLOPT_SSLVERSION, (long)CURL_SSLVERSION_TLSv1_2);
    na_curl.easy_setopt(easy, CURLOPT_NOSIGNAL, 1L);
    na_curl.easy_setopt(easy, CURLOPT_PROXY, "");
    na_curl.easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
    /* To libcurl, greeting and signing in are part of connecting; many servers keep strangers waiting there. */
    na_curl.easy_setopt(easy, CURLOPT_CONNECTTIMEOUT_MS, mail->timeout_ms);
    na_curl.easy_setopt(easy, CURLOPT_TIMEOUT_MS, mail->timeout_ms);
    /* For the answer at parting, too, which no other limit covers. */
    na_curl.easy_setopt(easy, CURLOPT_SERVER_RESPONSE_TIMEOUT, (mail->timeout_ms + 999) / 1000);
    /* Mail servers hang up on who is silent for some minutes. */
    na_curl.easy_setopt(easy, CURLOPT_MAXAGE_CONN, 30L);
    if (mail->ca_file) {
        na_curl.easy_setopt(easy, CURLOPT_CAINFO, mail->ca_file);
        na_curl.easy_setopt(easy, CURLOPT_CAPATH, NULL);
    }
    if (mail->user) {
        na_curl.easy_setopt(easy, CURLOPT_USERNAME, mail->user);
        na_curl.easy_setopt(easy, CURLOPT_PASSWORD, mail->password);
    }
    if (hosts) na_curl.easy_setopt(easy, CURLOPT_RESOLVE, hosts);
    na_curl.easy_setopt(easy, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    na_curl.easy_setopt(easy, CURLOPT_OPENSOCKETDATA, letter);
}

static void configure_text(CURL *easy, struct letter *letter, struct curl_slist *recipients) {
    na_curl.easy_setopt(easy, CURLOPT_MAIL_FROM, letter->mail->from);
    na_curl.easy_setopt(easy, CURLOPT_MAIL_RCPT, recipients);
    na_curl.easy_setopt(easy, CURLOPT_UPLOAD, 1L);
    na_curl.easy_setopt(easy, CURLOPT_INFILESIZE_LARGE, (curl_off_t)letter->mail->length);
    na_curl.easy_setopt(easy, CURLOPT_READFUNCTION, give_text);
    na_curl.easy_setopt(easy, CURLOPT_READDATA, letter);
    na_curl.easy_setopt(easy, CURLOPT_HEADERFUNCTION, take_reply);
    na_curl.easy_setopt(easy, CURLOPT_HEADERDATA, letter);
    na_curl.easy_setopt(easy, CURLOPT_DEBUGFUNCTION, note_command);
    na_curl.easy_setopt(easy, CURLOPT_DEBUGDATA, letter);
    na_curl.easy_setopt(easy, CURLOPT_VERBOSE, 1L);
}

static na_http_outcome send_letter(
    na_http *http, struct letter *letter, struct curl_slist *recipients, struct curl_slist *hosts) {
    na_mail_result *result = letter->result;
    char words[CURL_ERROR_SIZE] = "";
    na_curl.easy_reset(http->easy);
    na_curl.easy_setopt(http->easy, CURLOPT_ERRORBUFFER, words);
    configure_connection(http->easy, letter, hosts);
    configure_text(http->easy, letter, recipients);
    na_curl.multi_add_handle(http->multi, http->easy);
    CURLcode code = na_curl_drive(http);
    na_http_outcome outcome = na_curl_outcome(code);
    if (outcome == NA_HTTP_NO_CONNECTION && letter->refused_address) outcome = NA_HTTP_ADDRESS_REFUSED;
    if (code != CURLE_OK)
        snprintf(result->message, sizeof result->message, "%s", words[0] ? words : na_curl.easy_strerror(code));
    na_curl.easy_getinfo(http->easy, CURLINFO_RESPONSE_CODE, &result->code);
    na_curl.multi_remove_handle(http->multi, http->easy);
    na_curl.easy_reset(http->easy);
    return outcome;
}

na_http_outcome na_mail_send(na_http *http, const na_mail *mail, na_mail_result *result) {
    memset(result, 0, sizeof *result);
    struct letter letter = {.mail = mail, .result = result};
    struct curl_slist *recipients = na_curl.slist_append(NULL, mail->to);
    struct curl_slist *hosts = mail->hosts ? na_curl.slist_append(NULL, mail->hosts) : NULL;
    na_http_outcome outcome = NA_HTTP_OTHER;
    if (recipients && (hosts || !mail->hosts)) outcome = send_letter(http, &letter, recipients, hosts);
    na_curl.slist_free_all(recipients);
    na_curl.slist_free_all(hosts);
    return outcome;
}
