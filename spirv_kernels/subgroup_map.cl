/*
 * subgroup_map: which work-item is in which sub-group, and on which lane.
 *
 * Each work-item writes what it finds out about itself to its own place in five arrays, one after
 * the other in `map`: id of its sub-group, its lane, size of its sub-group, maximum sub-group size,
 * number of sub-groups in the work-group. Its place follows from its local id and the id of its
 * work-group, both counted with x fastest.
 *
 * The second kernel is the same without a required size: the compiler chooses one.
 */

#define MAP_KERNEL(name, attribute)                                                                \
    attribute kernel void name(global uint *map)                                                   \
    {                                                                                              \
        uint width = get_local_size(0);                                                            \
        uint height = get_local_size(1);                                                           \
        uint items = width * height * get_local_size(2);                                           \
        uint total = items * get_num_groups(0) * get_num_groups(1) * get_num_groups(2);            \
        uint group = get_group_id(0) +                                                             \
                     get_num_groups(0) * (get_group_id(1) + get_num_groups(1) * get_group_id(2));  \
        uint place = group * items + get_local_id(0) +                                             \
                     width * (get_local_id(1) + height * get_local_id(2));                         \
                                                                                                   \
        map[place] = get_sub_group_id();                                                           \
        map[place + total] = get_sub_group_local_id();                                             \
        map[place + 2 * total] = get_sub_group_size();                                             \
        map[place + 3 * total] = get_max_sub_group_size();                                         \
        map[place + 4 * total] = get_num_sub_groups();                                             \
    }

MAP_KERNEL(subgroup_map_required, __attribute__((intel_reqd_sub_group_size(SUB_GROUP_SIZE))))
MAP_KERNEL(subgroup_map_any_size, )
