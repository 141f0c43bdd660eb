// SPDX-License-Identifier: Apache-2.0
/* A server's life: listen, start, stop. */
#include "connection.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

/* The read buffer, the list of fields and the answer's head share it: enough for the largest head that is let in. */
static size_t memory_of(const na_httpd_limits *limits) {
    return 2 * (limits->line + limits->block) + limits->fields * 64 + 16384;
}

static int address_from(const char *host, uint16_t port, struct sockaddr_storage *address, socklen_t *length) {
    struct sockaddr_in *v4 = (void *)address;
    struct sockaddr_in6 *v6 = (void *)address;
    memset(address, 0, sizeof *address);
    if (strcmp(host, "localhost") == 0) host = "127.0.0.1";
    if (inet_pton(AF_INET, host, &v4->sin_addr) == 1) {
        v4->sin_family = AF_INET;
        v4->sin_port = htons(port);
        *length = sizeof *v4;
        return 0;
    }
    if (inet_pton(AF_INET6, host, &v6->sin6_addr) != 1) return EINVAL;
    v6->sin6_family = AF_INET6;
    v6->sin6_port = htons(port);
    *length = sizeof *v6;
    return 0;
}

/* Our own socket: libmicrohttpd would only say that something failed, not what. */
static int listen_on(struct na_httpd *server, const char *host, uint16_t port) {
    struct sockaddr_storage address;
    socklen_t length;
    int failure = address_from(host, port, &address, &length);
    if (failure) return failure;
    int fd = socket(address.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (fd < 0) return errno;
    server->listener = fd;
    int on = 1;
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
    if (address.ss_family == AF_INET6) setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof on);
    if (bind(fd, (void *)&address, length) < 0 || listen(fd, 511) < 0) return errno;
    if (getsockname(fd, (void *)&address, &length) < 0) return errno;
    /* The port is at the same place in both kinds of address. */
    server->port = ntohs(((struct sockaddr_in *)(void *)&address)->sin_port);
    return 0;
}

/* A socket that another process opened, as systemd does. It stays open there. */
static int adopt(struct na_httpd *server, int fd) {
    server->listener = fd;
    server->inherited = true;
    struct sockaddr_storage address;
    socklen_t length = sizeof address;
    if (fcntl(fd, F_SETFD, FD_CLOEXEC) < 0 || fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) | O_NONBLOCK) < 0) return errno;
    if (getsockname(fd, (void *)&address, &length) < 0) return errno;
    if (address.ss_family != AF_INET && address.ss_family != AF_INET6) return EAFNOSUPPORT;
    server->port = ntohs(((struct sockaddr_in *)(void *)&address)->sin_port);
    return 0;
}

/* The target stays as it came. */
static size_t leave_escapes(void *context, struct MHD_Connection *mhd, char *text) {
    (void)context;
    (void)mhd;
    return strlen(text);
}

/* RFC 9325, section 3.1.1: nothing before TLS 1.2. */
static const char protocols[] = "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:%SERVER_PRECEDENCE";

static struct MHD_Daemon *start_daemon(struct na_httpd *server, const na_httpd_tls *tls) {
    unsigned flags = MHD_USE_THREAD_PER_CONNECTION | MHD_USE_INTERNAL_POLLING_THREAD | MHD_USE_POLL | MHD_USE_ITC |
                     MHD_USE_ERROR_LOG | (tls ? MHD_USE_TLS : 0);
    struct MHD_OptionItem plain[] = {{MHD_OPTION_END, 0, NULL}};
    struct MHD_OptionItem secure[] = {
        {MHD_OPTION_HTTPS_MEM_CERT, 0, (void *)(uintptr_t)(tls ? tls->chain : NULL)},
        {MHD_OPTION_HTTPS_MEM_KEY, 0, (void *)(uintptr_t)(tls ? tls->key : NULL)},
        {MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)(uintptr_t)protocols},
        {MHD_OPTION_END, 0, NULL},
    };
    /* Connections that are asked out keep their thread for a moment, hence twice as many. */
    unsigned threads = server->limits.connections * 2 + 16;
    return MHD_start_daemon(flags, server->port, NULL, NULL, na_on_request, server,
                            MHD_OPTION_EXTERNAL_LOGGER, na_on_log, server,
                            MHD_OPTION_ARRAY, tls ? secure : plain,
                            MHD_OPTION_LISTEN_SOCKET, server->listener,
                            MHD_OPTION_STRICT_FOR_CLIENT, 1,
                            MHD_OPTION_CONNECTION_LIMIT, threads,
                            MHD_OPTION_CONNECTION_MEMORY_LIMIT, memory_of(&server->limits),
                            MHD_OPTION_THREAD_STACK_SIZE, server->limits.stack,
                            MHD_OPTION_URI_LOG_CALLBACK, na_on_target, server,
                            MHD_OPTION_UNESCAPE_CALLBACK, leave_escapes, NULL,
                            MHD_OPTION_NOTIFY_CONNECTION, na_on_connection, server,
                            MHD_OPTION_NOTIFY_COMPLETED, na_on_completed, server,
                            MHD_OPTION_END);
}

static int open_server(struct na_httpd *server, const char *host, uint16_t port, int inherited,
                       const na_httpd_tls *tls) {
    int failure = pthread_mutex_init(&server->lock, NULL);
    if (!failure) failure = na_monotonic_condition(&server->earlier);
    if (!failure) failure = na_monotonic_condition(&server->left);
    if (!failure) failure = inherited >= 0 ? adopt(server, inherited) : listen_on(server, host, port);
    if (!failure) failure = na_watchdog_start(server);
    if (failure) return failure;
    errno = 0;
    server->daemon = start_daemon(server, tls);
    if (server->daemon) return 0;
    /* The socket listens already, so what is left to fail is the certificate. */
    return tls ? NA_HTTPD_CERTIFICATE : errno ? errno : ENOMEM;
}

int na_httpd_start(na_httpd **out, const char *host, uint16_t port, int inherited, const na_httpd_limits *limits,
                   const na_httpd_tls *tls, na_httpd_handler handler, void *context) {
    if (tls && MHD_is_feature_supported(MHD_FEATURE_TLS) != MHD_YES) return ENOTSUP;
    struct na_httpd *server = calloc(1, sizeof *server);
    if (!server) return ENOMEM;
    server->listener = -1;
    server->limits = *limits;
    server->secure = tls != NULL;
    server->handler = handler;
    server->context = context;
    int failure = open_server(server, host, port, inherited, tls);
    if (failure) na_httpd_free(server);
    else *out = server;
    return failure;
}

uint16_t na_httpd_port(const na_httpd *server) {
    return server->port;
}

unsigned na_httpd_connections(na_httpd *server) {
    unsigned count = 0;
    pthread_mutex_lock(&server->lock);
    for (struct na_connection *each = server->first; each; each = each->next) count += each->phase != NA_CLOSING;
    pthread_mutex_unlock(&server->lock);
    return count;
}

/* The first caller stops the server, later ones wait for it. */
static bool is_first_to_stop(struct na_httpd *server) {
    pthread_mutex_lock(&server->lock);
    bool first = !server->stopping;
    server->stopping = true;
    while (!first && !server->stopped) pthread_cond_wait(&server->left, &server->lock);
    pthread_mutex_unlock(&server->lock);
    return first;
}

static void wait_for_requests(struct na_httpd *server) {
    int64_t end = na_now() + server->limits.grace_ms;
    pthread_mutex_lock(&server->lock);
    for (struct na_connection *each = server->first; each; each = each->next)
        if (each->phase == NA_WAITING) na_cut_locked(each);
    while (server->first && na_now() < end) na_wait_until(&server->left, &server->lock, end);
    pthread_mutex_unlock(&server->lock);
}

void na_httpd_stop(na_httpd *server) {
    if (!is_first_to_stop(server)) return;
    if (server->daemon) {
        MHD_quiesce_daemon(server->daemon);
        /* New connections are refused at once, not left in the queue; where the socket lives on in another process,
           the queue is for whoever comes next. */
        if (!server->inherited) shutdown(server->listener, SHUT_RDWR);
        wait_for_requests(server);
        MHD_stop_daemon(server->daemon);
    }
    na_watchdog_stop(server);
    if (server->listener >= 0) close(server->listener);
    pthread_mutex_lock(&server->lock);
    server->stopped = true;
    pthread_cond_broadcast(&server->left);
    pthread_mutex_unlock(&server->lock);
}

void na_httpd_free(na_httpd *server) {
    na_httpd_stop(server);
    pthread_cond_destroy(&server->left);
    pthread_cond_destroy(&server->earlier);
    pthread_mutex_destroy(&server->lock);
    na_free_identities(server);
    free(server);
}
