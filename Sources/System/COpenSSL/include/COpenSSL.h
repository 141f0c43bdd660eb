/* RSA signatures, SHA-256 and AES-256-GCM, and nothing else of OpenSSL. No OpenSSL type leaves this folder. */
#ifndef NATIVEAUTH_COPENSSL_H
#define NATIVEAUTH_COPENSSL_H

#include <stddef.h>
#include <stdint.h>

/* A private RSA key. */
typedef struct na_rsa na_rsa;

/* The longest number or signature that these functions write: RSA-4096. */
#define NA_RSA_MAX 512

na_rsa *na_rsa_generate(int bits);
na_rsa *na_rsa_from_der(const uint8_t *der, size_t length);
void na_rsa_free(na_rsa *key);

/* PKCS #8 DER. Returns the length, or 0. With out == NULL only the length. */
size_t na_rsa_to_der(const na_rsa *key, uint8_t *out, size_t capacity);

/* Modulus and exponent, big-endian without leading zeros. Each returns the length, or 0. */
size_t na_rsa_modulus(const na_rsa *key, uint8_t out[NA_RSA_MAX]);
size_t na_rsa_exponent(const na_rsa *key, uint8_t out[NA_RSA_MAX]);

/* RSASSA-PKCS1-v1_5 with SHA-256 (RS256). Returns the signature's length, or 0. */
size_t na_rs256_sign(const na_rsa *key, const uint8_t *message, size_t length, uint8_t out[NA_RSA_MAX]);

/* 1 if the signature is right, 0 if it is not or if the key is under 2048 bits or has a degenerate exponent. */
int na_rs256_verify(const uint8_t *modulus, size_t modulus_length, const uint8_t *exponent, size_t exponent_length,
                    const uint8_t *message, size_t length, const uint8_t *signature, size_t signature_length);

/* SHA-256. Returns 1, or 0 when memory is out. */
int na_sha256(const uint8_t *message, size_t length, uint8_t out[32]);

/* AES-256-GCM (NIST SP 800-38D). The tag of 16 bytes stands behind the ciphertext: out has length + 16 bytes for seal and
   length - 16 for open. Each returns 1, or 0: seal when memory is out, open also when any part is not as it was sealed. */
int na_aes256gcm_seal(const uint8_t key[32], const uint8_t nonce[12], const uint8_t *header, size_t header_length,
                      const uint8_t *message, size_t length, uint8_t *out);
int na_aes256gcm_open(const uint8_t key[32], const uint8_t nonce[12], const uint8_t *header, size_t header_length,
                      const uint8_t *sealed, size_t length, uint8_t *out);

#endif
