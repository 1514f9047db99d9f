#include "isa/message/image-access.h"

#include "isa/message/access.h"
#include "isa/message/image.h"
#include "isa/message/last-mapping.h"
#include "isa/message/sampler.h"
#include "isa/message/texel.h"

enum { DWORD_BYTES = 4 };
enum { FORMAT_OF_COUNTS = 0x002 }; /* R32G32B32A32_UINT */

/* A message whose texels are being looked for. */
struct fetch {
    struct thread *thread;
    const struct inst *inst;
    const struct message *message;
    struct image image;
    struct sampler sampler; /* TEXEL_SAMPLE */
};

/* Where register `index` of the payload is, which is split over two operands. */
static uint32_t payload_register(const struct fetch *f, unsigned index)
{
    const struct message *m = f->message;

    if (index < m->payload0_registers)
        return f->inst->source[0].offset + index * m->grf_bytes;
    return access_payload(f->inst, m) + (index - m->payload0_registers) * m->grf_bytes;
}

static unsigned parameter_registers(const struct message *m)
{
    return ((unsigned)m->lanes * DWORD_BYTES + m->grf_bytes - 1) / m->grf_bytes;
}

/* A parameter of a lane, as bits. */
static uint32_t read_parameter(const struct fetch *f, unsigned parameter, unsigned lane)
{
    unsigned bytes = lane * DWORD_BYTES, each = parameter_registers(f->message);
    unsigned index = f->message->has_header + parameter * each + bytes / f->message->grf_bytes;

    return thread_read32(f->thread, payload_register(f, index) + bytes % f->message->grf_bytes);
}

/* The coordinates that the payload has; the others are 0, the first texel or slice. */
static void read_coordinates(const struct fetch *f, unsigned lane, uint32_t *coordinates)
{
    unsigned next = 0;

    memset(coordinates, 0, IMAGE_DIMENSIONS * sizeof(*coordinates));
    for (unsigned i = 0; i < f->message->parameters && next < IMAGE_DIMENSIONS; i++)
        if (i != f->message->level)
            coordinates[next++] = read_parameter(f, i, lane);
    for (unsigned i = f->image.addressed; i < IMAGE_DIMENSIONS; i++)
        coordinates[i] = 0;
}

/* The level that a lane asks for, as bits; 0 if it names none. */
static uint32_t read_level(const struct fetch *f, unsigned lane)
{
    return f->message->level < f->message->parameters ? read_parameter(f, f->message->level, lane)
                                                      : 0;
}

/* The image, or what it is on a level, made in `level`, if it has several. */
static const struct image *image_on_level(const struct image *image, uint32_t number,
                                          struct image *level)
{
    if (!image_has_levels(image))
        return image;
    *level = *image;
    image_go_to_level(level, number);
    return level;
}

static int locate_texel(const struct fetch *f, const struct image *image, const int32_t *texel,
                        uint8_t **host)
{
    struct thread *thread = f->thread;
    unsigned bytes = texel_bytes(image->format);
    uint64_t address = address_cut(thread->space, image_address(image, texel));
    const struct mapping *mapping = find_mapping(thread, f->inst, address, bytes);

    if (!mapping)
        return thread_page_fault(thread, f->inst, address,
                                 f->message->kind == MESSAGE_LOAD ? "load from" : "store to");
    *host = mapping->host + (address - mapping->address);
    if (!thread->access->timeless)
        lines_add_bytes(thread, mapping->physical + (address - mapping->address), bytes);
    return 0;
}

/* NULL where the image has no such texel. */
static int locate_if_there(const struct fetch *f, const struct image *image, const int32_t *texel,
                           uint8_t **host)
{
    *host = NULL;
    return image_has(image, texel) ? locate_texel(f, image, texel, host) : 0;
}

/* All texels of a lane that a sampler weighs, of the level whose first one has number `first`. */
static int locate_sample(const struct fetch *f, const struct image *image, unsigned lane,
                         unsigned first, const struct sample *sample)
{
    uint8_t **hosts = f->thread->access->hosts + first * f->message->lanes + lane;

    for (unsigned i = 0; i < 1u << f->sampler.filtered; i++) {
        const int32_t texel[IMAGE_DIMENSIONS] = {
            sample->texel[0][i & 1], sample->texel[1][i >> 1 & 1], sample->texel[2][i >> 2]};

        if (locate_if_there(f, image, texel, &hosts[i * f->message->lanes]))
            return -1;
    }
    return 0;
}

static int locate_samples(const struct fetch *f, unsigned lane, const float *coordinates,
                          struct sampled *sampled)
{
    uint32_t numbers[SAMPLES_MAX_LEVELS];

    sampled->level_weight[lane] =
        sampler_choose_levels(&f->sampler, &f->image, read_level(f, lane), numbers);
    for (unsigned level = 0; level < f->sampler.levels; level++) {
        struct image made;
        const struct image *image = image_on_level(&f->image, numbers[level], &made);
        struct sample sample;

        sampler_choose(&f->sampler, image, coordinates, &sample);
        for (unsigned i = 0; i < IMAGE_DIMENSIONS; i++)
            sampled->weight[level][i][lane] = sample.weight[i];
        if (locate_sample(f, image, lane, level << f->sampler.filtered, &sample))
            return -1;
    }
    return 0;
}

static int locate_lane(const struct fetch *f, unsigned lane, struct sampled *sampled)
{
    uint32_t bits[IMAGE_DIMENSIONS];
    int32_t texel[IMAGE_DIMENSIONS];
    float coordinates[IMAGE_DIMENSIONS];
    struct image made;

    read_coordinates(f, lane, bits);
    if (f->message->texels == TEXEL_SAMPLE) {
        memcpy(coordinates, bits, sizeof(coordinates));
        return locate_samples(f, lane, coordinates, sampled);
    }
    const struct image *image = image_on_level(&f->image, read_level(f, lane), &made);
    memcpy(texel, bits, sizeof(texel));
    return locate_if_there(f, image, texel, &f->thread->access->hosts[lane]);
}

/* Columns, rows, slices or layers, and levels; 0 for what the image does not have (PRM, "resinfo").
 */
static void count_texels(const struct fetch *f, unsigned lane, uint32_t *counts)
{
    struct image level;
    const struct image *image = image_on_level(&f->image, read_level(f, lane), &level);
    unsigned dimensions = image->slices < IMAGE_DIMENSIONS ? image->addressed : 1;
    bool is_there = image_has_levels(image) || read_level(f, lane) == 0;

    memset(counts, 0, TEXEL_CHANNELS * sizeof(*counts));
    for (unsigned i = 0; i < dimensions && image->format && is_there; i++)
        counts[i] = image->size[i];
    if (f->image.format && f->image.slices < IMAGE_DIMENSIONS)
        counts[TEXEL_CHANNELS - 1] = 1u + f->image.last_level - f->image.first_level;
}

/* Lanes read the counts as they would read the border of a sampler: they are the same for all. */
static int count_for_all(const struct fetch *f, uint32_t *counts)
{
    uint32_t mask = f->thread->access->transfer.mask;
    unsigned first = mask ? (unsigned)__builtin_ctz(mask) : 0;

    for (unsigned lane = first; lane < f->message->lanes; lane++)
        if (mask >> lane & 1 && read_level(f, lane) != read_level(f, first))
            return thread_fault(f->thread, f->inst,
                                "sizes of several levels, which the model does not have");
    count_texels(f, first, counts);
    return 0;
}

static int locate_all(const struct fetch *f)
{
    struct message_access *access = f->thread->access;
    struct sampled sampled = {0};

    _Static_assert(sizeof(sampled) <= ARF_SAMPLER_BYTES, "it fits into its place");
    memcpy(sampled.border, f->sampler.border, sizeof(sampled.border));
    if (f->message->texels == TEXEL_COUNT) {
        memset(access->hosts, 0, f->message->lanes * sizeof(*access->hosts));
        if (count_for_all(f, sampled.border))
            return -1;
        memcpy(f->thread->registers + ARF_SAMPLER, &sampled, sizeof(sampled));
        return 0;
    }
    for (unsigned lane = 0; lane < f->message->lanes; lane++) {
        access->hosts[lane] = NULL;
        if (access->transfer.mask >> lane & 1 && locate_lane(f, lane, &sampled))
            return -1;
    }
    if (f->message->texels == TEXEL_SAMPLE)
        memcpy(f->thread->registers + ARF_SAMPLER, &sampled, sizeof(sampled));
    return 0;
}

/* Whether the registers exist, and those of what is stored are in one piece. */
static bool texel_registers_exist(const struct fetch *f, unsigned address_registers)
{
    const struct message *m = f->message;
    uint32_t end = access_sent_end(f->inst, m);
    unsigned last = address_registers + m->shape.payload_bytes / m->grf_bytes - 1;
    bool split = last >= m->payload0_registers;

    if (split && (f->inst->source_count < 2 || f->inst->source[1].kind != OPERAND_REGISTER))
        return false;
    if (m->shape.payload_bytes && split && address_registers < m->payload0_registers)
        return false;
    return f->inst->source[0].offset + m->payload0_registers * m->grf_bytes <= end &&
           payload_register(f, last) + m->grf_bytes <= end &&
           (!m->bytes_received ||
            f->inst->destination.offset + m->bytes_received <= thread_grf_end(f->thread));
}

static int open_fetch(struct fetch *f, uint32_t extended_descriptor)
{
    if (image_open(f->thread, f->inst, f->message, extended_descriptor, &f->image))
        return -1;
    if (f->message->kind == MESSAGE_STORE && f->image.format && !texel_stores(f->image.format))
        return thread_fault(f->thread, f->inst, "store to an image in sRGB");
    if (f->message->texels == TEXEL_TYPED && f->message->kind == MESSAGE_LOAD && f->image.format &&
        !texel_loads(f->image.format, f->thread->program->device->architecture))
        return thread_fault(f->thread, f->inst,
                            "typed load from an image in a format that only samplers load");
    if (f->message->texels != TEXEL_SAMPLE)
        return 0;
    return sampler_open(f->thread, f->inst, f->message, &f->image, &f->sampler);
}

static void describe_transfer(const struct fetch *f, uint32_t source)
{
    struct message_access *access = f->thread->access;
    struct transfer *t = &access->transfer;

    t->form = TRANSFER_LANES;
    t->host_count = t->shape.lanes;
    t->source = source;
    t->shape.texel = f->image.format;
    t->shape.select =
        f->message->texels == TEXEL_TYPED && f->message->kind == MESSAGE_LOAD ? 0 : f->image.select;
    if (f->message->texels == TEXEL_COUNT) {
        t->shape.texel = (uint8_t)texel_format(FORMAT_OF_COUNTS);
        t->shape.select = 0;
    }
    if (f->message->texels >= TEXEL_SAMPLE && t->shape.texel) {
        t->form = TRANSFER_SAMPLES;
        t->filtered = (uint8_t)f->sampler.filtered;
        t->levels = (uint8_t)f->sampler.levels;
        t->host_count = (uint16_t)(t->shape.lanes * t->levels << t->filtered);
        t->source = ARF_SAMPLER;
        t->shape.payload_bytes = sizeof(struct sampled);
    }
    if (f->image.format)
        access->bytes = (uint32_t)__builtin_popcount(t->mask) * texel_bytes(f->image.format);
}

int image_access(struct thread *thread, const struct inst *inst, const struct message *message,
                 uint32_t extended_descriptor, uint32_t mask)
{
    struct fetch f = {.thread = thread, .inst = inst, .message = message, .sampler = {.levels = 1}};
    struct message_access *access = thread->access;
    unsigned address_registers =
        message->has_header + message->parameters * parameter_registers(message);

    access_begin(access, inst, message, mask & access_all_lanes(message->lanes));
    if (!texel_registers_exist(&f, address_registers))
        return thread_fault(thread, inst, "message with registers beyond the last");
    if (open_fetch(&f, extended_descriptor) || locate_all(&f))
        return -1;
    describe_transfer(&f, payload_register(&f, address_registers));
    if (!access->later)
        transfer_move(&access->transfer, access->hosts, thread->registers + access->transfer.source,
                      thread->registers, true);
    return 0;
}
