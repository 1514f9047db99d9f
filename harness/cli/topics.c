#include "base/columns.h"
#include "cli/help.h"
#include "cli/wrap.h"

#include <string.h>

/* A term and its meaning; with a NULL term, a paragraph. */
struct line {
    const char *term, *text;
};

static void put_lines(FILE *out, const struct line *lines, size_t count, unsigned column,
                      unsigned width)
{
    for (size_t i = 0; i < count; i++) {
        if (!lines[i].term) {
            fputs(i ? "\n" : "", out);
            wrap_put(out, lines[i].text, 0, 0, width);
            fputs(i + 1 < count ? "\n" : "", out);
            continue;
        }
        fprintf(out, "  %-*s", (int)column - 2, lines[i].term);
        wrap_put(out, lines[i].text, column, column, width);
    }
}

static void put_axes(FILE *out, unsigned width)
{
    static const struct line lines[] = {
        {NULL, "Every family has the axes subgroup_size, workgroup_size and workgroup_count, and "
               "may have its own (vebench list). A preset gives values to all of them; --axis "
               "NAME=V1,V2,... replaces those of one axis:"},
        {"64, 64K, 4M", "numbers"},
        {"64:1024:x2", "64, 128, 256, 512, 1024"},
        {"1:9:+2", "1, 3, 5, 7, 9"},
        {"S, 2S", "multiples of the sub-group size"},
        {"C, 4C", "multiples of the device's Xe-cores"},
        {"T, T/16", "multiples and fractions of its hardware threads"},
        {"L, 4L", "multiples of its last-level cache, in bytes"},
        {NULL, "Example: vebench run barrier --axis workgroup_size=64:1024:x2 --axis "
               "workgroup_count=1,C,4C"},
    };

    put_lines(out, lines, sizeof(lines) / sizeof(lines[0]), 16, width);
}

static void put_environment(FILE *out, unsigned width)
{
    static const struct line lines[] = {
        {"BENCH_DEVICE", "the same as bench --emulate, for `ninja bench`"},
        {"BENCH_DETAIL", "if not empty, the same as bench --detail"},
        {"BENCH_GPU", "the GPU that bench measures, as --device names it (default: best)"},
        {"NO_COLOR", "if not empty, no colours and no bold on a terminal"},
        {"VEBENCH_COMPILED",
         "a folder that keeps what Intel's offline compiler made, which fit and "
         "predict then do not compile again"},
        {"VEBENCH_ZE_LOADER", "the Level Zero loader to open instead of libze_loader.so.1"},
        {"ZE_AFFINITY_MASK", "Level Zero: which devices it shows"},
        {"ZE_FLAT_DEVICE_HIERARCHY", "Level Zero: whether tiles are devices of their own"},
        {NULL, "The commands of run --prepare and --cleanup find their configuration in:"},
        {"VEBENCH_BENCHMARK", "its family"},
        {"VEBENCH_SUBGROUP_SIZE", "work-items of a sub-group"},
        {"VEBENCH_WORKGROUP_SIZE", "work-items of a work-group"},
        {"VEBENCH_WORKGROUP_COUNT", "work-groups"},
        {"VEBENCH_PARAMETERS", "its other axes, such as stride=4 bytes=65536"},
        {"VEBENCH_SEQUENCE", "its number in the run, from 0"},
        {"VEBENCH_PCI_ADDRESS", "of the GPU that measures it"},
    };

    put_lines(out, lines, sizeof(lines) / sizeof(lines[0]), 28, width);
}

static void put_exits(FILE *out, unsigned width)
{
    for (size_t i = 0; i < cli_exit_count; i++) {
        fprintf(out, "  %3d  ", cli_exits[i].status);
        wrap_put(out, cli_exits[i].meaning, 7, 7, width);
    }
}

static void put_columns(FILE *out, unsigned width)
{
    (void)width;
    columns_print(results_columns, RESULTS_COLUMNS, out);
}

static void put_spirv(FILE *out, unsigned width)
{
    wrap_put(out,
             "vebench kernel and predict take a kernel in OpenCL C or SPIR-V "
             "(docs/your-kernel.md); isa takes SPIR-V alone. Intel's offline compiler, ocloc, "
             "makes it from OpenCL C "
             "(Debian unstable: package intel-ocloc):",
             0, 0, width);
    fputs("\n  ocloc compile -spv_only -file k.cl -device dg2 -output_no_suffix -output k\n\n",
          out);
    wrap_put(out, "So do clang and llvm-spirv of the same release:", 0, 0, width);
    fputs("\n  clang-15 -c -x cl -cl-std=CL3.0 --target=spir64 -O2 -emit-llvm k.cl -o k.bc\n"
          "  llvm-spirv-15 k.bc -o k.spv\n\n",
          out);
    wrap_put(out, "To see its machine code, and how long a launch of 65536 work-items takes:", 0, 0,
             width);
    fputs("\n  vebench isa --spirv k.spv --target dg2\n"
          "  vebench predict model.json --spirv k.spv --kernel sum --global 65536 --local 256\n\n",
          out);
    wrap_put(out,
             "A buffer has 64 bytes for each work-item unless --arg gives its size; the value of a "
             "number has to be given by --arg. The source sets the sub-group size: "
             "__attribute__((intel_reqd_sub_group_size(16))).",
             0, 0, width);
}

const struct topic_row help_topics[] = {
    {"axes", "how the values of an axis are written", put_axes},
    {"columns", "the columns of a results file, as Markdown", put_columns},
    {"environment", "environment variables", put_environment},
    {"exit", "exit statuses", put_exits},
    {"man", "the manual page, for man(1)", help_manual},
    {"markdown", "all of the help, as in docs/command-line.md", help_markdown},
    {"spirv", "how to make a SPIR-V module, and what to do with it", put_spirv},
};

const size_t help_topic_count = sizeof(help_topics) / sizeof(help_topics[0]);
