/* Build-time generator: turns text files into one C file, `struct embedded_text embedded_texts[]`,
 * so that the built-in device descriptions need no path at run time.
 *     embed-text OUTPUT FILE...
 * The text's name is the file's name without folder and ending. */
#include <stdio.h>
#include <string.h>

/* The file's name without folder; the text's name is what comes before the first dot of it. */
static const char *base_of(const char *path)
{
    const char *base = strrchr(path, '/');

    return base ? base + 1 : path;
}

static int emit_text(FILE *out, const char *path)
{
    const char *base = base_of(path);
    FILE *in = fopen(path, "rb");
    int c, column = 0;

    if (!in) {
        perror(path);
        return -1;
    }
    fprintf(out, "    {\"%.*s\", (const char[]){", (int)strcspn(base, "."), base);
    while ((c = getc(in)) != EOF)
        fprintf(out, "%s%d,", column++ % 20 ? "" : "\n        ", c);
    fprintf(out, "0}},\n");
    return fclose(in);
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: embed-text OUTPUT FILE...\n");
        return 2;
    }
    FILE *out = fopen(argv[1], "wb");
    if (!out) {
        perror(argv[1]);
        return 1;
    }
    fprintf(out, "#include \"device/embedded.h\"\n\n"
                 "const struct embedded_text embedded_texts[] = {\n");
    for (int i = 2; i < argc; i++) {
        if (emit_text(out, argv[i]))
            return 1;
    }
    fprintf(out, "    {0},\n};\n\nconst char *const embedded_names[] = {\n");
    for (int i = 2; i < argc; i++)
        fprintf(out, "    \"%.*s\",\n", (int)strcspn(base_of(argv[i]), "."), base_of(argv[i]));
    fprintf(out, "    0,\n};\n");
    return fclose(out) ? 1 : 0;
}
