#!/bin/sh
# Runs the benchmarks: `ninja -C build bench`. Arguments: the programs vebench and vesim, and then
# whatever goes to `vebench run`.
#
# On an Intel GPU if one answers, else on a modelled one. BENCH_DEVICE=NAME asks for the modelled
# device NAME (`vesim --list`) whether there is a GPU or not.
set -eu

vebench=$1
vesim=$2
shift 2
cd "$(dirname "$0")"

directory=results/$(date -u +%Y-%m-%dT%H-%M-%SZ)
set -- "$vebench" run --output "$directory/results.csv" "$@"
if [ -n "${BENCH_DEVICE:-}" ]; then
    echo "Measuring the modelled device $BENCH_DEVICE, as BENCH_DEVICE asks: emulated, not hardware."
    set -- "$vesim" --device "$BENCH_DEVICE" -- "$@"
elif "$vebench" devices >/dev/null 2>&1; then
    echo "Measuring on the Intel GPU of this machine."
else
    echo "No Intel GPU answers: measuring a modelled Arc A380 instead: emulated, not hardware."
    set -- "$vesim" --device a380 -- "$@"
fi

mkdir -p "$directory"
status=0
"$@" || status=$?
if [ -e "$directory/results.csv" ]; then
    echo "$PWD/$directory/results.csv"
    echo
    "$vebench" report "$directory/results.csv" --output "$PWD/$directory/report" || status=$?
fi
exit $status
