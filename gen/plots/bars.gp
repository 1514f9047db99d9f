# Horizontal bars, one group for each category and in it one bar for each series.
#
#   gnuplot -c bars.gp DATA.csv OUTPUT.svg|.png TITLE XLABEL YLABEL LOG
#
# DATA.csv has the columns series,x,y,lo,hi,style,label: x is the category (no spaces in it, nor in
# names of series), lo to hi an interval; the other two are empty. YLABEL belongs to the bars'
# lengths; LOG is "y" for a logarithmic scale.
DATA = ARG1
set datafile separator comma
series = " "
categories = " "
add_series(name) = (strstrt(series, " ".name." ") ? 0 : (series = series . name . " ", 1))
add_category(name) = (strstrt(categories, " ".name." ") ? 0 : (categories = categories . name . " ", 1))
stats DATA using (add_series(strcol(1)) + add_category(strcol(2))) skip 1 nooutput
stats DATA using ($3 > 0 ? $3 : NaN) skip 1 nooutput
place(list, name) = words(list[1:strstrt(list, " ".name." ")]) + 1
colour(i) = int(word("0x2f7ed8 0xe07b00 0x2ca05a 0xc2418f 0x8b6fd6 0x8a8a2a 0x17a2b8 0xb05a3c", (i - 1) % 8 + 1))

S = words(series)
C = words(categories)
height = 165 + C * (S > 1 ? 8 + 9 * S : 22)
if (ARG2[strlen(ARG2)-3:*] eq ".png") set terminal pngcairo size 960,2*height noenhanced font "sans,11" fontscale 2 linewidth 2; \
else set terminal svg size 480,height dynamic noenhanced font "sans-serif,14"
set output ARG2
if (strlen(ARG3)) set title ARG3
set xlabel ARG5
set ylabel ARG4
logarithmic = strstrt(ARG6, "y") > 0
if (logarithmic) { set logscale x 10; set format x "%g" }
set key at screen 0.5, character 0.5 center bottom horizontal samplen 1.2 width 1 maxcols 3
set grid x linetype 1 linewidth 0.5 linecolor rgb "#a0808080"
set border 3
set tics nomirror
set xtics rotate by 0 autofreq
set errorbars 0.4
set bmargin 5.5
set yrange [C + 0.6 : 0.4]
set ytics ()
do for [i=1:C] { set ytics add (word(categories, i) i) }
width = 0.8 / S
low = logarithmic ? 10 ** floor(log10(STATS_min) - 0.1) : 0
set xrange [low:*]
middle(i, category) = place(categories, category) - 0.4 + width * (i - 0.5)
plot for [i=1:S] DATA \
    using (strcol(1) eq word(series, i) ? $3 : NaN):(middle(i, strcol(2))):(low):3:(middle(i, strcol(2)) - width / 2):(middle(i, strcol(2)) + width / 2) \
    skip 1 with boxxyerror fillcolor rgb colour(i) fillstyle solid 0.85 noborder title word(series, i), \
  for [i=1:S] DATA \
    using (strcol(1) eq word(series, i) && $5 > $4 ? $3 : NaN):(middle(i, strcol(2))):4:5 \
    skip 1 with xerrorbars pointsize 0 linetype -1 linewidth 1 notitle
