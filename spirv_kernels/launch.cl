/*
 * launch: the cost of running a kernel that does nothing, or little.
 *
 * The first kernel is empty. The second is nearly empty, but leaves a trace that it ran: every
 * work-group from number `first_counted` on counts itself, once in each of its work-items, and
 * writes the sub-group size it was run with. In the timed shape only the last work-group does, so
 * every other thread does nothing but compare; in the proof shape all of them do.
 *
 * The third is straight-line code, of several KiB: each work-item does CODE_STEPS steps with its
 * number in the work-group, and stores the result as its count.
 *
 *   counts   in and out, one element per work-item of a work-group
 *   witness  out, one element per work-item of a work-group
 */

#define KERNEL __attribute__((intel_reqd_sub_group_size(SUB_GROUP_SIZE))) kernel void

KERNEL launch_empty(global uint *counts, global uint *witness, uint first_counted)
{
    (void)counts;
    (void)witness;
    (void)first_counted;
}

KERNEL launch_counted(global uint *counts, global uint *witness, uint first_counted)
{
    if (get_group_id(0) >= first_counted) {
        atomic_inc(counts + get_local_id(0));
        witness[get_local_id(0)] = get_sub_group_size();
    }
}

/* Constants of their own keep the steps from becoming a loop. */
#define STEP(n) value = (value ^ (n)*0x9e3779b9u) + item
#define EIGHT(n)                                                                                   \
    STEP(n);                                                                                       \
    STEP(n + 1);                                                                                   \
    STEP(n + 2);                                                                                   \
    STEP(n + 3);                                                                                   \
    STEP(n + 4);                                                                                   \
    STEP(n + 5);                                                                                   \
    STEP(n + 6);                                                                                   \
    STEP(n + 7)
#define STEPS_64(n)                                                                                \
    EIGHT(n);                                                                                      \
    EIGHT(n + 8);                                                                                  \
    EIGHT(n + 16);                                                                                 \
    EIGHT(n + 24);                                                                                 \
    EIGHT(n + 32);                                                                                 \
    EIGHT(n + 40);                                                                                 \
    EIGHT(n + 48);                                                                                 \
    EIGHT(n + 56)

KERNEL launch_code(global uint *counts, global uint *witness, uint first_counted)
{
    uint item = get_local_id(0) + first_counted;
    uint value = item;

    STEPS_64(0u);
    STEPS_64(64u);
    STEPS_64(128u);
    STEPS_64(192u);
    STEPS_64(256u);
    STEPS_64(320u);
    STEPS_64(384u);
    STEPS_64(448u);
    counts[get_local_id(0)] = value;
    witness[get_local_id(0)] = get_sub_group_size();
}
