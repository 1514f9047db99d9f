/* Other programs that use a GPU, by what the kernel says of every open file of a DRM device in
 * /proc/PID/fdinfo (Documentation/gpu/drm-usage-stats.rst): i915 since Linux 5.19, xe since 6.8. Of
 * other users' processes, only root sees it. */
#ifndef VEBENCH_CLIENTS_H
#define VEBENCH_CLIENTS_H

#include <stddef.h>
#include <stdint.h>

#define CLIENTS_MAX     64
#define CLIENT_ENGINES  8
#define CLIENT_NAME_MAX 32

struct client_engine {
    char name[16];  /* "rcs", "render" */
    uint64_t used;  /* ns, or cycles */
    uint64_t total; /* cycles that passed; 0: `used` is in ns */
};

struct client {
    unsigned long process, id; /* the kernel's number of the client on its card */
    char program[CLIENT_NAME_MAX];
    struct client_engine engine[CLIENT_ENGINES];
    size_t engine_count;
    double busy; /* part of the time that it kept its busiest engine; see clients_use() */
    const char *busy_engine; /* in `engine`; NULL: none */
};

/* The clients of a card at one moment, without those of this process and of the other workers of
 * its run: processes of the same name and parent. */
struct clients {
    struct client client[CLIENTS_MAX];
    size_t count;
    uint64_t read_ns; /* by the host's clock */
};

/* `root` is prepended to the path: "" for this machine, another tree in tests. Of all cards if
 * `pci_address` is empty. */
void clients_read(struct clients *clients, const char *root, const char *pci_address);

/* Sets `busy` of the clients of `now` from what they have used since `before`; clients that were
 * not there then have 0. */
void clients_use(struct clients *now, const struct clients *before);

/* What they do while something else happens: looks at most once a second, because every process has
 * to be looked at. */
struct client_watch {
    struct clients seen[2];
    unsigned newest;
    unsigned looks;
};

/* How many programs have the card open, and which part of the time since the look before the last
 * one the busiest of them used its engine. `watch` begins as zeros. */
void client_watch_look(struct client_watch *watch, const char *root, const char *pci_address,
                       uint32_t *count, double *busy);

/* The busiest; NULL: none of them uses an engine. */
const struct client *clients_busiest(const struct clients *clients);

#endif
