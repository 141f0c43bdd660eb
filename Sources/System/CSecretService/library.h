// SPDX-License-Identifier: Apache-2.0
/* What is used of libsecret, GLib and GIO, found at run time. The names and the numbers are theirs, and part of their
   stable interfaces; writing down these few saves building needs of a hundred megabytes. */
#ifndef NATIVEAUTH_CSECRETSERVICE_LIBRARY_H
#define NATIVEAUTH_CSECRETSERVICE_LIBRARY_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint32_t domain;
    int code;
    char *message;
} GError;

typedef struct GList {
    void *data;
    struct GList *next, *previous;
} GList;

/* GTypeQuery. */
struct type_query {
    size_t type;
    const char *name;
    unsigned class_size, instance_size;
};

enum {
    G_DBUS_CONNECTION_FLAGS_CLIENT = 1 << 0 | 1 << 3, /* AUTHENTICATION_CLIENT | MESSAGE_BUS_CONNECTION */
    SECRET_SERVICE_OPEN_SESSION = 1 << 1,
    SECRET_SEARCH_LOAD_SECRETS = 1 << 3,
    SECRET_ERROR_IS_LOCKED = 2
};

struct secret_library {
    /* GLib, GObject, GIO. Objects are void * here. */
    void *(*hash_table_new)(unsigned (*hash)(const void *), int (*equal)(const void *, const void *));
    int (*hash_table_insert)(void *table, void *key, void *value);
    void (*hash_table_unref)(void *table);
    unsigned (*str_hash)(const void *);
    int (*str_equal)(const void *, const void *);
    void (*list_free)(GList *);
    void (*error_free)(GError *);
    void (*object_unref)(void *);
    void *(*cancellable_new)(void);
    void (*cancellable_cancel)(void *);
    void *(*connection_new)(const char *address, int flags, void *observer, void *cancellable, GError **);
    void (*object_set)(void *object, const char *property, ...);
    void (*type_query)(size_t type, struct type_query *);
    size_t (*type_register)(size_t parent, const char *name, unsigned class_size, void (*prepare)(void *, void *),
                            unsigned instance_size, void *initialise, int flags);
    void *(*initable_new)(size_t type, void *cancellable, GError **, const char *property, ...);
    /* libsecret. */
    size_t (*service_get_type)(void);
    uint32_t (*error_get_quark)(void);
    GList *(*service_search)(void *service, const void *schema, void *attributes, int flags, void *cancellable, GError **);
    int (*service_store)(void *service, const void *schema, void *attributes, const char *collection, const char *label,
                         void *value, void *cancellable, GError **);
    int (*service_clear)(void *service, const void *schema, void *attributes, void *cancellable, GError **);
    void *(*collection_for_alias)(void *service, const char *alias, int flags, void *cancellable, GError **);
    int (*collection_get_locked)(void *collection);
    int (*item_get_locked)(void *item);
    void *(*item_get_secret)(void *item);
    void *(*value_new)(const char *secret, ptrdiff_t length, const char *content_type);
    const char *(*value_get)(void *value, size_t *length);
    void (*value_unref)(void *value);
};

/* The library, or NULL and why. */
const struct secret_library *na_secret_library(const char **failure);

#endif
