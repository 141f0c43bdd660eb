// SPDX-License-Identifier: Apache-2.0
/* Prompts on a terminal: a plain line, a secret. One prompt at a time; others wait. CReadline has the third kind. */
#ifndef NATIVEAUTH_CTERMINAL_H
#define NATIVEAUTH_CTERMINAL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/* The longest answer in bytes, without its line end. */
#define NA_ANSWER_MAX 4096

/* How a prompt ended. */
typedef enum na_outcome {
    NA_ANSWERED,  /* length bytes are in the buffer */
    NA_ENDED,     /* end of input: Ctrl-D, or the terminal is gone */
    NA_TOO_LONG,  /* more than the buffer holds; the rest was dropped */
    NA_CONTROL,   /* the answer held a control byte */
    NA_SIGNALLED, /* detail is the signal; the terminal and the signal handlers are as before */
    NA_FAILED,    /* detail is the errno */
} na_outcome;

typedef struct na_answer {
    na_outcome outcome;
    int detail;
    size_t length;
} na_answer;

/*
 * Each shows the prompt on the terminal, reads from the terminal, and leaves the terminal as it was.
 * Nothing is ever written to standard output. The buffer gets no terminating NUL.
 */
/* As the terminal itself edits: for terminals that cannot move the cursor. */
na_answer na_read_plain(int terminal, const char *prompt, uint8_t *buffer, size_t capacity);
/* Without echo. Bytes beyond the answer's length are wiped. */
na_answer na_read_secret(int terminal, const char *prompt, uint8_t *buffer, size_t capacity);

/* Ends the process by this signal's default action, so that the parent sees the true cause. */
_Noreturn void na_end_by_signal(int signal);

/* As read(2), and waits where the descriptor does not block. */
ssize_t na_read_some(int descriptor, void *bytes, size_t capacity);
/* 0, or the errno of the first failing write. Waits where the descriptor does not block. */
int na_write_all(int descriptor, const void *bytes, size_t length);

/* The longest notice, in bytes. */
#define NA_NOTICE_MAX 200

/*
 * Shows a text in the line that the cursor is in, in place of an earlier one; no more of it than fits, for what wraps
 * could not be taken away again. A signal that ends or stops the process finds the line empty. na_notice_end leaves it
 * empty, too.
 */
void na_notice_show(int terminal, const char *text);
void na_notice_end(void);

/* What a type of terminal can do. */
enum { NA_ERASES = 1, NA_COLORS = 2 };
int na_abilities(int terminal, const char *type);

/* The width in characters, 0 where the terminal does not know. */
int na_columns(int terminal);

/* Lets threads share a heap instead of giving each its own: less memory, and a thread that lives for one request starts
   sooner. 1 if the C library took it. */
int na_share_heap(void);

/* The kernel writes no core of this process and lets no debugger of the same user read it. Programs that it starts are
   as they would be. 0 or an errno. */
int na_forbid_dumps(void);

/* Has what is freed overwritten, as far as it goes back to the heap: mallopt(3), M_PERTURB. */
int na_wipe_freed_memory(void);

/* The same, and a core limit of 0 besides, which started programs inherit: no core file, and no reading by a debugger of the same user, from now on. 0 or an errno. */
int na_disable_core_dumps(void);

#endif
