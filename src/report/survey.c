#include "report/survey.h"

#include "base/mem.h"
#include "noise/limits.h"
#include "noise/periodogram.h"
#include "report/report.h"
#include "report/thresholds.h"

#include <math.h>

static void measure_signal(darc_survey_signal *to, const double *x,
                           const darc_table *t)
{
    double mean = 0, squares = 0, count = 0;
    to->min = to->max = NAN;
    for (size_t i = 0; i < t->samples; i++) {
        if (isnan(x[i])) {
            to->gaps++;
            continue;
        }
        double d = x[i] - mean; /* running mean and sum of squares */
        mean += d / ++count;
        squares += d * (x[i] - mean);
        to->min = fmin(to->min, x[i]);
        to->max = fmax(to->max, x[i]);
    }
    to->mean = count > 0 ? mean : NAN;
    to->sd = count > 0 ? sqrt(squares / count) : NAN;
    darc_table_done(t, 0, t->samples);
}

/* One signal after the other: a recording may have thousands. */
static void estimate_noise(darc_survey_signal *to, const darc_table *t, int i)
{
    darc_signalnoise noise;
    darc_periodogram p;
    if (darc_signalnoise_read(&noise, t, &i, 1, NULL) == DARC_OK) {
        to->noise = noise.sd;
        DARC_SAME(to, &noise, dof, line, colour, step);
        to->band = noise.power_band;
        darc_signalnoise_clear(&noise);
    }
    darc_periodogram_init(&p, t, &i, 1, DARC_SURVEY_PARTS, false);
    /* The tone is the share of the variance around the highest line. */
    int top = 1;
    double all = 0, line = 0;
    for (int k = 1; k < p.bins; k++) {
        all += p.s[k];
        top = p.s[k] > p.s[top] ? k : top;
    }
    for (int k = top - DARC_LINE_BINS; k <= top + DARC_LINE_BINS; k++)
        line += k > 0 && k < p.bins ? p.s[k] : 0;
    if (all > 0)
        to->tone = line / all;
    darc_periodogram_clear(&p);
}

void darc_survey_init(darc_survey *s, const darc_table *t)
{
    *s = (darc_survey){.table = t, .rate = t->dt > 0 ? 1 / t->dt : NAN};
    s->signal = darc_calloc((size_t)t->signals, sizeof *s->signal);
    s->duration = darc_table_time(t, t->samples - 1) - darc_table_time(t, 0);
    for (int i = 0; i < t->segments; i++)
        s->longest =
            fmax(s->longest, darc_table_time(t, t->segment[i].end - 1) -
                                 darc_table_time(t, t->segment[i].begin));
    for (int i = 0; i < t->signals; i++) {
        s->signal[i] = (darc_survey_signal){.name = t->signal[i].name,
                                            .unit = t->signal[i].unit,
                                            .noise = NAN,
                                            .dof = NAN,
                                            .band = NAN,
                                            .tone = NAN};
        measure_signal(&s->signal[i], t->signal[i].value, t);
        if (t->dt > 0)
            estimate_noise(&s->signal[i], t, i);
        s->signal[i].faults = darc_faults_find(s->signal[i].fault, t, i);
    }
}

void darc_survey_clear(darc_survey *s)
{
    darc_free(s->signal);
    *s = (darc_survey){0};
}

void darc_survey_remark(darc_text_t out, const darc_survey *s, int i)
{
    const darc_survey_signal *x = &s->signal[i];
    size_t begin = out->len;
    if (x->max == x->min) {
        darc_text_puts(out, "constant: it excites nothing");
        return;
    }
    if (x->tone > DARC_SURVEY_TONE)
        darc_text_printf(out, "%.0f %% in one spectral line: poor excitation",
                         100 * x->tone);
    if (x->step > 0 &&
        x->step * x->step / 12 > DARC_ROUNDED_SHARE * x->noise * x->noise)
        darc_text_printf(out, "%srounded to steps of %.3g",
                         out->len > begin ? ", " : "", x->step);
    if (x->colour == DARC_COLOUR_ANY && isfinite(x->noise))
        darc_text_printf(out, "%sno flat end of the spectrum: noise unknown",
                         out->len > begin ? ", " : "");
    for (int k = 0; k < x->faults; k++) {
        darc_text_puts(out, out->len > begin ? ", " : "");
        darc_fault_say(out, x->fault + k);
    }
}

static void print_signal(darc_text_t out, const darc_survey *s, int i)
{
    const darc_survey_signal *x = &s->signal[i];
    darc_text_printf(out,
                     x->unit[0] != '\0' ? "  %.150s [%.80s]" DARC_CELL
                                        : "  %.150s" DARC_CELL,
                     x->name, x->unit);
    const double cell[] = {x->min, x->max, x->mean, x->sd, x->noise, x->band};
    static const int columns[] = {11, 11, 11, 10, 10, 8};
    for (int k = 0; k < 6; k++)
        if (isfinite(cell[k]))
            darc_text_printf(out, " %*.4g", columns[k], cell[k]);
        else
            darc_text_printf(out, " %*s", columns[k], "-");
    darc_text_printf(out, " %6zu", x->gaps);
    darc_text_t remark = DARC_TEXT;
    darc_survey_remark(remark, s, i);
    darc_text_printf(out, remark->len > 0 ? "  %s\n" : "\n", remark->s);
    darc_text_clear(remark);
}

void darc_survey_print(darc_text_t out, const darc_survey *s)
{
    const darc_table *t = s->table;
    darc_text_printf(out, "%s: %zu samples", t->file, t->samples);
    if (isfinite(s->rate))
        darc_text_printf(out, " at %.6g Hz", s->rate);
    else
        darc_text_puts(out, ", non-uniform");
    darc_text_printf(out, ", %.6g s", s->duration);
    if (t->segments > 1)
        darc_text_printf(out, ", %d segments, the longest %.4g s", t->segments,
                         s->longest);
    darc_text_puts(out, "\n");
    size_t begin = out->len;
    darc_text_printf(out,
                     "  signal" DARC_CELL " %11s %11s %11s %10s %10s %8s %6s\n",
                     "min", "max", "mean", "sd", "noise sd", "band Hz", "gaps");
    for (int i = 0; i < t->signals; i++)
        print_signal(out, s, i);
    darc_text_align(out, begin, 0);
    for (int i = 0; i < t->remarks; i++)
        darc_text_printf(out, "  note: %s\n", t->remark[i]);
}

void darc_survey_json(darc_text_t out, const darc_survey *s, int surveys,
                      const char *command_line)
{
    darc_json j;
    darc_text_t remark = DARC_TEXT;
    darc_json_begin(&j, out, "data", command_line);
    darc_json_put(&j, "data[");
    for (int k = 0; k < surveys; k++) {
        const darc_table *t = s[k].table;
        darc_json_put(&j, "{" DARC_JSON_SURVEY " signals[", t->file, t->samples,
                      s[k].rate, s[k].duration, t->segments);
        for (int i = 0; i < t->signals; i++) {
            const darc_survey_signal *x = &s[k].signal[i];
            darc_text_reset(remark);
            darc_survey_remark(remark, &s[k], i);
            darc_json_put(&j, "{" DARC_JSON_SIGNAL "}", x->name, x->unit,
                          x->gaps, x->min, x->max, x->mean, x->sd, x->noise,
                          isfinite(x->noise) ? darc_colour_text(x->colour) : "",
                          x->step, x->band, x->tone, remark->s);
        }
        darc_json_put(&j, "]faults[");
        for (int i = 0; i < t->signals; i++)
            for (int n = 0; n < s[k].signal[i].faults; n++) {
                const darc_fault *f = s[k].signal[i].fault + n;
                darc_json_put(&j, "{" DARC_JSON_FAULT "}", t->signal[i].name,
                              darc_fault_text(f->kind), f->share, f->value);
            }
        darc_json_put(&j, "]}");
    }
    darc_json_put(&j, "]");
    darc_json_end(&j);
    darc_text_clear(remark);
}
