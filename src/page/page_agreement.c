/* page_agreement.c - the page of a comparison of simulated with reference
 * recordings. */
#include "page/page.h"

#include "base/mem.h"
#include "page/plot.h"
#include "page/thresholds.h"
#include "stats/columns.h"

#include <math.h>
#include <stdio.h>

static const char *const colour[] = {"b", "c", "d"};

/* The curves of output i: the reference and the runs, or their differences. */
static void put_overlay(darc_sheet *s, const darc_comparison *c,
                        const darc_aligned *a, int i, bool difference,
                        double *const *curve)
{
    const darc_compare_output *o = &c->output[i];
    int runs = c->runs < DARC_MOST_RUNS ? c->runs : DARC_MOST_RUNS, n = 0;
    darc_plot_time time = {.n = a->samples, .time = a->time};
    darc_plot_curve list[1 + DARC_MOST_RUNS] = {
        {"reference", o->unit, curve[0], "a", DARC_KEEP_BOTH, false, NULL}};
    char name[DARC_MOST_RUNS][32];
    darc_plot p = darc_plot_begin(&time, 0, difference ? 130 : 220);
    p.level = difference;
    darc_html_put(p.caption, "<b>%s</b> <span class=\"unit\">%u</span>",
                  difference ? "Simulation \u2212 reference" : o->name,
                  o->unit);
    if (!difference) {
        darc_text_puts(p.caption, "<span class=\"swatch\"></span>reference");
        n++;
    }
    for (int r = 0; r < runs; r++) {
        darc_html_put(p.caption,
                      runs > 1
                          ? "<span class=\"swatch %h\"></span>simulation %d"
                          : "<span class=\"swatch %h\"></span>simulation",
                      colour[r], r + 1);
        snprintf(name[r], sizeof name[r],
                 c->runs > 1 ? "simulation %d" : "simulation", r + 1);
        list[n++] = (darc_plot_curve){.label = name[r],
                                      .unit = o->unit,
                                      .value = curve[1 + r],
                                      .colour = colour[r]};
    }
    darc_text_printf(p.label, "%s of %s over time, %.4g to %.4g s",
                     difference ? "Difference of simulation and reference"
                                : "Reference and simulation",
                     o->name, c->begin, c->end);
    darc_plot_end(&p, s, list, n);
}

static void put_output_curves(darc_sheet *s, const darc_comparison *c,
                              const darc_aligned *a, int i)
{
    int runs = c->runs < DARC_MOST_RUNS ? c->runs : DARC_MOST_RUNS;
    double **own = darc_columns_new((size_t)runs + 1, a->samples);
    double *curve[1 + DARC_MOST_RUNS] = {own[0]};
    for (size_t k = 0; k < a->samples; k++) { /* the mean of the references */
        double sum = 0;
        for (int r = 0; r < c->references; r++)
            sum += a->value[r * a->signals + i][k];
        own[0][k] = sum / c->references;
    }
    for (int r = 0; r < runs; r++) { /* the runs, and their errors */
        curve[1 + r] = a->value[(c->references + r) * a->signals + i];
        for (size_t k = 0; k < a->samples; k++)
            own[1 + r][k] = curve[1 + r][k] - own[0][k];
    }
    put_overlay(s, c, a, i, false, curve);
    put_overlay(s, c, a, i, true, own);
    darc_columns_free(own);
}

static void put_curves(darc_sheet *s, const darc_comparison *c,
                       const darc_page *p)
{
    darc_aligned a;
    const char **name = darc_calloc((size_t)c->outputs, sizeof *name);
    for (int i = 0; i < c->outputs; i++)
        name[i] = c->output[i].name;
    if (p->tables == c->references + c->runs &&
        darc_aligned_init(&a, p->table, p->tables, name, c->outputs, NULL) ==
            DARC_OK) {
        darc_plot_time time = {.n = a.samples, .time = a.time};
        darc_sheet_section(s, "curves", "Reference and simulation");
        darc_plot_tools(s);
        darc_plot_axis(s, &time);
        for (int i = 0; i < c->outputs && i < DARC_MOST_OUTPUTS; i++)
            put_output_curves(s, c, &a, i);
        if (c->runs > DARC_MOST_RUNS || c->outputs > DARC_MOST_OUTPUTS)
            darc_html_put(s->out, DARC_PAGE_MOST_CURVES, DARC_MOST_RUNS,
                          DARC_MOST_OUTPUTS);
        darc_aligned_clear(&a);
    }
    darc_free((void *)name);
}

static void put_outputs_table(darc_text_t out, const darc_comparison *c)
{
    const darc_compare_output *o = c->output;
    DARC_SHEET_ROWS(
        out, "1 is full agreement; Theil's coefficients are 0 there",
        "Output|#Data consistency||#Proximity|#Shape|#Theil|#Theil, reference",
        i, c->outputs, "%s|#%b|#%n|#%n|#%n|#%n", o[i].name,
        o[i].mean.data_consistency, o[i].mean.proximity, o[i].mean.grey.degree,
        o[i].mean.theil, o[i].mean.theil_reference);
    for (int i = 0; i < c->outputs; i++)
        if (o[i].mean.grey.parallel)
            darc_html_put(out, DARC_PAGE_PARALLEL, o[i].name);
}

static void put_runs_table(darc_text_t out, const darc_comparison *c,
                           const darc_compare_output *o)
{
    const darc_compare_run *r = o->run;
    char caption[300];
    snprintf(caption, sizeof caption,
             o->unit[0] != '\0' ? "%.150s: errors, in %.80s"
                                : "%.150s: errors%.0s",
             o->name, o->unit);
    DARC_SHEET_ROWS(out, caption,
                    "Run|#RMS|#RMS of the range|#Largest|#at [s]|#R\u00b2", k,
                    c->runs, "%d|#%n|#%p|#%n|#%n|#%n", k + 1, r[k].errors.rms,
                    r[k].errors.nrmse, r[k].errors.max_error,
                    r[k].max_error_time, r[k].errors.r_squared);
    snprintf(caption, sizeof caption,
             "%.150s: rating of ISO/TS 18571, as far as it is public", o->name);
    darc_sheet_table(
        out, caption,
        "Run|#Rating|Grade|#Corridor|#Phase|#Magnitude|#Slope|#Time shift [s]");
    for (int k = 0; k < c->runs; k++) {
        const darc_iso18571 *v = &r[k].iso;
        if (v->undefined != NULL)
            darc_html_row(out, "%d|7not defined: %s", k + 1, v->undefined);
        else
            darc_html_row(out, "%d|#%n|%s|#%n|#%n|#%n|#%n|#%n", k + 1,
                          v->rating, v->grade, v->corridor, v->phase,
                          v->magnitude, v->slope, v->shift);
    }
    darc_sheet_table_end(out);
}

static void put_feature(darc_text_t out, const darc_compare_output *o, int f)
{
    const char *name = darc_feature_name((darc_feature)f);
    if (o->missing[f] != NULL)
        darc_html_row(out, "%s %s|4left out: %s", o->name, name, o->missing[f]);
    else
        darc_html_row(out, "%s %s|#%n|#%n|#%b", o->name, name, o->reference[f],
                      o->mean.feature[f], o->mean.consistency[f]);
}

static void put_interval(darc_text_t out, const darc_compare_output *o, int f)
{
    const darc_interval *v = &o->interval[f];
    darc_html_row(out, "%s %s|#%n|#%n to %n|%h|%h|%s, %p", o->name,
                  darc_feature_name((darc_feature)f), v->difference, v->low,
                  v->high, v->zero_inside ? "\u2713 none shown" : "\u2717 yes",
                  v->tolerance <= 0 ? "\u2013"
                  : v->within       ? "\u2713 inside"
                                    : "\u2717 not inside",
                  v->method, v->level);
}

static void put_features_table(darc_sheet *s, const darc_comparison *c)
{
    int features = 0, intervals = 0;
    for (int i = 0; i < c->outputs; i++)
        for (int f = 0; f < DARC_FEATURE_COUNT; f++) {
            features += c->output[i].wanted[f];
            intervals += c->output[i].interval_known[f];
        }
    if (features + intervals == 0)
        return;
    darc_sheet_section(s, "features", "Features");
    darc_sheet_table(s->out, NULL,
                     "Feature|#Reference|#Simulation|#Consistency|");
    for (int i = 0; i < c->outputs; i++)
        for (int f = 0; f < DARC_FEATURE_COUNT; f++)
            if (c->output[i].wanted[f])
                put_feature(s->out, &c->output[i], f);
    darc_sheet_table_end(s->out);
    if (intervals == 0) {
        darc_text_puts(s->out, DARC_PAGE_NO_INTERVALS);
        return;
    }
    darc_sheet_table(s->out,
                     "Simulation \u2212 reference, over replicated runs",
                     "Feature|#Difference|#Interval|A difference?|Within the "
                     "tolerance?|Method");
    for (int i = 0; i < c->outputs; i++)
        for (int f = 0; f < DARC_FEATURE_COUNT; f++)
            if (c->output[i].interval_known[f])
                put_interval(s->out, &c->output[i], f);
    darc_sheet_table_end(s->out);
}

static void put_spectra_table(darc_sheet *s, const darc_comparison *c)
{
    char caption[300];
    bool begun = false;
    for (int n = 0; n < c->outputs * c->runs; n++) {
        const darc_compare_output *o = &c->output[n / c->runs];
        const darc_spectra *x = &o->run[n % c->runs].spectra;
        if (x->bands == 0)
            continue;
        if (!begun)
            darc_sheet_section(s, "spectra", "Spectra, band by band");
        begun = true;
        snprintf(
            caption, sizeof caption,
            "%.150s, run %d: %d of %d bands accepted, %g %% for all together",
            o->name, n % c->runs + 1, x->accepted, x->bands, 100 * x->level);
        const darc_band *b = x->band;
        DARC_SHEET_ROWS(s->out, caption,
                        "#From [Hz]|#To [Hz]|#Power, simulation over "
                        "reference|#Interval|#By Burg|Accepted",
                        k, x->bands, "#%n|#%n|#%n|#%n to %n|#%n|%h", b[k].low,
                        b[k].high, b[k].ratio, b[k].ratio_low, b[k].ratio_high,
                        b[k].burg_ratio,
                        b[k].accepted ? "\u2713 yes" : "\u2717 no");
    }
}

static void put_weights_table(darc_text_t out, const darc_agreement *a)
{
    DARC_SHEET_ROWS(out, NULL, "Consistency of|#Weight|#Mean over runs|", i,
                    a->columns, "%s|#%n|#%b", a->column[i].name,
                    a->column[i].weight, a->column[i].mean);
    darc_html_put(out, "<p>Combined: <b>%n</b>.%h%s</p>\n", a->consistency,
                  a->note != NULL ? " Reckoned with " : "",
                  a->note != NULL ? a->note : "");
}

static void set_head(darc_sheet_head *head, darc_text_t sentence,
                     double consistency, double accept, const char *subject)
{
    bool asked = isfinite(accept), good = !(consistency < accept);
    darc_html_number(sentence, consistency, 4);
    darc_text_puts(sentence, " of 1 is the combined consistency");
    if (asked) {
        darc_text_puts(sentence, good ? "; at least " : "; less than ");
        darc_html_number(sentence, accept, 4);
        darc_text_puts(sentence,
                       good ? " was asked for" : ", which was asked for");
    }
    *head = (darc_sheet_head){"compare", subject,
                              !asked ? DARC_TONE_PLAIN
                              : good ? DARC_TONE_GOOD
                                     : DARC_TONE_BAD,
                              !asked ? "compared"
                              : good ? "accepted"
                                     : "not accepted",
                              sentence->s};
}

static void put_question(darc_text_t out, const darc_comparison *c,
                         const darc_page *p)
{
    const char *a = p->tables > 0 ? p->table[0]->file : "the reference";
    const char *b =
        p->tables > c->references ? p->table[c->references]->file : "";
    darc_html_put(out, DARC_PAGE_ASKED_AGREEMENT, b,
                  c->runs > 1 ? " (and other runs)" : "", a,
                  c->references > 1 ? " (the mean of several)" : "");
    darc_html_put(
        out, DARC_PAGE_COMPARED, c->samples, c->offered, c->begin, c->end,
        c->resampled ? " Some runs have other times: they were "
                       "brought onto those of the first reference "
                       "by straight lines."
                     : "",
        c->inputs->len > 0 ? " <b>Other inputs:</b> " : "", c->inputs->s);
}

static void put_comparison(darc_sheet *s, const darc_comparison *c,
                           const darc_page *p)
{
    put_question(s->out, c, p);
    put_outputs_table(s->out, c);
    put_curves(s, c, p);
    darc_sheet_section(s, "measures", "Measures of each run");
    for (int i = 0; i < c->outputs; i++)
        put_runs_table(s->out, c, &c->output[i]);
    put_features_table(s, c);
    put_spectra_table(s, c);
}

/* Return the number of curves that are drawn of a comparison. */
static int curves_of(const darc_comparison *c)
{
    int runs = c->runs < DARC_MOST_RUNS ? c->runs : DARC_MOST_RUNS;
    return (1 + 2 * runs) *
           (c->outputs < DARC_MOST_OUTPUTS ? c->outputs : DARC_MOST_OUTPUTS);
}

void darc_page_agreement(darc_text_t out, const darc_comparison *c,
                         const darc_agreement *a, const darc_validation *v,
                         const darc_page *p)
{
    darc_text_t sentence = DARC_TEXT, subject = DARC_TEXT;
    darc_sheet_head head;
    darc_sheet s;
    const char **file = darc_calloc((size_t)p->tables + 1, sizeof *file);
    for (int i = 0; i < p->tables; i++)
        file[i] = p->table[i]->file;
    if (c == NULL)
        darc_text_puts(subject, "table of consistencies");
    else if (p->tables > c->references)
        darc_text_printf(subject, "%s against %s", file[c->references],
                         file[0]);
    set_head(&head, sentence, a->consistency, p->accept, subject->s);
    darc_sheet_begin(&s, out, &head, p, c != NULL ? curves_of(c) : 0);
    if (c != NULL)
        put_comparison(&s, c, p);
    else
        darc_text_puts(out, DARC_PAGE_ASKED_WEIGHTS);
    darc_sheet_section(&s, "weights", "How it was combined");
    put_weights_table(out, a);
    if (v != NULL) {
        static const char *const passed[] = {[DARC_TRUE] = "\u2713 yes",
                                             [DARC_FALSE] = "\u2717 no",
                                             [DARC_UNKNOWN] = "? to do"};
        darc_sheet_section(&s, "validation", "Validation in four steps");
        DARC_SHEET_ROWS(out, NULL, "Step|Passed|Evidence", k, DARC_STEP_COUNT,
                        "%s|%h|%s",
                        darc_validation_name((darc_validation_step)k),
                        passed[v->passed[k]], v->evidence[k]);
    }
    darc_sheet_end(&s, "compare", file, p->tables, p);
    darc_free((void *)file);
    DARC_EACH(darc_text_clear, sentence, subject);
}
