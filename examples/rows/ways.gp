# Clock cycles of a shuffle, by sub-group size and way: gnuplot -c ways.gp results.csv > ways.svg
set terminal svg
set datafile separator comma
set datafile columnheaders
set logscale x 2
set offsets graph 0.1, graph 0.1, graph 0.1
set xlabel "sub-group size"
set ylabel "cycles"
is_shuffle(way) = strcol("benchmark") eq "exchange" && strcol("op") eq "shuffle" \
    && strcol("type") eq "u32" && strcol("way") eq way
plot for [way in "function slm slm_group"] ARG1 \
    using (is_shuffle(way) ? column("subgroup_size") : NaN):(column("cycles")) \
    with points pointtype 7 title way noenhanced
