// SPDX-License-Identifier: Apache-2.0
#include "CIdn2.h"

#include <dlfcn.h>
#include <idn2.h>
#include <pthread.h>
#include <string.h>

/* The names are libidn2's. */
static struct {
    int (*lookup_u8)(const uint8_t *, uint8_t **, int);
    void (*free)(void *);
} idn2;

static void load(void) {
    void *library = dlopen("libidn2.so.0", RTLD_NOW | RTLD_LOCAL);
    if (!library) return;
    void *lookup = dlsym(library, "idn2_lookup_u8");
    void *release = dlsym(library, "idn2_free");
    if (!lookup || !release) return;
    memcpy(&idn2.lookup_u8, &lookup, sizeof lookup);
    memcpy(&idn2.free, &release, sizeof release);
}

int na_domain_to_ascii(const char *domain, char *ascii, size_t capacity) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    if (!idn2.lookup_u8) return 0;
    uint8_t *found = NULL;
    int flags = IDN2_NFC_INPUT | IDN2_NONTRANSITIONAL | IDN2_USE_STD3_ASCII_RULES;
    if (idn2.lookup_u8((const uint8_t *)domain, &found, flags) != IDN2_OK) return 0;
    size_t length = strlen((const char *)found);
    int fits = length < capacity;
    if (fits) memcpy(ascii, found, length + 1);
    idn2.free(found);
    return fits;
}
