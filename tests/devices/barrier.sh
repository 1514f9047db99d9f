# For check and ids, which source it: a barrier on a device, at each of its sub-group sizes. They set
# $vesim and $vebench, and run side by side: their files are in a folder of each.

failed=0
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

complain() {
    printf '%s\n' "$*" >&2
    failed=1
}

on() {
    device=$1
    shift
    "$vesim" --quiet --device "$device" -- "$vebench" "$@"
}

# The sub-group sizes that the driver offers, as `8,16,32`; none if it opens nothing. Stacks are alike.
offered_sizes() {
    on "$1" devices 2>/dev/null | sed -n 's/^ *sub-groups of \([0-9, ]*\), work-groups.*/\1/p' | tr -d ' ' | uniq
}

# Measures a barrier at every sub-group size of the device, or its first stack, as JSON, a row in each line.
measure() {
    on "$1" run barrier --device 0 --variant work_group_local --axis workgroup_size=64 --axis workgroup_count=1 \
        --jobs 1 --format jsonl --output - 2>"$folder/messages"
}

# Complains unless each of these sizes has a verified row on the device.
check_sizes() {
    name=$1 sizes=$2
    measure "$name" >"$folder/rows" || complain "$name: $(cat "$folder/messages")"
    for size in $(echo "$sizes" | tr ',' ' '); do
        grep "\"variant\":\"work_group_local\",\"subgroup_size\":$size," "$folder/rows" | grep -q '"status":"ok"' ||
            complain "$name: no barrier measured at $size: $(cat "$folder/messages")"
    done
}
