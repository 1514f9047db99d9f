# Points, lines and what explains them, by series.
#
#   gnuplot -c lines.gp DATA.csv OUTPUT.svg|.png TITLE XLABEL YLABEL LOG
#
# DATA.csv has the columns series,x,y,lo,hi,style,label (no spaces in names of series). LOG names the
# axes with logarithmic scale: "", x, y or xy (y only where the points span nearly a decade), and 10
# for decades along x. Style:
#
#   points  measured, with lo to hi as error bar
#   joined  the same, with a line from point to point where the series has no fit
#   fit     a line without points, lo to hi as band, in the colour of the series' points
#   level   from x = lo to x = hi at height y, with its label
#   edge    from x = lo to x = hi at height y, dotted: somewhere there a level ends
#   roof    a grey line with a dash of its own
#   guide   a thin dashed grey line
DATA = ARG1
set datafile separator comma
if (strlen(ARG3)) set title ARG3
set xlabel ARG4
set autoscale xfix
set ylabel ARG5
if (strstrt(ARG6, "x")) { set logscale x 2; set format x "%.0b%B" }
if (strstrt(ARG6, "x") && strstrt(ARG6, "10")) { set logscale x 10; set format x "%g" }
set grid linetype 1 linewidth 0.5 linecolor rgb "#a0808080"
set border 3
set tics nomirror
set errorbars 0.6
set offsets graph 0.03, graph 0.03, 0, 0

# The series in the order in which they appear; those with points have a colour and a key.
named = " "
grey = " "
add(name, style) = (strstrt(style eq "roof" || style eq "guide" ? grey : named, " ".name." ") ? 0 : \
    style eq "roof" || style eq "guide" ? (grey = grey . name . " ", 1) : (named = named . name . " ", 1))
fitted = " "
add_fitted(name, style) = (style ne "fit" || strstrt(fitted, " ".name." ") ? 0 : (fitted = fitted . name . " ", 1))
has_fit(name) = strstrt(fitted, " ".name." ") > 0
styles = " "
add_style(style) = (strstrt(styles, " ".style." ") ? 0 : (styles = styles . style . " ", 1))
stats DATA using (add(strcol(1), strcol(6)) + add_style(strcol(6)) + add_fitted(strcol(1), strcol(6))) skip 1 nooutput
has(style) = strstrt(styles, " ".style." ") > 0
colour(i) = int(word("0x2f7ed8 0xe07b00 0x2ca05a 0xc2418f 0x8b6fd6 0x8a8a2a 0x17a2b8 0xb05a3c", (i - 1) % 8 + 1))
mark(i) = int(word("7 5 9 11 13 6 4 8", (i - 1) % 8 + 1))
is(name, style) = strcol(1) eq name && strcol(6) eq style
# What belongs to others is no number: it is neither drawn nor do the axes reach for it.
of(name, style, value) = is(name, style) ? value : NaN
point(name, value) = is(name, "points") || is(name, "joined") ? value : NaN
# A single x is an axis, too.
stats DATA using ($2) skip 1 nooutput name "X"
if (X_min == X_max) set xrange [X_min > 0 ? X_min / 2 : X_min - 1 : X_max > 0 ? X_max * 2 : X_max + 1]
# All that is measured and predicted, and some air.
stats DATA using ($3) skip 1 nooutput
logarithmic = strstrt(ARG6, "y") && STATS_min > 0 && STATS_max > 8 * STATS_min
if (logarithmic) { set logscale y 10; set format y "%g" }
if (logarithmic && STATS_max < 2000 * STATS_min) { \
    do for [e=-6:9] { do for [m in "1 2 5"] { set ytics add (sprintf("%g", m * 10.0**e) m * 10.0**e) } } }
if (logarithmic) set yrange [STATS_min / 1.4 : STATS_max * 1.6]; \
else set yrange [STATS_min < 0 ? 1.1 * STATS_min : 0 : STATS_max > 0 ? 1.1 * STATS_max : 1]

# Room for the labels of levels on the right, and between the axis and the key.
if (has("level")) set rmargin 8
N = words(named)
G = words(grey)

# The key stands below, in as many columns as the longest name leaves room for.
longest = 0
do for [name in named . (has("roof") ? grey : "")] { if (strlen(name) > longest) { longest = strlen(name) } }
columns = 46 / (longest + 7)
if (columns < 1) { columns = 1 }
rows = (N + (has("roof") ? G : 0) + columns - 1) / columns
set key at screen 0.5, character 0.5 center bottom horizontal maxcols columns samplen 1.2 width 1
set bmargin 5 + rows
height = 355 + 17 * rows
if (ARG2[strlen(ARG2)-3:*] eq ".png") set terminal pngcairo size 960,2*height noenhanced font "sans,11" fontscale 2 linewidth 2 pointscale 2; \
else set terminal svg size 480,height dynamic noenhanced font "sans-serif,14"
set output ARG2

plot \
  for [i=1:has("guide") ? G : 0] DATA using (of(word(grey, i), "guide", $2)):3 skip 1 \
    with lines linewidth 1 dashtype 2 linecolor rgb "#808080" notitle, \
  for [i=1:has("roof") ? G : 0] DATA using (of(word(grey, i), "roof", $2)):3 skip 1 \
    with lines linewidth 2 dashtype i linecolor rgb "#808080" title word(grey, i), \
  for [i=1:has("fit") ? N : 0] DATA using (of(word(named, i), "fit", $2)):(of(word(named, i), "fit", $4)):(of(word(named, i), "fit", $5)) skip 1 \
    with filledcurves fillcolor rgb colour(i) fillstyle transparent solid 0.2 noborder notitle, \
  for [i=1:has("fit") ? N : 0] DATA using (of(word(named, i), "fit", $2)):3 skip 1 \
    with lines linewidth 1.5 linecolor rgb colour(i) notitle, \
  for [i=1:has("level") ? N : 0] DATA using (of(word(named, i), "level", $4)):3:($5-$4):(0) skip 1 \
    with vectors nohead linewidth 4 linecolor rgb 0xa0000000 + colour(i) notitle, \
  for [i=1:has("edge") ? N : 0] DATA using (of(word(named, i), "edge", $4)):3:($5-$4):(0) skip 1 \
    with vectors nohead linewidth 2 dashtype 3 linecolor rgb colour(i) notitle, \
  for [i=1:has("joined") ? N : 0] DATA using (has_fit(word(named, i)) ? NaN : of(word(named, i), "joined", $2)):3 skip 1 \
    with lines linewidth 1.5 linecolor rgb colour(i) notitle, \
  for [i=1:N] DATA using (point(word(named, i), $2)):(point(word(named, i), $3)):(point(word(named, i), $4)):(point(word(named, i), $5)) skip 1 \
    with yerrorbars linewidth 1.5 pointtype mark(i) pointsize 0.6 linecolor rgb colour(i) title word(named, i), \
  DATA using (strcol(7) eq "" ? NaN : $2):3:7 skip 1 \
    with labels left offset 0.3,0.8 notitle
