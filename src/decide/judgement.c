#include "decide/judgement.h"

#include "base/mem.h"
#include "coefficient/ratio.h"
#include "decide/thresholds.h"
#include "fit/cut.h"
#include "fit/follow.h"
#include "fit/found.h"
#include "fit/thresholds.h"
#include "model/model.h"
#include "pointwise/residual.h"
#include "stats/columns.h"
#include "weak/piece.h"

#include <assert.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Sums over all functions. */
typedef struct {
    const double *c;
    double *term;  /* of the squares of c_j w_j; owned, with the others */
    double *terms; /* by equation, of the squares of sum_j |c_j w_j| */
    double *e;     /* rows of a piece */
    double *bar;   /* standard deviations of these */
} walk;

static void open_along(darc_along *a, const darc_weak *weak)
{
    size_t n = weak->functions;
    *a = (darc_along){.equations = weak->equations};
    a->series = darc_calloc((size_t)a->equations, sizeof *a->series);
    a->summary = darc_calloc((size_t)a->equations, sizeof *a->summary);
    for (int q = 0; q < a->equations; q++)
        a->series[q] =
            (darc_residual_series){.time = darc_calloc(n, sizeof(double)),
                                   .value = darc_calloc(n, sizeof(double)),
                                   .bar = darc_calloc(n, sizeof(double)),
                                   .margin = darc_calloc(n, sizeof(double))};
}

static void clear_along(darc_along *a)
{
    for (int q = 0; q < a->equations; q++)
        darc_residual_series_clear(a->series + q);
    DARC_FREE(a->series, a->summary);
    *a = (darc_along){0};
}

/* Add row i of the piece that is loaded, of equation q. */
static void add_row(darc_along *a, walk *s, const darc_weak_work *work, int i)
{
    const darc_weak *weak = work->weak;
    int q = i % weak->equations, at = i / weak->equations, rows = work->rows;
    darc_residual_series *to = a->series + q;
    double sum = 0;
    for (int j = weak->first[q]; j < weak->first[q + 1]; j++) {
        double x = s->c[j] * work->w[j * rows + i];
        s->term[j] += x * x;
        sum += fabs(x);
    }
    s->terms[q] += sum * sum;
    size_t first = weak->piece[work->piece].begin + (size_t)weak->margin;
    double place = (double)at * weak->step + weak->support / 2.0;
    to->time[to->count] =
        darc_table_time(weak->table, first) + place * weak->dt;
    to->value[to->count] = s->e[i];
    to->bar[to->count] = s->bar[i];
    to->margin[to->count++] = NAN;
}

/* Divide by the largest term, and sum up. */
static void scale_course(darc_along *a, const walk *s, const darc_weak *weak,
                         int q)
{
    darc_residual_series *x = a->series + q;
    darc_residual_summary *to = a->summary + q;
    double lead = 0, squares = 0, n = (double)x->count;
    for (int j = weak->first[q]; j < weak->first[q + 1]; j++)
        lead = fmax(lead, sqrt(s->term[j] / n));
    for (size_t k = 0; k < x->count; k++) {
        x->value[k] /= lead;
        x->bar[k] /= lead;
        squares += x->value[k] * x->value[k];
        to->max = fmax(to->max, fabs(x->value[k]));
    }
    to->rms = sqrt(squares / n);
    to->relative_rms = to->rms * lead / sqrt(s->terms[q] / n);
    strcpy(to->unit, "of the largest term");
}

darc_status darc_along_init(darc_along *a, const darc_weak *weak,
                            const double *c, const darc_budget *budget,
                            darc_err *err)
{
    darc_status status = DARC_OK;
    darc_weak_work *work = darc_weak_work_new(weak);
    int e = weak->equations, most = darc_weak_most_functions(weak) * e;
    bool same = weak->linear && weak->stamps == NULL;
    int known = 0; /* rows */
    walk s = {.c = c};
    DARC_CARVE({&s.term, weak->coeffs}, {&s.terms, e}, {&s.e, most},
               {&s.bar, most});
    open_along(a, weak);
    for (int p = 0; p < weak->pieces && status == DARC_OK; p++) {
        darc_weak_load(work, p);
        darc_columns_combine(work, s.e, work->w, c);
        if (!same || known < work->rows) {
            darc_weak_load_partials(work);
            darc_weak_at(work, c);
            darc_weak_covariance(work);
            for (int i = 0; i < work->rows; i++)
                s.bar[i] = sqrt(work->ab[i * (work->band + 1)]);
        }
        known = work->rows > known ? work->rows : known;
        for (int i = 0; i < work->rows; i++)
            add_row(a, &s, work, i);
        status = darc_budget_check(budget, err);
    }
    for (int q = 0; q < e; q++)
        scale_course(a, &s, weak, q);
    darc_weak_work_free(work);
    darc_free(s.term);
    if (status != DARC_OK)
        clear_along(a);
    return status;
}

const char *darc_verdict_text(darc_verdict verdict)
{
    static const char *const text[] = {[DARC_CONSISTENT] = "consistent",
                                       [DARC_INCONSISTENT] = "inconsistent",
                                       [DARC_UNDECIDED] = "undecided"};
    assert((int)verdict >= 0 && verdict <= DARC_UNDECIDED);
    return text[verdict];
}

int darc_verdict_rank(darc_verdict verdict)
{
    static const int rank[] = {
        [DARC_CONSISTENT] = 0, [DARC_UNDECIDED] = 1, [DARC_INCONSISTENT] = 2};
    return rank[verdict];
}

darc_decision darc_decision_none(double alpha, double tolerance)
{
    return (darc_decision){.method = "weak",
                           .statistic = NAN,
                           .dof = NAN,
                           .p_value = NAN,
                           .alpha = alpha,
                           .defect = NAN,
                           .defect_low = NAN,
                           .defect_high = NAN,
                           .tolerance = tolerance,
                           .detectable = NAN,
                           .verdict = DARC_UNDECIDED};
}

void darc_decision_say(darc_decision *d, darc_verdict verdict,
                       const char *format, ...)
{
    va_list args;
    d->verdict = verdict;
    va_start(args, format);
    vsnprintf(d->reason, sizeof d->reason, format, args);
    va_end(args);
}

void darc_decision_withhold(darc_decision *d)
{
    if (d->verdict == DARC_CONSISTENT)
        darc_decision_say(
            d, DARC_UNDECIDED,
            "nothing contradicts the model, but the io-equations know a "
            "function in it up to a constant only (darc eliminate shows "
            "which): "
            "what depends on that constant was not tested");
}

/* Make d undecided where it is inconsistent, for what may have made it. */
static void refuse_inconsistent(darc_decision *d, const char *why)
{
    char found[sizeof d->reason];
    if (d->verdict != DARC_INCONSISTENT)
        return;
    snprintf(found, sizeof found, "%s", d->reason);
    d->defect_low = 0;
    darc_decision_say(d, DARC_UNDECIDED, "%s (%s)", why, found);
}

void darc_decision_refuse_coarse(darc_decision *d)
{
    d->defect_low = 0;
    refuse_inconsistent(
        d, "signals reach up to half the sampling rate, and sampling may "
           "have made what contradicts the model: sample more finely");
}

void darc_decision_refuse_numeric(darc_decision *d, double most)
{
    if (fmax(most, d->detectable) <= DARC_SUMS_ERROR)
        refuse_inconsistent(
            d, "so little may come of the digits of the file, or of sums "
               "over samples that stand for integrals");
}

void darc_decision_refuse_held(darc_decision *d, const char *inputs, bool means)
{
    char why[256];
    snprintf(why, sizeof why,
             means ? "inputs that are means of the time since the sample "
                     "before, as loggers write, would explain what contradicts "
                     "the model: write `mean` behind %.60s in it where that is "
                     "so"
                   : "inputs that are held from each sample to the next would "
                     "explain what contradicts the model: say --hold %.100s "
                     "where that is so",
             inputs);
    refuse_inconsistent(d, why);
}

void darc_decision_refuse_copies(darc_decision *d)
{
    darc_decision_say(d, DARC_UNDECIDED,
                      "both recordings hold the same samples: a copy tells "
                      "nothing new; give another recording");
}

/* Let a note be number `at`. */
static void insert(darc_judgement *j, int at, const char *format, va_list args)
{
    char text[512];
    vsnprintf(text, sizeof text, format, args);
    DARC_ROOM(j->note, j->notes);
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
        DARC_FREE(e->missing_term, e->form);
    }
    clear_along(&j->along);
    DARC_FREE((void *)j->held, j->noise, j->estimate, j->note, j->equation);
    *j = (darc_judgement){0};
}

/* On which side of steps the samples of output u lie. */
static void describe_side(darc_judgement *j, const darc_fit *f,
                          const darc_question *x, int u)
{
    const char *name = x->io->jet->names->symbol[u].name;
    bool said = f->r.signal[u].output && darc_model_side(x->model, u) != 0;
    if (darc_follow_jumps(f, u))
        darc_judgement_note(
            j,
            "%s jumps with held inputs: its samples at steps lie %s them%s%s",
            name, f->r.steps->before[u] ? "before" : "behind",
            said ? ", as the model says" : "",
            said && f->contrary ? "; the other side is likelier by far" : "");
    else if (said)
        darc_judgement_note(j,
                            "%s does not jump with an input that is taken as "
                            "held: on which side its samples lie is not used",
                            name);
}

static void describe_found(darc_judgement *j, const darc_fit *f,
                           const darc_question *x, int u)
{
    darc_text_t t = DARC_TEXT;
    darc_noise_found *found;
    DARC_ROOM(j->noise, j->noises);
    found = j->noise + j->noises++;
    darc_found_set(found, f, x, u);
    darc_found_say(t, found, f->r.noise + u);
    darc_judgement_detail(j, "%s", t->s);
    for (int i = 0; i < found->lines; i++)
        darc_judgement_note(
            j, "%s holds a line of %.2g %% at %.4g Hz: hum, a shaft?",
            found->signal, 100 * found->line[i].level, found->line[i].hz);
    darc_text_clear(t);
}

/* Say that an input is held, and how long before the samples that show them its
 * changes came. */
static void describe_held(darc_judgement *j, const darc_fit *f,
                          const darc_question *x, int u)
{
    const char *name = x->io->jet->names->symbol[u].name;
    const double *early = f->r.early[u], *v = f->r.signal[u].value;
    double sum = 0, changes = 0;
    for (size_t t = 1; early != NULL && t < f->weak->table->samples; t++) {
        sum += early[t];
        changes += v[t] != v[t - 1];
    }
    bool staircase = f->r.held[u] == DARC_HELD_FOUND &&
                     f->r.noise[u].colour != DARC_COLOUR_COMPUTED;
    DARC_ROOM(j->held, j->helds);
    j->held[j->helds++] = name;
    j->changes += (int)changes;
    if (changes > 0)
        darc_judgement_note(j,
                            "%s is a staircase that changes between samples, "
                            "%.2g of one early on the average: the fit finds "
                            "when",
                            name, sum / changes);
    else
        darc_judgement_note(j, "%s is held %s%s", name,
                            f->r.until[u] ? "up to each sample from the one "
                                            "before, as a mean of that time is"
                                          : "between samples",
                            staircase ? ": it is a staircase" : "");
}

static void describe_noise(darc_judgement *j, const darc_fit *f,
                           const darc_question *x)
{
    for (int u = 0; u < f->r.unknowns; u++) {
        const darc_signalnoise *n = f->r.noise + u;
        if (f->r.held[u] != DARC_HELD_NOT)
            describe_held(j, f, x, u);
        else if (f->r.until[u])
            darc_judgement_note(j, "%s is read as means of the time before",
                                x->io->jet->names->symbol[u].name);
        j->computed |= n->colour == DARC_COLOUR_COMPUTED;
        j->spoilt |= x->io->jet->names->symbol[u].kind == DARC_INPUT &&
                     darc_derived_expr(x->model, u) == NULL &&
                     n->kernel != NULL && n->colour > DARC_COLOUR_COMPUTED &&
                     f->r.held[u] == DARC_HELD_NOT &&
                     n->sd > DARC_SPOILT * n->rms;
        describe_side(j, f, x, u);
        if (f->cut != NULL && f->cut->jumps[u])
            darc_judgement_note(
                j, "%s jumps: the equations are held between its jumps",
                x->io->jet->names->symbol[u].name);
        if (n->colour == DARC_COLOUR_COMPUTED)
            darc_judgement_note(j,
                                "%s is computed from samples of the outputs, "
                                "as by a controller: it has no noise of its "
                                "own%s",
                                x->io->jet->names->symbol[u].name,
                                f->late ? ", and acts a sample later" : "");
        if (n->kernel == NULL || f->r.at[u] < 0 ||
            darc_derived_expr(x->model, u) != NULL)
            continue;
        describe_found(j, f, x, u);
    }
}

static void describe_equation(darc_judged *e, const darc_total_struct *total,
                              const darc_question *x)
{
    darc_text_t t = DARC_TEXT;
    darc_total_print(t, total, x->io->jet->names);
    e->form = darc_text_take(t);
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

/* Whether e has more to say than d: of consistent ones the one with the largest
 * defect that would have been found, which stands in its reason. */
static bool is_worse(const darc_decision *e, const darc_decision *d)
{
    if (e->verdict != d->verdict)
        return darc_verdict_rank(e->verdict) > darc_verdict_rank(d->verdict);
    bool found = d->verdict == DARC_CONSISTENT && !(d->tolerance > 0) &&
                 d->p_value >= d->alpha;
    return found ? e->detectable > d->detectable : e->defect > d->defect;
}

darc_decision darc_judgement_merged(const darc_judgement *out)
{
    darc_decision d = out->equation[0].decision;
    for (int q = 1; q < out->equations; q++) {
        const darc_decision *e = &out->equation[q].decision;
        bool worse = is_worse(e, &d);
        darc_decision other = worse ? d : *e;
        d = worse ? *e : d;
        d.defect = fmax(d.defect, other.defect);
        d.defect_low = fmax(d.defect_low, other.defect_low);
        d.defect_high = fmax(d.defect_high, other.defect_high);
        d.detectable = fmax(d.detectable, other.detectable);
    }
    return d;
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
    j->used[0] = f->used;
    describe_noise(j, f, x);
    if (left > 0)
        darc_judgement_detail(
            j,
            "some terms are no total derivatives: a derivative "
            "was estimated from %d samples, and its noise "
            "counted",
            2 * f->weak->margin + 1);
    if (f->weak->folded >= DARC_COARSE)
        darc_judgement_note(j, "signals reach up to half the sampling rate: "
                               "values may be further off than their intervals "
                               "say; sample more finely");
    if (!f->fit.converged)
        darc_judgement_note(j, "the fit had not converged: values are those "
                               "of its last iteration");
}

static void add_estimate(darc_judgement *j, const darc_question *x, int q,
                         int k, const darc_estimates *a,
                         const darc_estimates *b)
{
    const darc_estimates_equation *eq = a->eq + q;
    int n = a->coeffs, at = eq->first + k;
    double factor;
    darc_text_t t = DARC_TEXT;
    darc_ratio_print(t, x->io, x->equation[q], k, eq->reference - eq->first,
                     &factor);
    j->estimate[j->estimates++] = (darc_estimate){
        .function = darc_text_take(t),
        .value_a = a->c[at] / factor,
        .sd_a = sqrt(a->cov[at * (n + 1)]) / fabs(factor),
        .value_b = b != NULL ? b->c[at] / factor : NAN,
        .sd_b = b != NULL ? sqrt(b->cov[at * (n + 1)]) / fabs(factor) : NAN};
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
