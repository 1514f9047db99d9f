#include "run/join.h"

#include "base/digest.h"

#include <errno.h>
#include <libgen.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define RANKS_VARIABLE   "VEBENCH_RANKS"
#define WORDS_PASSED_MAX 1000

/* Executes vebench-mpi: in a build tree, or where it is installed. */
static enum status execute_helper(char *const *argv, struct error *error)
{
    static const char *const places[] = {"mpi/vebench-mpi", "../libexec/vebench/vebench-mpi"};
    char self[PATH_MAX], copy[PATH_MAX], helper[PATH_MAX + 40];
    char *words[WORDS_PASSED_MAX + 3] = {helper, self};
    ssize_t bytes = readlink("/proc/self/exe", self, sizeof(self) - 1);

    if (bytes < 0)
        return error_set(error, STATUS_FAILED, "cannot find out where this program is: %s",
                         strerror(errno));
    self[bytes] = '\0';
    memcpy(copy, self, sizeof(copy));
    const char *folder = dirname(copy);
    for (size_t i = 1; argv[i]; i++) {
        if (i > WORDS_PASSED_MAX)
            return error_set(error, STATUS_USAGE, "--mpi: too many words");
        words[i + 1] = argv[i];
    }
    for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++) {
        snprintf(helper, sizeof(helper), "%s/%s", folder, places[i]);
        execv(helper, words);
    }
    return error_set(error, STATUS_FAILED,
                     "--mpi takes vebench-mpi, which this vebench was built without: install "
                     "libmpich-dev (or libopenmpi-dev) and build again");
}

static uint64_t digest_words(char *const *argv)
{
    uint64_t digest = DIGEST_BEGIN;

    for (size_t i = 1; argv[i]; i++)
        digest = digest_text(digest, argv[i]);
    return digest;
}

enum status ranks_join(const struct cli *cli, struct ranks *ranks, struct error *error)
{
    char *text = getenv(RANKS_VARIABLE);

    memset(ranks, 0, sizeof(*ranks));
    if (!text)
        return execute_helper(cli->argv, error);
    if (!ranks_read(ranks, text))
        return error_set(error, STATUS_FAILED,
                         RANKS_VARIABLE "=%s makes no sense: it is for vebench-mpi to set", text);
    unsetenv(RANKS_VARIABLE);
    ranks->digest = digest_words(cli->argv);
    return STATUS_OK;
}
