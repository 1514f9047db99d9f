# Makes lists of lines of the scripts: plot_script_NAME for NAME.gp. (A string for all of one would be
# longer than C11 demands of a compiler.)
function begin_file() {
    name = FILENAME
    sub(/.*\//, "", name)
    sub(/\.gp$/, "", name)
    printf "%sconst char *const plot_script_%s[] = {\n", (started++ ? "    NULL};\n" : ""), name
}
# What a backslash in a replacement of gsub stands for differs from one awk to the next.
function escaped(text,    result, i, c) {
    for (i = 1; i <= length(text); i++) {
        c = substr(text, i, 1)
        result = result (c == "\\" || c == "\"" ? "\\" : "") c
    }
    return result
}
BEGIN { print "/* Generated from gen/plots/. */\n#include \"page/plot-scripts.h\"\n\n#include <stddef.h>\n" }
FNR == 1 { begin_file() }
{ printf "    \"%s\\n\",\n", escaped($0) }
END { print "    NULL};" }
