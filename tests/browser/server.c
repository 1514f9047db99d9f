#include "server.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define POLL_MS       50
#define READ_MS       2000
#define REQUEST_BYTES 8192

static void send_all(int connection, const char *text, size_t bytes)
{
    while (bytes > 0) {
        ssize_t sent = send(connection, text, bytes, MSG_NOSIGNAL);

        if (sent <= 0)
            return;
        text += sent;
        bytes -= (size_t)sent;
    }
}

static void answer(int connection, const char *status, const char *body)
{
    char head[200];
    int bytes = snprintf(head, sizeof(head),
                         "HTTP/1.1 %s\r\nContent-Type: text/html; charset=utf-8\r\n"
                         "Content-Length: %zu\r\nConnection: close\r\n\r\n",
                         status, strlen(body));

    send_all(connection, head, (size_t)bytes);
    send_all(connection, body, strlen(body));
}

/* Reads the request, which ends with an empty line; false if none comes, as browsers open
 * connections that they do not use. */
static bool read_request(int connection, char *text)
{
    size_t used = 0;

    text[0] = '\0';
    while (!strstr(text, "\r\n\r\n") && used + 1 < REQUEST_BYTES) {
        struct pollfd readable = {.fd = connection, .events = POLLIN};

        if (poll(&readable, 1, READ_MS) <= 0)
            return false;
        ssize_t got = recv(connection, text + used, REQUEST_BYTES - 1 - used, 0);
        if (got <= 0)
            return false;
        used += (size_t)got;
        text[used] = '\0';
    }
    return true;
}

static void serve(struct server *server, int connection)
{
    char text[REQUEST_BYTES];

    if (!read_request(connection, text))
        return;
    if (server->request_count < SERVER_REQUESTS_MAX)
        snprintf(server->request[server->request_count++], SERVER_LINE_BYTES, "%.*s",
                 (int)strcspn(text, "\r\n"), text);
    if (!strncmp(text, "GET / ", 6))
        answer(connection, "200 OK", server->page);
    else
        answer(connection, "404 Not Found", "");
}

static void *run(void *argument)
{
    struct server *server = argument;

    while (!atomic_load(&server->is_stopping)) {
        struct pollfd readable = {.fd = server->listener, .events = POLLIN};

        if (poll(&readable, 1, POLL_MS) <= 0)
            continue;
        int connection = accept(server->listener, NULL, NULL);
        if (connection < 0)
            continue;
        serve(server, connection);
        close(connection);
    }
    return NULL;
}

static bool listen_somewhere(struct server *server)
{
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    socklen_t bytes = sizeof(address);

    server->listener = socket(AF_INET, SOCK_STREAM, 0);
    if (server->listener < 0)
        return false;
    if (bind(server->listener, (struct sockaddr *)&address, sizeof(address)) != 0 ||
        listen(server->listener, 8) != 0 ||
        getsockname(server->listener, (struct sockaddr *)&address, &bytes) != 0) {
        close(server->listener);
        return false;
    }
    server->port = ntohs(address.sin_port);
    return true;
}

bool server_start(struct server *server, const char *page)
{
    memset(server, 0, sizeof(*server));
    server->page = page;
    atomic_init(&server->is_stopping, false);
    if (!listen_somewhere(server)) {
        perror("no socket for the page");
        return false;
    }
    if (pthread_create(&server->thread, NULL, run, server) == 0)
        return true;
    fputs("no thread to serve the page\n", stderr);
    close(server->listener);
    return false;
}

void server_stop(struct server *server)
{
    atomic_store(&server->is_stopping, true);
    pthread_join(server->thread, NULL);
    close(server->listener);
}
