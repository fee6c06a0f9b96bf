#include "decide/judgement.h"

#include "base/mem.h"
#include "coefficient/ratio.h"
#include "fit/thresholds.h"
#include "model/derived.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Let a note be number `at`. */
static void insert(darc_judgement *j, int at, const char *format, va_list args)
{
    char text[512];
    vsnprintf(text, sizeof text, format, args);
    j->note = darc_realloc(j->note, (size_t)j->notes + 1, sizeof *j->note);
    memmove(j->note + at + 1, j->note + at,
            (size_t)(j->notes++ - at) * sizeof *j->note);
    j->note[at] = darc_strdup(text);
}

void darc_judgement_note(darc_judgement *j, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    insert(j, j->told++, format, args);
    va_end(args);
}

void darc_judgement_detail(darc_judgement *j, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    insert(j, j->notes, format, args);
    va_end(args);
}

void darc_judgement_clear(darc_judgement *j)
{
    for (int i = 0; i < j->estimates; i++)
        darc_free(j->estimate[i].function);
    for (int i = 0; i < j->notes; i++)
        darc_free(j->note[i]);
    for (int q = 0; q < j->equations; q++) {
        darc_judged *e = j->equation + q;
        for (int i = 0; i < e->missing; i++)
            darc_free(e->missing_term[i].term);
        darc_free(e->missing_term);
        darc_free(e->form);
    }
    darc_along_clear(&j->along);
    darc_free((void *)j->held);
    darc_free(j->estimate);
    darc_free(j->note);
    darc_free(j->equation);
    *j = (darc_judgement){0};
}

static void describe_noise(darc_judgement *j, const darc_fit *f,
                           const darc_question *x)
{
    for (int u = 0; u < f->r.unknowns; u++) {
        const darc_signalnoise *n = f->r.noise + u;
        if (f->r.held[u] != DARC_HELD_NOT) {
            j->held =
                darc_realloc(j->held, (size_t)j->helds + 1, sizeof *j->held);
            j->held[j->helds++] = x->io->jet->names->symbol[u].name;
            darc_judgement_note(
                j, "%s is held between samples%s",
                x->io->jet->names->symbol[u].name,
                f->r.held[u] == DARC_HELD_FOUND ? ": it is a staircase" : "");
        }
        if (n->kernel == NULL || darc_derived_find(x->model, u) >= 0)
            continue;
        darc_judgement_detail(j, "noise of %s: %s, sd %.3g",
                              x->io->jet->names->symbol[u].name,
                              darc_colour_text(n->colour), n->sd);
    }
}

static void describe_equation(darc_judged *e, const darc_total_struct *total,
                              const darc_question *x)
{
    darc_text_t t;
    darc_text_init(t);
    darc_total_print(t, total, x->io->jet->names);
    e->form = darc_text_take(t);
    darc_text_clear(t);
    e->terms = total->count;
    e->order = darc_total_order(total);
}

darc_status darc_judgement_idle(darc_judgement *out, const darc_question *x,
                                const char *reason, darc_err *err)
{
    darc_status status = DARC_OK;
    out->decision = darc_decision_none(x->by->alpha, x->by->tolerance);
    darc_decision_say(&out->decision, DARC_UNDECIDED, "%s", reason);
    out->equation = darc_calloc((size_t)x->equations, sizeof *out->equation);
    for (; out->equations < x->equations && status == DARC_OK;
         out->equations++) {
        darc_total_t total;
        const darc_ioeq *eq = darc_question_equation(x, out->equations);
        out->equation[out->equations].decision = out->decision;
        status = darc_total_init(total, eq->part, x->io->jet, true, err);
        if (status == DARC_OK) {
            describe_equation(out->equation + out->equations, total, x);
            darc_total_clear(total);
        }
    }
    return status;
}

void darc_judgement_describe(darc_judgement *j, const darc_fit *f,
                             const darc_question *x)
{
    int left = 0;
    j->equations = f->r.equations;
    j->equation = darc_calloc((size_t)f->r.equations, sizeof *j->equation);
    for (int q = 0; q < f->r.equations; q++) {
        describe_equation(j->equation + q, f->r.total + q, x);
        int order = darc_total_left(f->r.total + q);
        left = order > left ? order : left;
    }
    j->used = f->used;
    describe_noise(j, f, x);
    if (left > 0)
        darc_judgement_detail(
            j,
            "some terms are no total derivatives: a derivative "
            "was estimated from %d samples, and its noise "
            "counted",
            2 * darc_weak_smooth(f->weak) + 1);
    if (darc_weak_folded(f->weak) >= DARC_COARSE)
        darc_judgement_note(j, "signals reach up to half the sampling rate: "
                               "values may be further off than their intervals "
                               "say; sample more finely");
    if (!f->fit.converged)
        darc_judgement_note(j, "the coefficients had not settled");
}

static void add_estimate(darc_judgement *j, const darc_question *x, int q,
                         int k, const darc_estimates *a,
                         const darc_estimates *b)
{
    const darc_estimates_equation *eq = a->eq + q;
    int n = a->coeffs, at = eq->first + k;
    double factor;
    darc_text_t t;
    darc_text_init(t);
    darc_ratio_print(t, x->io, x->equation[q], k, eq->reference - eq->first,
                     &factor);
    j->estimate[j->estimates++] = (darc_estimate){
        .function = darc_text_take(t),
        .value_a = a->c[at] / factor,
        .sd_a = sqrt(a->cov[at * (n + 1)]) / fabs(factor),
        .value_b = b != NULL ? b->c[at] / factor : NAN,
        .sd_b = b != NULL ? sqrt(b->cov[at * (n + 1)]) / fabs(factor) : NAN};
    darc_text_clear(t);
}

void darc_judgement_list(darc_judgement *j, const darc_question *x,
                         const darc_estimates *a, const darc_estimates *b)
{
    j->estimate = darc_calloc((size_t)a->coeffs + 1, sizeof *j->estimate);
    if (x->listen != NULL)
        x->listen(x->user, a, b);
    for (int q = 0; q < a->equations; q++)
        for (int k = 0; k < a->eq[q].coeffs; k++)
            if (a->free[a->eq[q].first + k])
                add_estimate(j, x, q, k, a, b);
}
