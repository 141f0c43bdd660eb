// SPDX-License-Identifier: Apache-2.0
/*
 * A secret is read by this reader and never by GNU Readline, whose kill ring would hand it to the next prompt (Ctrl-Y).
 */
#include <errno.h>
#include <string.h>
#include <termios.h>
#include <unistd.h>

#include "paste.h"
#include "watch.h"

typedef struct entry {
    uint8_t *bytes;
    size_t capacity, length;
    bool too_long;
    na_paste paste;
} entry;

typedef enum step { GO_ON, SUBMIT, LEAVE } step;

static void clear(entry *entry)
{
    explicit_bzero(entry->bytes, entry->capacity);
    na_paste_interrupt(&entry->paste);
    entry->length = 0;
    entry->too_long = entry->paste.is_open = false;
}

/*
 * A character is its lead byte and the continuation bytes 10xxxxxx after it: RFC 3629, section 3. No marker reaches
 * across an erased character: part of it is gone from the text already.
 */
static void erase_character(entry *entry)
{
    na_paste_interrupt(&entry->paste);
    uint8_t erased = 0x80;
    while (entry->length > 0 && (erased & 0xC0) == 0x80) {
        erased = entry->bytes[--entry->length];
        entry->bytes[entry->length] = 0;
    }
}

static void append(entry *entry, uint8_t byte)
{
    if (entry->length == entry->capacity)
        entry->too_long = true;
    else
        entry->bytes[entry->length++] = byte;
}

/*
 * A terminal in bracketed-paste mode wraps what is pasted: the marker is taken out of the text again (all of it is there,
 * or the text is too long), and so is the line end of a copied line.
 */
static void notice_paste(entry *entry, uint8_t byte)
{
    na_paste_mark mark = na_paste_follow(&entry->paste, byte);
    if (mark == NA_PASTE_NOTHING || entry->too_long || entry->length < NA_PASTE_MARKER)
        return;
    entry->length -= NA_PASTE_MARKER;
    if (mark == NA_PASTE_ENDS && entry->length > 0 && entry->bytes[entry->length - 1] == '\n')
        entry->length--;
}

/* c_cc holds _POSIX_VDISABLE, which is NUL, for a key that is switched off. */
static bool is_key(uint8_t byte, cc_t key, uint8_t usual)
{
    return byte == usual || (key != _POSIX_VDISABLE && byte == key);
}

static step press(entry *entry, uint8_t byte, const struct termios *modes)
{
    const cc_t *keys = modes->c_cc;
    if (!entry->paste.is_open) {
        if (byte == '\n' || byte == '\r')
            return SUBMIT;
        if (is_key(byte, keys[VEOF], 0x04))
            return entry->length == 0 && !entry->too_long ? LEAVE : GO_ON;
        if (is_key(byte, keys[VKILL], 0x15)) {
            clear(entry);
            return GO_ON;
        }
        if (is_key(byte, keys[VERASE], 0x7F) || byte == 0x08) {
            erase_character(entry);
            return GO_ON;
        }
    }
    append(entry, byte);
    notice_paste(entry, byte);
    return GO_ON;
}

/* Signals stay with the terminal driver (ISIG). TCSAFLUSH drops what was typed before the prompt. */
static int hide(int terminal, struct termios *before, const char *prompt)
{
    na_watch_wait_for_foreground(terminal);
    if (tcgetattr(terminal, before) != 0)
        return errno;
    struct termios hidden = *before;
    /* ECHONL stays off too: left on by a kill, it would show as a doubled line end in the shell. */
    hidden.c_lflag &= ~(tcflag_t)(ECHO | ECHONL | ICANON | IEXTEN);
    hidden.c_iflag &= ~(tcflag_t)(ISTRIP | INLCR | IGNCR);
    hidden.c_iflag |= ICRNL;
    hidden.c_cc[VMIN] = 1;
    hidden.c_cc[VTIME] = 0;
    while (tcsetattr(terminal, TCSAFLUSH, &hidden) != 0)
        if (errno != EINTR || na_watch_ending())
            return errno;
    return na_write_all(terminal, prompt, strlen(prompt));
}

/* TCSANOW: waiting for a terminal that is held (Ctrl-S) would keep a signal from ending us. */
static void show(int terminal, const struct termios *before)
{
    while (tcsetattr(terminal, TCSANOW, before) != 0 && errno == EINTR && !na_watch_ending())
        ;
}

static bool has_control(const entry *entry)
{
    for (size_t index = 0; index < entry->length; index++)
        if (entry->bytes[index] < 0x20 || entry->bytes[index] == 0x7F)
            return true;
    return false;
}

static na_answer judge(const entry *entry)
{
    if (entry->too_long)
        return (na_answer){.outcome = NA_TOO_LONG};
    if (has_control(entry))
        return (na_answer){.outcome = NA_CONTROL};
    return (na_answer){.outcome = NA_ANSWERED, .length = entry->length};
}

/* The shell showed its own prompt meanwhile, so ours is drawn again, the echo is off again, and the entry is empty. */
static int follow_job_control(int terminal, entry *entry, struct termios *before, const char *prompt)
{
    bool stop = na_watch_take_stop();
    if (!stop && !na_watch_take_continue())
        return 0;
    show(terminal, before);
    if (stop)
        na_watch_stop();
    clear(entry);
    return hide(terminal, before, prompt);
}

/* Byte by byte, so that what follows Enter is left for the next prompt. Once it is too long, all of it is dropped. */
static na_answer read_entry(int terminal, int input, entry *entry, struct termios *before, const char *prompt)
{
    uint8_t bytes[256];
    for (;;) {
        ssize_t count = na_watch_read(input, na_watch_is_pending, bytes, entry->too_long ? sizeof bytes : 1);
        if (na_watch_ending() || count < 0)
            return na_watch_no_answer(count);
        int error = follow_job_control(terminal, entry, before, prompt);
        if (error != 0)
            return na_watch_no_answer(-error);
        step next = GO_ON;
        for (ssize_t index = 0; index < count && next == GO_ON; index++)
            next = press(entry, bytes[index], before);
        explicit_bzero(bytes, sizeof bytes);
        if (next == LEAVE)
            return (na_answer){.outcome = NA_ENDED};
        if (next == SUBMIT)
            return judge(entry);
    }
}

static na_answer prompt_secretly(int terminal, int input, entry *entry, const char *prompt)
{
    struct termios before;
    if (tcgetattr(terminal, &before) != 0)
        return na_watch_no_answer(-errno);
    int error = hide(terminal, &before, prompt);
    na_answer answer = na_watch_no_answer(-error);
    if (error == 0)
        answer = read_entry(terminal, input, entry, &before, prompt);
    show(terminal, &before);
    na_write_all(terminal, "\n", 1);
    return answer;
}

na_answer na_read_secret(int terminal, const char *prompt, uint8_t *buffer, size_t capacity)
{
    entry entry = {.bytes = buffer, .capacity = capacity};
    na_watch watch;
    na_watch_begin(&watch, NA_WATCH_STOP);
    clear(&entry);
    int input = na_watch_open_input();
    na_answer answer = na_watch_no_answer(-errno);
    if (input >= 0) {
        answer = prompt_secretly(terminal, input, &entry, prompt);
        close(input);
    }
    answer = na_watch_conclude(answer);
    if (answer.outcome != NA_ANSWERED)
        clear(&entry);
    na_paste_interrupt(&entry.paste);
    explicit_bzero(entry.bytes + answer.length, capacity - answer.length);
    na_watch_end(&watch);
    return answer;
}
