/* vesim runs a program on an emulated GPU. It checks the device, preloads libvesim.so, and becomes
 * the program; the library does the rest. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "faults/faults.h"
#include "preload/library-path.h"
#include "preload/program.h"
#include "preload/seconds.h"
#include "version-tag.h"
#include "vesim/vesim.h"

#define USAGE_ERROR  2
#define FAULTS_CHARS 1024

static const char usage[] =
    "usage: vesim [--device NAME|ID|FILE] [--counters FILE | --functional]\n"
    "             [--compile off|on|check] [--kernel-driver i915|xe] [--threads N] [--time-limit "
    "SECONDS]\n"
    "             [--after-hang wait|SECONDS] [--gdb]\n"
    "             [--fault KIND[:WHEN]]... [--verbose | --quiet]\n"
    "             -- PROGRAM [ARGUMENT...]\n"
    "       vesim --describe NAME|ID|FILE\n"
    "       vesim --list\n"
    "       vesim --ids\n"
    "       vesim --version\n"
    "\n"
    "Runs PROGRAM with a modelled Intel GPU as the only one it sees.\n"
    "  --device    the GPU: a built-in name, a PCI id such as 0xe20c, or a description file\n"
    "              (default: a380)\n"
    "  --counters  write counters of each kernel launch as a row of CSV; FILE must not exist\n"
    "  --functional  results only, faster: no clock, timestamps count instructions\n"
    "  --compile   whether what runs often is compiled to code of the host, which makes\n"
    "              arithmetic twice as fast, with --functional ten times (default: on); check\n"
    "              compares every result with the interpreter's, and every time that was\n"
    "              remembered with one computed anew\n"
    "  --kernel-driver  the Linux driver whose device node the GPU has (default: the one that\n"
    "              such GPUs have)\n"
    "  --threads   host threads that run the GPU (default: one per processor)\n"
    "  --time-limit  end a kernel as hung after so long, by the host's clock (default: 3600;\n"
    "              0: never); endless loops that change nothing are recognised sooner\n"
    "  --after-hang  end the program with status 122 once the GPU has hung and a driver has only\n"
    "              polled for the lost work for so many seconds (default: 30, or --time-limit if\n"
    "              that is less); wait: never\n"
    "  --gdb       have gdb print where all threads stand before --after-hang ends the program;\n"
    "              with a limit for cores above 0 (ulimit -c), it leaves one as well\n"
    "  --describe  print every figure of a device, with unit, meaning and source\n"
    "  --list      print the built-in devices\n"
    "  --ids       print the PCI ids that they fit, each with its device and its name\n"
    "  --fault     inject a fault. At submissions N, N-M or N+: device-lost, hang, page-fault,\n"
    "              wrong-lane; at allocations: out-of-memory; from a time of the GPU on, such\n"
    "              as 2ms: timestamp-wrap, clock-ramp, clock-step, drift, noise, throttling,\n"
    "              slow-device\n"
    "  --verbose   log the program's requests and the GPU's commands on stderr\n"
    "  --quiet     do not announce that the GPU is a model, nor show the progress of long\n"
    "              kernels on a terminal; errors are still reported\n";

struct options {
    const char *device;
    const char *describe;
    const char *counters;
    const char *threads;
    const char *time_limit;
    const char *after_hang;
    const char *kernel_driver;
    const char *compile;
    char faults[FAULTS_CHARS]; /* separated by commas */
    bool functional, gdb, list, ids, verbose, quiet, help, version;
    char **program; /* NULL-terminated */
};

static int usage_error(const char *message, const char *detail)
{
    fprintf(stderr, "vesim: %s%s; see 'vesim --help'\n", message, detail);
    return USAGE_ERROR;
}

static bool is_count(const char *text)
{
    size_t digits = strspn(text, "0123456789");

    return digits > 0 && digits < 5 && !text[digits] && atoi(text) > 0;
}

static int add_fault(struct options *options, const char *fault)
{
    size_t used = strlen(options->faults);
    struct faults faults;
    char error[512];

    if (faults_parse(&faults, fault, error, sizeof(error)))
        return usage_error(error, "");
    if (used + strlen(fault) + 2 > sizeof(options->faults))
        return usage_error("too many faults with ", fault);
    snprintf(options->faults + used, sizeof(options->faults) - used, "%s%s", used ? "," : "",
             fault);
    return 0;
}

static bool is_among(const char *const *names, const char *name)
{
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names;
}

static const char *const compile_words[] = {"off", "on", "check", NULL};

static int parse(int argc, char **argv, struct options *options)
{
    static const struct option known[] = {
        {"device", required_argument, NULL, 'd'},
        {"describe", required_argument, NULL, 'D'},
        {"list", no_argument, NULL, 'l'},
        {"ids", no_argument, NULL, 'i'},
        {"verbose", no_argument, NULL, 'v'},
        {"fault", required_argument, NULL, 'F'},
        {"quiet", no_argument, NULL, 'q'},
        {"help", no_argument, NULL, 'h'},
        {"counters", required_argument, NULL, 'c'},
        {"functional", no_argument, NULL, 'f'},
        {"threads", required_argument, NULL, 't'},
        {"time-limit", required_argument, NULL, 'T'},
        {"after-hang", required_argument, NULL, 'a'},
        {"gdb", no_argument, NULL, 'g'},
        {"kernel-driver", required_argument, NULL, 'k'},
        {"compile", required_argument, NULL, 'C'},
        {"version", no_argument, NULL, 'V'},
        {NULL, 0, NULL, 0},
    };
    double seconds;
    int option;

    *options = (struct options){.device = "a380"};
    opterr = 0;
    while ((option = getopt_long(argc, argv, "+:hqvV", known, NULL)) != -1) {
        switch (option) {
        case 'd':
            options->device = optarg;
            break;
        case 'D':
            options->describe = optarg;
            break;
        case 'c':
            options->counters = optarg;
            break;
        case 'f':
            options->functional = true;
            break;
        case 'C':
            if (!is_among(compile_words, optarg))
                return usage_error("--compile takes off, on or check, not ", optarg);
            options->compile = optarg;
            break;
        case 't':
            if (!is_count(optarg))
                return usage_error("--threads takes a number from 1, not ", optarg);
            options->threads = optarg;
            break;
        case 'T':
            if (seconds_read(optarg, &seconds))
                return usage_error("--time-limit takes a number of seconds, not ", optarg);
            options->time_limit = optarg;
            break;
        case 'a':
            if (after_hang_read(optarg, &seconds))
                return usage_error("--after-hang takes wait or a number of seconds above 0, not ",
                                   optarg);
            options->after_hang = optarg;
            break;
        case 'g':
            options->gdb = true;
            break;
        case 'k':
            if (!is_among(vesim_kernel_driver_names, optarg))
                return usage_error("--kernel-driver takes i915 or xe, not ", optarg);
            options->kernel_driver = optarg;
            break;
        case 'l':
            options->list = true;
            break;
        case 'i':
            options->ids = true;
            break;
        case 'v':
            options->verbose = true;
            break;
        case 'F':
            if (add_fault(options, optarg))
                return USAGE_ERROR;
            break;
        case 'q':
            options->quiet = true;
            break;
        case 'h':
            options->help = true;
            break;
        case 'V':
            options->version = true;
            break;
        case ':':
            return usage_error("no value for ", argv[optind - 1]);
        default:
            return usage_error("unknown option ", argv[optind - 1]);
        }
    }
    if (options->help || options->version || options->list || options->ids || options->describe)
        return optind < argc ? usage_error("unexpected argument ", argv[optind]) : 0;
    if (options->functional && options->counters)
        return usage_error("--counters counts cycles, and --functional has none", "");
    bool compiles = options->compile && strcmp(options->compile, "off") != 0;
    if (compiles && !VESIM_COMPILES)
        return usage_error(
            "--compile: this vesim was built without LLVM's headers (Debian's package "
            "llvm-14-dev or a later one)",
            "");
    if (optind == argc && strcmp(argv[argc - 1], "--") == 0)
        return usage_error("no program behind --", "");
    if (optind == argc)
        return usage_error("no program to run", "");
    if (strcmp(argv[optind - 1], "--") != 0)
        return usage_error("write -- before the program ", argv[optind]);
    options->program = argv + optind;
    return 0;
}

/* The library lies beside this program in the build folder, and in ../lib of it (VESIM_LIBDIR
 * relative to the folder of programs) once installed. */
static int find_library(char *path, size_t size)
{
    static const char *const candidates[] = {"libvesim.so", "../" VESIM_LIBDIR "/libvesim.so"};
    char self[PATH_MAX];
    ssize_t length = readlink("/proc/self/exe", self, sizeof(self) - 1);

    if (length < 0)
        return -1;
    self[length] = '\0';
    *(strrchr(self, '/') + 1) = '\0';
    for (size_t i = 0; i < sizeof(candidates) / sizeof(*candidates); i++) {
        int used = snprintf(path, size, "%s%s", self, candidates[i]);

        if (used > 0 && (size_t)used < size && access(path, R_OK) == 0)
            return 0;
    }
    return -1;
}

/* Puts `first` in front of the variable's value. */
static int prepend(const char *variable, const char *first)
{
    const char *rest = getenv(variable);
    char *value;

    if (!rest || !*rest)
        return setenv(variable, first, 1);
    if (asprintf(&value, "%s:%s", first, rest) < 0)
        return -1;
    int status = setenv(variable, value, 1);
    free(value);
    return status;
}

static int set_environment(const struct options *options, const char *library)
{
    char absolute[PATH_MAX];
    const char *device = options->device;

    /* The program may change its working directory before it looks for the files. */
    if (options->counters &&
        (!realpath(options->counters, absolute) || setenv("VESIM_COUNTERS", absolute, 1)))
        return -1;
    if (!is_among(vesim_device_names(), device) && realpath(device, absolute))
        device = absolute;
    if (setenv("VESIM_DEVICE", device, 1) || prepend("LD_PRELOAD", library))
        return -1;
    if (setenv("VESIM_FUNCTIONAL", options->functional ? "1" : "0", 1) ||
        (options->compile && setenv("VESIM_COMPILE", options->compile, 1)) ||
        (options->threads && setenv("VESIM_THREADS", options->threads, 1)) ||
        (options->time_limit && setenv("VESIM_TIME_LIMIT", options->time_limit, 1)) ||
        (options->after_hang && setenv("VESIM_AFTER_HANG", options->after_hang, 1)) ||
        (options->gdb && setenv("VESIM_GDB", "1", 1)) ||
        (options->kernel_driver && setenv("VESIM_KERNEL_DRIVER", options->kernel_driver, 1)) ||
        (options->faults[0] && setenv("VESIM_FAULTS", options->faults, 1)) ||
        (options->verbose && setenv("VESIM_LOG", "1", 1)) ||
        (options->quiet && setenv("VESIM_QUIET", "1", 1)))
        return -1;
    /* For programs built with AddressSanitizer, which insists on being first, but our dlopen has to
     * come before its own (preload/interpose-dlopen.c); and which takes offence at a mismatch of
     * new and delete in Intel's compiler. What the user has set comes behind and wins. */
    return prepend("ASAN_OPTIONS", "verify_asan_link_order=0:new_delete_type_mismatch=0");
}

/* Creates the counters' file, to fail now rather than after a long run. */
static int create_counters(const char *path)
{
    int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);

    if (fd < 0) {
        fprintf(stderr, "vesim: cannot create %s for the counters: %s; name another file\n", path,
                strerror(errno));
        return -1;
    }
    close(fd);
    return 0;
}

/* Whether there is such a device; says of one that is not known what stands in for it. */
static int check_device(const struct options *options)
{
    struct vesim_description *description = malloc(sizeof(*description));
    char error[PATH_MAX + 512];

    if (!description) {
        fprintf(stderr, "vesim: out of memory\n");
        return 1;
    }
    int status = vesim_description_load(description, options->device, error, sizeof(error));
    if (status)
        fprintf(stderr, "vesim: %s\n", error);
    else if (description->is_stand_in && !options->quiet)
        fprintf(stderr, "vesim: %s is %s\n", options->device,
                description->sources[VESIM_FIGURE_pci_device]);
    free(description);
    return status ? USAGE_ERROR : 0;
}

static int run(const struct options *options)
{
    char error[PATH_MAX + 512], library[PATH_MAX], program[PATH_MAX];
    int wrong = check_device(options);

    if (wrong)
        return wrong;
    if (find_library(library, sizeof(library))) {
        fprintf(stderr,
                "vesim: libvesim.so is neither beside vesim nor in ../%s; build or install "
                "it\n",
                VESIM_LIBDIR);
        return 1;
    }
    if (library_path_for_preload(library, sizeof(library), error, sizeof(error))) {
        fprintf(stderr, "vesim: %s\n", error);
        return 1;
    }
    const char *why = program_find(options->program[0], program, sizeof(program))
                          ? NULL
                          : program_refuses_preload(program);
    if (why) {
        fprintf(stderr, "vesim: %s %s\n", options->program[0], why);
        return 126;
    }
    if (options->counters && create_counters(options->counters))
        return USAGE_ERROR;
    if (set_environment(options, library)) {
        fprintf(stderr, "vesim: out of memory\n");
        return 1;
    }
    execvp(options->program[0], options->program);
    fprintf(stderr, "vesim: cannot run %s: %s\n", options->program[0], strerror(errno));
    return errno == ENOENT ? 127 : 126;
}

/* What stdout did not take is an error. */
static int close_output(void)
{
    bool failed = ferror(stdout) != 0;

    if (fclose(stdout) == 0 && !failed)
        return 0;
    fprintf(stderr, "vesim: cannot write to standard output: %s\n", strerror(errno));
    return 1;
}

static int describe(const char *name)
{
    char error[512];

    if (vesim_device_describe(stdout, name, error, sizeof(error))) {
        fprintf(stderr, "vesim: %s\n", error);
        return USAGE_ERROR;
    }
    return close_output();
}

static int list_ids(void)
{
    size_t count = vesim_device_ids(NULL, 0);
    struct vesim_id *ids = calloc(count, sizeof(*ids));

    if (!ids) {
        fprintf(stderr, "vesim: out of memory\n");
        return 1;
    }
    vesim_device_ids(ids, count);
    for (size_t i = 0; i < count; i++)
        printf("0x%04x %-13s %s\n", ids[i].id, ids[i].device, ids[i].title);
    free(ids);
    return close_output();
}

int main(int argc, char **argv)
{
    struct options options;
    int status = parse(argc, argv, &options);

    if (status)
        return status;
    if (options.describe)
        return describe(options.describe);
    if (options.ids)
        return list_ids();
    if (!options.help && !options.version && !options.list)
        return run(&options);
    if (options.help)
        fputs(usage, stdout);
    if (options.version)
        printf("vesim %s+%s\n", PROJECT_VERSION, VERSION_TAG);
    for (const char *const *name = vesim_device_names(); options.list && *name; name++)
        puts(*name);
    return close_output();
}
