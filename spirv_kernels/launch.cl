/*
 * launch: the cost of running a kernel that does nothing.
 *
 * The first kernel is empty. The second is nearly empty, but leaves a trace that it ran: every
 * work-group from number `first_counted` on counts itself, once in each of its work-items, and
 * writes the sub-group size it was run with. In the timed shape only the last work-group does, so
 * every other thread does nothing but compare; in the proof shape all of them do.
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
