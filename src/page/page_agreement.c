/* page_agreement.c - the page of a comparison of simulated with reference
 * recordings. */
#include "page/page.h"

#include "agree/align.h"
#include "base/mem.h"
#include "page/agreement_tables.h"
#include "page/plot.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_RUNS = 3, MOST_OUTPUTS = 20 };

/* ---- curves ------------------------------------------------------------- */

/* Set mean to the mean of the references. */
static void average(double *mean, const darc_aligned *a, int references,
                    int output)
{
    for (size_t k = 0; k < a->samples; k++) {
        double sum = 0;
        for (int r = 0; r < references; r++)
            sum += a->value[r * a->signals + output][k];
        mean[k] = sum / references;
    }
}

static const char *const colour[] = {"b", "c", "d"};
static const char *const swatch[] = {"b", "c", "d"};

static void put_caption(darc_text_t out, const darc_compare_output *o, int runs,
                        bool difference)
{
    darc_html_put(out, "<b>%s%h</b> <span class=\"unit\">%s</span>",
                  difference ? "Simulation \u2212 reference" : o->name, "",
                  o->unit);
    if (!difference)
        darc_text_puts(out, "<span class=\"swatch\"></span>reference");
    for (int r = 0; r < runs; r++) {
        darc_html_put(out, "<span class=\"swatch %h\"></span>simulation",
                      swatch[r]);
        if (runs > 1)
            darc_html_put(out, " %d", r + 1);
    }
}

/* The curves of output i: the reference and the runs, or their differences. */
static void put_overlay(darc_sheet *s, const darc_comparison *c,
                        const darc_aligned *a, int i, bool difference,
                        double *const *curve)
{
    const darc_compare_output *o = &c->output[i];
    int runs = c->runs < MOST_RUNS ? c->runs : MOST_RUNS, n = 0;
    darc_plot_time time = {.n = a->samples, .time = a->time};
    darc_plot_curve list[1 + MOST_RUNS];
    char name[MOST_RUNS][32];
    if (!difference)
        list[n++] = (darc_plot_curve){.label = "reference",
                                      .unit = o->unit,
                                      .value = curve[0],
                                      .colour = "a"};
    for (int r = 0; r < runs; r++) {
        snprintf(name[r], sizeof name[r],
                 c->runs > 1 ? "simulation %d" : "simulation", r + 1);
        list[n++] = (darc_plot_curve){.label = name[r],
                                      .unit = o->unit,
                                      .value = curve[1 + r],
                                      .colour = colour[r]};
    }
    darc_text_t caption, label;
    darc_text_init(caption);
    darc_text_init(label);
    put_caption(caption, o, runs, difference);
    darc_text_printf(label, "%s of %s over time, %.4g to %.4g s",
                     difference ? "Difference of simulation and reference"
                                : "Reference and simulation",
                     o->name, c->begin, c->end);
    darc_plot_put(s, &(darc_plot){.caption = caption->s,
                                  .label = label->s,
                                  .group = "first",
                                  .axis = 0,
                                  .time = &time,
                                  .height = difference ? 130 : 220,
                                  .levels = difference ? 1 : 0,
                                  .curves = n,
                                  .curve = list});
    darc_text_clear(caption);
    darc_text_clear(label);
}

static void put_output_curves(darc_sheet *s, const darc_comparison *c,
                              const darc_aligned *a, int i)
{
    int runs = c->runs < MOST_RUNS ? c->runs : MOST_RUNS;
    double *curve[1 + MOST_RUNS] = {NULL};
    double *error[1 + MOST_RUNS] = {NULL};
    curve[0] = darc_calloc(a->samples, sizeof *curve[0]);
    average(curve[0], a, c->references, i);
    for (int r = 0; r < runs; r++) {
        curve[1 + r] = a->value[(c->references + r) * a->signals + i];
        error[1 + r] = darc_calloc(a->samples, sizeof *error[0]);
        for (size_t k = 0; k < a->samples; k++)
            error[1 + r][k] = curve[1 + r][k] - curve[0][k];
    }
    put_overlay(s, c, a, i, false, curve);
    put_overlay(s, c, a, i, true, error);
    for (int r = 0; r < runs; r++)
        darc_free(error[1 + r]);
    darc_free(curve[0]);
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
        for (int i = 0; i < c->outputs && i < MOST_OUTPUTS; i++)
            put_output_curves(s, c, &a, i);
        if (c->runs > MOST_RUNS || c->outputs > MOST_OUTPUTS)
            darc_html_put(s->out,
                          "<p class=\"note\">At most %d simulations and %d "
                          "outputs are drawn.</p>\n",
                          MOST_RUNS, MOST_OUTPUTS);
        darc_aligned_clear(&a);
    }
    darc_free((void *)name);
}

/* ---- the page ----------------------------------------------------------- */

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
    darc_html_put(out,
                  "<p class=\"asked\">How well does <b>%s</b>%h agree "
                  "with <b>%s</b>%h?</p>\n",
                  b, c->runs > 1 ? " (and other runs)" : "", a,
                  c->references > 1 ? " (the mean of several)" : "");
    darc_html_put(out,
                  "<p class=\"note\">%z of %z samples compared, %n to %n s.%h"
                  "</p>\n",
                  c->samples, c->offered, c->begin, c->end,
                  c->resampled ? " Some runs have other times: they were "
                                 "brought onto those of the first reference "
                                 "by straight lines."
                               : "");
}

static void end_page(darc_sheet *s, const darc_page *p)
{
    const char **file = darc_calloc((size_t)p->tables + 1, sizeof *file);
    for (int i = 0; i < p->tables; i++)
        file[i] = p->table[i]->file;
    darc_sheet_end(s, "compare", file, p->tables, p);
    darc_free((void *)file);
}

void darc_page_agreement(darc_text_t out, const darc_comparison *c,
                         const darc_agreement *a, const darc_validation *v,
                         const darc_page *p)
{
    darc_text_t sentence;
    darc_text_init(sentence);
    darc_sheet_head head;
    darc_text_t subject;
    darc_text_init(subject);
    if (p->tables > c->references)
        darc_text_printf(subject, "%s against %s",
                         p->table[c->references]->file, p->table[0]->file);
    set_head(&head, sentence, a->consistency, p->accept, subject->s);
    int runs = c->runs < MOST_RUNS ? c->runs : MOST_RUNS;
    int outputs = c->outputs < MOST_OUTPUTS ? c->outputs : MOST_OUTPUTS;
    darc_sheet s;
    darc_sheet_begin(&s, out, &head, (1 + 2 * runs) * outputs);
    put_question(out, c, p);
    darc_agreement_table_outputs(out, c);
    put_curves(&s, c, p);
    darc_sheet_section(&s, "measures", "Measures of each run");
    for (int i = 0; i < c->outputs; i++)
        darc_agreement_table_runs(out, c, &c->output[i]);
    darc_agreement_table_features(&s, c);
    darc_agreement_table_spectra(&s, c);
    darc_sheet_section(&s, "weights", "How it was combined");
    darc_agreement_table_weights(out, a);
    if (v != NULL)
        darc_agreement_table_steps(&s, v);
    end_page(&s, p);
    darc_text_clear(sentence);
    darc_text_clear(subject);
}

void darc_page_weights(darc_text_t out, const darc_agreement *a,
                       const darc_page *p)
{
    darc_text_t sentence;
    darc_text_init(sentence);
    darc_sheet_head head;
    set_head(&head, sentence, a->consistency, p->accept,
             "table of consistencies");
    darc_sheet s;
    darc_sheet_begin(&s, out, &head, 0);
    darc_text_puts(out, "<p class=\"asked\">How consistent are these runs, all "
                        "columns together?</p>\n");
    darc_sheet_section(&s, "weights", "How it was combined");
    darc_agreement_table_weights(out, a);
    end_page(&s, p);
    darc_text_clear(sentence);
}
