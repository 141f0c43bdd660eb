// SPDX-License-Identifier: Apache-2.0
#include "CPty.h"

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

/* Whoever started the tests may wait for the end of what it gave them, so nothing but the three streams is handed on. */
int na_start_conversation(char *const arguments[], char *const environment[], pid_t *process, int *input, int *output) {
    int to[2], from[2];
    if (pipe2(to, O_CLOEXEC)) return -1;
    if (pipe2(from, O_CLOEXEC)) {
        close(to[0]);
        close(to[1]);
        return -1;
    }
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, to[0], 0);
    posix_spawn_file_actions_adddup2(&actions, from[1], 1);
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addclosefrom_np(&actions, 3);
    int result = posix_spawn(process, arguments[0], &actions, NULL, arguments, environment);
    posix_spawn_file_actions_destroy(&actions);
    close(to[0]);
    close(from[1]);
    if (result) {
        close(to[1]);
        close(from[0]);
        return -1;
    }
    *input = to[1];
    *output = from[0];
    return 0;
}
