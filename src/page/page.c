/* page.c - the pages of a check, of values, of an isolation. */
#include "page/page.h"

#include "base/mem.h"
#include "page/evidence.h"
#include "pointwise/residual.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static void put_question(darc_text_t out, const darc_report *r)
{
    darc_text_puts(out, "<p class=\"asked\">");
    if (strcmp(r->test, "structure") == 0)
        darc_html_put(out, DARC_PAGE_ASKED_STRUCTURE, r->model_name,
                      darc_evidence_file(r->data, 1, 0));
    else
        darc_html_put(out,
                      strcmp(r->test, "equal") == 0 ? DARC_PAGE_ASKED_EQUAL
                                                    : DARC_PAGE_ASKED_CHANGED,
                      darc_evidence_file(r->data, 2, 0),
                      darc_evidence_file(r->data, 2, 1),
                      r->changed != NULL ? r->changed : "");
    darc_text_puts(out, "</p>\n");
}

/* An equation and what follows it, typeset where it is short enough. */
static void put_equation(darc_text_t out, const char *left, const char *right,
                         const darc_mathml_names *names)
{
    darc_text_t math = DARC_TEXT, text = DARC_TEXT;
    darc_text_printf(text, "%s%s", left, right);
    if (darc_mathml(math, text->s, names)) {
        darc_html_put(out, "<div class=\"math\">%h</div>\n", math->s);
    } else {
        darc_text_write(math, text->s,
                        text->len < DARC_MOST_TEXT ? text->len
                                                   : DARC_MOST_TEXT);
        darc_html_put(out, DARC_PAGE_LONG_RELATION, text->len, math->s,
                      text->len > DARC_MOST_TEXT ? " \u2026" : "");
    }
    DARC_EACH(darc_text_clear, math, text);
}

static void put_relation(darc_text_t out, const darc_report_relation *l,
                         const darc_mathml_names *names)
{
    darc_html_put(out, "<p class=\"label\">%s form, order %d, %d %h</p>\n",
                  l->form, l->order, (int)l->terms,
                  strcmp(l->form, "matrix") == 0 ? "entries" : "terms");
    put_equation(out, l->equation, "", names);
    if (l->inequations > 0)
        darc_text_puts(out, DARC_PAGE_ONLY_WHERE);
    for (int i = 0; i < l->inequations; i++)
        put_equation(out, l->inequation[i], " != 0", names);
    if (l->weak != NULL) {
        darc_text_puts(out, DARC_PAGE_WEAK);
        put_equation(out, l->weak, " = 0", NULL);
    }
}

static void put_relations(darc_sheet *s, const darc_report *r,
                          const darc_page *p)
{
    /* Of the signals of two recordings each has a name of its own. */
    const darc_table *t = p->tables < 2 ? NULL : p->table[0];
    darc_mathml_names names = {t != NULL ? t->signals : 0, NULL};
    const char **list = darc_calloc((size_t)names.signals, sizeof *list);
    for (int i = 0; i < names.signals; i++)
        list[i] = t->signal[i].name;
    names.signal = list;
    darc_sheet_section(s, "relation",
                       r->relations > 1 ? "The relations tested"
                                        : "The relation tested");
    darc_text_puts(s->out, DARC_PAGE_RELATION);
    for (int i = 0; i < r->relations; i++) {
        const darc_report_relation *l = &r->relation[i];
        if (r->relations > 1)
            darc_html_put(s->out,
                          "<h3>Relation %d: %t</h3>\n<p class=\"note\">%s</p>"
                          "\n",
                          i + 1, DARC_TAG(l->decision.verdict),
                          l->decision.reason);
        put_relation(s->out, l, &names);
    }
    darc_text_puts(s->out, "</details>\n");
    darc_free((void *)list);
}

static double negative(double x)
{
    return -x;
}

static void plot_residual(darc_sheet *s, const darc_report_relation *l,
                          int axis)
{
    const darc_residual_series *x = l->series;
    darc_plot_time time = {.n = x->count, .time = x->time};
    darc_plot_curve curve[] = {
        {"error band", "", x->bar, "soft", DARC_KEEP_MOST, true, NULL},
        {"", "", x->bar, "soft", DARC_KEEP_MOST, true, negative},
        {"residual", l->residual.unit, x->value, "a", DARC_KEEP_BOTH, false,
         NULL}};
    darc_plot p = darc_plot_begin(&time, axis, 230);
    p.band = p.level = true;
    darc_html_put(p.caption, DARC_PAGE_RESIDUAL_CAPTION, l->residual.unit,
                  l->weak != NULL ? "" : ", truncation, rounding");
    darc_text_printf(p.label,
                     "Residual over time with its error band; rms %.3g, "
                     "largest %.3g",
                     l->residual.rms, l->residual.max);
    darc_plot_end(&p, s, curve, 3);
}

static double log_margin(double x)
{
    return isnan(x) ? NAN : log10(fmax(x, 1e-3));
}

static void plot_margin(darc_sheet *s, const darc_residual_series *x, int axis)
{
    darc_plot_time time = {.n = x->count, .time = x->time};
    size_t known = 0, lost = 0;
    for (size_t k = 0; k < x->count; k++) {
        known += isfinite(x->margin[k]) ? 1 : 0;
        lost += x->margin[k] < 1 ? 1 : 0;
    }
    darc_plot_curve curve = {"margin",       "",    x->margin, "c",
                             DARC_KEEP_BOTH, false, log_margin};
    if (known == 0)
        return;
    darc_plot p = darc_plot_begin(&time, axis, 150);
    p.log = p.level = true;
    darc_text_puts(p.caption, DARC_PAGE_MARGIN);
    darc_text_printf(p.label,
                     "Margin of the inequations over time, on a logarithmic "
                     "scale; below 1 at %.2g percent of the samples",
                     100 * (double)lost / (double)known);
    darc_plot_end(&p, s, &curve, 1);
}

static void put_residual(darc_sheet *s, const darc_report_relation *l)
{
    const darc_residual_series *x = l->series;
    size_t outside = 0; /* the error band */
    if (!isfinite(l->residual.rms))
        return;
    for (size_t k = 0; x != NULL && k < x->count; k++) {
        outside += fabs(x->value[k]) > x->bar[k] ? 1 : 0;
    }
    darc_html_put(s->out, DARC_PAGE_RESIDUAL_SIZE, l->residual.rms,
                  l->residual.unit[0] != '\0' ? " " : "", l->residual.unit,
                  l->residual.max, l->residual.relative_rms);
    if (x != NULL)
        darc_html_put(s->out,
                      " %p of the %s leave the error band of one standard "
                      "deviation, as up to 32\u00a0%% do by noise alone.",
                      (double)outside / (double)x->count,
                      l->weak != NULL ? "test functions" : "samples");
    darc_text_puts(s->out, "</p>\n");
    if (x == NULL)
        return;
    darc_plot_time time = {.n = x->count, .time = x->time};
    int axis = darc_plot_axis(s, &time);
    plot_residual(s, l, axis);
    plot_margin(s, x, axis);
    darc_residual_series_done(x, 0, x->count);
}

/* The stretches, and what moved between them. */
static void put_stretches(darc_sheet *s, const darc_report *r)
{
    if (r->stretches == 0)
        return;
    darc_sheet_section(s, "stretches", "Parameters over time");
    darc_text_t moves = DARC_TEXT;
    darc_sheet_table(s->out, NULL, "#From [s]|#To [s]|Structure|Moves by");
    for (int i = 0; i < r->stretches; i++) {
        const darc_stretch *x = &r->stretch[i];
        darc_text_reset(moves);
        for (int k = 0; k < r->functions && x->change != NULL; k++)
            if (x->change[k].moved)
                darc_html_put(moves, "%m %P<br/>", r->function[k],
                              x->change[k].relative, x->change[k].relative_sd);
        darc_html_row(s->out, "#%n|#%n|%t|%h", x->from, x->to,
                      DARC_TAG(x->verdict), moves->s);
    }
    darc_sheet_table_end(s->out);
    darc_text_clear(moves);
}

static void put_residuals(darc_sheet *s, const darc_report *r)
{
    bool any = false;
    for (int i = 0; i < r->relations; i++)
        any |= isfinite(r->relation[i].residual.rms);
    if (!any)
        return;
    darc_sheet_section(s, "residual", "The residual over time");
    if (r->relation[r->deciding].weak != NULL)
        darc_text_puts(s->out, DARC_PAGE_RESIDUAL);
    for (int i = 0; i < r->relations; i++) {
        if (r->relations > 1)
            darc_html_put(s->out, "<h3>Relation %d</h3>\n", i + 1);
        put_residual(s, &r->relation[i]);
    }
}

static void plot_overlay(darc_sheet *s, const darc_overlay *x)
{
    darc_plot_time time = {.n = x->count, .time = x->time};
    darc_plot_curve curve[] = {
        {"measured", x->unit, x->measured, "a", DARC_KEEP_BOTH, false, NULL},
        {"simulated", x->unit, x->simulated, "b", DARC_KEEP_BOTH, false, NULL}};
    darc_plot p = darc_plot_begin(&time, darc_plot_axis(s, &time), 190);
    p.group = x->file;
    darc_html_put(p.caption, DARC_PAGE_OVERLAY_CAPTION, x->output, x->unit,
                  x->file, x->fit_percent / 100);
    darc_text_printf(p.label, "%s measured and simulated; fit %.4g %%",
                     x->output, x->fit_percent);
    darc_plot_end(&p, s, curve, 2);
}

static void put_overlay(darc_sheet *s, const darc_report *r)
{
    if (r->overlays == 0)
        return;
    darc_sheet_section(s, "overlay", "The model over the recording");
    darc_text_puts(s->out, DARC_PAGE_OVERLAY);
    for (int i = 0; i < r->overlays; i++)
        plot_overlay(s, r->overlay + i);
}

static void put_missing(darc_sheet *s, const darc_report *r)
{
    int terms = 0;
    for (int i = 0; i < r->relations; i++)
        terms += r->relation[i].missing;
    if (terms == 0)
        return;
    darc_sheet_section(s, "missing", "Terms that may be missing");
    darc_text_puts(s->out, DARC_PAGE_MISSING);
    darc_sheet_table(s->out, NULL,
                     "Term|##Explains of the defect|#p-value|#Coefficient, "
                     "over the leading one");
    for (int i = 0; i < r->relations; i++)
        for (int k = 0; k < r->relation[i].missing; k++) {
            const darc_missing_term *m = &r->relation[i].missing_term[k];
            darc_html_row(s->out, "%m|#%p|%B|#%v|#%M", m->term, m->explains,
                          m->explains, m->p_value, m->value, m->sd);
        }
    darc_sheet_table_end(s->out);
}

/* End the page of a command on a model and recordings. */
static void end_page(darc_sheet *s, const char *command, const char *model,
                     const darc_report_data *data, int recordings,
                     const darc_page *p)
{
    const char **file = darc_calloc((size_t)recordings + 1, sizeof *file);
    file[0] = model;
    for (int i = 0; i < recordings; i++)
        file[i + 1] = data[i].file;
    darc_evidence_data(s, p, data, recordings);
    darc_sheet_end(s, command, file, 1 + recordings, p);
    darc_free((void *)file);
}

void darc_page_check(darc_text_t out, const darc_report *r, const darc_page *p)
{
    const darc_decision *d = &r->decision;
    bool check = r->relations > 0;
    char command[64];
    snprintf(command, sizeof command, check ? "%s %s" : "%s", r->command,
             r->test);
    const darc_sheet_head head =
        check
            ? (darc_sheet_head){command, r->model_name, DARC_TAG(d->verdict),
                                d->reason}
            : (darc_sheet_head){command, r->model_name, DARC_TONE_GOOD, command,
                                "what the recordings tell of the parameters"};
    darc_sheet s;
    darc_sheet_begin(&s, out, &head, p,
                     darc_evidence_curves(p) + 4 * r->relations +
                         2 * r->overlays);
    if (check) {
        put_question(out, r);
        darc_evidence_decision(out, d);
    }
    darc_sheet_notes(out, r->note, r->notes);
    if (check)
        darc_evidence_estimates(&s, DARC_TOLD_VALUES(r), r->recordings > 1,
                                d->alpha);
    else
        darc_evidence_estimates(&s, r->value, r->values, false, d->alpha);
    darc_profiles_put(&s, r);
    put_stretches(&s, r);
    put_residuals(&s, r);
    put_missing(&s, r);
    if (p->tables == 1)
        darc_against_put(&s, r, p->table[0]);
    put_overlay(&s, r);
    if (check)
        put_relations(&s, r, p);
    end_page(&s, command, r->model_file, r->data, r->recordings, p);
}

static void put_list(darc_text_t out, const darc_name_list *s)
{
    for (int i = 0; i < s->count; i++)
        darc_html_put(out, i > 0 ? " and %m" : "%m", s->name[i]);
}

/* "m, or c and d" as plain text. */
static void diagnosis_text(darc_text_t out, const darc_isolation *r)
{
    if (r->equal.verdict != DARC_INCONSISTENT) {
        darc_text_puts(out, r->equal.reason);
        return;
    }
    if (r->diagnosis == 0) {
        darc_text_puts(out, "no set of parameters explains the change");
        return;
    }
    for (int i = 0; i < r->diagnosis; i++) {
        const darc_name_list *set = &r->candidate[i].changed;
        darc_text_puts(out, i > 0 ? ", or " : "");
        for (int k = 0; k < set->count; k++)
            darc_text_printf(out, "%s%s", k > 0 ? " and " : "", set->name[k]);
    }
    darc_text_puts(out, " changed");
    if (r->diagnosis > 1)
        darc_text_puts(out, "; the recordings do not tell which");
    darc_isolation_print_moved(out, r);
}

static void put_candidate(darc_text_t out, const darc_suspect *c,
                          bool diagnosed)
{
    static const char cells[] = "*%h|%h|%t|#%v|#%h|%h%h";
    darc_text_t name = DARC_TEXT, defect = DARC_TEXT, like = DARC_TEXT;
    put_list(name, &c->changed);
    if (isfinite(c->decision.defect))
        darc_html_put(defect, "%p", c->decision.defect);
    for (int i = 0; i < c->equivalents; i++) {
        darc_text_puts(like, i > 0 ? " or " : "");
        put_list(like, &c->equivalent[i]);
    }
    darc_html_row(
        out, cells + !diagnosed, name->s, diagnosed ? "<b>yes</b>" : "no",
        DARC_TAG(c->decision.verdict), c->decision.p_value, defect->s, like->s,
        c->free               ? "any change: nothing is tested"
        : c->equivalents == 0 ? "\u2013"
                              : "");
    DARC_EACH(darc_text_clear, name, defect, like);
}

static void put_candidates(darc_sheet *s, const darc_isolation *x)
{
    darc_sheet_section(s, "candidates", "Candidates and isolability");
    if (x->candidates == 0)
        darc_text_puts(s->out, DARC_PAGE_NO_CHANGE);
    else {
        darc_text_puts(s->out, DARC_PAGE_CANDIDATES);
        darc_sheet_table(s->out, NULL,
                         "Changed alone|Diagnosis|Verdict|#p-value|#Others "
                         "would move|Indistinguishable by any data");
    }
    for (int i = 0; i < x->candidates; i++)
        put_candidate(s->out, &x->candidate[i], i < x->diagnosis);
    if (x->candidates > 0)
        darc_sheet_table_end(s->out);
    for (int i = 0; i < x->unseen.count; i++)
        darc_html_put(s->out, DARC_PAGE_UNSEEN, x->unseen.name[i]);
}

void darc_page_isolation(darc_text_t out, const darc_isolation *r,
                         const darc_page *p)
{
    darc_text_t sentence = DARC_TEXT;
    diagnosis_text(sentence, r);
    darc_sheet_head head = {"isolate", r->model_name, darc_tone_of(r->verdict),
                            r->equal.verdict == DARC_CONSISTENT  ? "no change"
                            : r->equal.verdict == DARC_UNDECIDED ? "undecided"
                            : r->diagnosis == 0                  ? "unexplained"
                            : r->verdict == DARC_CONSISTENT      ? "isolated"
                                                                 : "undecided",
                            sentence->s};
    darc_sheet s;
    darc_sheet_begin(&s, out, &head, p, darc_evidence_curves(p));
    if (r->recordings == 2)
        darc_html_put(out, DARC_PAGE_ASKED_ISOLATE,
                      darc_evidence_file(r->data, 2, 0),
                      darc_evidence_file(r->data, 2, 1));
    else
        darc_html_put(out, DARC_PAGE_ASKED_DIFFER, r->recordings);
    darc_sheet_notes(out, r->note, r->notes);
    put_candidates(&s, r);
    darc_sheet_section(&s, "equal", "Are all parameters equal?");
    darc_html_put(out, "<p>%t: %s</p>\n", DARC_TAG(r->equal.verdict),
                  r->equal.reason);
    darc_evidence_decision(out, &r->equal);
    darc_evidence_estimates(&s, DARC_TOLD_VALUES(r), true, r->equal.alpha);
    end_page(&s, "isolate", r->model_file, r->data, r->recordings, p);
    darc_text_clear(sentence);
}
