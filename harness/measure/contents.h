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

/* If contents are what bends the newest round: the standard deviation of an iteration's time that
 * does, in ns. 0 if the round is straight. */
double contents_bend(const struct run *run, size_t variant);

/* Is the newest round bent whatever the contents, but by no more than rounding could? */
bool contents_bend_is_rounding(const struct run *run, size_t variant);

/* Are launches so many ns apart which only contents, or nothing but rounding, sets apart by the
 * former? */
bool contents_differ(const struct run *run, double ns);

/* Before the variant is tried; its launch of a round, if there was one, is one of the tried. */
void contents_begin(struct run *run, size_t variant);

/* Notes the ticks of a launch of `base` iterations, which is one of the tried. */
void contents_note(struct run *run, size_t variant, double ticks);

/* Standard deviation over contents of an iteration's time, in ns; 0 if it is within rounding, or
 * not known. Of those that were tried or, where the same contents in all launches have made a bent
 * round straight, of those in the bent one. */
double contents_scatter(const struct run *run, size_t variant);

/* Before the variant's launches get longer. If its newest round is bent, although it had the same
 * contents in all launches, the one before was not bent by contents either. */
void contents_forget_bend(struct run *run, size_t variant);

/* Does one round show what contents do to the variant and to its baseline? Where they stay it does
 * if the times of its launches, each of which goes on where the last one ended, are on a straight
 * line. */
bool contents_are_known(const struct run *run, size_t variant);

#endif
