// SPDX-License-Identifier: Apache-2.0
/* Programs on a pseudo-terminal, and without any terminal, for tests. */
#ifndef NATIVEAUTH_CPTY_H
#define NATIVEAUTH_CPTY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

typedef struct na_pty_program {
    const char *path;
    char *const *arguments;   /* with the program's name, NULL at the end */
    char *const *environment; /* NULL at the end */
    const char *directory;    /* NULL: the test's own */
    const int *ignored;       /* signals that the program starts with ignored */
    size_t ignored_count;
    int output;               /* its standard output, -1 for the terminal */
    uint16_t columns, rows;
} na_pty_program;

typedef struct na_pty_modes {
    uint32_t input, output, control, local;
    uint8_t characters[32];
} na_pty_modes;

/*
 * A program never is the leader of its session here, as it is not in a shell: when a leader ends, Linux resets the
 * terminal's modes, and a test could not see that they were left wrong. A small process of ours is the leader.
 */
typedef struct na_pty {
    int master;   /* does not block */
    int channel;  /* readable when the program has ended; closing it ends everything */
    pid_t leader; /* to be waited for after that */
    pid_t program;
    na_pty_modes initial; /* before the program started */
} na_pty;

/* Each returns 0 or an errno. */
int na_pty_spawn(const na_pty_program *program, na_pty *pty);
int na_pty_get_modes(int master, na_pty_modes *modes);
int na_pty_resize(int master, uint16_t columns, uint16_t rows);
/* The status of waitpid(2), once the channel is readable. */
int na_pty_take_status(const na_pty *pty, int *status);
/* A file in memory for a program's output. The descriptor, or -1. */
int na_pty_memory_file(void);

/* A program without a terminal, in a session of its own. */
typedef struct na_run_program {
    const char *path;
    char *const *arguments;   /* with the program's name, NULL at the end */
    char *const *environment; /* NULL at the end */
    const char *directory;
    int input, output, errors; /* its streams; -1 for one that is closed */
} na_run_program;

/* 0 or an errno. */
int na_run_spawn(const na_run_program *program, pid_t *process);
/* Whether it ended, waited for as long; the status stays to be taken. */
bool na_run_has_ended(pid_t process, int milliseconds);
/* Waits for the end and takes the status; ETIMEDOUT if the program had to be killed for that. */
int na_run_wait(pid_t process, int milliseconds, int *status);

/*
 * Runs a program to its end, or kills it just before its n-th change to a file: a write, sync, truncation, rename,
 * removal or new folder. With n = 0 it only counts them. After so many seconds SIGALRM ends it.
 */
int na_run_killed(const na_run_program *program, long nth, unsigned seconds, int *status, long *count);

/* Where the wanted bytes start, or -1. */
ssize_t na_pty_find(const uint8_t *bytes, size_t count, const uint8_t *wanted, size_t wanted_count);

/* What became of a process, from its status: the exit code, or -1 with the signal. */
int na_pty_exit_code(int status, int *signal);

/* Starts arguments[0]; 0 where it runs. What is written to *input is its standard input, and what it says is read from
   *output; its standard error is thrown away. */
int na_start_conversation(char *const arguments[], char *const environment[], pid_t *process, int *input, int *output);

#endif
