// SPDX-License-Identifier: Apache-2.0
/* Runs the SQL on standard input against a database. usage: sql FILE */
#include <sqlite3.h>
#include <stdio.h>

int main(int count, char **arguments) {
    static char text[65536];
    sqlite3 *database;
    char *message = NULL;
    if (count != 2 || sqlite3_open(arguments[1], &database)) return 64;
    size_t length = fread(text, 1, sizeof text - 1, stdin);
    text[length] = 0;
    sqlite3_exec(database, text, NULL, NULL, &message);
    if (message) fprintf(stderr, "sql: %s\n", message);
    return sqlite3_close(database) || message;
}
