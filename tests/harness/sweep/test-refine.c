/*
 * A run with a time budget: after the fewest rounds of everything, the rows whose intervals are
 * widest get more, and take the place of those before. What is chosen, by planted widths and times;
 * and whole sweeps, on a fake device whose noise is an axis of the family.
 */
#include "test.h"

#include "csv-file.h"
#include "fake-worker.h"
#include "family/axis-columns.h"
#include "family/common-axes.h"
#include "run/resume.h"
#include "sweep/refine.h"
#include "sweep/store.h"
#include "sweep/sweep.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#define RESULTS "refine.csv"
#define SAMPLES "refine-samples.csv"

enum { CONFIGURATIONS = 4, FEWEST = 10, MOST = 80 };

static enum status prepare(struct workspace *workspace, const struct configuration *configuration,
                           struct error *error)
{
    (void)workspace;
    (void)error;
    if (fake.noise_ns != configuration->own[0]) /* else contents are drawn anew */
        fake_restart();
    fake.noise_ns = configuration->own[0];
    return STATUS_OK;
}

static const struct axis axes[] = {
    SUBGROUP_SIZE_AXIS,
    WORKGROUP_SIZE_AXIS("16", NULL, NULL),
    WORKGROUP_COUNT_AXIS("1", NULL, NULL),
    {.name = "noise",
     .means = "longest delay of a launch, in ns",
     .defaults = "1,1000,17000,30000",
     .kind = AXIS_COUNT,
     .least = 1,
     .largest = 1000000},
};

static const struct variant variants[] = {{FAKE_LOOP}};

static const struct family family = {
    FAKE_FAMILY,          .axes = axes,       .axis_count = sizeof(axes) / sizeof(axes[0]),
    .variants = variants, .variant_count = 1, .prepare = prepare,
};

/* Kept configurations with planted results. */
static struct task tasks[CONFIGURATIONS];
static struct measurement measurements[CONFIGURATIONS];

static struct refinement plant(const double *half, const double *batch_s)
{
    struct refinement refinement = {.stop = {0.005, FEWEST, MOST}};
    struct error error;

    for (size_t i = 0; i < CONFIGURATIONS; i++) {
        measurements[i] = (struct measurement){.outcome = OUTCOME_OK,
                                               .value = 100.0,
                                               .ci95_lo = 100.0 - half[i],
                                               .ci95_hi = 100.0 + half[i],
                                               .standard_error = half[i] / 2.0,
                                               .values = {.count = FEWEST},
                                               .verified = 1};
        tasks[i] = (struct task){
            .family = &family, .measurements = &measurements[i], .seconds = batch_s[i]};
        assert_int_equal(refine_keep(&refinement, &tasks[i], &error), STATUS_OK);
    }
    return refinement;
}

static void choose(struct refinement *refinement, double left_s, const char *expected)
{
    char chosen[CONFIGURATIONS + 1] = "";
    struct error error;

    assert_int_equal(refine_choose(refinement, left_s, &error), STATUS_OK);
    for (size_t i = 0; i < refinement->again_count; i++)
        chosen[i] = (char)('0' + refinement->chosen[i]);
    assert_string_equal(chosen, expected);
}

static void test_the_widest_first(void **state)
{
    static const double half[] = {3.0, 0.9, 20.0, 5.0}, batch_s[] = {1.0, 1.0, 1.0, 1.0};
    struct refinement refinement = plant(half, batch_s);

    (void)state;
    /* Twice the rounds and half as many again, and a little: 3.15 s. The second is steady. */
    assert_near(refine_cost(&refinement, &refinement.kept[0]), 3.15, 1e-9);
    assert_near(refine_width(&refinement, &refinement.kept[2]), 0.2, 1e-9);
    assert_near(refine_width(&refinement, &refinement.kept[1]), 0.0, 0.0);
    choose(&refinement, 100.0, "023");
    choose(&refinement, 3.0, "");   /* no time for any */
    choose(&refinement, 3.2, "2");  /* for the widest only */
    choose(&refinement, 12.0, "2"); /* the others when it is known how wide that one is then */
    choose(&refinement, 12.7, "23");
    refine_free(&refinement);
}

/* What does not fit leaves its time to what does. */
static void test_what_fits(void **state)
{
    static const double half[] = {3.0, 4.0, 20.0, 5.0}, batch_s[] = {1.0, 1.0, 9.0, 1.0};
    struct refinement refinement = plant(half, batch_s);

    (void)state;
    choose(&refinement, 20.0, "013");
    choose(&refinement, 28.5, "2");
    refinement.each_s = 10.0;
    choose(&refinement, 28.5, "013");
    refinement.each_s = 4.0;
    choose(&refinement, 28.5, "");
    refine_free(&refinement);
}

static void test_what_needs_no_more(void **state)
{
    static const double half[] = {20.0, 20.0, 20.0, 20.0}, batch_s[] = {1.0, 1.0, 1.0, 1.0};
    struct refinement refinement = plant(half, batch_s);

    (void)state;
    measurements[0].outcome = OUTCOME_FAILED;
    measurements[1].outcome = OUTCOME_SKIPPED;
    refinement.kept[2].rounds = MOST;
    refinement.kept[3].is_ended = true;
    choose(&refinement, 1000.0, "");
    /* In doubt another batch may be without the disturbance, but not any number of them. */
    measurements[2].outcome = OUTCOME_UNRELIABLE;
    choose(&refinement, 1000.0, "2");
    assert_int_equal(refinement.again[0].first_rounds, MOST);
    refinement.kept[2].batches = 3;
    choose(&refinement, 1000.0, "");
    refine_free(&refinement);
}

/* A worker that is lost, or a device, costs nothing that is there. */
static void test_a_failed_batch(void **state)
{
    static const double half[] = {20.0, 20.0, 1.0, 1.0}, batch_s[] = {1.0, 1.0, 1.0, 1.0};
    struct refinement refinement = plant(half, batch_s);
    struct error error;

    (void)state;
    choose(&refinement, 1000.0, "01");
    assert_int_equal(task_begin(&refinement.again[0], &error), STATUS_OK);
    refinement.again[0].state = TASK_DONE;
    task_fail(&refinement.again[0], "the worker process crashed");
    assert_null(refine_take(&refinement, 0));
    assert_null(refinement.again[0].measurements); /* freed at once, not when the run ends */
    assert_null(refinement.again[0].kernels);
    assert_ptr_equal(tasks[0].measurements, &measurements[0]);
    assert_true(refinement.kept[0].is_ended);
    /* Nor does one that has not run. */
    assert_null(refine_take(&refinement, 1));
    assert_ptr_equal(tasks[1].measurements, &measurements[1]);
    assert_false(refinement.kept[1].is_ended);
    /* It alone is measured again. */
    choose(&refinement, 1000.0, "1");
    refine_free(&refinement);
}

static struct measurement *copy_of(const struct measurement *m, unsigned rounds)
{
    struct measurement *copy = malloc(sizeof(*copy));

    assert_non_null(copy);
    *copy = *m;
    copy->values.count = rounds;
    return copy;
}

/* What all batches of a configuration have taken counts against its limit, and samples of a second
 * batch are numbered on from those of the first. */
static void test_time_of_all_batches(void **state)
{
    static const double half[] = {20.0, 1.0, 1.0, 1.0}, batch_s[] = {1.0, 0.0, 0.0, 0.0};
    struct refinement refinement = plant(half, batch_s);
    struct task *again = NULL;

    (void)state;
    tasks[0].measurements = copy_of(&measurements[0], FEWEST);
    refinement.kept[0].sample_rounds = FEWEST;
    refinement.each_s = 4.2; /* 1 s, and 3.15 s of the second batch as estimated */
    choose(&refinement, 1000.0, "0");
    again = &refinement.again[0];
    again->measurements = copy_of(&measurements[0], 2 * FEWEST);
    again->samples = calloc(2, sizeof(*again->samples));
    assert_non_null(again->samples);
    again->samples[1].round = 2 * FEWEST - 1;
    again->sample_count = again->sample_room = 2;
    again->state = TASK_DONE;
    again->seconds = 2.0;
    assert_ptr_equal(refine_take(&refinement, 0), &tasks[0]);
    assert_int_equal(tasks[0].measurements->values.count, 2 * FEWEST);
    assert_int_equal(tasks[0].samples[0].round, FEWEST);
    assert_int_equal(tasks[0].samples[1].round, 3 * FEWEST - 1);
    assert_int_equal(refinement.kept[0].sample_rounds, 3 * FEWEST);
    assert_near(refinement.kept[0].batch_s, 2.0, 1e-9);
    /* A third one takes 2 s * 60 / 20 * 1.05. */
    refinement.each_s = 3.0 + 6.3 - 0.01;
    choose(&refinement, 1000.0, "");
    refinement.each_s = 3.0 + 6.3 + 0.01;
    choose(&refinement, 1000.0, "0");
    refine_drop_samples(&refinement);
    assert_int_equal(tasks[0].sample_count, 0);
    refine_free(&refinement);
    free(tasks[0].measurements);
}

/* Of the sweeps. */
static struct {
    size_t passes, again; /* configurations in all passes */
    size_t finished;
    size_t killed_in, stopped_in; /* pass before which this happens; 0: none */
} seen;

static volatile sig_atomic_t stopped;

static void on_started(void *context, const struct family *started,
                       const struct configuration *configuration, size_t index, size_t total)
{
    (void)context;
    (void)started;
    (void)configuration;
    (void)index;
    assert_int_equal(total, CONFIGURATIONS);
}

static void on_finished(void *context, const struct family *finished,
                        const struct configuration *configuration,
                        const struct measurement *results, size_t index)
{
    (void)context;
    (void)finished;
    (void)configuration;
    (void)results;
    assert_true(index < CONFIGURATIONS);
    seen.finished++;
}

static void on_refining(void *context, size_t count, double left_s)
{
    (void)context;
    assert_true(left_s > 0.0);
    assert_true(count > 0);
    seen.again += count;
    if (++seen.passes == seen.killed_in)
        raise(SIGKILL);
    if (seen.passes == seen.stopped_in)
        stopped = 1;
}

static const struct sweep_events events = {on_started, on_finished, on_refining, NULL};

static void begin_device(void)
{
    memset(&fake, 0, sizeof(fake));
    memset(&seen, 0, sizeof(seen));
    stopped = 0;
    fake.launch_ns = 3000.0;
    fake.spin_ns = 10.0;
    fake.spin_cycles = 24.0;
    fake.iteration_ns[0] = 100.0;
    fake.computes_nothing = true;
    fake.wrong_data_variant = FAKE_NO_VARIANT;
    fake.wrong_proof_variant = FAKE_NO_VARIANT;
    fake_worker_kind = DEVICE_HARDWARE;
}

static void open_store(struct store *store, struct sweep *sweep, bool resumes,
                       const struct axis_columns *columns, FILE *stream)
{
    const struct resume_request request = {.results = RESULTS, .samples = SAMPLES, .seed = 1};
    const struct store_request files = {
        .path = {[STORE_RESULTS] = stream ? NULL : RESULTS, [STORE_SAMPLES] = SAMPLES},
        .stream = stream,
        .axes = columns,
        .command = "a test",
        .replaces = true};
    struct resume resume = {.has_rows = false};
    struct error error;

    assert_int_equal(store_lock(store, &files, &error), STATUS_OK);
    if (resumes)
        assert_int_equal(resume_plan(&resume, sweep, &request, &error), STATUS_OK);
    if (!resume.has_rows) {
        assert_int_equal(store_create(store, &error), STATUS_OK);
        return;
    }
    assert_int_equal(store_continue(store, resume.rest, &error), STATUS_OK);
}

/* A sweep into the files, or its results into `borrowed`. */
static enum status run_sweep(double budget_s, bool resumes, FILE *borrowed)
{
    struct sweep_request request = {
        .families = {&family},
        .family_count = 1,
        .axes = {"subgroup_size=16"},
        .axis_count = 1,
        .options = {.stop = {0.005, FEWEST, MOST}, .seed = 1},
        .wants_samples = true,
        .budget_s = budget_s,
        .stop = &stopped,
        .connect = fake_worker_connect,
    };
    static const struct family *const only[] = {&family};
    static const struct family_list list = {only, 1};
    struct axis_columns columns;
    struct run_identity identity = {.run_id = "test", .axes = &columns};
    struct sweep_counts counts;
    struct sweep *sweep;
    struct store store;
    struct error error;

    assert_int_equal(axis_columns_fill(&columns, &list, &error), STATUS_OK);
    if (sweep_open(&sweep, &request, &error) != STATUS_OK)
        fail_msg("%s", error.text);
    open_store(&store, sweep, resumes, &columns, borrowed);
    enum status status = sweep_run(sweep, &identity, &store, &events, &counts, &error);
    if (!resumes)
        assert_int_equal(counts.ok + counts.unreliable, CONFIGURATIONS);
    sweep_close(sweep);
    assert_int_equal(store_close(&store, &error), STATUS_OK);
    return status;
}

static double number(const struct csv_file *csv, size_t row, const char *column)
{
    return strtod(csv_file_field(csv, row, column), NULL);
}

/* The row of each noise must be there once; its rounds. */
static void load_rounds(const char *path, unsigned rounds[CONFIGURATIONS])
{
    static const double noise[] = {1.0, 1000.0, 17000.0, 30000.0};
    struct csv_file csv;

    assert_int_equal(csv_file_load(&csv, path), 0);
    assert_int_equal(csv.row_count, CONFIGURATIONS);
    for (size_t i = 0; i < CONFIGURATIONS; i++) {
        size_t found = 0;

        for (size_t row = 0; row < CONFIGURATIONS; row++) {
            if (number(&csv, row, "noise") != noise[i])
                continue;
            rounds[i] = (unsigned)number(&csv, row, "samples");
            found++;
        }
        assert_int_equal(found, 1);
        if (i > 0) /* the plan's order */
            assert_true(number(&csv, i, "sequence") > number(&csv, i - 1, "sequence"));
    }
    csv_file_free(&csv);
}

/* Each round of each batch is there once, batch after batch, and each configuration's together. */
static void assert_samples(void)
{
    struct csv_file csv;
    double last_round = 0.0;
    size_t changes = 0;

    assert_int_equal(csv_file_load(&csv, SAMPLES), 0);
    for (size_t row = 1; row < csv.row_count; row++) {
        bool same =
            !strcmp(csv_file_field(&csv, row, "noise"), csv_file_field(&csv, row - 1, "noise"));
        double step = number(&csv, row, "round") - number(&csv, row - 1, "round");

        changes += !same;
        last_round = fmax(last_round, number(&csv, row, "round"));
        assert_true(!same || step == 0.0 || step == 1.0);
        assert_true(same || number(&csv, row, "round") == 0.0);
    }
    assert_int_equal(changes, CONFIGURATIONS - 1);
    assert_true(last_round >= 3 * FEWEST - 1); /* of the widest: a batch of 10, one of 20 */
    csv_file_free(&csv);
}

static void assert_widest_got_more(const unsigned rounds[CONFIGURATIONS])
{
    print_message("rounds: %u %u %u %u\n", rounds[0], rounds[1], rounds[2], rounds[3]);
    /* Steady at once, and half as many rounds to make sure. */
    assert_int_equal(rounds[0], FEWEST * 3 / 2);
    assert_int_equal(rounds[1], FEWEST * 3 / 2);
    assert_true(rounds[2] >= 2 * FEWEST);
    assert_true(rounds[3] > rounds[2]);
    assert_true(rounds[3] <= MOST);
}

static void test_a_sweep(void **state)
{
    unsigned rounds[CONFIGURATIONS];

    (void)state;
    begin_device();
    assert_int_equal(run_sweep(300.0, false, NULL), STATUS_OK);
    assert_true(seen.passes >= 2);
    assert_int_equal(seen.finished, CONFIGURATIONS + seen.again);
    load_rounds(RESULTS, rounds);
    assert_widest_got_more(rounds);
    assert_samples();
}

/* Rows in a pipe cannot be replaced: they wait. */
static void test_a_pipe(void **state)
{
    unsigned rounds[CONFIGURATIONS];
    FILE *borrowed = fopen("refine-pipe.csv", "w");

    (void)state;
    assert_non_null(borrowed);
    begin_device();
    assert_int_equal(run_sweep(300.0, false, borrowed), STATUS_OK);
    fclose(borrowed);
    load_rounds("refine-pipe.csv", rounds);
    assert_widest_got_more(rounds);
    assert_samples();
}

/* Before a second pass the rows of the first one stand; what is begun is not lost either. */
static void test_a_run_that_is_stopped(void **state)
{
    unsigned rounds[CONFIGURATIONS];

    (void)state;
    begin_device();
    seen.stopped_in = 2;
    assert_int_equal(run_sweep(300.0, false, NULL), STATUS_INTERRUPTED);
    load_rounds(RESULTS, rounds);
    assert_int_equal(rounds[0], FEWEST * 3 / 2);
    assert_true(rounds[3] >= 2 * FEWEST);
    assert_samples();
}

static void kill_in(size_t pass)
{
    int status;
    pid_t child = fork();

    assert_true(child >= 0);
    if (child == 0) {
        seen.killed_in = pass;
        run_sweep(300.0, false, NULL);
        _exit(1);
    }
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) && WTERMSIG(status) == SIGKILL);
}

static void test_a_run_that_is_killed(void **state)
{
    unsigned rounds[CONFIGURATIONS];

    (void)state;
    for (size_t pass = 1; pass <= 2; pass++) {
        begin_device();
        kill_in(pass);
        load_rounds(RESULTS, rounds);
        assert_int_equal(rounds[1], FEWEST * 3 / 2);
        assert_int_equal(run_sweep(300.0, true, NULL), STATUS_OK);
        load_rounds(RESULTS, rounds);
        assert_samples();
    }
}

/* A model has no use for more rounds. */
static void test_a_model(void **state)
{
    unsigned with[CONFIGURATIONS], without[CONFIGURATIONS];

    (void)state;
    begin_device();
    fake_worker_kind = DEVICE_EMULATED;
    assert_int_equal(run_sweep(300.0, false, NULL), STATUS_OK);
    assert_int_equal(seen.passes, 0);
    load_rounds(RESULTS, with);
    assert_int_equal(run_sweep(0.0, false, NULL), STATUS_OK);
    load_rounds(RESULTS, without);
    assert_memory_equal(with, without, sizeof(with));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_the_widest_first),
        cmocka_unit_test(test_what_fits),
        cmocka_unit_test(test_what_needs_no_more),
        cmocka_unit_test(test_time_of_all_batches),
        cmocka_unit_test(test_a_failed_batch),
        cmocka_unit_test(test_a_sweep),
        cmocka_unit_test(test_a_pipe),
        cmocka_unit_test(test_a_run_that_is_stopped),
        cmocka_unit_test(test_a_run_that_is_killed),
        cmocka_unit_test(test_a_model),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
