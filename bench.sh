#!/bin/sh
# Runs the benchmarks: `ninja -C build bench`. Arguments: the programs vebench and vesim, and then
# whatever goes to `vebench run`. With none, a few axes follow in more detail than the default sweep
# has them: the levels of memory, the bytes in flight, the strides, a busy Xe-core; on a modelled
# device, where that takes longer than all the rest, only with BENCH_DETAIL=1. Then a model is fitted
# to it all, and the report is made of both.
#
# On an Intel GPU if one answers, else on a modelled one. BENCH_DEVICE=NAME asks for the modelled
# device NAME (`vesim --list`) whether there is a GPU or not.
set -eu

vebench=$1
vesim=$2
shift 2
cd "$(dirname "$0")"

on_model=
if [ -n "${BENCH_DEVICE:-}" ]; then
    echo "Measuring the modelled device $BENCH_DEVICE, as BENCH_DEVICE asks: emulated, not hardware."
    on_model=$BENCH_DEVICE
elif "$vebench" devices >/dev/null 2>&1; then
    echo "Measuring on the Intel GPU of this machine."
else
    echo "No Intel GPU answers: measuring a modelled Arc A380 instead: emulated, not hardware."
    on_model=a380
fi

directory=$PWD/results/$(date -u +%Y-%m-%dT%H-%M-%SZ)
mkdir -p "$directory"
status=0

# measure NAME ARGUMENT...: the sweep's rows are in NAME.csv.
measure() {
    name=$1
    shift
    set -- "$vebench" run --output "$directory/$name.csv" "$@"
    [ -z "$on_model" ] || set -- "$vesim" --device "$on_model" -- "$@"
    "$@" || status=$?
}

measure results "$@"
detail=${BENCH_DETAIL:-}
[ -n "$on_model" ] || detail=1

if [ $# -eq 0 ] && [ $status -eq 0 ] && [ -n "$detail" ]; then
    # Values that the default sweep has not: no row is measured twice.
    measure latency latency --axis subgroup_size=16 \
        --axis working_set=4K,8K,32K,64K,128K,512K,1M,L,4L >/dev/null
    measure in-flight memory_32 --axis subgroup_size=16 --axis workgroup_size=4S,8S,16S,32S >/dev/null
    measure strides slm --axis subgroup_size=16 --axis stride=2,4,8,16,17,33 >/dev/null
    measure products matmul --axis subgroup_size=16 --axis workgroup_size=8S --axis m=128 \
        --axis n=32 --axis k=32 >/dev/null
fi

if [ -e "$directory/results.csv" ]; then
    set -- "$vebench" report "$directory"/*.csv --output "$directory/report"
    # A sweep of little may determine no parameter at all; that is no failure of the sweep.
    if "$vebench" fit "$directory"/*.csv --output "$directory/model.json" >"$directory/fit.txt"; then
        set -- "$@" --model "$directory/model.json"
    fi
    echo "$directory/results.csv"
    echo
    "$@" || status=$?
fi
exit $status
