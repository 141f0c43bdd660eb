// SPDX-License-Identifier: Apache-2.0
#ifndef NATIVEAUTH_CSECRETSERVICE_SERVICE_H
#define NATIVEAUTH_CSECRETSERVICE_SERVICE_H

#include "library.h"

/* The service at the other end of a connection, with a session for secrets; or NULL and an error. */
void *na_secret_service(const struct secret_library *library, void *connection, void *cancellable, GError **error);

#endif
