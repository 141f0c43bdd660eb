// SPDX-License-Identifier: Apache-2.0
#include "CSecretService.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "deadline.h"
#include "library.h"
#include "service.h"

/* One call of ours: a connection of its own, so that no other user of the library in this process is disturbed, and none
   of its settings applies here. */
struct call {
    na_secrets *secrets;
    const struct secret_library *lib;
    void *cancellable, *connection, *service, *attributes;
    GError *error;
    struct deadline deadline;
};

static void cancel(void *context) {
    struct call *call = context;
    call->lib->cancellable_cancel(call->cancellable);
}

/* Notes what the other side said. */
static na_secrets_status failed(struct call *call, na_secrets_status status) {
    GError *error = call->error;
    if (!error) return status;
    snprintf(call->secrets->message, sizeof call->secrets->message, "%s", error->message);
    if (error->domain == call->lib->error_get_quark() && error->code == SECRET_ERROR_IS_LOCKED)
        status = NA_SECRETS_LOCKED;
    call->lib->error_free(error);
    call->error = NULL;
    return status;
}

static na_secrets_status because(struct call *call, const char *reason) {
    snprintf(call->secrets->message, sizeof call->secrets->message, "%s", reason);
    return NA_SECRETS_FAILED;
}

static void *attributes(const struct secret_library *lib, const char *name) {
    void *table = lib->hash_table_new(lib->str_hash, lib->str_equal);
    /* The table keeps pointers and changes nothing behind them. */
    lib->hash_table_insert(table, (void *)"xdg:schema", (void *)"nativeauth.Tokens");
    lib->hash_table_insert(table, (void *)"program", (void *)"nativeauth");
    lib->hash_table_insert(table, (void *)"name", (void *)name);
    return table;
}

static na_secrets_status connect(struct call *call) {
    const struct secret_library *lib = call->lib;
    call->connection = lib->connection_new(call->secrets->bus, G_DBUS_CONNECTION_FLAGS_CLIENT, NULL, call->cancellable,
                                           &call->error);
    if (!call->connection) return failed(call, NA_SECRETS_NO_BUS);
    call->service = na_secret_service(lib, call->connection, call->cancellable, &call->error);
    return call->service ? NA_SECRETS_DONE : failed(call, NA_SECRETS_NO_SERVICE);
}

static na_secrets_status begin(struct call *call, na_secrets *secrets, const char *name) {
    const char *failure;
    *call = (struct call){.secrets = secrets, .lib = na_secret_library(&failure)};
    secrets->message[0] = 0;
    if (!call->lib) {
        snprintf(secrets->message, sizeof secrets->message, "%s", failure);
        return NA_SECRETS_NO_LIBRARY;
    }
    call->cancellable = call->lib->cancellable_new();
    call->attributes = attributes(call->lib, name);
    if (na_deadline_start(&call->deadline, secrets->timeout_ms, cancel, call)) {
        call->lib->object_unref(call->cancellable);
        call->lib->hash_table_unref(call->attributes);
        snprintf(secrets->message, sizeof secrets->message, "no thread can be started");
        call->lib = NULL;
        return NA_SECRETS_FAILED;
    }
    return connect(call);
}

static na_secrets_status end(struct call *call, na_secrets_status status) {
    const struct secret_library *lib = call->lib;
    if (!lib) return status;
    int has_passed = na_deadline_end(&call->deadline);
    if (call->service) lib->object_unref(call->service);
    if (call->connection) lib->object_unref(call->connection);
    lib->object_unref(call->cancellable);
    lib->hash_table_unref(call->attributes);
    return has_passed && status != NA_SECRETS_DONE && status != NA_SECRETS_NONE ? NA_SECRETS_TIMED_OUT : status;
}

/* --- Reading ------------------------------------------------------------------------------------------------- */

static na_secrets_status copy(struct call *call, void *item, uint8_t **bytes, size_t *length) {
    const struct secret_library *lib = call->lib;
    void *value = lib->item_get_secret(item);
    if (!value && lib->item_get_locked(item)) return NA_SECRETS_LOCKED;
    if (!value) return because(call, "it does not give the item's content");
    const char *content = lib->value_get(value, length);
    *bytes = malloc(*length + 1);
    if (*bytes && *length) memcpy(*bytes, content, *length);
    lib->value_unref(value);
    return *bytes ? NA_SECRETS_DONE : because(call, "memory is out");
}

/* Of several items, the service gives one that is not locked if it can. */
static na_secrets_status search(struct call *call, uint8_t **bytes, size_t *length) {
    const struct secret_library *lib = call->lib;
    GList *items = lib->service_search(call->service, NULL, call->attributes, SECRET_SEARCH_LOAD_SECRETS,
                                       call->cancellable, &call->error);
    if (call->error) return failed(call, NA_SECRETS_FAILED);
    na_secrets_status status = items ? copy(call, items->data, bytes, length) : NA_SECRETS_NONE;
    for (GList *item = items; item; item = item->next) lib->object_unref(item->data);
    lib->list_free(items);
    return status;
}

na_secrets_status na_secrets_read(na_secrets *secrets, const char *name, uint8_t **bytes, size_t *length) {
    struct call call;
    na_secrets_status status = begin(&call, secrets, name);
    return end(&call, status == NA_SECRETS_DONE ? search(&call, bytes, length) : status);
}

void na_secrets_free(uint8_t *bytes, size_t length) {
    if (bytes) explicit_bzero(bytes, length);
    free(bytes);
}

/* --- Writing ------------------------------------------------------------------------------------------------- */

/* To store in a collection that is locked, or not there, would ask a person, and wait. */
static na_secrets_status look_at_collection(struct call *call) {
    const struct secret_library *lib = call->lib;
    void *collection = lib->collection_for_alias(call->service, "default", 0, call->cancellable, &call->error);
    if (!collection) return call->error ? failed(call, NA_SECRETS_FAILED) : NA_SECRETS_NO_COLLECTION;
    int is_locked = lib->collection_get_locked(collection);
    lib->object_unref(collection);
    return is_locked ? NA_SECRETS_LOCKED : NA_SECRETS_DONE;
}

static na_secrets_status store(struct call *call, const char *label, const uint8_t *bytes, size_t length) {
    const struct secret_library *lib = call->lib;
    na_secrets_status status = look_at_collection(call);
    if (status != NA_SECRETS_DONE) return status;
    void *value = lib->value_new((const char *)bytes, (ptrdiff_t)length, "application/octet-stream");
    int done = lib->service_store(call->service, NULL, call->attributes, "default", label, value, call->cancellable,
                                  &call->error);
    lib->value_unref(value);
    return done ? NA_SECRETS_DONE : failed(call, NA_SECRETS_FAILED);
}

na_secrets_status na_secrets_write(na_secrets *secrets, const char *name, const char *label, const uint8_t *bytes,
                                   size_t length) {
    struct call call;
    na_secrets_status status = begin(&call, secrets, name);
    return end(&call, status == NA_SECRETS_DONE ? store(&call, label, bytes, length) : status);
}

na_secrets_status na_secrets_check(na_secrets *secrets) {
    struct call call;
    na_secrets_status status = begin(&call, secrets, "");
    return end(&call, status == NA_SECRETS_DONE ? look_at_collection(&call) : status);
}

static na_secrets_status clear(struct call *call) {
    int done = call->lib->service_clear(call->service, NULL, call->attributes, call->cancellable, &call->error);
    if (call->error) return failed(call, NA_SECRETS_FAILED);
    return done ? NA_SECRETS_DONE : NA_SECRETS_NONE;
}

na_secrets_status na_secrets_remove(na_secrets *secrets, const char *name) {
    struct call call;
    na_secrets_status status = begin(&call, secrets, name);
    return end(&call, status == NA_SECRETS_DONE ? clear(&call) : status);
}
