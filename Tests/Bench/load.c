// SPDX-License-Identifier: Apache-2.0
/* Asks a served tenant for tokens on several connections at once, for so many seconds, and prints how often it got them.

   usage: load KIND HOST:PORT TENANT_ID CLIENT_ID CONNECTIONS SECONDS FIRST [MAILS]

   KIND is codes, passwords or refreshes; or peer-refreshes, at another provider, whose path stands in the place of the tenant's
   id: the refresh tokens are on standard input then, a line for each connection. Connection i signs in as load<FIRST + i>@bench.example, whose password, if it has
   one, is on standard input. Codes are read from the folder of mails as they arrive; read mails are removed. */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netinet/tcp.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static struct sockaddr_in server;
static const char *tenant, *client, *mails, *token_path = "/oauth2/v2.0/token";
static char password[256];
static int first, connections;
static double end;

/* The last code of a user, and the news of it. */
static struct mailbox {
    sem_t news;
    char code[16];
} *mailboxes;

struct worker {
    pthread_t thread;
    int number, fd;
    char answer[65536];
    char token[1024];
    double *times;
    size_t count, capacity;
    void (*turn)(struct worker *);
};

static void fail(const char *what) {
    fprintf(stderr, "load: %s: %s\n", what, strerror(errno));
    exit(1);
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static void reconnect(struct worker *worker) {
    if (worker->fd >= 0) close(worker->fd);
    int on = 1;
    worker->fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (worker->fd < 0 || connect(worker->fd, (void *)&server, sizeof server)) fail("connect");
    setsockopt(worker->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
}

/* Reads one answer; false if the connection is over. */
static bool receive(struct worker *worker, bool *last) {
    size_t used = 0;
    while (used < sizeof worker->answer - 1) {
        ssize_t count = recv(worker->fd, worker->answer + used, sizeof worker->answer - 1 - used, 0);
        if (count <= 0) return false;
        used += (size_t)count;
        worker->answer[used] = 0;
        char *blank = strstr(worker->answer, "\r\n\r\n"), *length = strcasestr(worker->answer, "content-length:");
        if (!blank || !length) continue;
        *last = strcasestr(worker->answer, "connection: close") != NULL;
        if (used >= (size_t)(blank + 4 - worker->answer) + strtoul(length + 15, NULL, 10)) return true;
    }
    return false;
}

/* Posts a form; anything but 200 ends the measurement. */
static void post(struct worker *worker, const char *path, const char *body) {
    char request[8192];
    int length = snprintf(request, sizeof request,
                          "POST /%s%s HTTP/1.1\r\nHost: bench\r\nContent-Type: application/x-www-form-urlencoded\r\n"
                          "Content-Length: %zu\r\n\r\n%s",
                          tenant, path, strlen(body), body);
    bool last = false;
    for (int attempt = 0;; attempt++) {
        if (worker->fd < 0) reconnect(worker);
        /* The door closes a connection after so many requests; a request that nobody read may go out again. */
        if (send(worker->fd, request, (size_t)length, MSG_NOSIGNAL) == length && receive(worker, &last)) break;
        if (attempt == 1) fail(path);
        reconnect(worker);
    }
    if (strncmp(worker->answer, "HTTP/1.1 200", 12)) {
        fprintf(stderr, "load: %s: %s\n", path, worker->answer);
        exit(1);
    }
    if (!last) return;
    close(worker->fd);
    worker->fd = -1;
}

/* Cuts the value of a member out of the answer. */
static void member(struct worker *worker, const char *name) {
    char mark[64];
    snprintf(mark, sizeof mark, "\"%s\":\"", name);
    char *start = strstr(worker->answer, mark);
    size_t length = start ? strcspn(start + strlen(mark), "\"") : sizeof worker->token;
    if (length >= sizeof worker->token) {
        fprintf(stderr, "load: no %s in %s\n", name, worker->answer);
        exit(1);
    }
    memcpy(worker->token, start + strlen(mark), length);
    worker->token[length] = 0;
}

static void begin(struct worker *worker, const char *types) {
    char body[4096];
    snprintf(body, sizeof body, "client_id=%s&username=load%d%%40bench.example&challenge_type=%s+redirect", client,
             first + worker->number, types);
    post(worker, "/oauth2/v2.0/initiate", body);
    member(worker, "continuation_token");
    snprintf(body, sizeof body, "client_id=%s&continuation_token=%s", client, worker->token);
    post(worker, "/oauth2/v2.0/challenge", body);
    member(worker, "continuation_token");
}

static void finish(struct worker *worker, const char *grant, const char *name, const char *secret) {
    char body[4096];
    snprintf(body, sizeof body,
             "client_id=%s&continuation_token=%s&grant_type=%s&%s=%s&client_info=true"
             "&scope=openid+profile+offline_access",
             client, worker->token, grant, name, secret);
    post(worker, token_path, body);
}

static void sign_in_with_code(struct worker *worker) {
    struct mailbox *mailbox = &mailboxes[worker->number];
    begin(worker, "oob");
    while (sem_wait(&mailbox->news))
        if (errno != EINTR) fail("sem_wait");
    finish(worker, "oob", "oob", mailbox->code);
}

static void sign_in_with_password(struct worker *worker) {
    begin(worker, "password");
    finish(worker, "password", "password", password);
}

static void refresh(struct worker *worker) {
    char body[4096];
    snprintf(body, sizeof body,
             "client_id=%s&refresh_token=%s&grant_type=refresh_token&client_info=true"
             "&scope=openid+profile+offline_access",
             client, worker->token);
    post(worker, token_path, body);
    member(worker, "refresh_token");
}

/* The mail's reader and its code, the line of digits. */
static void deliver(const char *name) {
    char path[4096], mail[8192];
    snprintf(path, sizeof path, "%s/%s", mails, name);
    int file = open(path, O_RDONLY | O_CLOEXEC);
    ssize_t length = file < 0 ? -1 : read(file, mail, sizeof mail - 1);
    if (length < 0) fail(path);
    close(file);
    unlink(path);
    mail[length] = 0;
    char *to = strstr(mail, "To: load");
    int number = to ? atoi(to + 8) - first : -1;
    if (number < 0 || number >= connections) return;
    char *rest = NULL;
    for (char *line = strtok_r(mail, "\r\n", &rest); line; line = strtok_r(NULL, "\r\n", &rest)) {
        size_t digits = strspn(line, "0123456789");
        if (digits < 4 || line[digits] || digits >= sizeof mailboxes->code) continue;
        strcpy(mailboxes[number].code, line);
        sem_post(&mailboxes[number].news);
        return;
    }
}

static void *read_mail(void *argument) {
    int watch = *(int *)argument;
    char events[65536] __attribute__((aligned(8)));
    for (;;) {
        ssize_t length = read(watch, events, sizeof events);
        if (length <= 0) fail("inotify");
        for (char *at = events; at < events + length;) {
            const struct inotify_event *event = (const void *)at;
            if (event->len && event->name[0] != '.') deliver(event->name);
            at += sizeof *event + event->len;
        }
    }
    return NULL;
}

static void *work(void *argument) {
    struct worker *worker = argument;
    for (double start = now(), stop; start < end; start = stop) {
        worker->turn(worker);
        stop = now();
        if (worker->count == worker->capacity) {
            worker->capacity = worker->capacity ? worker->capacity * 2 : 1024;
            worker->times = realloc(worker->times, worker->capacity * sizeof *worker->times);
            if (!worker->times) fail("memory");
        }
        worker->times[worker->count++] = stop - start;
    }
    return NULL;
}

static int ascending(const void *a, const void *b) {
    double difference = *(const double *)a - *(const double *)b;
    return (difference > 0) - (difference < 0);
}

/* Rate, median, and 99th percentile. */
static void report(struct worker *workers, double seconds) {
    size_t count = 0, at = 0;
    for (int i = 0; i < connections; i++) count += workers[i].count;
    double *all = calloc(count ? count : 1, sizeof *all);
    if (!all) fail("memory");
    for (int i = 0; i < connections; i++) {
        if (workers[i].count) memcpy(all + at, workers[i].times, workers[i].count * sizeof *all);
        at += workers[i].count;
    }
    qsort(all, count, sizeof *all, ascending);
    printf("%.1f %.2f %.2f\n", (double)count / seconds, count ? all[count / 2] * 1e3 : 0,
           count ? all[count * 99 / 100] * 1e3 : 0);
}

static void listen_for_mail(void) {
    static int watch;
    pthread_t thread;
    watch = inotify_init1(IN_CLOEXEC);
    if (watch < 0 || inotify_add_watch(watch, mails, IN_MOVED_TO) < 0) fail(mails);
    if (pthread_create(&thread, NULL, read_mail, &watch)) fail("thread");
}

int main(int count, char **arguments) {
    if (count < 8) return 64;
    char *port = strchr(arguments[2], ':');
    if (!port) return 64;
    *port++ = 0;
    server.sin_family = AF_INET;
    server.sin_port = htons((uint16_t)atoi(port));
    if (inet_pton(AF_INET, arguments[2], &server.sin_addr) != 1) return 64;
    tenant = arguments[3], client = arguments[4], connections = atoi(arguments[5]), first = atoi(arguments[7]);
    bool peer = !strcmp(arguments[1], "peer-refreshes");
    bool codes = !strcmp(arguments[1], "codes"), refreshes = peer || !strcmp(arguments[1], "refreshes");
    if (peer) token_path = "/token";
    mails = count > 8 ? arguments[8] : NULL;
    mailboxes = calloc((size_t)connections, sizeof *mailboxes);
    struct worker *workers = calloc((size_t)connections, sizeof *workers);
    if (!mailboxes || !workers || (codes && !mails)) return 64;
    if (!codes && !peer && (!fgets(password, sizeof password, stdin) || !password[0])) return 64;
    password[strcspn(password, "\n")] = 0;
    for (int i = 0; i < connections; i++) sem_init(&mailboxes[i].news, 0, 0);
    if (codes) listen_for_mail();
    for (int i = 0; i < connections; i++) {
        workers[i].number = i, workers[i].fd = -1;
        workers[i].turn = codes ? sign_in_with_code : refreshes ? refresh : sign_in_with_password;
        if (peer && !fgets(workers[i].token, sizeof workers[i].token, stdin)) return 64;
        workers[i].token[strcspn(workers[i].token, "\n")] = 0;
        if (!refreshes || peer) continue;
        sign_in_with_password(&workers[i]);
        member(&workers[i], "refresh_token");
    }
    double start = now();
    end = start + atof(arguments[6]);
    for (int i = 0; i < connections; i++)
        if (pthread_create(&workers[i].thread, NULL, work, &workers[i])) fail("thread");
    for (int i = 0; i < connections; i++) pthread_join(workers[i].thread, NULL);
    report(workers, now() - start);
    return 0;
}
