/* Rows of a fleet, as they come: what repeats in them is kept once. */
#include "compare/fleet.h"

#include "base/digest.h"
#include "base/stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TEXT_BYTES  65536u
#define FIRST_ROOM  1024u
#define FIRST_SLOTS 256u

/* Texts, in a list of blocks. */
struct fleet_text {
    struct fleet_text *next;
    size_t used, room;
    char bytes[];
};

/* A hash table of indices; open addressing, at most half full. */
struct fleet_index {
    size_t slots, used; /* slots: a power of two */
    struct {
        uint64_t hash;
        size_t index; /* SIZE_MAX: free */
    } slot[];
};

static const char *keep(struct fleet *fleet, const char *text)
{
    size_t bytes = strlen(text) + 1;
    struct fleet_text *block = fleet->texts;

    if (!block || block->room - block->used < bytes) {
        size_t room = bytes > TEXT_BYTES ? bytes : TEXT_BYTES;

        block = malloc(sizeof(*block) + room);
        if (!block)
            return NULL;
        *block = (struct fleet_text){.next = fleet->texts, .room = room};
        fleet->texts = block;
    }
    char *copy = memcpy(block->bytes + block->used, text, bytes);
    block->used += bytes;
    return copy;
}

static struct fleet_index *new_index(size_t slots)
{
    struct fleet_index *index = malloc(sizeof(*index) + slots * sizeof(index->slot[0]));

    if (!index)
        return NULL;
    index->slots = slots;
    index->used = 0;
    for (size_t i = 0; i < slots; i++)
        index->slot[i].index = SIZE_MAX;
    return index;
}

static void put(struct fleet_index *index, uint64_t hash, size_t what)
{
    size_t at = hash & (index->slots - 1);

    while (index->slot[at].index != SIZE_MAX)
        at = (at + 1) & (index->slots - 1);
    index->slot[at].hash = hash;
    index->slot[at].index = what;
    index->used++;
}

/* Makes room for one more. */
static bool grow(struct fleet_index **index)
{
    struct fleet_index *old = *index;

    if (old && 2 * (old->used + 1) <= old->slots)
        return true;
    struct fleet_index *more = new_index(old ? 2 * old->slots : FIRST_SLOTS);
    if (!more)
        return false;
    for (size_t i = 0; old && i < old->slots; i++) {
        if (old->slot[i].index != SIZE_MAX)
            put(more, old->slot[i].hash, old->slot[i].index);
    }
    free(old);
    *index = more;
    return true;
}

static bool is_gpu(const struct fleet_gpu *gpu, const struct record *record)
{
    return !strcmp(record->device_uuid, gpu->device_uuid) && !strcmp(record->host, gpu->host) &&
           !strcmp(record->device_name, gpu->device_name) &&
           (record->rank == gpu->rank || (isnan(record->rank) && isnan(gpu->rank)));
}

/* Rows of a GPU may have none at first. */
static void set_address(struct fleet *fleet, size_t gpu, const struct record *record)
{
    const char *address = record->pci_address ? record->pci_address : "";

    if (!fleet->gpus[gpu].pci_address[0] && address[0]) {
        const char *kept = keep(fleet, address);

        fleet->gpus[gpu].pci_address = kept ? kept : "";
    }
}

static enum status add_gpu(struct fleet *fleet, const struct record *record, struct error *error)
{
    if ((fleet->gpu_count & (fleet->gpu_count - 1)) == 0) { /* room for the next power of two */
        size_t room = fleet->gpu_count ? 2 * fleet->gpu_count : 1;
        struct fleet_gpu *more = realloc(fleet->gpus, room * sizeof(*more));

        if (!more)
            return error_out_of_memory(error);
        fleet->gpus = more;
    }
    struct fleet_gpu gpu = {
        .host = keep(fleet, record->host),
        .device_name = keep(fleet, record->device_name),
        .device_uuid = keep(fleet, record->device_uuid),
        .pci_address = "",
        .rank = record->rank,
        .clock_mhz = NAN,
        .probability = NAN,
    };
    if (!gpu.host || !gpu.device_name || !gpu.device_uuid)
        return error_out_of_memory(error);
    fleet->gpus[fleet->gpu_count++] = gpu;
    return STATUS_OK;
}

/* The GPU of a row, added if it is new. Rows of one GPU often follow each other. */
static enum status find_gpu(struct fleet *fleet, const struct record *record, struct error *error)
{
    if (fleet->last_gpu < fleet->gpu_count && is_gpu(&fleet->gpus[fleet->last_gpu], record))
        return STATUS_OK;
    double rank = isnan(record->rank) ? -1.0 : record->rank;
    uint64_t hash = digest_text(digest_text(DIGEST_BEGIN, record->device_uuid), record->host);
    hash = digest_bytes(digest_text(hash, record->device_name), &rank, sizeof(rank));
    if (!grow(&fleet->gpu_index))
        return error_out_of_memory(error);
    const struct fleet_index *index = fleet->gpu_index;
    for (size_t at = hash & (index->slots - 1); index->slot[at].index != SIZE_MAX;
         at = (at + 1) & (index->slots - 1)) {
        fleet->last_gpu = index->slot[at].index;
        if (index->slot[at].hash == hash && is_gpu(&fleet->gpus[fleet->last_gpu], record))
            return STATUS_OK;
    }
    put(fleet->gpu_index, hash, fleet->gpu_count);
    fleet->last_gpu = fleet->gpu_count;
    return add_gpu(fleet, record, error);
}

static bool is_place(const struct fleet_place *place, const struct record *record)
{
    return place->subgroup_size == record->subgroup_size &&
           place->workgroup_size == record->workgroup_size &&
           place->workgroup_count == record->workgroup_count &&
           !strcmp(place->variant, record->variant) &&
           !strcmp(place->parameters, record->parameters) &&
           !strcmp(place->benchmark, record->benchmark) &&
           !strcmp(place->device_name, record->device_name);
}

static enum fleet_kind kind_of(const struct record *record)
{
    return record->work_flops > 0.0       ? FLEET_COMPUTE
           : record->work_bytes > 0.0     ? FLEET_MEMORY
           : record->work_barriers > 0.0  ? FLEET_BARRIER
           : record->work_exchanges > 0.0 ? FLEET_EXCHANGE
                                          : FLEET_OTHER;
}

static enum status add_place(struct fleet *fleet, const struct record *record, struct error *error)
{
    if ((fleet->place_count & (fleet->place_count - 1)) == 0) {
        size_t room = fleet->place_count ? 2 * fleet->place_count : 1;
        struct fleet_place *more = realloc(fleet->places, room * sizeof(*more));

        if (!more)
            return error_out_of_memory(error);
        fleet->places = more;
    }
    struct fleet_place place = {
        .device_name = keep(fleet, record->device_name),
        .benchmark = keep(fleet, record->benchmark),
        .variant = keep(fleet, record->variant),
        .parameters = keep(fleet, record->parameters),
        .unit = keep(fleet, record->unit),
        .subgroup_size = record->subgroup_size,
        .workgroup_size = record->workgroup_size,
        .workgroup_count = record->workgroup_count,
        .kind = kind_of(record),
    };
    if (!place.device_name || !place.benchmark || !place.variant || !place.parameters ||
        !place.unit)
        return error_out_of_memory(error);
    fleet->places[fleet->place_count++] = place;
    return STATUS_OK;
}

static enum status find_place(struct fleet *fleet, const struct record *record, size_t *found,
                              struct error *error)
{
    const unsigned sizes[] = {record->subgroup_size, record->workgroup_size,
                              record->workgroup_count};
    uint64_t hash = digest_bytes(DIGEST_BEGIN, sizes, sizeof(sizes));

    hash = digest_text(digest_text(hash, record->benchmark), record->variant);
    hash = digest_text(digest_text(hash, record->parameters), record->device_name);
    if (!grow(&fleet->place_index))
        return error_out_of_memory(error);
    const struct fleet_index *index = fleet->place_index;
    for (size_t at = hash & (index->slots - 1); index->slot[at].index != SIZE_MAX;
         at = (at + 1) & (index->slots - 1)) {
        *found = index->slot[at].index;
        if (index->slot[at].hash == hash && is_place(&fleet->places[*found], record))
            return STATUS_OK;
    }
    put(fleet->place_index, hash, fleet->place_count);
    *found = fleet->place_count;
    return add_place(fleet, record, error);
}

/* The number of the file that the row is from; rows of a file follow each other. */
static enum status note_file(struct fleet *fleet, const struct record *record, struct error *error)
{
    const char *path = record->table ? record->table->path : "";

    if (fleet->file_count && !strcmp(fleet->files[fleet->file_count - 1], path))
        return STATUS_OK;
    const char **more = realloc(fleet->files, (fleet->file_count + 1) * sizeof(*more));
    if (!more)
        return error_out_of_memory(error);
    fleet->files = more;
    more[fleet->file_count] = keep(fleet, path);
    return more[fleet->file_count++] ? STATUS_OK : error_out_of_memory(error);
}

/* ISO 8601 sorts as text. */
static void note_time(struct fleet *fleet, const char *time)
{
    size_t bytes = time ? strlen(time) + 1 : 1;

    if (bytes == 1 || bytes > sizeof(fleet->first_time))
        return;
    if (!fleet->first_time[0] || strcmp(time, fleet->first_time) < 0)
        memcpy(fleet->first_time, time, bytes);
    if (strcmp(time, fleet->last_time) > 0)
        memcpy(fleet->last_time, time, bytes);
}

/* See record_scale(). */
static double loop_of(const struct record *record)
{
    double scale = record_scale(record, 0.0);

    return scale > 0.0 ? scale : 0.0;
}

static enum status add_figure(struct fleet *fleet, const struct record *record, size_t place,
                              struct error *error)
{
    if (fleet->figure_count == fleet->figure_room) {
        size_t room = fleet->figure_room + fleet->figure_room / 2 + FIRST_ROOM;
        struct fleet_figure *more =
            room <= UINT32_MAX ? realloc(fleet->figures, room * sizeof(*more)) : NULL;

        if (!more)
            return error_out_of_memory(error);
        fleet->figures = more;
        fleet->figure_room = room;
    }
    fleet->figures[fleet->figure_count++] = (struct fleet_figure){
        .ns = record->ns_mean,
        .gpu = (uint32_t)fleet->last_gpu,
        .place = (uint32_t)place,
        .file = (uint32_t)(fleet->file_count - 1),
        .line = record->line,
        .error = (float)(record_half_interval(record) / STATS_Z975),
        .loop_ns = (float)loop_of(record),
        .clock_mhz = (float)record->clock_mhz,
    };
    return STATUS_OK;
}

enum status fleet_add(struct fleet *fleet, const struct record *record, struct error *error)
{
    size_t place = 0;
    enum status status = find_gpu(fleet, record, error);

    if (status != STATUS_OK)
        return status;
    set_address(fleet, fleet->last_gpu, record);
    note_time(fleet, record->time_utc);
    if (!record->usable || !record_has_interval(record)) {
        fleet->left_out++;
        return STATUS_OK;
    }
    status = note_file(fleet, record, error);
    if (status == STATUS_OK)
        status = find_place(fleet, record, &place, error);
    return status == STATUS_OK ? add_figure(fleet, record, place, error) : status;
}

void fleet_free(struct fleet *fleet)
{
    while (fleet->texts) {
        struct fleet_text *next = fleet->texts->next;

        free(fleet->texts);
        fleet->texts = next;
    }
    free(fleet->gpus);
    free(fleet->places);
    free(fleet->figures);
    free(fleet->by_gpu);
    free(fleet->files);
    free(fleet->gpu_index);
    free(fleet->place_index);
    memset(fleet, 0, sizeof(*fleet));
}
