# Prints the code block number `wanted` (from 1) of a Markdown file; fails if there is none.
/^```c$/ { inside = ++block == wanted; next }
/^```$/ { inside = 0; next }
inside { print; found = 1 }
END { exit !found }
