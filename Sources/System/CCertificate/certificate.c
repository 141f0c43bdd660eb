// SPDX-License-Identifier: Apache-2.0
#include "CCertificate.h"

#include <limits.h>
#include <openssl/bio.h>
#include <openssl/crypto.h>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/rand.h>
#include <openssl/x509.h>
#include <openssl/x509v3.h>
#include <stdlib.h>
#include <string.h>

/* No configuration file: it could load code that nobody here asked for. */
static void start(void) { OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, NULL); }

/* --- Reading --------------------------------------------------------------------------------------------------- */

/* OpenSSL would ask for the password at the terminal. */
static int refuse_password(char *buffer, int size, int writing, void *asked) {
    (void)buffer;
    (void)size;
    (void)writing;
    *(int *)asked = 1;
    return -1;
}

static BIO *reader(const char *text, size_t length) {
    start();
    return length <= INT_MAX ? BIO_new_mem_buf(text, (int)length) : NULL;
}

static X509 *read_certificate(const char *text, size_t length) {
    BIO *bio = reader(text, length);
    int asked = 0;
    X509 *certificate = bio ? PEM_read_bio_X509(bio, NULL, refuse_password, &asked) : NULL;
    BIO_free(bio);
    return certificate;
}

static EVP_PKEY *read_key(const char *text, size_t length, int *locked) {
    BIO *bio = reader(text, length);
    EVP_PKEY *key = bio ? PEM_read_bio_PrivateKey(bio, NULL, refuse_password, locked) : NULL;
    BIO_free(bio);
    return key;
}

static na_certificate_state judge(X509 *certificate, EVP_PKEY *key, int64_t now) {
    time_t time = (time_t)now;
    if (X509_check_private_key(certificate, key) != 1) return NA_CERTIFICATE_OTHER_KEY;
    if (X509_cmp_time(X509_get0_notBefore(certificate), &time) > 0) return NA_CERTIFICATE_EARLY;
    if (X509_cmp_time(X509_get0_notAfter(certificate), &time) <= 0) return NA_CERTIFICATE_OVER;
    return NA_CERTIFICATE_GOOD;
}

na_certificate_state na_certificate_examine(const char *chain, size_t chain_length, const char *key_text,
                                            size_t key_length, int64_t now) {
    int locked = 0;
    X509 *certificate = read_certificate(chain, chain_length);
    EVP_PKEY *key = certificate ? read_key(key_text, key_length, &locked) : NULL;
    na_certificate_state state = !certificate ? NA_CERTIFICATE_NONE
                                 : key        ? judge(certificate, key, now)
                                 : locked     ? NA_CERTIFICATE_LOCKED_KEY
                                              : NA_CERTIFICATE_NO_KEY;
    EVP_PKEY_free(key);
    X509_free(certificate);
    return state;
}

int na_certificate_covers(const char *chain, size_t length, const char *host) {
    X509 *certificate = read_certificate(chain, length);
    int covers = certificate && (X509_check_ip_asc(certificate, host, 0) == 1 ||
                                 X509_check_host(certificate, host, strlen(host), 0, NULL) == 1);
    X509_free(certificate);
    return covers;
}

/* A name with an asterisk stands for many, and none of them is known. */
static char *name_in(const GENERAL_NAME *entry) {
    if (entry->type != GEN_DNS) return NULL;
    const unsigned char *bytes = ASN1_STRING_get0_data(entry->d.dNSName);
    int length = ASN1_STRING_length(entry->d.dNSName);
    if (length <= 0 || memchr(bytes, '*', (size_t)length) || memchr(bytes, 0, (size_t)length)) return NULL;
    return strndup((const char *)bytes, (size_t)length);
}

char *na_certificate_name(const char *chain, size_t length) {
    X509 *certificate = read_certificate(chain, length);
    GENERAL_NAMES *names = certificate ? X509_get_ext_d2i(certificate, NID_subject_alt_name, NULL, NULL) : NULL;
    char *name = NULL;
    for (int i = 0; !name && i < sk_GENERAL_NAME_num(names); i++) name = name_in(sk_GENERAL_NAME_value(names, i));
    GENERAL_NAMES_free(names);
    X509_free(certificate);
    return name;
}

/* --- Making ---------------------------------------------------------------------------------------------------- */

/* RFC 5280, section 4.1.2.2: positive, and unlike any other; 127 random bits are. */
static int set_serial(X509 *certificate) {
    unsigned char bytes[16];
    if (RAND_bytes(bytes, sizeof bytes) != 1) return 0;
    bytes[0] &= 0x7f;
    BIGNUM *number = BN_bin2bn(bytes, sizeof bytes, NULL);
    int done = number && BN_to_ASN1_INTEGER(number, X509_get_serialNumber(certificate));
    BN_free(number);
    return done;
}

static int add_extension(X509 *certificate, int kind, const char *value) {
    X509V3_CTX context;
    X509V3_set_ctx(&context, certificate, certificate, NULL, NULL, 0);
    X509_EXTENSION *extension = X509V3_EXT_conf_nid(NULL, &context, kind, value);
    int done = extension && X509_add_ext(certificate, extension, -1);
    X509_EXTENSION_free(extension);
    return done;
}

/* Whoever trusts it trusts this server and nothing else: it is no authority, and for servers alone. */
static int add_extensions(X509 *certificate, const char *names) {
    return add_extension(certificate, NID_basic_constraints, "critical,CA:FALSE") &&
           add_extension(certificate, NID_key_usage, "critical,digitalSignature") &&
           add_extension(certificate, NID_ext_key_usage, "serverAuth") &&
           add_extension(certificate, NID_subject_key_identifier, "hash") &&
           add_extension(certificate, NID_subject_alt_name, names);
}

static int fill(X509 *certificate, EVP_PKEY *key, const char *names, int64_t begin, int64_t end) {
    static const unsigned char title[] = "nativeauth local tenant";
    X509_NAME *name = X509_get_subject_name(certificate);
    return X509_set_version(certificate, X509_VERSION_3) && set_serial(certificate) &&
           ASN1_TIME_set(X509_getm_notBefore(certificate), (time_t)begin) &&
           ASN1_TIME_set(X509_getm_notAfter(certificate), (time_t)end) &&
           X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, title, -1, -1, 0) &&
           X509_set_issuer_name(certificate, name) && X509_set_pubkey(certificate, key) &&
           add_extensions(certificate, names) && X509_sign(certificate, key, EVP_sha256());
}

/* What was written, as a text of its own. */
static char *taken(BIO *bio) {
    char *bytes = NULL;
    long length = BIO_get_mem_data(bio, &bytes);
    char *text = length > 0 ? malloc((size_t)length + 1) : NULL;
    if (!text) return NULL;
    memcpy(text, bytes, (size_t)length);
    text[length] = 0;
    return text;
}

static char *write_certificate(X509 *certificate) {
    BIO *bio = BIO_new(BIO_s_mem());
    char *text = bio && PEM_write_bio_X509(bio, certificate) ? taken(bio) : NULL;
    BIO_free(bio);
    return text;
}

static char *write_key(EVP_PKEY *key) {
    BIO *bio = BIO_new(BIO_s_secmem());
    char *text = bio && PEM_write_bio_PKCS8PrivateKey(bio, key, NULL, NULL, 0, NULL, NULL) ? taken(bio) : NULL;
    BIO_free(bio);
    return text;
}

int na_certificate_make(const char *names, int64_t begin, int64_t end, char **certificate_text, char **key_text) {
    start();
    *certificate_text = *key_text = NULL;
    EVP_PKEY *key = EVP_EC_gen("P-256");
    X509 *certificate = X509_new();
    if (key && certificate && fill(certificate, key, names, begin, end)) {
        *certificate_text = write_certificate(certificate);
        *key_text = write_key(key);
    }
    X509_free(certificate);
    EVP_PKEY_free(key);
    if (*certificate_text && *key_text) return 1;
    na_certificate_free(*certificate_text);
    na_certificate_free(*key_text);
    *certificate_text = *key_text = NULL;
    return 0;
}

void na_certificate_free(char *text) {
    if (text) OPENSSL_cleanse(text, strlen(text));
    free(text);
}
