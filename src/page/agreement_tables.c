#include "page/agreement_tables.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

/* Open a table with a caption (NULL: none); columns end with NULL; a name
 * that begins with # is that of numbers. */
static void open_table(darc_text_t out, const char *caption, ...)
{
    va_list args;
    va_start(args, caption);
    darc_text_puts(out, "<div class=\"scroll\"><table>\n");
    if (caption != NULL)
        darc_html_put(out, "<caption>%s</caption>\n", caption);
    darc_text_puts(out, "<thead><tr>");
    for (const char *name; (name = va_arg(args, const char *)) != NULL;)
        darc_html_put(out, "<th scope=\"col\"%h>%s</th>",
                      name[0] == '#' ? " class=\"n\"" : "",
                      name + (name[0] == '#'));
    darc_text_puts(out, "</tr></thead>\n<tbody>\n");
    va_end(args);
}

static void close_table(darc_text_t out)
{
    darc_text_puts(out, "</tbody></table></div>\n");
}

/* A number from 0 to 1 with a bar as long. */
static void put_share(darc_text_t out, double x)
{
    darc_html_put(out, "<td class=\"n\">%n</td>", x);
    if (isfinite(x))
        darc_html_put(out,
                      "<td><svg width=\"90\" height=\"10\" viewBox=\"0 0 90 "
                      "10\" aria-hidden=\"true\"><path class=\"grid\" d=\"M0 "
                      "5H90\"/><path class=\"bar a\" "
                      "style=\"stroke-width:8\" d=\"M0 5H%q\"/></svg></td>",
                      90 * fmin(fmax(x, 0), 1));
    else
        darc_text_puts(out, "<td></td>");
}

void darc_agreement_table_outputs(darc_text_t out, const darc_comparison *c)
{
    open_table(out, "1 is full agreement; Theil's coefficients are 0 there",
               "Output", "#Data consistency", "", "#Proximity", "#Shape",
               "#Theil", "#Theil, reference", (char *)NULL);
    for (int i = 0; i < c->outputs; i++) {
        const darc_compare_run *m = &c->output[i].mean;
        darc_html_put(out, "<tr><th scope=\"row\">%s</th>", c->output[i].name);
        put_share(out, m->data_consistency);
        darc_html_put(out,
                      "<td class=\"n\">%n</td><td class=\"n\">%n</td><td "
                      "class=\"n\">%n</td><td class=\"n\">%n</td></tr>\n",
                      m->proximity, m->grey.degree, m->theil,
                      m->theil_reference);
    }
    close_table(out);
    for (int i = 0; i < c->outputs; i++)
        if (c->output[i].mean.grey.parallel)
            darc_html_put(out,
                          "<p class=\"note\">%s: the signals lie at a nearly "
                          "constant distance. The grey degree (shape) cannot "
                          "see an offset; look at the proximity.</p>\n",
                          c->output[i].name);
}

static void put_errors(darc_text_t out, const darc_compare_run *r, int run)
{
    darc_html_put(out,
                  "<tr><th scope=\"row\">%d</th><td class=\"n\">%n</td><td "
                  "class=\"n\">%p</td><td class=\"n\">%n</td><td "
                  "class=\"n\">%n</td><td class=\"n\">%n</td></tr>\n",
                  run, r->errors.rms, r->errors.nrmse, r->errors.max_error,
                  r->max_error_time, r->errors.r_squared);
}

static void put_rating(darc_text_t out, const darc_iso18571 *v, int run)
{
    darc_html_put(out, "<tr><th scope=\"row\">%d</th>", run);
    if (v->undefined != NULL)
        darc_html_put(out, "<td colspan=\"7\">not defined: %s</td></tr>\n",
                      v->undefined);
    else
        darc_html_put(out,
                      "<td class=\"n\">%n</td><td>%s</td><td "
                      "class=\"n\">%n</td><td class=\"n\">%n</td><td "
                      "class=\"n\">%n</td><td class=\"n\">%n</td><td "
                      "class=\"n\">%n</td></tr>\n",
                      v->rating, v->grade, v->corridor, v->phase, v->magnitude,
                      v->slope, v->shift);
}

void darc_agreement_table_runs(darc_text_t out, const darc_comparison *c,
                               const darc_compare_output *o)
{
    char caption[300];
    snprintf(caption, sizeof caption,
             o->unit[0] != '\0' ? "%.150s: errors, in %.80s"
                                : "%.150s: errors%.0s",
             o->name, o->unit);
    open_table(out, caption, "Run", "#RMS", "#RMS of the range", "#Largest",
               "#at [s]", "#R\u00b2", (char *)NULL);
    for (int k = 0; k < c->runs; k++)
        put_errors(out, &o->run[k], k + 1);
    close_table(out);
    snprintf(caption, sizeof caption,
             "%.150s: rating of ISO/TS 18571, as far "
             "as it is public",
             o->name);
    open_table(out, caption, "Run", "#Rating", "Grade", "#Corridor", "#Phase",
               "#Magnitude", "#Slope", "#Time shift [s]", (char *)NULL);
    for (int k = 0; k < c->runs; k++)
        put_rating(out, &o->run[k].iso, k + 1);
    close_table(out);
}

/* ---- features ----------------------------------------------------------- */

static bool has_features(const darc_comparison *c)
{
    for (int i = 0; i < c->outputs; i++)
        for (int f = 0; f < DARC_FEATURE_COUNT; f++)
            if (c->output[i].wanted[f] || c->output[i].interval_known[f])
                return true;
    return false;
}

static void put_feature(darc_text_t out, const darc_compare_output *o, int f)
{
    darc_html_put(out, "<tr><th scope=\"row\">%s %s</th>", o->name,
                  darc_feature_name((darc_feature)f));
    if (o->missing[f] != NULL) {
        darc_html_put(out, "<td colspan=\"4\">left out: %s</td></tr>\n",
                      o->missing[f]);
        return;
    }
    darc_html_put(out, "<td class=\"n\">%n</td><td class=\"n\">%n</td>",
                  o->reference[f], o->mean.feature[f]);
    put_share(out, o->mean.consistency[f]);
    darc_text_puts(out, "</tr>\n");
}

static void put_interval(darc_text_t out, const darc_compare_output *o, int f)
{
    const darc_interval *v = &o->interval[f];
    darc_html_put(out,
                  "<tr><th scope=\"row\">%s %s</th><td class=\"n\">%n</td><td "
                  "class=\"n\">%n to %n</td><td>%h</td><td>%h</td><td>%s, %p"
                  "</td></tr>\n",
                  o->name, darc_feature_name((darc_feature)f), v->difference,
                  v->low, v->high,
                  v->zero_inside ? "\u2713 none shown" : "\u2717 yes",
                  v->tolerance <= 0 ? "\u2013"
                  : v->within       ? "\u2713 inside"
                                    : "\u2717 not inside",
                  v->method, v->level);
}

void darc_agreement_table_features(darc_sheet *s, const darc_comparison *c)
{
    if (!has_features(c))
        return;
    darc_sheet_section(s, "features", "Features");
    open_table(s->out, NULL, "Feature", "#Reference", "#Simulation",
               "#Consistency", "", (char *)NULL);
    int intervals = 0;
    for (int i = 0; i < c->outputs; i++)
        for (int f = 0; f < DARC_FEATURE_COUNT; f++) {
            if (c->output[i].wanted[f])
                put_feature(s->out, &c->output[i], f);
            intervals += c->output[i].interval_known[f];
        }
    close_table(s->out);
    if (intervals == 0) {
        darc_text_puts(s->out,
                       "<p class=\"note\">No confidence intervals: they need "
                       "two runs of each at least; the samples of one run are "
                       "no replicates.</p>\n");
        return;
    }
    open_table(s->out, "Simulation \u2212 reference, over replicated runs",
               "Feature", "#Difference", "#Interval", "A difference?",
               "Within the tolerance?", "Method", (char *)NULL);
    for (int i = 0; i < c->outputs; i++)
        for (int f = 0; f < DARC_FEATURE_COUNT; f++)
            if (c->output[i].interval_known[f])
                put_interval(s->out, &c->output[i], f);
    close_table(s->out);
}

/* ---- spectra, weights, steps -------------------------------------------- */

static void put_bands(darc_text_t out, const char *name, int run,
                      const darc_spectra *x)
{
    char caption[300];
    snprintf(caption, sizeof caption,
             "%.150s, run %d: %d of %d bands accepted, %g %% for all together",
             name, run, x->accepted, x->bands, 100 * x->level);
    open_table(out, caption, "#From [Hz]", "#To [Hz]",
               "#Power, simulation over reference", "#Interval", "#By Burg",
               "Accepted", (char *)NULL);
    for (int k = 0; k < x->bands; k++) {
        const darc_band *b = &x->band[k];
        darc_html_put(out,
                      "<tr><td class=\"n\">%n</td><td class=\"n\">%n</td><td "
                      "class=\"n\">%n</td><td class=\"n\">%n to %n</td><td "
                      "class=\"n\">%n</td><td>%h</td></tr>\n",
                      b->low, b->high, b->ratio, b->ratio_low, b->ratio_high,
                      b->burg_ratio, b->accepted ? "\u2713 yes" : "\u2717 no");
    }
    close_table(out);
}

void darc_agreement_table_spectra(darc_sheet *s, const darc_comparison *c)
{
    bool begun = false;
    for (int i = 0; i < c->outputs; i++)
        for (int k = 0; k < c->runs; k++) {
            const darc_spectra *x = &c->output[i].run[k].spectra;
            if (x->bands == 0)
                continue;
            if (!begun)
                darc_sheet_section(s, "spectra", "Spectra, band by band");
            begun = true;
            put_bands(s->out, c->output[i].name, k + 1, x);
        }
}

void darc_agreement_table_weights(darc_text_t out, const darc_agreement *a)
{
    open_table(out, NULL, "Consistency of", "#Weight", "#Mean over runs", "",
               (char *)NULL);
    for (int i = 0; i < a->columns; i++) {
        darc_html_put(out,
                      "<tr><th scope=\"row\">%s</th><td class=\"n\">%n"
                      "</td>",
                      a->column[i].name, a->column[i].weight);
        put_share(out, a->column[i].mean);
        darc_text_puts(out, "</tr>\n");
    }
    close_table(out);
    darc_html_put(out, "<p>Combined: <b>%n</b>.%h%s</p>\n", a->consistency,
                  a->note != NULL ? " Weights are equal: " : "",
                  a->note != NULL ? a->note : "");
}

void darc_agreement_table_steps(darc_sheet *s, const darc_validation *v)
{
    darc_sheet_section(s, "validation", "Validation in four steps");
    open_table(s->out, NULL, "Step", "Passed", "Evidence", (char *)NULL);
    for (int k = 0; k < DARC_STEP_COUNT; k++)
        darc_html_put(s->out,
                      "<tr><th scope=\"row\">%s</th><td>%h</td><td>%s</td>"
                      "</tr>\n",
                      darc_validation_name((darc_validation_step)k),
                      v->passed[k] == DARC_TRUE    ? "\u2713 yes"
                      : v->passed[k] == DARC_FALSE ? "\u2717 no"
                                                   : "? to do",
                      v->evidence[k]);
    close_table(s->out);
}
