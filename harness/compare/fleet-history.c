#include "compare/fleet-history.h"

#include "base/digest.h"
#include "math/many-tests.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The standard deviation of a normal distribution, by its median absolute deviation. */
#define NORMAL_MAD 1.4826

static int by_value(const void *left, const void *right)
{
    const double *a = left, *b = right;

    return (*a > *b) - (*a < *b);
}

/* Sorts the values. */
static double middle(double *values, size_t count)
{
    qsort(values, count, sizeof(*values), by_value);
    return count % 2 ? values[count / 2] : (values[count / 2 - 1] + values[count / 2]) / 2.0;
}

static size_t hash_names(const char *host, const char *uuid)
{
    uint64_t hash = digest_text(digest_text(DIGEST_BEGIN, host), uuid);

    return (size_t)(hash ^ hash >> 32);
}

static size_t *slot_of(const struct fleet_history *history, const char *host, const char *uuid)
{
    size_t at = hash_names(host, uuid) & (history->index_room - 1);

    for (; history->index[at]; at = (at + 1) & (history->index_room - 1)) {
        const struct fleet_course *course = &history->course[history->index[at] - 1];

        if (!strcmp(course->host, host) && !strcmp(course->device_uuid, uuid))
            break;
    }
    return &history->index[at];
}

static bool grow_index(struct fleet_history *history)
{
    size_t room = history->index_room ? 2 * history->index_room : 256;
    size_t *index = calloc(room, sizeof(*index));

    if (!index)
        return false;
    free(history->index);
    history->index = index;
    history->index_room = room;
    for (size_t i = 0; i < history->count; i++)
        *slot_of(history, history->course[i].host, history->course[i].device_uuid) = i + 1;
    return true;
}

static bool grow_courses(struct fleet_history *history)
{
    size_t room = history->room ? 2 * history->room : 128;
    struct fleet_course *course = realloc(history->course, room * sizeof(*course));

    if (!course)
        return false;
    history->course = course;
    history->room = room;
    return true;
}

/* NULL: out of memory. */
static struct fleet_course *find_course(struct fleet_history *history, const struct fleet_gpu *gpu)
{
    if ((2 * history->count >= history->index_room && !grow_index(history)) ||
        (history->count == history->room && !grow_courses(history)))
        return NULL;
    size_t *slot = slot_of(history, gpu->host, gpu->device_uuid);
    if (*slot)
        return &history->course[*slot - 1];
    struct fleet_course *course = &history->course[history->count];
    *course = (struct fleet_course){.host = strdup(gpu->host),
                                    .device_uuid = strdup(gpu->device_uuid),
                                    .deviation = calloc(history->day_room, sizeof(double))};
    *slot = ++history->count; /* what it has got is freed with it */
    if (!course->host || !course->device_uuid || !course->deviation)
        return NULL;
    for (size_t day = 0; day < history->day_room; day++)
        course->deviation[day] = NAN;
    return course;
}

/* Room for one more day, in all courses. */
static bool grow_days(struct fleet_history *history)
{
    if (history->days < history->day_room)
        return true;
    size_t room = history->day_room ? 2 * history->day_room : 8;
    for (size_t i = 0; i < history->count; i++) {
        double *more = realloc(history->course[i].deviation, room * sizeof(*more));

        if (!more)
            return false;
        for (size_t day = history->day_room; day < room; day++)
            more[day] = NAN;
        history->course[i].deviation = more;
    }
    history->day_room = room;
    return true;
}

enum status fleet_history_add(struct fleet_history *history, const struct fleet *fleet,
                              struct error *error)
{
    double *values = calloc(fleet->figure_count + 1, sizeof(*values));

    if (!values || !grow_days(history)) {
        free(values);
        return error_out_of_memory(error);
    }
    for (size_t g = 0; g < fleet->gpu_count; g++) {
        const struct fleet_gpu *gpu = &fleet->gpus[g];
        struct fleet_course *course = gpu->figures ? find_course(history, gpu) : NULL;

        if (gpu->figures && !course) {
            free(values);
            return error_out_of_memory(error);
        }
        for (size_t i = 0; i < gpu->figures; i++)
            values[i] = (double)fleet->figures[fleet->by_gpu[gpu->first + i]].deviation;
        if (course)
            course->deviation[history->days] = middle(values, gpu->figures);
    }
    history->days++;
    free(values);
    return STATUS_OK;
}

/* The line through the days of a GPU, from the first to the last day of the history; `*error` gets
 * what one day's scatter of 1 makes of it. */
static double fit_drift(const struct fleet_history *history, const struct fleet_course *course,
                        double *error)
{
    double sum = 0.0, days = 0.0, spread = 0.0, slope = 0.0, span = (double)history->days - 1.0;

    for (size_t day = 0; day < history->days; day++) {
        if (isfinite(course->deviation[day])) {
            sum += 1.0;
            days += (double)day;
        }
    }
    for (size_t day = 0; day < history->days; day++) {
        double from_middle = (double)day - days / sum;

        if (!isfinite(course->deviation[day]))
            continue;
        spread += from_middle * from_middle;
        slope += from_middle * course->deviation[day];
    }
    *error = span / sqrt(spread);
    return span * slope / spread;
}

static size_t count_days(const struct fleet_history *history, const struct fleet_course *course)
{
    size_t days = 0;

    for (size_t day = 0; day < history->days; day++)
        days += isfinite(course->deviation[day]) != 0;
    return days;
}

/* Fits all that have enough days, and finds what their drifts scatter by, in units of their errors.
 */
static enum status fit_all(struct fleet_history *history, double *errors, double *scaled,
                           double *scatter, struct error *error)
{
    size_t count = 0;

    for (size_t i = 0; i < history->count; i++) {
        struct fleet_course *course = &history->course[i];

        course->days = count_days(history, course);
        course->drift = course->probability = NAN;
        if (course->days < HISTORY_DAYS_LEAST)
            continue;
        course->drift = fit_drift(history, course, &errors[i]);
        scaled[count++] = course->drift / errors[i];
    }
    if (count < HISTORY_GPUS_LEAST)
        return error_set(error, STATUS_FAILED,
                         "a history takes %d GPUs that were there on %d days; here are %zu, of %zu "
                         "GPUs and %zu days",
                         HISTORY_GPUS_LEAST, HISTORY_DAYS_LEAST, count, history->count,
                         history->days);
    double center = middle(scaled, count);
    for (size_t i = 0; i < count; i++)
        scaled[i] = fabs(scaled[i] - center);
    *scatter = NORMAL_MAD * middle(scaled, count);
    return STATUS_OK;
}

static void judge_course(struct fleet_course *course, double threshold, double error,
                         double scatter)
{
    double z = course->drift / (error * scatter);

    /* Without any scatter, as of an emulated device, any drift is one. */
    if (!(scatter > 0.0))
        z = course->drift > 0.0 ? INFINITY : 0.0;
    course->probability = 0.5 * erfc(z / sqrt(2.0));
    course->drifts = course->drift > threshold;
}

static enum status correct_all(struct fleet_history *history, double *p, struct error *error)
{
    size_t count = 0;

    for (size_t i = 0; i < history->count; i++) {
        if (isfinite(history->course[i].drift))
            p[count++] = history->course[i].probability;
    }
    enum status status = discoveries_correct(p, count, sizeof(*p), error);
    count = 0;
    for (size_t i = 0; status == STATUS_OK && i < history->count; i++) {
        struct fleet_course *course = &history->course[i];

        if (!isfinite(course->drift))
            continue;
        course->probability = p[count++];
        course->drifts = course->drifts && course->probability < FLEET_RATE;
    }
    return status;
}

enum status fleet_history_judge(struct fleet_history *history, double threshold,
                                struct error *error)
{
    double *errors = calloc(history->count + 1, sizeof(*errors)), scatter = 0.0;
    double *scaled = calloc(history->count + 1, sizeof(*scaled));
    enum status status = errors && scaled ? fit_all(history, errors, scaled, &scatter, error)
                                          : error_out_of_memory(error);

    for (size_t i = 0; status == STATUS_OK && i < history->count; i++) {
        if (isfinite(history->course[i].drift))
            judge_course(&history->course[i], threshold, errors[i], scatter);
    }
    if (status == STATUS_OK)
        status = correct_all(history, scaled, error);
    free(errors);
    free(scaled);
    return status;
}

void fleet_history_free(struct fleet_history *history)
{
    for (size_t i = 0; i < history->count; i++) {
        free(history->course[i].host);
        free(history->course[i].device_uuid);
        free(history->course[i].deviation);
    }
    free(history->course);
    free(history->index);
    memset(history, 0, sizeof(*history));
}
