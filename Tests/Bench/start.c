// SPDX-License-Identifier: Apache-2.0
/* Starts a server so many times, and prints the milliseconds to its first answer each time.

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

/* A server that is told to end while it begins may miss it; nobody waits for it for ever. */
static void end_process(pid_t child) {
    const struct timespec pause = {.tv_nsec = 1000000};
    kill(child, SIGTERM);
    for (double start = now(); waitpid(child, NULL, WNOHANG) == 0; nanosleep(&pause, NULL))
        if (now() > start + 2000) kill(child, SIGKILL);
}

static double run(int port, const char *path, char **command) {
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, 1, "/dev/null", O_WRONLY, 0);
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
    end_process(child);
    posix_spawn_file_actions_destroy(&actions);
    return time;
}

int main(int count, char **arguments) {
    int rounds = count < 5 ? 0 : atoi(arguments[1]);
    if (rounds < 1) return 64;
    for (int i = 0; i < rounds; i++) printf("%.2f\n", run(atoi(arguments[2]), arguments[3], arguments + 4));
    return 0;
}
