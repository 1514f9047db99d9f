/* Remembered timing. Between two messages or branches, which threads of a vector engine issue, and
 * when, follows from the engine's state relative to now. So a run of instructions is computed once,
 * and remembered with all of the state that it depends on; where an engine is in such a state
 * again, the run's times are set in one step, and its instructions executed thread by thread. Each
 * Xe-core remembers for itself, of one program. */
#ifndef VESIM_REMEMBERED_H
#define VESIM_REMEMBERED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct choice;
struct place;
struct program;
struct recording;
struct run;
struct ve;
struct xe_core;

/* All zero at first. */
struct remembered {
    bool is_checked;      /* runs that are found are computed anew, and compared */
    uint64_t serial;      /* of the program; 0: none */
    struct place *places; /* one for each of its instructions; NULL: nobody has asked for one */
    uint32_t place_count;
    uint8_t *runs; /* where they are kept, as far as `used`, in bytes */
    size_t used;
    struct recording *recording;
    struct run *anew; /* what a run is checked with; NULL: nothing has been */
};

/* To be called before the first work-group of a walk. Forgets what is known of another program. */
void remembered_begin(struct remembered *remembered, const struct program *program);
void remembered_release(struct remembered *remembered);

/* The place of the next instruction of the thread in slot `number`, a runnable one; NULL: there is
 * none, or no memory. */
struct place *remembered_place(struct remembered *remembered, const struct ve *ve, uint32_t number);

/* Issues and executes the run that is remembered for the engine's state, whose next instruction is
 * that of `next` and in `place`, if it is over before cycle `limit` and no longer than `left`
 * instructions. Leaves the next in `next`. Returns the number of instructions; 0: none was issued,
 * and nothing has changed that the clock or a thread could see. */
uint32_t remembered_replay(struct xe_core *core, struct ve *ve, struct place *place, uint64_t limit,
                           uint64_t left, struct choice *next);

/* The run that remembered_replay() would issue, to be checked instead: by issuing as many
 * instructions one by one, noted in remembered_check_with(). NULL: it would issue none. Valid until
 * the next call that learns. */
const struct run *remembered_find(const struct xe_core *core, const struct ve *ve,
                                  struct place *place, uint64_t limit, uint64_t left,
                                  const struct choice *next);

/* Where to note what issues; NULL: no memory. */
struct recording *remembered_check_with(struct remembered *remembered, const struct ve *ve,
                                        const struct choice *next);

/* Whether what has been noted is the run, in every time that it depends on or leaves. The engine
 * would go on with `next`. */
bool remembered_matches(const struct remembered *remembered, const struct run *run,
                        const struct ve *ve, const struct choice *next);

uint32_t remembered_length(const struct run *run); /* instructions */

/* The engine is about to issue a run that begins with `next` in `place`, up to cycle `limit`.
 * Returns where to note what issues, up to RECORDING_LONGEST instructions; NULL: it is not to be
 * remembered. */
struct recording *remembered_record(struct remembered *remembered, struct place *place,
                                    const struct ve *ve, uint64_t limit, const struct choice *next);

/* It has issued so many instructions, and would go on with `next`. `recording` is what
 * remembered_record() said. */
void remembered_learn(struct remembered *remembered, struct place *place, uint64_t issued,
                      const struct recording *recording, const struct ve *ve,
                      const struct choice *next);

#endif
