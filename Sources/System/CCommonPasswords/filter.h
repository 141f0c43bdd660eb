// SPDX-License-Identifier: Apache-2.0
#ifndef NATIVEAUTH_COMMON_FILTER_H
#define NATIVEAUTH_COMMON_FILTER_H

#include <stddef.h>
#include <stdint.h>

extern const size_t na_common_entries;
extern const size_t na_common_hashes;
extern const size_t na_common_bits;
extern const uint64_t na_common_filter[];

#endif
