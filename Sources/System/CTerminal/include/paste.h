// SPDX-License-Identifier: Apache-2.0
/* Where a paste begins and ends: a terminal in bracketed-paste mode puts a marker before and after what is pasted. */
#ifndef NATIVEAUTH_PASTE_H
#define NATIVEAUTH_PASTE_H

#include <stdbool.h>
#include <stdint.h>

enum { NA_PASTE_MARKER = 6 };

typedef struct na_paste {
    char recent[NA_PASTE_MARKER]; /* the last bytes as they came */
    bool is_open;
} na_paste;

/* What the last byte completed. */
typedef enum na_paste_mark { NA_PASTE_NOTHING, NA_PASTE_BEGINS, NA_PASTE_ENDS } na_paste_mark;

na_paste_mark na_paste_follow(na_paste *paste, uint8_t byte);
/* Wipes the bytes that came, so that no marker reaches across this place. */
void na_paste_interrupt(na_paste *paste);

#endif
