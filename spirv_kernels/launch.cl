/*
 * launch: what it takes to run a kernel that does nothing.
 *
 * The first kernel is empty. The second is as good as empty, but can be told from one that never
 * ran: every work-group from number `first_counted` on counts itself, once on each of its
 * work-items, and leaves the size of the sub-groups it was run with. In the timed shape that is the
 * last work-group alone, so every other thread does nothing but compare; in the proof shape it is
 * all of them.
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
