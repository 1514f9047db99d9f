/* What buffers hold while a configuration is measured, and whether times depend on it. */
#ifndef VEBENCH_CONTENTS_H
#define VEBENCH_CONTENTS_H

#include "measure/rounds.h"

/* A variant is tried with so many, one of them that of a round: before the first round if it has
 * few threads, so that what some contents do might be in none of the round's; else if that round
 * shows that they matter. */
#define CONTENTS_TRIED EVALUATION_CONTENTS

/* The seed of contents number `number`: the same for a configuration in any sweep. */
uint64_t contents_seed(const struct run *run, unsigned number);

/* The number of the contents that a launch of the current round has. Every round has its own. On an
 * emulated device, where nothing else sets launches apart, so has every launch of a variant in a
 * round, as long as nothing shows that they matter. */
unsigned contents_of(const struct run *run, size_t variant, size_t point);

/* The number of the contents for try `i`, 1 to CONTENTS_TRIED - 1. */
unsigned contents_of_try(const struct run *run, unsigned i);

/* Has a launch of so many busy threads, which do that in an iteration, too little of the contents
 * for three of them to tell? */
bool contents_are_few(double threads, const struct work *work);

/* Are several contents tried before the first round? */
bool contents_come_first(const struct run *run, size_t variant);

/* Fills the buffers with contents `number`, unless they have them, or caches have been warmed by
 * walking along them. */
enum status contents_draw(struct run *run, unsigned number, struct error *error);

/* Does the newest round, each launch of which had contents of its own, show that they matter: are
 * the variant's times further off a straight line than rounding puts them, or its launch of `base`
 * iterations off those that were tried? Whatever else bends the line counts as that, too. */
bool contents_seem_to_matter(const struct run *run, size_t variant);

/* Notes that they do; the round has to be made again with the same contents in all launches. */
void contents_do_matter(struct run *run, size_t variant);

/* Before the variant is tried. */
void contents_begin(struct run *run, size_t variant);

/* Notes the ticks of a launch of `base` iterations, which is one of the tried. */
void contents_note(struct run *run, size_t variant, double ticks);

/* Standard deviation over contents of an iteration's time, in ns; 0 if it is within rounding, or
 * not known. Of those that were tried or, where the same contents in all launches have made a bent
 * round straight, of those in the bent one. */
double contents_scatter(const struct run *run, size_t variant);

/* Is that known from a bent round alone? */
bool contents_are_of_bend(const struct run *run, size_t variant);

/* Something else has bent it: no scatter of contents is known from it any more. */
void contents_deny_bend(struct run *run, size_t variant);

/* Before the variant's launches get longer. If its newest round is bent, although it had the same
 * contents in all launches, the one before was not bent by contents either. */
void contents_forget_bend(struct run *run, size_t variant);

/* Does one round show what contents do to the variant and to its baseline? Where they stay it does
 * if the times of its launches, each of which goes on where the last one ended, are on a straight
 * line. */
bool contents_are_known(const struct run *run, size_t variant);

#endif
