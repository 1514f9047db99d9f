# Makes lists of lines of the scripts: plot_script_NAME for NAME.gp. (A string for all of one would be
# longer than C11 demands of a compiler.)
function begin_file() {
    name = FILENAME
    sub(/.*\//, "", name)
    sub(/\.gp$/, "", name)
    printf "%sconst char *const plot_script_%s[] = {\n", (started++ ? "    NULL};\n" : ""), name
}
BEGIN { print "/* Generated from gen/plots/. */\n#include \"page/plot-scripts.h\"\n\n#include <stddef.h>\n" }
FNR == 1 { begin_file() }
{
    gsub(/\\/, "\\\\\\\\") # two in the string are one in the replacement
    gsub(/"/, "\\\\\"")
    printf "    \"%s\\n\",\n", $0
}
END { print "    NULL};" }
