// SPDX-License-Identifier: Apache-2.0
#include "CUnicode.h"

#include <stdlib.h>
#include <string.h>
#include <uninorm.h>

uint8_t *na_unicode_nfkc(const uint8_t *text, size_t length, size_t *result_length) {
    return u8_normalize(UNINORM_NFKC, text, length, NULL, result_length);
}

void na_unicode_free(uint8_t *text, size_t length) {
    if (text) explicit_bzero(text, length);
    free(text);
}
