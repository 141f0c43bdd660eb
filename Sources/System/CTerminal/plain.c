// SPDX-License-Identifier: Apache-2.0
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "watch.h"

/* In canonical mode Linux keeps 4095 bytes of a line and silently drops the rest: termios(3). */
enum { CANONICAL_MAX = 4095 };

/* Reads on to the line end, for Ctrl-D after some text hands that text over without one. */
static na_answer read_canonical(int terminal, int input, const char *prompt, uint8_t *buffer, size_t capacity)
{
    uint8_t piece[CANONICAL_MAX + 1];
    size_t length = 0;
    bool too_long = false;
    for (;;) {
        ssize_t count = na_watch_read(input, na_watch_is_pending, piece, sizeof piece);
        if (na_watch_ending() || count < 0)
            return na_watch_no_answer(count);
        if (na_watch_take_continue()) {
            /* Ctrl-Z dropped what was typed, and the shell showed its own prompt. */
            length = 0;
            na_write_all(terminal, prompt, strlen(prompt));
        }
        if (count == 0)
            continue;
        bool complete = piece[count - 1] == '\n';
        size_t text = (size_t)count - complete;
        too_long = too_long || text >= CANONICAL_MAX - 1 || text > capacity - length;
        if (!too_long) {
            memcpy(buffer + length, piece, text);
            length += text;
        }
        if (complete && too_long)
            return (na_answer){.outcome = NA_TOO_LONG};
        if (complete)
            return (na_answer){.outcome = NA_ANSWERED, .length = length};
    }
}

static na_answer prompt_plainly(int terminal, const char *prompt, uint8_t *buffer, size_t capacity)
{
    int input = na_watch_open_input();
    if (input < 0)
        return (na_answer){.outcome = NA_FAILED, .detail = errno};
    na_answer answer = {.outcome = NA_FAILED};
    answer.detail = na_write_all(terminal, prompt, strlen(prompt));
    if (answer.detail == 0)
        answer = read_canonical(terminal, input, prompt, buffer, capacity);
    close(input);
    return answer;
}

na_answer na_read_plain(int terminal, const char *prompt, uint8_t *buffer, size_t capacity)
{
    na_watch watch;
    na_watch_begin(&watch, NA_WATCH_CONTINUE);
    na_answer answer = prompt_plainly(terminal, prompt, buffer, capacity);
    if (answer.outcome == NA_SIGNALLED || answer.outcome == NA_ENDED)
        na_write_all(terminal, "\n", 1);
    answer = na_watch_conclude(answer);
    na_watch_end(&watch);
    return answer;
}
