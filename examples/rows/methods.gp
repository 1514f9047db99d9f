# Clock cycles of a shuffle, by sub-group size and method: gnuplot -c methods.gp results.csv > methods.svg
set terminal svg
set datafile separator comma
set datafile columnheaders
set logscale x 2
set offsets graph 0.1, graph 0.1, graph 0.1
set xlabel "sub-group size"
set ylabel "cycles"
is_shuffle(method) = strcol("benchmark") eq "exchange" && strcol("op") eq "shuffle" \
    && strcol("type") eq "u32" && strcol("method") eq method
plot for [method in "function slm slm_group"] ARG1 \
    using (is_shuffle(method) ? column("subgroup_size") : NaN):(column("cycles")) \
    with points pointtype 7 title method noenhanced
