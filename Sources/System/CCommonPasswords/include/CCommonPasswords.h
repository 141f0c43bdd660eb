// SPDX-License-Identifier: Apache-2.0
/* The passwords that people choose, as a Bloom filter: words.txt has what it was made of, generate.py makes it. */
#ifndef NATIVEAUTH_CCOMMONPASSWORDS_H
#define NATIVEAUTH_CCOMMONPASSWORDS_H

#include <stddef.h>
#include <stdint.h>

/* 1 for every entry, which has to be folded as the generator folds it, and for one of 100,000 other texts; 0 otherwise. */
int na_common_password(const uint8_t *text, size_t length);

/* How many entries there are. */
size_t na_common_password_count(void);

#endif
