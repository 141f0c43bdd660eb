// SPDX-License-Identifier: Apache-2.0
/* Unicode normalisation by libunistring, without Foundation's 40 MB of data. No type of the library leaves this folder. */
#ifndef NATIVEAUTH_CUNICODE_H
#define NATIVEAUTH_CUNICODE_H

#include <stddef.h>
#include <stdint.h>

/* Normalisation form KC of a UTF-8 text, for na_unicode_free; NULL when there is no memory for it. */
uint8_t *na_unicode_nfkc(const uint8_t *text, size_t length, size_t *result_length);

/* Wipes the text first: it may be a password. */
void na_unicode_free(uint8_t *text, size_t length);

#endif
