// SPDX-License-Identifier: Apache-2.0
/* Who is let in. A full house first asks the connection out that has been idle longest, so that idle sockets cannot
   keep others from working; when all are busy, the newcomer gets a 503, or over TLS the end of its connection. */
#include "connection.h"

#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

/* IPv4 addresses as IPv6 ones (RFC 4291 2.5.5.2), so that one comparison does for both; a socket that takes both kinds
   tells them so itself. */
static struct in6_addr address_of(struct MHD_Connection *mhd) {
    struct in6_addr address = IN6ADDR_ANY_INIT;
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    const struct sockaddr *peer = info ? info->client_addr : NULL;
    if (peer && peer->sa_family == AF_INET6) {
        address = ((const struct sockaddr_in6 *)(const void *)peer)->sin6_addr;
    } else if (peer && peer->sa_family == AF_INET) {
        address.s6_addr[10] = address.s6_addr[11] = 0xff;
        memcpy(&address.s6_addr[12], &((const struct sockaddr_in *)(const void *)peer)->sin_addr, 4);
    }
    return address;
}

/* Whose connections are counted together. Of an IPv6 address that is the network: its lower half is chosen by its host,
   as often as it likes (RFC 8981). */
static struct in6_addr network_of(struct in6_addr address) {
    if (!IN6_IS_ADDR_V4MAPPED(&address)) memset(&address.s6_addr[8], 0, 8);
    return address;
}

static struct na_connection *new_connection(struct na_httpd *server, struct MHD_Connection *mhd) {
    struct na_connection *connection =
        calloc(1, sizeof *connection + server->limits.fields * sizeof(na_httpd_field));
    if (!connection) return NULL;
    connection->server = server;
    connection->fd = MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
    const union MHD_ConnectionInfo *session = MHD_get_connection_info(mhd, MHD_CONNECTION_INFO_GNUTLS_SESSION);
    connection->tls = session ? session->tls_session : NULL;
    connection->address = address_of(mhd);
    connection->network = network_of(connection->address);
    return connection;
}

/* One of the two limits, over all connections or over those from one address. */
static bool make_place(struct na_httpd *server, const struct in6_addr *network, unsigned limit) {
    struct na_connection *idlest = NULL;
    unsigned count = 0;
    for (struct na_connection *each = server->first; each; each = each->next) {
        if (each->phase == NA_CLOSING) continue;
        if (network && memcmp(&each->network, network, sizeof *network) != 0) continue;
        count++;
        if (each->phase == NA_WAITING && (!idlest || each->since <= idlest->since)) idlest = each;
    }
    if (count < limit) return true;
    if (!idlest) return false;
    na_cut_locked(idlest);
    return true;
}

static void enter_list(struct na_connection *connection) {
    struct na_httpd *server = connection->server;
    connection->next = server->first;
    if (server->first) server->first->previous = connection;
    server->first = connection;
}

static void leave_list(struct na_connection *connection) {
    struct na_httpd *server = connection->server;
    if (connection->previous) connection->previous->next = connection->next;
    else server->first = connection->next;
    if (connection->next) connection->next->previous = connection->previous;
    pthread_cond_broadcast(&server->left);
}

/* Connections that were asked out keep their thread until it has noticed. When as many leave as may stay, whoever
   knocks waits in the system's queue for a moment, which costs less than to find no thread. */
static void let_others_leave(struct na_httpd *server) {
    unsigned leaving = 0;
    pthread_mutex_lock(&server->lock);
    for (struct na_connection *each = server->first; each; each = each->next) leaving += each->phase == NA_CLOSING;
    pthread_mutex_unlock(&server->lock);
    struct timespec moment = {.tv_nsec = 1000000};
    if (leaving >= server->limits.connections) nanosleep(&moment, NULL);
}

static void admit(struct na_connection *connection) {
    struct na_httpd *server = connection->server;
    const na_httpd_limits *limits = &server->limits;
    int on = 1;
    setsockopt(connection->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    pthread_mutex_lock(&server->lock);
    bool place = make_place(server, &connection->network, limits->connections_per_address) &&
                 make_place(server, NULL, limits->connections);
    enter_list(connection);
    if (place && !server->stopping) {
        na_enter_locked(connection, NA_WAITING, limits->head_ms);
    } else {
        na_refuse_from_outside(connection, NA_TOO_BUSY);
        na_enter_locked(connection, NA_CLOSING, 1000);
    }
    pthread_mutex_unlock(&server->lock);
}

void na_on_connection(void *argument, struct MHD_Connection *mhd, void **context,
                      enum MHD_ConnectionNotificationCode code) {
    struct na_httpd *server = argument;
    if (code == MHD_CONNECTION_NOTIFY_STARTED) {
        struct na_connection *connection = *context = new_connection(server, mhd);
        if (connection) na_show_identity(connection);
        if (connection) admit(connection);
        let_others_leave(server);
        return;
    }
    struct na_connection *connection = *context;
    if (!connection) return;
    pthread_mutex_lock(&server->lock);
    leave_list(connection);
    pthread_mutex_unlock(&server->lock);
    na_forget(connection);
    free(connection);
}
