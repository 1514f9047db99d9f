/* A kernel's machine code, decoded once. */
#ifndef VESIM_PROGRAM_H
#define VESIM_PROGRAM_H

#include <stddef.h>
#include <stdint.h>

#include "isa/decode/inst.h"
#include "isa/decode/issue.h"
#include "isa/decode/written.h"
#include "memory/address-space.h"
#include "vesim/vesim.h"

struct program {
    uint64_t serial;  /* in its cache; 0: not got from a cache */
    uint64_t address; /* GPU virtual address of the first instruction */
    uint64_t line;    /* address / size of a line of memory */
    uint8_t *code;    /* the decoded bytes, to see whether they have changed since */
    uint32_t bytes;
    struct inst *insts;
    struct issue *issues; /* of the same instructions */
    uint32_t count;
    const struct vesim_device *device;
    struct compiled *compiled;   /* of a binder, without the clock; NULL: none */
    struct compiled *ahead;      /* the same with the clock */
    struct program_calls *calls; /* functions outside; NULL: it calls none, or was not got from a
                                    cache */
    struct written written;      /* what its threads leave in their registers; of a cache */
};

/* Adds to each decoded instruction what layers above know of it, the function that executes it and
 * its cost; and to the programs of a cache their compiled code, unless the functions are NULL. */
struct inst_binder {
    void (*bind)(void *context, struct inst *inst);
    void *context;
    void (*attach)(void *context, struct program *program);
    void (*detach)(void *context, struct program *program); /* before it is freed */
};

/* The decoded programs of a GPU, by address and contents. */
struct program_cache;

/* Both are borrowed. NULL: out of memory. */
struct program_cache *program_cache_create(const struct vesim_device *device,
                                           const struct inst_binder *binder);
void program_cache_destroy(struct program_cache *cache);

/* Iteration counts for the loops of programs decoded from now on (isa/decode/loops.h). Borrowed. */
void program_cache_force(struct program_cache *cache, const unsigned *trips, unsigned count);

/* The program at GPU address `address`, from the cache if its bytes are unchanged. NULL, with the
 * reason in `fault`, if nothing is mapped there or the decoder does not understand it. The cache
 * owns it; it stays valid until the cache is destroyed. */
const struct program *program_get(struct program_cache *cache, const struct address_space *space,
                                  uint64_t address, struct vesim_fault *fault);

/* Decodes `bytes` of machine code. Without a binder (NULL) it can be read, not executed. The caller
 * frees it with program_free(). */
struct program *program_decode(const struct vesim_device *device, const struct inst_binder *binder,
                               const uint8_t *code, uint32_t bytes, char *error, size_t error_size);
void program_free(struct program *program);

/* Sets the lines of memory of the instructions from `first` to `end`, and marks those that are the
 * first of theirs. */
void program_set_lines(struct program *program, uint32_t first, uint32_t end);

/* Whether the instruction, which is not the last, is followed by a wait for a barrier, which is not
 * the last either. */
static inline bool program_waits_behind(const struct program *program, const struct inst *inst)
{
    return inst_is_wait(inst + 1) && (uint32_t)inst[1].next < program->count;
}

/* The index of the instruction that begins at byte `pc`, -1 if none does. */
int32_t program_index(const struct program *program, int64_t pc);

/* Length of the code at `code`: through the message that ends the thread, past every forward branch
 * and any called functions behind it. 0 if `limit` bytes hold no such message. */
uint32_t program_length(const uint8_t *code, uint64_t limit);

/* The end of the function at `code`, which may have parts behind a first return: 0 if `limit` bytes
 * hold none. */
uint32_t program_function_length(const uint8_t *code, uint64_t limit);

/* Writes the assembler's text of the instruction at `pc` to `text`. */
void program_disassemble(const struct program *program, uint32_t pc, char *text, size_t text_size);

/* The send of an instruction, with descriptors that are its own or were in registers. */
struct send_descriptors send_of(const struct vesim_device *device, const struct inst *inst,
                                uint32_t descriptor, uint32_t extended);

#endif
