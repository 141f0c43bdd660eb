// SPDX-License-Identifier: Apache-2.0
/* Regular expressions by PCRE2, with a bound on the work that a match may take. No type of PCRE2's leaves this folder. */
#ifndef NATIVEAUTH_CPATTERN_H
#define NATIVEAUTH_CPATTERN_H

#include <stddef.h>

/* Whether the pattern, in UTF-8, is a regular expression. */
int na_pattern_is_valid(const char *pattern, size_t length);

/* 1 if the whole text matches, 0 if it does not, or if finding out would take too long. */
int na_pattern_matches(const char *pattern, size_t pattern_length, const char *text, size_t length);

#endif
