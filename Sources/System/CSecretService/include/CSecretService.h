/* Named bytes in the Secret Service of the desktop (specifications.freedesktop.org/secret-service), by libsecret, which is
   loaded on first use: most programs never need it. Nothing here waits for a person. No libsecret type leaves this
   folder. */
#ifndef NATIVEAUTH_CSECRETSERVICE_H
#define NATIVEAUTH_CSECRETSERVICE_H

#include <stddef.h>
#include <stdint.h>

typedef enum {
    NA_SECRETS_DONE = 0,
    NA_SECRETS_NONE,           /* there is no item of this name */
    NA_SECRETS_NO_LIBRARY,
    NA_SECRETS_NO_BUS,         /* nobody answers at the bus's address */
    NA_SECRETS_NO_SERVICE,     /* nobody on the bus keeps secrets */
    NA_SECRETS_NO_COLLECTION,  /* nothing is set up yet to keep them in */
    NA_SECRETS_LOCKED,
    NA_SECRETS_TIMED_OUT,
    NA_SECRETS_FAILED
} na_secrets_status;

/* Where to ask, for how long at most, and what the other side said when it failed. */
typedef struct {
    const char *bus;           /* a D-Bus address */
    long timeout_ms;           /* for the whole call */
    char message[256];
} na_secrets;

/* The bytes, to be given back by na_secrets_free. */
na_secrets_status na_secrets_read(na_secrets *secrets, const char *name, uint8_t **bytes, size_t *length);
void na_secrets_free(uint8_t *bytes, size_t length);

/* Sets or replaces the bytes. The label is what a person sees in a program that lists secrets. */
na_secrets_status na_secrets_write(na_secrets *secrets, const char *name, const char *label, const uint8_t *bytes,
                                   size_t length);

/* Whether something could be written now. */
na_secrets_status na_secrets_check(na_secrets *secrets);

na_secrets_status na_secrets_remove(na_secrets *secrets, const char *name);

#endif
