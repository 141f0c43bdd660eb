// SPDX-License-Identifier: Apache-2.0
/* Runs two commands in turn, and prints the milliseconds of both on a line for each round.

   usage: pair ROUNDS OURS... -- PEER...
          pair -m MAILS ...    feeds each run, on its standard input, the code of the mail that it causes

   The mail is noticed by inotify and its code written to the pipe at once, so that both commands wait equally little. */
#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static void fail(const char *what) {
    fprintf(stderr, "pair: %s: %s\n", what, strerror(errno));
    exit(1);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

/* Waits for the next mail in the folder and writes its code, the line of digits, to the pipe. */
static void feed(int watch, const char *folder, int pipe) {
    char events[4096] __attribute__((aligned(8)));
    if (read(watch, events, sizeof events) <= 0) fail("inotify");
    const struct inotify_event *event = (const void *)events;
    char path[4096], mail[8192], code[32] = "";
    snprintf(path, sizeof path, "%s/%s", folder, event->name);
    int file = open(path, O_RDONLY);
    ssize_t length = file < 0 ? -1 : read(file, mail, sizeof mail - 1);
    if (length < 0) fail(path);
    close(file);
    mail[length] = 0;
    for (char *line = strtok(mail, "\r\n"); line; line = strtok(NULL, "\r\n"))
        if (*line && strspn(line, "0123456789") == strlen(line)) snprintf(code, sizeof code, "%s\n", line);
    if (write(pipe, code, strlen(code)) < 0) fail("write");
}

static double run(char **command, int watch, const char *folder) {
    int input[2];
    if (pipe2(input, O_CLOEXEC)) fail("pipe");
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, input[0], 0);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
    pid_t child;
    double start = now();
    if ((errno = posix_spawnp(&child, command[0], &actions, NULL, command, environ))) fail(command[0]);
    close(input[0]);
    if (folder) feed(watch, folder, input[1]);
    close(input[1]);
    int status;
    if (waitpid(child, &status, 0) < 0) fail("waitpid");
    double time = now() - start;
    posix_spawn_file_actions_destroy(&actions);
    if (!WIFEXITED(status) || WEXITSTATUS(status)) {
        fprintf(stderr, "pair: %s ended with status %d\n", command[0], status);
        exit(1);
    }
    return time;
}

int main(int count, char **arguments) {
    const char *folder = NULL;
    int watch = -1, first = 1;
    if (count > 3 && !strcmp(arguments[1], "-m")) {
        folder = arguments[2];
        first = 3;
        watch = inotify_init1(IN_CLOEXEC);
        if (watch < 0 || inotify_add_watch(watch, folder, IN_MOVED_TO) < 0) fail(folder);
    }
    int divider = first + 2;
    while (divider < count && strcmp(arguments[divider], "--")) divider++;
    if (divider + 1 >= count) {
        fputs("usage: pair [-m MAILS] ROUNDS OURS... -- PEER...\n", stderr);
        return 64;
    }
    int rounds = atoi(arguments[first]);
    char **ours = arguments + first + 1, **peer = arguments + divider + 1;
    arguments[divider] = NULL;
    for (int i = -3; i < rounds; i++) {
        double a = run(ours, watch, folder), b = run(peer, watch, folder);
        /* The first ones warm up. */
        if (i >= 0) printf("%.4f %.4f\n", a, b);
    }
    return 0;
}
