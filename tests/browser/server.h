/* Serves one page on a local socket and records the requests. For tests only. */
#ifndef TESTS_BROWSER_SERVER_H
#define TESTS_BROWSER_SERVER_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include <pthread.h>

#define SERVER_REQUESTS_MAX 32
#define SERVER_LINE_BYTES   256

struct server {
    const char *page; /* the caller's, as long as the server runs */
    unsigned port;
    char request[SERVER_REQUESTS_MAX][SERVER_LINE_BYTES]; /* first lines, in order of arrival */
    size_t request_count;                                 /* to be read after server_stop() */
    int listener;
    atomic_bool is_stopping;
    pthread_t thread;
};

/* Answers "/" with the page and everything else with 404, until server_stop(). false, with a line
 * on stderr, if no socket can be opened. */
bool server_start(struct server *server, const char *page);
void server_stop(struct server *server);

#endif
