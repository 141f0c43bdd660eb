// SPDX-License-Identifier: Apache-2.0
/* The least that a program can do to answer: print a text. */
#include <stdio.h>

int main(int count, char **arguments) {
    for (int i = 1; i < count; i++) puts(arguments[i]);
    return 0;
}
