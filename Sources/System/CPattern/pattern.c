// SPDX-License-Identifier: Apache-2.0
#include "CPattern.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

/* A text of a thousand characters needs a few thousand steps; what needs more goes wrong the same way for ever longer. */
enum { STEPS = 100000, DEPTH = 1000, HEAP_KIB = 4096 };

static pcre2_code *compile(const char *pattern, size_t length) {
    int error;
    PCRE2_SIZE offset;
    /* .NET's patterns are UTF-16 text; \d and its like mean ASCII to most of those who write them. */
    return pcre2_compile((PCRE2_SPTR)pattern, length, PCRE2_UTF | PCRE2_NEVER_BACKSLASH_C, &error, &offset, NULL);
}

int na_pattern_is_valid(const char *pattern, size_t length) {
    pcre2_code *code = compile(pattern, length);
    pcre2_code_free(code);
    return code != NULL;
}

int na_pattern_matches(const char *pattern, size_t pattern_length, const char *text, size_t length) {
    pcre2_code *code = compile(pattern, pattern_length);
    pcre2_match_context *limits = pcre2_match_context_create(NULL);
    pcre2_match_data *data = code ? pcre2_match_data_create_from_pattern(code, NULL) : NULL;
    int result = -1;
    if (code && limits && data) {
        pcre2_set_match_limit(limits, STEPS);
        pcre2_set_depth_limit(limits, DEPTH);
        pcre2_set_heap_limit(limits, HEAP_KIB);
        result = pcre2_match(code, (PCRE2_SPTR)text, length, 0, PCRE2_ANCHORED | PCRE2_ENDANCHORED, data, limits);
    }
    pcre2_match_data_free(data);
    pcre2_match_context_free(limits);
    pcre2_code_free(code);
    return result >= 0;
}
