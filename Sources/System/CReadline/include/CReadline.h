// SPDX-License-Identifier: Apache-2.0
/* A line by GNU Readline, which is under the GPL: only the program `nativeauth` may contain this. */
#ifndef NATIVEAUTH_CREADLINE_H
#define NATIVEAUTH_CREADLINE_H

#include <CTerminal.h>

/* The longest prompt that a clock tells, in bytes with its NUL. */
#define NA_PROMPT_MAX 512

/* Writes the prompt as it is now; false if it will not change any more. */
typedef struct na_clock {
    bool (*tell)(void *context, char *prompt, size_t size);
    void *context;
} na_clock;

/*
 * As the readers of CTerminal.h, with editing. term is the terminal's type, preset a text to start from; both may be NULL. So may be the clock, which
 * tells a prompt anew that changes while it stands there.
 */
na_answer na_read_line(int terminal, const char *term, const char *prompt, const char *preset, const na_clock *clock,
                       uint8_t *buffer, size_t capacity);

#endif
