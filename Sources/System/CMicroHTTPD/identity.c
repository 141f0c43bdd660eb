// SPDX-License-Identifier: Apache-2.0
/* Certificates that come while the server runs. libmicrohttpd reads one when it starts and gives it to every session; a
   session that has not begun its handshake takes another one as well. */
#include "connection.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

static gnutls_datum_t datum(const char *text) {
    return (gnutls_datum_t){(unsigned char *)(uintptr_t)text, (unsigned)strlen(text)};
}

static void free_identity(struct na_identity *identity) {
    if (identity->credentials) gnutls_certificate_free_credentials(identity->credentials);
    free(identity);
}

static struct na_identity *read_identity(const na_httpd_tls *tls) {
    struct na_identity *identity = calloc(1, sizeof *identity);
    gnutls_datum_t chain = datum(tls->chain), key = datum(tls->key);
    if (identity && gnutls_certificate_allocate_credentials(&identity->credentials) == 0 &&
        gnutls_certificate_set_x509_key_mem(identity->credentials, &chain, &key, GNUTLS_X509_FMT_PEM) >= 0)
        return identity;
    if (identity) free_identity(identity);
    return NULL;
}

int na_httpd_renew(na_httpd *server, const na_httpd_tls *tls) {
    if (!server->secure) return ENOTSUP;
    struct na_identity *identity = read_identity(tls);
    if (!identity) return NA_HTTPD_CERTIFICATE;
    pthread_mutex_lock(&server->lock);
    identity->former = server->identity;
    server->identity = identity;
    pthread_mutex_unlock(&server->lock);
    return 0;
}

/* To be called before the handshake. A session that cannot take the newest certificate shows the first one. */
void na_show_identity(struct na_connection *connection) {
    struct na_httpd *server = connection->server;
    if (!connection->tls) return;
    pthread_mutex_lock(&server->lock);
    struct na_identity *identity = server->identity;
    pthread_mutex_unlock(&server->lock);
    if (identity) gnutls_credentials_set(connection->tls, GNUTLS_CRD_CERTIFICATE, identity->credentials);
}

void na_free_identities(struct na_httpd *server) {
    while (server->identity) {
        struct na_identity *identity = server->identity;
        server->identity = identity->former;
        free_identity(identity);
    }
}
