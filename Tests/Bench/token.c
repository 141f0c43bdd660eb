// SPDX-License-Identifier: Apache-2.0
/* The least that a program can do to print the token: read the cache file, find the token, write it. */
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

int main(int count, char **arguments) {
    static char text[1 << 20];
    int file = count == 2 ? open(arguments[1], O_RDONLY) : -1;
    ssize_t length = file < 0 ? -1 : read(file, text, sizeof text - 1);
    if (length < 0) return 1;
    const char *mark = "\"secret\" : \"";
    char *token = strstr(text, "\"AccessToken\"");
    token = token ? strstr(token, mark) : NULL;
    if (!token) return 1;
    token += strlen(mark);
    char *end = strchr(token, '"');
    if (!end) return 1;
    *end = '\n';
    return write(STDOUT_FILENO, token, (size_t)(end - token + 1)) < 0;
}
