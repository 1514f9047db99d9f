# Lines with error bars, one for each series.
#
#   gnuplot -c lines.gp DATA.csv OUTPUT.svg|.png TITLE XLABEL YLABEL LOG
#
# DATA.csv has the columns series,x,y,lo,hi (no spaces in names of series). LOG names the axes with
# logarithmic scale: "", x, y or xy.
DATA = ARG1
if (ARG2[strlen(ARG2)-3:*] eq ".png") set terminal pngcairo size 1000,600 noenhanced; \
else set terminal svg size 1000,600 dynamic noenhanced font "sans-serif,14"
set output ARG2
set datafile separator comma
set title ARG3
set xlabel ARG4
set ylabel ARG5
if (strstrt(ARG6, "x")) { set logscale x 2; set format x "%.0b%B" }
if (strstrt(ARG6, "y")) set logscale y 10
set key outside right top
set grid linecolor rgb "#80808060"
set border 3
set tics nomirror

series = " "
add(name) = (strstrt(series, " ".name." ") ? 0 : (series = series . name . " ", 1))
stats DATA using (add(strcol(1))) skip 1 nooutput
plot for [i=1:words(series)] DATA using ($2):(strcol(1) eq word(series, i) ? $3 : NaN):4:5 skip 1 \
    with yerrorlines linewidth 2 pointsize 0.6 title word(series, i)
