// SPDX-License-Identifier: Apache-2.0
#include "library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static struct secret_library library;
static char load_failure[256];

static int find(void *handle, const char *name, void *target) {
    void *symbol = dlsym(handle, name);
    if (!symbol) snprintf(load_failure, sizeof load_failure, "libsecret has no %s", name);
    memcpy(target, &symbol, sizeof symbol);
    return symbol != NULL;
}

static void load(void) {
    void *handle = dlopen("libsecret-1.so.0", RTLD_LAZY | RTLD_LOCAL);
    if (!handle) {
        snprintf(load_failure, sizeof load_failure, "%s", dlerror());
        return;
    }
    /* The names of GLib are found too: a search goes on in what the library itself needs. The first that is missing ends
       it, and is named. */
    (void)(find(handle, "g_hash_table_new", &library.hash_table_new) &&
           find(handle, "g_hash_table_insert", &library.hash_table_insert) &&
           find(handle, "g_hash_table_unref", &library.hash_table_unref) &&
           find(handle, "g_str_hash", &library.str_hash) &&
           find(handle, "g_str_equal", &library.str_equal) &&
           find(handle, "g_list_free", &library.list_free) &&
           find(handle, "g_error_free", &library.error_free) &&
           find(handle, "g_object_unref", &library.object_unref) &&
           find(handle, "g_cancellable_new", &library.cancellable_new) &&
           find(handle, "g_cancellable_cancel", &library.cancellable_cancel) &&
           find(handle, "g_dbus_connection_new_for_address_sync", &library.connection_new) &&
           find(handle, "g_object_set", &library.object_set) &&
           find(handle, "g_type_query", &library.type_query) &&
           find(handle, "g_type_register_static_simple", &library.type_register) &&
           find(handle, "g_initable_new", &library.initable_new) &&
           find(handle, "secret_service_get_type", &library.service_get_type) &&
           find(handle, "secret_error_get_quark", &library.error_get_quark) &&
           find(handle, "secret_service_search_sync", &library.service_search) &&
           find(handle, "secret_service_store_sync", &library.service_store) &&
           find(handle, "secret_service_clear_sync", &library.service_clear) &&
           find(handle, "secret_collection_for_alias_sync", &library.collection_for_alias) &&
           find(handle, "secret_collection_get_locked", &library.collection_get_locked) &&
           find(handle, "secret_item_get_locked", &library.item_get_locked) &&
           find(handle, "secret_item_get_secret", &library.item_get_secret) &&
           find(handle, "secret_value_new", &library.value_new) &&
           find(handle, "secret_value_get", &library.value_get) &&
           find(handle, "secret_value_unref", &library.value_unref));
}

const struct secret_library *na_secret_library(const char **failure) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    *failure = load_failure;
    return load_failure[0] ? NULL : &library;
}
