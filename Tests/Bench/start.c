// SPDX-License-Identifier: Apache-2.0
/* Starts a server so many times, and prints the median of the milliseconds to its first answer.

   usage: start ROUNDS PORT PATH COMMAND... */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec * 1e3 + (double)time.tv_nsec / 1e6;
}

/* Whether a 200 comes back. */
static int answers(int port, const char *path) {
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    char text[4096];
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0), good = 0;
    if (fd >= 0 && connect(fd, (void *)&address, sizeof address) == 0) {
        int length = snprintf(text, sizeof text, "GET %s HTTP/1.1\r\nHost: bench\r\nConnection: close\r\n\r\n", path);
        if (send(fd, text, (size_t)length, MSG_NOSIGNAL) == length && recv(fd, text, sizeof text, 0) > 12)
            good = !strncmp(text, "HTTP/1.1 200", 12);
    }
    if (fd >= 0) close(fd);
    return good;
}

static double run(int port, const char *path, char **command) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    pid_t child;
    double start = now();
    if ((errno = posix_spawnp(&child, command[0], &actions, NULL, command, environ))) exit(1);
    const struct timespec pause = {.tv_nsec = 200000};
    while (!answers(port, path)) {
        if (waitpid(child, NULL, WNOHANG)) exit(1);
        nanosleep(&pause, NULL);
    }
    double time = now() - start;
    kill(child, SIGTERM);
    waitpid(child, NULL, 0);
    posix_spawn_file_actions_destroy(&actions);
    return time;
}

static int ascending(const void *a, const void *b) {
    double difference = *(const double *)a - *(const double *)b;
    return (difference > 0) - (difference < 0);
}

int main(int count, char **arguments) {
    int rounds = count < 5 ? 0 : atoi(arguments[1]);
    double *times = calloc((size_t)rounds, sizeof *times);
    if (rounds < 1 || !times) return 64;
    for (int i = 0; i < rounds; i++) times[i] = run(atoi(arguments[2]), arguments[3], arguments + 4);
    qsort(times, (size_t)rounds, sizeof *times, ascending);
    printf("%.2f\n", times[rounds / 2]);
    return 0;
}
