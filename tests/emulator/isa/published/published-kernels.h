/* Kernels like those that others have measured hardware with, in machine code that follows what
 * Intel's compiler makes of them, and what the model gives for each. */
#ifndef TEST_PUBLISHED_KERNELS_H
#define TEST_PUBLISHED_KERNELS_H

#include <stdbool.h>
#include <stdint.h>

#include "machine.h"

/* The parameters of a kernel. */
struct published_run {
    const char *device;  /* a built-in one, or one made from it by a few figures */
    unsigned components; /* of the vectors it works on, or chains beside one another */
    const char *type;    /* f or hf, of floats */
};

/* Whether the assembler library here knows the device's architecture. */
bool published_can_run(const struct published_run *run);

/* Of the device: an enum vesim_architecture. */
unsigned published_generation(const struct published_run *run);

/* For the files that have kernels: the machine with the device of a run, without code; its
 * Xe-cores; seconds of its cycles; and 1e9 operations a second of bodies that have so many
 * multiply-adds of 16 lanes each, by two. */
extern struct machine published_machine;
void published_begin(const char *device);
void published_fill_xe_core(void); /* one work-group of as many threads as fit */
const char *published_wait(const char *pipe, unsigned distance); /* for its distance-th last one */
uint32_t published_xe_cores(void);
double published_seconds(uint64_t cycles);
double published_rate(void (*body)(const struct published_run *), unsigned mads,
                      const struct published_run *run);

/* Multiply-adds, multiplied by two as their sources do, of all the device; 1e9 a second. */
double published_square(const struct published_run *run);   /* x = mad(y, x, y), y = mad(x, y, x) */
double published_affine(const struct published_run *run);   /* y = a * y + b, a and b uniform */
double published_vectors(const struct published_run *run);  /* c = a * c + b, each lane its own */
double published_integers(const struct published_run *run); /* of 32-bit integers, x = y * x + y */
double published_word_chains(const struct published_run *run); /* x = y * x + y, of words */
double published_chosen(const struct published_run *run);   /* aboutSHW's loops of 100 operations:
                                                             * r = r * r13 + r14 of f or hf, mov, add,
                                                             * mul, these three counted once */
double published_products(const struct published_run *run); /* eight dpas.8xN, N `components` */
double published_product_and_sum(const struct published_run *run); /* x = x * c, c = x + c */
double
published_matrix(const struct published_run *run); /* chains of 8 x 8 x 16 products of halves */

/* c = a * c + b in vkpeak's loops, by Mesa: of floats or halves, of words, of dwords. */
double published_mesa_floats(const struct published_run *run);
double published_mesa_words(const struct published_run *run);
double published_mesa_dwords(const struct published_run *run);

double published_doubles(const struct published_run *run); /* c = a * c + b */

/* The same, for each lane of 32 bits and clock, a multiply-add being one. */
double published_square_and_sum_per_lane(const struct published_run *run); /* x = x * x + c */
double published_affine_per_lane(const struct published_run *run);

/* GB/s: reading 64 MB once with all threads; of 8 times the L3, writing it, writing it with a line
 * for each work-item, copying one half to the other, c = a + s * b of thirds; and what one
 * work-group of 256 work-items reads, with one load of each in flight. */
double published_read(const struct published_run *run);
double
published_read_arrays(const struct published_run *run); /* of 8 times the L3, by four components */
double published_write(const struct published_run *run);
double published_write_lines(const struct published_run *run);
double published_copy(const struct published_run *run);
double published_triad(const struct published_run *run);
double published_copy_of(const struct published_run *run); /* of `components` KB to as many */
double published_read_of_one(const struct published_run *run);

/* 1e6 cells a second of a lattice-Boltzmann step, D3Q19 in single precision, in place. */
double published_lattice(const struct published_run *run);
double published_half_lattice(const struct published_run *run); /* with halves in memory */

/* GB/s of the copy engine between a card's memory and the host's. */
double published_link(const struct published_run *run);

/* A load that hits the L2, over the same on an A380. */
double published_l2_ratio(const struct published_run *run);

/* Bytes a cycle of one Xe-core: from shared local memory, from the L3 in spite of a first level. */
double published_slm(const struct published_run *run);
double published_l3_port(const struct published_run *run);

/* Of local memory, ns: a step of a chase by indices; a turn of two work-items of a sub-group that
 * hand a value to each other by compare-and-exchange. */
double published_local_chase(const struct published_run *run);
double published_local_turns(const struct published_run *run);

/* Cycles that a load of 16 lanes from the L1 takes longer than one of a single lane. */
double published_l1_lanes(const struct published_run *run);

/* 1e9 a second: 32-bit atomic additions, each work-item to an element of its own. */
double published_atomics(const struct published_run *run);

/* Bytes a cycle of one Xe-core, each message 64 bytes for one lane, of `type` "slm" or "l1". */
double published_row_rate(const struct published_run *run);

/* Cycles: of a step of a chase through local memory, of a load by one lane that hits the first
 * level, or the L2; from a matrix product of eight rows to the next that needs it. */
double published_local_chase_cycles(const struct published_run *run);
double published_l1_latency(const struct published_run *run);
double published_l2_latency(const struct published_run *run);
double published_product_latency(const struct published_run *run);

/* Cycles: of a step of a chase by one lane through 4096 of the elements of `components` KB, which
 * were loaded before into the L2; of a loop around one matrix product that needs the last one's
 * result. */
double published_chase(const struct published_run *run);
double published_product_loop(const struct published_run *run);

/* ns of a step of a chase by one lane through lines of `components` KB, in a random order. */
double published_node_chase(const struct published_run *run);

/* ns: of a launch of one thread that does nothing; of each work-group more, of one thread that
 * works on the same tiles as all others. */
double published_empty(const struct published_run *run);
double published_groups(const struct published_run *run);

/* us from the submission of a batch to its first command, on an idle GPU. */
double published_submission(const struct published_run *run);

/* Additions of integers of `type` a second, or products if `components` is 2, over additions of
 * floats. */
double published_integer_ratio(const struct published_run *run);

#endif
