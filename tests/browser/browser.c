#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "browser.h"
#include "process.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define TEXT_BYTES 512

bool browser_is_there(void)
{
    char *const version[] = {"chromium", "--version", NULL};

    if (process_run(version, NULL, "/dev/null", "/dev/null") == 0)
        return true;
    puts("skipped: no chromium (Debian package chromium)");
    return false;
}

char *browser_page(const char *path)
{
    static const char policy[] = "default-src 'none'; ";
    static const char allowed[] = "default-src 'none'; script-src 'unsafe-inline'; ";
    char *page = process_read_file(path);
    char *probe = process_read_file(PROBE);

    assert_non_null(page);
    assert_non_null(probe);
    char *at = strstr(page, policy);
    assert_non_null(at);
    size_t bytes = strlen(page) + strlen(probe) + sizeof(allowed) + 64;
    char *all = malloc(bytes);
    assert_non_null(all);
    snprintf(all, bytes, "%.*s%s%s<script>%s</script>", (int)(at - page), page, allowed,
             at + strlen(policy), probe);
    free(page);
    free(probe);
    return all;
}

void browser_open(const struct server *server, unsigned width, bool is_dark)
{
    char profile[] = "chromium-XXXXXX";
    char size[TEXT_BYTES], url[TEXT_BYTES], data[TEXT_BYTES], colours[TEXT_BYTES];
    char *const remove[] = {"rm", "-rf", profile, NULL};
    int status;

    assert_non_null(mkdtemp(profile));
    snprintf(size, sizeof(size), "--window-size=%u,1000", width);
    snprintf(url, sizeof(url), "http://127.0.0.1:%u/", server->port);
    snprintf(data, sizeof(data), "--user-data-dir=%s", profile);
    snprintf(colours, sizeof(colours), "--blink-settings=preferredColorScheme=%d", is_dark ? 0 : 1);
    {
        char *const arguments[] = {"chromium",
                                   "--headless",
                                   "--no-sandbox",
                                   "--disable-gpu",
                                   "--disable-quic",
                                   "--no-first-run",
                                   "--disable-background-networking",
                                   "--disable-component-update",
                                   "--disable-sync",
                                   "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
                                   "--enable-logging=stderr",
                                   "--v=0",
                                   "--dump-dom",
                                   data,
                                   size,
                                   colours,
                                   url,
                                   NULL};

        status = process_run(arguments, NULL, "dom.html", "browser.log");
    }
    process_run(remove, NULL, "/dev/null", "/dev/null");
    if (status != 0)
        process_show_file("browser.log");
    assert_int_equal(status, 0);
}

void browser_check_log(void)
{
    static const char *const bad[] = {"CONSOLE", "Refused to", "ERR_"};
    char *log = process_read_file("browser.log");

    assert_non_null(log);
    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        if (strstr(log, bad[i]))
            fail_msg("the browser complains: %.300s", strstr(log, bad[i]));
    }
    free(log);
}

void browser_check_requests(const struct server *server)
{
    for (size_t i = 0; i < server->request_count; i++) {
        /* Browsers ask for an icon of their own accord. */
        if (strncmp(server->request[i], "GET / ", 6) != 0 &&
            strncmp(server->request[i], "GET /favicon.ico ", 17) != 0)
            fail_msg("the page asks for more: %s", server->request[i]);
    }
    assert_true(server->request_count > 0);
}
