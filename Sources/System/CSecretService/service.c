// SPDX-License-Identifier: Apache-2.0
#include "service.h"

#include <pthread.h>
#include <string.h>

/* libsecret's constructor decides for the process's shared connection to the session bus. Sharing it would mean to take its
   settings along, such as ending the process with the bus, and to go to the address that the environment names. A class
   below SecretService takes that one decision back, so that the connection is the one that is given. */

/* The beginning of every class: its type, its construct properties, and its constructor. */
struct object_class {
    size_t type;
    void *construct_properties;
    void *(*constructor)(size_t type, unsigned count, void *properties);
};

static const struct secret_library *lib;
static void *(*parent_constructor)(size_t, unsigned, void *);
static size_t own_type;

static void *construct(size_t type, unsigned count, void *properties) {
    void *object = parent_constructor(type, count, properties);
    lib->object_set(object, "g-bus-type", 0, (char *)NULL);
    return object;
}

static void prepare_class(void *klass, void *data) {
    (void)data;
    struct object_class *own = klass;
    parent_constructor = own->constructor;
    own->constructor = construct;
}

static void register_type(void) {
    const char *failure;
    lib = na_secret_library(&failure);
    struct type_query query;
    lib->type_query(lib->service_get_type(), &query);
    own_type = lib->type_register(query.type, "NativeAuthSecretService", query.class_size, prepare_class,
                                  query.instance_size, NULL, 0);
}

void *na_secret_service(const struct secret_library *library, void *connection, void *cancellable, GError **error) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, register_type);
    return library->initable_new(own_type, cancellable, error, "g-connection", connection, "flags",
                                 SECRET_SERVICE_OPEN_SESSION, (char *)NULL);
}
