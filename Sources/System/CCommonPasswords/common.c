// SPDX-License-Identifier: Apache-2.0
#include "CCommonPasswords.h"

#include "filter.h"

/* FNV-1a, with 64 bits. */
static uint64_t fnv1a(const uint8_t *text, size_t length) {
    uint64_t value = 0xCBF29CE484222325;
    for (size_t index = 0; index < length; index++) value = (value ^ text[index]) * 0x100000001B3;
    return value;
}

/* The last steps of SplitMix64: each bit depends on all of them. */
static uint64_t mixed(uint64_t value) {
    value = (value ^ value >> 30) * 0xBF58476D1CE4E5B9;
    value = (value ^ value >> 27) * 0x94D049BB133111EB;
    return value ^ value >> 31;
}

int na_common_password(const uint8_t *text, size_t length) {
    uint64_t hash = fnv1a(text, length);
    uint64_t place = mixed(hash), step = mixed(hash ^ 0x9E3779B97F4A7C15) | 1;
    for (size_t index = 0; index < na_common_hashes; index++, place += step) {
        uint64_t bit = place % na_common_bits;
        if (!(na_common_filter[bit / 64] >> bit % 64 & 1)) return 0;
    }
    return 1;
}

size_t na_common_password_count(void) { return na_common_entries; }
