# Horizontal bars, one group for each category and in it one bar for each series.
#
#   gnuplot -c bars.gp DATA.csv OUTPUT.svg|.png TITLE XLABEL YLABEL LOG
#
# DATA.csv has the columns series,x,y,lo,hi: x is the category (no spaces). YLABEL belongs to the
# bars' lengths; LOG is "y" for a logarithmic scale.
DATA = ARG1
set datafile separator comma
series = " "
categories = " "
add_series(name) = (strstrt(series, " ".name." ") ? 0 : (series = series . name . " ", 1))
add_category(name) = (strstrt(categories, " ".name." ") ? 0 : (categories = categories . name . " ", 1))
stats DATA using (add_series(strcol(1)) + add_category(strcol(2))) skip 1 nooutput
place(list, name) = words(list[1:strstrt(list, " ".name." ")]) + 1

height = 120 + words(categories) * (8 + 12 * words(series))
if (ARG2[strlen(ARG2)-3:*] eq ".png") set terminal pngcairo size 1000,height noenhanced; \
else set terminal svg size 1000,height dynamic noenhanced font "sans-serif,14"
set output ARG2
set title ARG3
set xlabel ARG5
set ylabel ARG4
if (strstrt(ARG6, "y")) set logscale x 10
set key outside right top
set grid x linecolor rgb "#80808060"
set border 3
set tics nomirror
set yrange [words(categories) + 0.6 : 0.4]
set ytics ()
do for [i=1:words(categories)] { set ytics add (word(categories, i) i) }
width = 0.8 / words(series)
low = strstrt(ARG6, "y") ? 1e-9 : 0
if (!strstrt(ARG6, "y")) set xrange [0:*]
plot for [i=1:words(series)] DATA \
    using (strcol(1) eq word(series, i) ? $3 : NaN):(place(categories, strcol(2)) - 0.4 + width * (i - 0.5)):(low):3:(place(categories, strcol(2)) - 0.4 + width * (i - 1)):(place(categories, strcol(2)) - 0.4 + width * i) \
    skip 1 with boxxyerror fillstyle solid 0.8 noborder title word(series, i)
