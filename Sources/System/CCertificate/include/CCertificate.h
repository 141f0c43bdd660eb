// SPDX-License-Identifier: Apache-2.0
/* X.509 certificates for a server, by OpenSSL: whether one can be used, and one that signs itself. All texts are PEM. No
   OpenSSL type leaves this folder. */
#ifndef NATIVEAUTH_CCERTIFICATE_H
#define NATIVEAUTH_CCERTIFICATE_H

#include <stddef.h>
#include <stdint.h>

/* What is wrong with a certificate and its key. */
typedef enum {
    NA_CERTIFICATE_GOOD = 0,
    NA_CERTIFICATE_NONE,       /* the text holds no certificate */
    NA_CERTIFICATE_NO_KEY,     /* the text holds no private key */
    NA_CERTIFICATE_LOCKED_KEY, /* the key is encrypted */
    NA_CERTIFICATE_OTHER_KEY,  /* the key belongs to another certificate */
    NA_CERTIFICATE_EARLY,      /* it is not valid yet */
    NA_CERTIFICATE_OVER        /* it is not valid any more */
} na_certificate_state;

/* Looks at the first certificate of a chain and at its key, at a time in seconds since 1970. */
na_certificate_state na_certificate_examine(const char *chain, size_t chain_length, const char *key, size_t key_length,
                                            int64_t now);

/* 1 if the first certificate is for this host, a name or a literal address; else 0. */
int na_certificate_covers(const char *chain, size_t length, const char *host);

/* The first name in the first certificate that a client could look up, in a text for na_certificate_free; NULL if it has
   none. */
char *na_certificate_name(const char *chain, size_t length);

/* A P-256 key, and a certificate of it that it signs itself, for a server of these names: "DNS:localhost,IP:::1". It
   cannot sign others. Returns 1 and two texts for na_certificate_free, or 0 and none. */
int na_certificate_make(const char *names, int64_t begin, int64_t end, char **certificate, char **key);

/* Wipes a text and lets its memory go. */
void na_certificate_free(char *text);

#endif
