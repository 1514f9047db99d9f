#include "ze/clients.h"

#include "base/monotonic.h"

#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define PATH_BYTES 320
#define LOOK_NS    UINT64_C(1000000000)

static struct client_engine *engine_of(struct client *client, const char *name, size_t length)
{
    for (size_t i = 0; i < client->engine_count; i++) {
        if (strlen(client->engine[i].name) == length &&
            !strncmp(client->engine[i].name, name, length))
            return &client->engine[i];
    }
    if (client->engine_count == CLIENT_ENGINES || length >= sizeof(client->engine[0].name))
        return NULL;
    struct client_engine *engine = &client->engine[client->engine_count++];
    memset(engine, 0, sizeof(*engine));
    memcpy(engine->name, name, length);
    return engine;
}

/* "KEY-ENGINE: NUMBER": `at` is behind the key. */
static void take(struct client *client, const char *at, bool is_total)
{
    size_t length = strcspn(at, ":");
    struct client_engine *engine = at[length] ? engine_of(client, at, length) : NULL;

    if (!engine)
        return;
    *(is_total ? &engine->total : &engine->used) = strtoull(at + length + 1, NULL, 10);
}

static const char *behind(const char *line, const char *key)
{
    size_t length = strlen(key);

    return strncmp(line, key, length) ? NULL : line + length + strspn(line + length, " \t");
}

/* False if the file is not of a DRM device, or of another card. */
static bool read_client(struct client *client, const char *path, const char *pci_address)
{
    FILE *file = fopen(path, "r");
    bool has_id = false, is_other = false;
    char line[200];

    while (file && fgets(line, sizeof(line), file)) {
        const char *value;

        line[strcspn(line, "\n")] = '\0';
        if ((value = behind(line, "drm-client-id:"))) {
            client->id = strtoul(value, NULL, 10);
            has_id = true;
        } else if ((value = behind(line, "drm-pdev:"))) {
            is_other = pci_address[0] && strcmp(value, pci_address) != 0;
        } else if (!strncmp(line, "drm-engine-capacity-", strlen("drm-engine-capacity-"))) {
            continue;
        } else if ((value = behind(line, "drm-engine-"))) {
            take(client, value, false);
        } else if ((value = behind(line, "drm-total-cycles-"))) {
            take(client, value, true);
        } else if ((value = behind(line, "drm-cycles-"))) {
            take(client, value, false);
        }
    }
    if (file)
        fclose(file);
    return has_id && !is_other;
}

static bool is_known(const struct clients *clients, const struct client *client)
{
    for (size_t i = 0; i < clients->count; i++) {
        if (clients->client[i].id == client->id)
            return true;
    }
    return false;
}

static void read_program(const char *root, const char *process, char program[CLIENT_NAME_MAX])
{
    char path[PATH_BYTES];

    snprintf(path, sizeof(path), "%s/proc/%.20s/comm", root, process);
    FILE *file = fopen(path, "r");
    if (!file || !fgets(program, CLIENT_NAME_MAX, file))
        strcpy(program, "unknown");
    program[strcspn(program, "\n")] = '\0';
    if (file)
        fclose(file);
}

/* Its number in /proc/PID/status; 0 if it cannot be read. */
static unsigned long parent_of(const char *root, const char *process)
{
    char path[PATH_BYTES], line[200];
    unsigned long parent = 0;

    snprintf(path, sizeof(path), "%s/proc/%.20s/status", root, process);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof(line), file)) {
        if (sscanf(line, "PPid: %lu", &parent) == 1)
            break;
    }
    if (file)
        fclose(file);
    return parent;
}

/* A worker beside this one? */
static bool is_sibling(const char *root, const char *process)
{
    char theirs[CLIENT_NAME_MAX], ours[CLIENT_NAME_MAX], self[24];

    if (parent_of(root, process) != (unsigned long)getppid())
        return false;
    snprintf(self, sizeof(self), "%ld", (long)getpid());
    read_program(root, process, theirs);
    read_program("", self, ours);
    return !strcmp(theirs, ours);
}

static void read_process(struct clients *clients, const char *root, const char *process,
                         const char *pci_address)
{
    char path[PATH_BYTES];

    snprintf(path, sizeof(path), "%s/proc/%.20s/fdinfo", root, process);
    DIR *folder = opendir(path);
    if (!folder)
        return;
    if (is_sibling(root, process)) {
        closedir(folder);
        return;
    }
    for (struct dirent *entry; (entry = readdir(folder)) && clients->count < CLIENTS_MAX;) {
        struct client *client = &clients->client[clients->count];

        memset(client, 0, sizeof(*client));
        client->process = strtoul(process, NULL, 10);
        snprintf(path, sizeof(path), "%s/proc/%.20s/fdinfo/%.20s", root, process, entry->d_name);
        if (entry->d_name[0] == '.' || !read_client(client, path, pci_address) ||
            is_known(clients, client))
            continue;
        read_program(root, process, client->program);
        clients->count++;
    }
    closedir(folder);
}

void clients_read(struct clients *clients, const char *root, const char *pci_address)
{
    char path[PATH_BYTES], self[24];

    clients->count = 0;
    snprintf(self, sizeof(self), "%ld", (long)getpid());
    snprintf(path, sizeof(path), "%s/proc", root);
    DIR *folder = opendir(path);
    clients->read_ns = monotonic_ns();
    if (!folder)
        return;
    for (struct dirent *entry; (entry = readdir(folder));) {
        if (strspn(entry->d_name, "0123456789") == strlen(entry->d_name) &&
            strcmp(entry->d_name, self) != 0)
            read_process(clients, root, entry->d_name, pci_address);
    }
    closedir(folder);
}

static double use_of(const struct client_engine *now, const struct client_engine *before,
                     double elapsed_ns)
{
    double whole = now->total ? (double)(now->total - before->total) : elapsed_ns;

    return now->used > before->used && whole > 0.0 ? (double)(now->used - before->used) / whole
                                                   : 0.0;
}

static void compare(struct client *now, const struct client *before, double elapsed_ns)
{
    for (size_t i = 0; i < now->engine_count; i++) {
        for (size_t k = 0; k < before->engine_count; k++) {
            double use = strcmp(now->engine[i].name, before->engine[k].name)
                             ? 0.0
                             : use_of(&now->engine[i], &before->engine[k], elapsed_ns);

            if (use <= now->busy)
                continue;
            now->busy = use;
            now->busy_engine = now->engine[i].name;
        }
    }
}

void clients_use(struct clients *now, const struct clients *before)
{
    for (size_t i = 0; i < now->count; i++) {
        for (size_t k = 0; k < before->count; k++) {
            if (now->client[i].id == before->client[k].id)
                compare(&now->client[i], &before->client[k],
                        (double)(now->read_ns - before->read_ns));
        }
    }
}

const struct client *clients_busiest(const struct clients *clients)
{
    const struct client *busiest = NULL;

    for (size_t i = 0; i < clients->count; i++) {
        if (clients->client[i].busy > (busiest ? busiest->busy : 0.0))
            busiest = &clients->client[i];
    }
    return busiest;
}

void client_watch_look(struct client_watch *watch, const char *root, const char *pci_address,
                       uint32_t *count, double *busy)
{
    struct clients *now = &watch->seen[watch->newest];

    if (watch->looks == 0 || monotonic_ns() - now->read_ns >= LOOK_NS) {
        const struct clients *before = now;

        watch->newest ^= 1u;
        now = &watch->seen[watch->newest];
        clients_read(now, root, pci_address);
        if (watch->looks > 0)
            clients_use(now, before);
        watch->looks++;
    }
    const struct client *busiest = clients_busiest(now);
    *count = (uint32_t)now->count;
    *busy = busiest ? busiest->busy : 0.0;
}
