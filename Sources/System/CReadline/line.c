// SPDX-License-Identifier: Apache-2.0
/*
 * A line by GNU Readline, for answers that are no secret.
 *
 * Readline catches the signals and puts the terminal back, but its read would go on after that; so it reads through
 * our function, which waits with poll, lets Readline handle a signal, and gives up if the signal ends the prompt.
 */
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <readline/readline.h>

#include <paste.h>
#include <watch.h>

#include "CReadline.h"

/* Far above any answer with its editing keys: what a paste may bring before we stop listening. */
enum { KEYS_MAX = 16 * NA_ANSWER_MAX };

static struct {
    int input, error;
    size_t keys, capacity;
    bool too_long, has_nul;
    na_paste paste;
    const char *preset;
    const na_clock *clock;
} current;

static bool is_pending(void)
{
    return rl_pending_signal() != 0 || na_watch_is_pending();
}

/* READERR ends the reading of a command at once; elsewhere, as inside a paste, only EOF is understood. */
static int give_up(void)
{
    rl_done = 1;
    return RL_ISSTATE(RL_STATE_READCMD) ? READERR : EOF;
}

static bool is_stopping;

/*
 * Readline stops the process by kill(2), and on a thread that is not the main one it may get a little further before that
 * takes effect. The terminal belongs to the shell then, so it is taken back when the process goes on, and not before.
 */
static void prepare_terminal(int meta)
{
    if (is_stopping)
        na_watch_await_continue();
    rl_prep_terminal(meta);
}

/*
 * Readline stops the process by itself, wherever it happens to notice the signal. When the process goes on, whoever
 * had the terminal may have changed its modes, and the line is to be drawn again.
 */
static void follow_signals(void)
{
    int signal = rl_pending_signal();
    is_stopping = signal == SIGTSTP || signal == SIGTTIN || signal == SIGTTOU;
    rl_check_signals();
    is_stopping = false;
    if (na_watch_ending() || !na_watch_take_continue())
        return;
    rl_cleanup_after_signal();
    rl_reset_after_signal();
    rl_forced_update_display();
}

static void draw_nothing(void)
{
}

/* How long a terminal is quiet after what it brought by itself: a paste without markers, a line of thousands of keys. */
enum { QUIET_MILLISECONDS = 100 };

/*
 * What is left of a refused answer must not answer the next question, nor be echoed. A paste is over where its marker
 * says so, however long that takes; anything else when the terminal is quiet.
 */
static void drop_rest(void)
{
    for (;;) {
        uint8_t dropped[512];
        bool pasting = current.paste.is_open;
        ssize_t count = na_watch_read_for(pasting ? -1 : QUIET_MILLISECONDS, current.input, is_pending, dropped,
                                          sizeof dropped);
        follow_signals();
        if (count < 0)
            current.error = (int)-count;
        if (count < 0 || na_watch_ending() || (count == 0 && !pasting))
            return;
        for (ssize_t index = 0; index < count; index++)
            na_paste_follow(&current.paste, dropped[index]);
    }
}

/* From here on Readline draws nothing, for what is refused anyway would take it seconds to draw. */
static bool is_too_long(void)
{
    if (current.too_long)
        return true;
    current.too_long = (size_t)rl_end > current.capacity || current.keys > KEYS_MAX;
    if (current.too_long) {
        rl_redisplay_function = draw_nothing;
        drop_rest();
    }
    return current.too_long;
}

/* How often the clock is asked: often enough that no second is left out. */
enum { CLOCK_MILLISECONDS = 200 };

/* Draws the prompt anew where it has changed. In the middle of a key's bytes, or of a paste, that waits. */
static void follow_clock(void)
{
    if (current.clock == NULL || !RL_ISSTATE(RL_STATE_READCMD))
        return;
    char prompt[NA_PROMPT_MAX];
    bool goes_on = current.clock->tell(current.clock->context, prompt, sizeof prompt);
    if (rl_prompt == NULL || strcmp(prompt, rl_prompt) != 0) {
        rl_set_prompt(prompt);
        rl_redisplay();
    }
    if (!goes_on)
        current.clock = NULL;
}

static int read_key(FILE *stream)
{
    (void)stream;
    for (;;) {
        if (current.error != 0 || na_watch_ending() || is_too_long())
            return give_up();
        follow_clock();
        uint8_t key;
        int patience = current.clock == NULL ? -1 : CLOCK_MILLISECONDS;
        ssize_t count = na_watch_read_for(patience, current.input, is_pending, &key, 1);
        follow_signals();
        if (count < 0)
            current.error = (int)-count;
        if (count > 0 && !na_watch_ending()) {
            current.keys++;
            na_paste_follow(&current.paste, key);
            /* As a command NUL is Ctrl-Space, which is harmless; quoted or pasted it would silently be dropped. */
            if (key == 0 && !RL_ISSTATE(RL_STATE_READCMD))
                current.has_nul = true;
            return key;
        }
    }
}

static int insert_preset(void)
{
    na_watch_take_continue(); /* a stop before the first drawing needs no second one */
    if (current.preset != NULL)
        rl_insert_text(current.preset);
    return 0;
}

/* Tab completes nothing: without this, Readline lists the files of the current directory. */
static char **complete_nothing(const char *text, int start, int end)
{
    (void)text, (void)start, (void)end;
    rl_attempted_completion_over = 1;
    return NULL;
}

/*
 * Text is UTF-8 whatever the locale says. Readline takes its locale from the environment, so that is what must
 * change while it reads; what was there is put back.
 */
static bool enter_utf8(char **before)
{
    const char *old = getenv("LC_ALL");
    *before = NULL;
    setlocale(LC_CTYPE, "");
    if (strcmp(nl_langinfo(CODESET), "UTF-8") == 0)
        return false;
    *before = old == NULL ? NULL : strdup(old);
    setenv("LC_ALL", "C.UTF-8", 1);
    return true;
}

static void leave_utf8(bool entered, char *before)
{
    if (entered && before != NULL)
        setenv("LC_ALL", before, 1);
    else if (entered)
        unsetenv("LC_ALL");
    free(before);
}

static void set_up(const char *term, FILE *input, FILE *output)
{
    rl_readline_name = "nativeauth";
    rl_terminal_name = term;
    rl_instream = input;
    rl_outstream = output;
    rl_getc_function = read_key;
    rl_redisplay_function = rl_redisplay;
    rl_startup_hook = insert_preset;
    rl_attempted_completion_function = complete_nothing;
    rl_catch_signals = 1;
    rl_prep_term_function = prepare_terminal;
    rl_change_environment = 0; /* no LINES and COLUMNS for the programs we start */
}

static na_answer take_line(const char *line, uint8_t *buffer, size_t capacity)
{
    size_t length = strlen(line);
    if (length > capacity)
        return (na_answer){.outcome = NA_TOO_LONG};
    if (current.has_nul || length != (size_t)rl_end)
        return (na_answer){.outcome = NA_CONTROL};
    memcpy(buffer, line, length);
    return (na_answer){.outcome = NA_ANSWERED, .length = length};
}

static na_answer judge(const char *line, uint8_t *buffer, size_t capacity)
{
    if (na_watch_ending() || current.error != 0)
        return na_watch_no_answer(-current.error);
    if (current.too_long)
        return (na_answer){.outcome = NA_TOO_LONG};
    if (line == NULL)
        return (na_answer){.outcome = NA_ENDED};
    return take_line(line, buffer, capacity);
}

static na_answer edit(int input, const char *prompt, const char *preset, const na_clock *clock, uint8_t *buffer,
                      size_t capacity)
{
    char *locale;
    bool entered = enter_utf8(&locale);
    memset(&current, 0, sizeof current);
    current.input = input;
    current.capacity = capacity;
    current.preset = preset;
    current.clock = clock;
    char *line = readline(prompt);
    leave_utf8(entered, locale);
    na_answer answer = judge(line, buffer, capacity);
    free(line);
    return answer;
}

/* A stream for Readline, over a descriptor of its own, or NULL. */
static FILE *open_stream(int descriptor, const char *mode)
{
    int copy = fcntl(descriptor, F_DUPFD_CLOEXEC, 3);
    FILE *stream = copy < 0 ? NULL : fdopen(copy, mode);
    if (stream == NULL && copy >= 0)
        close(copy);
    return stream;
}

na_answer na_read_line(int terminal, const char *term, const char *prompt, const char *preset, const na_clock *clock,
                       uint8_t *buffer, size_t capacity)
{
    na_watch watch;
    na_watch_begin(&watch, NA_WATCH_CONTINUE);
    int input = na_watch_open_input();
    FILE *keys = input < 0 ? NULL : open_stream(input, "r");
    FILE *screen = keys == NULL ? NULL : open_stream(terminal, "w");
    na_answer answer = na_watch_no_answer(-errno);
    if (screen != NULL) {
        set_up(term, keys, screen);
        answer = edit(input, prompt, preset, clock, buffer, capacity);
        fclose(screen);
    }
    if (keys != NULL)
        fclose(keys);
    if (input >= 0)
        close(input);
    rl_instream = rl_outstream = NULL;
    answer = na_watch_conclude(answer);
    na_watch_end(&watch);
    return answer;
}
