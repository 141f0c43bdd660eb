// SPDX-License-Identifier: Apache-2.0
/* How many Argon2id hashes a second the cores make, with the tenant's parameters: 19 MiB, two passes, one lane.

   usage: hash THREADS SECONDS */
#include <pthread.h>
#include <sodium.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double end;

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void *work(void *count) {
    char text[crypto_pwhash_STRBYTES];
    for (; now() < end; ++*(long *)count)
        if (crypto_pwhash_str(text, "Correct-horse-7-battery", 23, 2, 19 * 1024 * 1024)) exit(1);
    return NULL;
}

int main(int count, char **arguments) {
    if (count != 3 || sodium_init() < 0) return 64;
    int threads = atoi(arguments[1]);
    pthread_t *thread = calloc((size_t)threads, sizeof *thread);
    long *hashes = calloc((size_t)threads * 16, sizeof *hashes), sum = 0; /* a cache line each */
    if (!thread || !hashes) return 1;
    double start = now();
    end = start + atof(arguments[2]);
    for (int i = 0; i < threads; i++)
        if (pthread_create(&thread[i], NULL, work, &hashes[i * 16])) return 1;
    for (int i = 0; i < threads; i++) pthread_join(thread[i], NULL), sum += hashes[i * 16];
    printf("%.1f\n", (double)sum / (now() - start));
    return 0;
}
