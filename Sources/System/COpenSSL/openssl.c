// SPDX-License-Identifier: Apache-2.0
#include "COpenSSL.h"

#include <limits.h>
#include <openssl/crypto.h>
#include <openssl/bn.h>
#include <openssl/core_names.h>
#include <openssl/evp.h>
#include <openssl/param_build.h>
#include <openssl/rsa.h>
#include <openssl/x509.h>

/* No configuration file: it costs a start-up, and could load code that nobody here asked for. */
static void start(void) { OPENSSL_init_crypto(OPENSSL_INIT_NO_LOAD_CONFIG, NULL); }

/* na_rsa is EVP_PKEY under a name of our own. */
static EVP_PKEY *pkey(const na_rsa *key) { return (EVP_PKEY *)key; }

na_rsa *na_rsa_generate(int bits) {
    start();
    return (na_rsa *)EVP_RSA_gen((unsigned int)bits);
}

na_rsa *na_rsa_from_der(const uint8_t *der, size_t length) {
    start();
    if (length > LONG_MAX) return NULL;
    EVP_PKEY *key = d2i_AutoPrivateKey(NULL, &der, (long)length);
    if (key && EVP_PKEY_get_base_id(key) != EVP_PKEY_RSA) {
        EVP_PKEY_free(key);
        return NULL;
    }
    return (na_rsa *)key;
}

void na_rsa_free(na_rsa *key) { EVP_PKEY_free(pkey(key)); }

size_t na_rsa_to_der(const na_rsa *key, uint8_t *out, size_t capacity) {
    PKCS8_PRIV_KEY_INFO *info = EVP_PKEY2PKCS8(pkey(key));
    if (!info) return 0;
    int length = i2d_PKCS8_PRIV_KEY_INFO(info, NULL);
    if (length > 0 && out && (size_t)length <= capacity) length = i2d_PKCS8_PRIV_KEY_INFO(info, &out);
    PKCS8_PRIV_KEY_INFO_free(info);
    return length > 0 ? (size_t)length : 0;
}

static size_t number(const na_rsa *key, const char *name, uint8_t out[NA_RSA_MAX]) {
    BIGNUM *value = NULL;
    if (!EVP_PKEY_get_bn_param(pkey(key), name, &value)) return 0;
    size_t length = BN_num_bytes(value) <= NA_RSA_MAX ? (size_t)BN_bn2bin(value, out) : 0;
    BN_free(value);
    return length;
}

size_t na_rsa_modulus(const na_rsa *key, uint8_t out[NA_RSA_MAX]) { return number(key, OSSL_PKEY_PARAM_RSA_N, out); }
size_t na_rsa_exponent(const na_rsa *key, uint8_t out[NA_RSA_MAX]) { return number(key, OSSL_PKEY_PARAM_RSA_E, out); }

size_t na_rs256_sign(const na_rsa *key, const uint8_t *message, size_t length, uint8_t out[NA_RSA_MAX]) {
    EVP_MD_CTX *context = EVP_MD_CTX_new();
    size_t written = NA_RSA_MAX;
    int done = context && EVP_DigestSignInit(context, NULL, EVP_sha256(), NULL, pkey(key)) == 1 &&
               EVP_DigestSign(context, out, &written, message, length) == 1;
    EVP_MD_CTX_free(context);
    return done ? written : 0;
}

/* The public key made of its two numbers, or NULL. */
static EVP_PKEY *public_key(BIGNUM *modulus, BIGNUM *exponent) {
    EVP_PKEY *key = NULL;
    OSSL_PARAM *parameters = NULL;
    OSSL_PARAM_BLD *builder = OSSL_PARAM_BLD_new();
    EVP_PKEY_CTX *context = EVP_PKEY_CTX_new_from_name(NULL, "RSA", NULL);
    if (builder && context && OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_N, modulus) &&
        OSSL_PARAM_BLD_push_BN(builder, OSSL_PKEY_PARAM_RSA_E, exponent) &&
        (parameters = OSSL_PARAM_BLD_to_param(builder)) && EVP_PKEY_fromdata_init(context) == 1) {
        if (EVP_PKEY_fromdata(context, &key, EVP_PKEY_PUBLIC_KEY, parameters) != 1) key = NULL;
    }
    OSSL_PARAM_free(parameters);
    OSSL_PARAM_BLD_free(builder);
    EVP_PKEY_CTX_free(context);
    return key;
}

int na_rs256_verify(const uint8_t *modulus, size_t modulus_length, const uint8_t *exponent, size_t exponent_length,
                    const uint8_t *message, size_t length, const uint8_t *signature, size_t signature_length) {
    start();
    if (modulus_length > NA_RSA_MAX || exponent_length > 8) return 0;
    BIGNUM *n = BN_bin2bn(modulus, (int)modulus_length, NULL);
    BIGNUM *e = BN_bin2bn(exponent, (int)exponent_length, NULL);
    int right = 0;
    /* RFC 8725, section 3.5, and common sense: no short keys, no exponent of 1, no even one. */
    if (n && e && BN_num_bits(n) >= 2048 && BN_is_odd(e) && !BN_is_one(e)) {
        EVP_PKEY *key = public_key(n, e);
        EVP_MD_CTX *context = EVP_MD_CTX_new();
        right = key && context && EVP_DigestVerifyInit(context, NULL, EVP_sha256(), NULL, key) == 1 &&
                EVP_DigestVerify(context, signature, signature_length, message, length) == 1;
        EVP_MD_CTX_free(context);
        EVP_PKEY_free(key);
    }
    BN_free(n);
    BN_free(e);
    return right;
}

int na_sha256(const uint8_t *message, size_t length, uint8_t out[32]) {
    start();
    return EVP_Digest(message, length, out, NULL, EVP_sha256(), NULL);
}

/* --- Encryption ---------------------------------------------------------------------------------------------- */

enum { TAG = 16 };

/* A context that has the key, the nonce and the header; or NULL. */
static EVP_CIPHER_CTX *cipher(const uint8_t *key, const uint8_t *nonce, const uint8_t *header, size_t length,
                              int encrypts) {
    start();
    EVP_CIPHER_CTX *context = EVP_CIPHER_CTX_new();
    int written = 0;
    if (context && length <= INT_MAX && EVP_CipherInit_ex(context, EVP_aes_256_gcm(), NULL, key, nonce, encrypts) == 1 &&
        EVP_CipherUpdate(context, NULL, &written, header, (int)length) == 1)
        return context;
    EVP_CIPHER_CTX_free(context);
    return NULL;
}

int na_aes256gcm_seal(const uint8_t key[32], const uint8_t nonce[12], const uint8_t *header, size_t header_length,
                      const uint8_t *message, size_t length, uint8_t *out) {
    EVP_CIPHER_CTX *context = cipher(key, nonce, header, header_length, 1);
    int written = 0, last = 0;
    int done = context && length <= INT_MAX && EVP_EncryptUpdate(context, out, &written, message, (int)length) == 1 &&
               (size_t)written == length && EVP_EncryptFinal_ex(context, out + written, &last) == 1 && last == 0 &&
               EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_GET_TAG, TAG, out + written) == 1;
    EVP_CIPHER_CTX_free(context);
    return done;
}

int na_aes256gcm_open(const uint8_t key[32], const uint8_t nonce[12], const uint8_t *header, size_t header_length,
                      const uint8_t *sealed, size_t length, uint8_t *out) {
    if (length < TAG || length > INT_MAX) return 0;
    EVP_CIPHER_CTX *context = cipher(key, nonce, header, header_length, 0);
    size_t inner = length - TAG;
    int written = 0, last = 0;
    int done = context && EVP_DecryptUpdate(context, out, &written, sealed, (int)inner) == 1 &&
               (size_t)written == inner &&
               EVP_CIPHER_CTX_ctrl(context, EVP_CTRL_AEAD_SET_TAG, TAG, (void *)(sealed + inner)) == 1 &&
               EVP_DecryptFinal_ex(context, out + written, &last) == 1 && last == 0;
    EVP_CIPHER_CTX_free(context);
    if (!done) OPENSSL_cleanse(out, inner);
    return done;
}
