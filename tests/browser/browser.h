/* A page in headless Chromium: served from this process, with a script at its end that writes what
 * the browser made of it into dom.html. */
#ifndef VEBENCH_TEST_BROWSER_H
#define VEBENCH_TEST_BROWSER_H

#include "server.h"

#include <stdbool.h>

/* Whether Chromium is installed; says so if not. */
bool browser_is_there(void);

/* The page at `path`, with the probe at its end, which its policy then allows. The caller frees. */
char *browser_page(const char *path);

/* Opens the served page in a window so wide; what the browser says is in dom.html and browser.log.
 */
void browser_open(const struct server *server, unsigned width, bool is_dark);

/* Fail the test if the browser complained of anything, or the page asked for anything else. */
void browser_check_log(void);
void browser_check_requests(const struct server *server);

#endif
