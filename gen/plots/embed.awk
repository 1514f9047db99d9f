# Makes C strings of the scripts: plot_script_NAME for NAME.gp.
function begin_file() {
    name = FILENAME
    sub(/.*\//, "", name)
    sub(/\.gp$/, "", name)
    printf "%sconst char plot_script_%s[] =\n", (started++ ? ";\n" : ""), name
}
BEGIN { print "/* Generated from gen/plots/. */\n#include \"plot-scripts.h\"\n" }
FNR == 1 { begin_file() }
{
    gsub(/\\/, "\\\\\\\\") # two in the string are one in the replacement
    gsub(/"/, "\\\\\"")
    printf "    \"%s\\n\"\n", $0
}
END { print ";" }
