#include "page/gnuplot.h"

#include "page/plot-scripts.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define PATH_BYTES 4096

/* What the child says when there is no program to become. */
#define EXIT_NO_PROGRAM 127

const char *gnuplot_script_name(enum plot_shape shape)
{
    return shape == PLOT_BARS ? "bars.gp" : "lines.gp";
}

const char *const *gnuplot_script_lines(enum plot_shape shape)
{
    return shape == PLOT_BARS ? plot_script_bars : plot_script_lines;
}

static enum status run(char *const arguments[], const char *directory, struct error *error)
{
    int wait_status;
    pid_t child = fork();

    if (child < 0)
        return error_set(error, STATUS_FAILED, "cannot start gnuplot: %s", strerror(errno));
    if (child == 0) {
        if (chdir(directory) == 0)
            execvp(arguments[0], arguments);
        _exit(EXIT_NO_PROGRAM);
    }
    while (waitpid(child, &wait_status, 0) < 0) {
        if (errno != EINTR)
            return error_set(error, STATUS_FAILED, "waiting for gnuplot: %s", strerror(errno));
    }
    if (WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == 0)
        return STATUS_OK;
    if (WIFEXITED(wait_status) && WEXITSTATUS(wait_status) == EXIT_NO_PROGRAM)
        return error_set(error, STATUS_FAILED,
                         "gnuplot is not there: install the Debian package gnuplot-nox");
    return error_set(error, STATUS_FAILED, "gnuplot could not draw %s (see above)", arguments[3]);
}

enum status gnuplot_draw(const struct plot *plot, const char *name, const char *title,
                         const char *directory, struct error *error)
{
    static const char *const endings[] = {".svg", ".png"};
    char data[PATH_BYTES], output[PATH_BYTES];
    enum status status = STATUS_OK;

    snprintf(data, sizeof data, "%s.csv", name);
    for (size_t i = 0; status == STATUS_OK && i < 2; i++) {
        char *const arguments[] = {"gnuplot",
                                   "-c",
                                   (char *)gnuplot_script_name(plot->shape),
                                   data,
                                   output,
                                   (char *)title,
                                   (char *)(plot->x_label ? plot->x_label : ""),
                                   (char *)plot->y_label,
                                   (char *)plot->log,
                                   NULL};

        snprintf(output, sizeof output, "%s%s", name, endings[i]);
        status = run(arguments, directory, error);
    }
    return status;
}
