/* cmd_monitor.c - darc monitor: a stream held against a baseline. */
#include "session/monitor.h"

#include "base/budget.h"
#include "base/mem.h"
#include "base/output.h"
#include "commands/job.h"
#include "data/reader.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

typedef struct {
    darc_job *job;
    darc_monitor *monitor;
    darc_reader *reader;
    const char *file;
    long windows;  /* that were complete */
    size_t filled; /* samples of the window at hand */
    size_t told;   /* of these, those of the one before */
    double last;   /* time of the last one, s; NAN: none */
    int signals;
    const char **name, **unit;
    double **value; /* of each signal; owned */
    darc_text_t line, state;
    darc_output *out; /* NULL: it failed */
} stream;

static darc_status restore(stream *s, darc_err *err)
{
    const char *file = darc_option_text(s->job->o, DARC_OPT_STATE);
    FILE *f = file != NULL ? fopen(file, "r") : NULL;
    if (f == NULL)
        return DARC_OK; /* the first time there is none */
    char part[4096];
    size_t n;
    darc_text_reset(s->state);
    while ((n = fread(part, 1, sizeof part, f)) > 0)
        darc_text_write(s->state, part, n);
    fclose(f);
    return darc_monitor_restore(s->monitor, s->state->s, err);
}

/* The file appears as a whole: whenever the process ends, it is sound. */
static darc_status save(stream *s, darc_err *err)
{
    const char *file = darc_option_text(s->job->o, DARC_OPT_STATE);
    if (file == NULL)
        return DARC_OK;
    darc_text_reset(s->state);
    darc_monitor_save(s->state, s->monitor);
    return darc_output_file(file, s->state->s, s->state->len, err);
}

static darc_status close_output(stream *s, darc_err *err)
{
    darc_output *out = s->out;
    s->out = NULL;
    return out != NULL ? darc_output_close(out, err) : DARC_OK;
}

static darc_status take_window(stream *s, darc_err *err)
{
    darc_samples window = {.name = "window",
                           .samples = s->filled,
                           .rate = 1 / darc_monitor_windows(s->monitor).step,
                           .signals = s->signals,
                           .signal = s->name,
                           .unit = s->unit,
                           .value = (const double *const *)s->value};
    char stage[48];
    snprintf(stage, sizeof stage, "window %ld of the stream", ++s->windows);
    darc_budget_progress(s->job->budget, &(darc_progress){.stage = stage});
    darc_text_reset(s->line);
    DARC_NEED(
        darc_monitor_take(s->line, s->monitor, &window, s->told, s->last, err));
    size_t kept = darc_monitor_windows(s->monitor).overlap;
    for (int i = 0; i < s->signals; i++)
        memmove(s->value[i], s->value[i] + s->filled - kept,
                kept * sizeof **s->value);
    s->filled = s->told = kept;
    darc_output_write(s->out, s->line->s, s->line->len);
    return darc_output_flush(s->out) ? save(s, err) : close_output(s, err);
}

static darc_status append_row(stream *s, const darc_block *b, size_t row,
                              darc_err *err)
{
    double step = darc_monitor_windows(s->monitor).step;
    bool broken = fabs(b->time[row] - s->last - step) > 0.1 * step;
    if (broken && s->filled > 0)
        for (int i = 0; i < s->signals; i++)
            s->value[i][s->filled] = NAN;
    s->filled += broken && s->filled > 0;
    for (int i = 0; i < s->signals; i++)
        s->value[i][s->filled] = b->value[i][row];
    s->filled++;
    s->last = b->time[row];
    return s->filled < darc_monitor_windows(s->monitor).samples
               ? DARC_OK
               : take_window(s, err);
}

/* Follow a producer to its end. */
static darc_status follow_producer(stream *s, darc_err *err)
{
    darc_status status;
    darc_block b;
    darc_load_options load = s->job->session->set.load;
    load.from = load.to = NAN;
    load.live = darc_monitor_windows(s->monitor).samples;
    DARC_TRY(darc_reader_open(&s->reader, s->file, &load, err));
    size_t n = (size_t)darc_reader_signals(s->reader);
    DARC_CALLOC(n, s->name, s->unit, s->value);
    for (; s->signals < (int)n; s->signals++) {
        s->name[s->signals] = darc_reader_signal(s->reader, s->signals)->name;
        s->unit[s->signals] = darc_reader_signal(s->reader, s->signals)->unit;
        s->value[s->signals] = darc_calloc(load.live + 1, sizeof **s->value);
    }
    s->last = NAN;
    s->filled = s->told = 0;
    do {
        DARC_TRY(darc_reader_next(s->reader, &b, err));
        for (size_t k = 0; k < b.samples; k++)
            DARC_TRY(append_row(s, &b, k, err));
    } while (b.samples > 0);
done:
    for (; s->signals > 0; s->signals--)
        darc_free(s->value[s->signals - 1]);
    DARC_FREE((void *)s->name, (void *)s->unit, s->value);
    s->name = s->unit = NULL;
    s->value = NULL;
    darc_reader_close(s->reader);
    s->reader = NULL;
    return status;
}

darc_status darc_cmd_monitor(darc_job *job, darc_err *err)
{
    const darc_options *o = job->o;
    stream s = {.job = job, .file = o->operands > 1 ? o->operand[1] : "-"};
    darc_status status;
    const char *baseline = darc_option_text(o, DARC_OPT_BASELINE);
    DARC_EACH(darc_text_init, s.line, s.state);
    DARC_TRY(darc_job_model(job, 0, err));
    DARC_TRY(
        darc_session_open(&job->session, job->model[0], o, job->budget, err));
    if (baseline == NULL)
        DARC_TRY(darc_fail(err, DARC_USAGE,
                           "monitor: say which recording is sound: "
                           "--baseline DATA"));
    DARC_TRY(darc_monitor_open(&s.monitor, job->session, baseline,
                               darc_option_real(o, DARC_OPT_FALSE_ALARMS),
                               err));
    DARC_TRY(restore(&s, err));
    DARC_TRY(darc_output_open(&s.out, "-", err));
    struct stat at;
    do
        DARC_TRY(follow_producer(&s, err));
    while (stat(s.file, &at) == 0 &&
           S_ISFIFO(at.st_mode)); /* a producer may come again */
    if (s.windows == 0)
        darc_cli_say("%s: no window: the stream ended behind %zu of the %zu "
                     "rows that the first one takes\n",
                     s.file, s.filled, darc_monitor_windows(s.monitor).samples);
    status = close_output(&s, err);
done:
    darc_output_discard(s.out);
    darc_monitor_free(s.monitor);
    DARC_EACH(darc_text_clear, s.line, s.state);
    return status;
}
