#include "darc/isolate.h"

#include "base/mem.h"
#include "verdict/explain.h"
#include "verdict/weakpair.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_SIZE = 3, MAX_CANDIDATES = 500 };

typedef struct {
    const darc_model *model;
    const darc_ioeqs_struct *io;
    const darc_weakcheck_options *o;
    const darc_budget *budget;
    darc_weakpair *pair; /* per equation; owned */
    int fitted;
    int parameters;
    int *parameter; /* those that some coefficient holds; owned */
} isolation;

void darc_parameter_set_print(darc_text_t out, const darc_parameter_set *s,
                              const darc_names_t names)
{
    darc_text_putc(out, '{');
    for (int i = 0; i < s->count; i++)
        darc_text_printf(out, "%s%s", i > 0 ? ", " : "",
                         names->symbol[s->parameter[i]].name);
    darc_text_putc(out, '}');
}

/* ---- parameters -------------------------------------------------------------
 */

static bool is_seen(const darc_ioeqs_struct *io, int u)
{
    slong v = darc_jet_var(io->jet, (darc_deriv){u, 0});
    for (int e = 0; e < io->count; e++)
        for (slong j = 0; j < io->eq[e].coeff->count; j++)
            if (v >= 0 &&
                darc_dpoly_degree(io->eq[e].coeff->p + j, v, io->jet) > 0)
                return true;
    return false;
}

static void list_parameters(isolation *s, darc_isolate *out)
{
    const darc_names_struct *names = s->io->jet->names;
    s->parameter = darc_calloc((size_t)names->count, sizeof *s->parameter);
    out->unseen_parameter =
        darc_calloc((size_t)names->count, sizeof *out->unseen_parameter);
    for (int u = 0; u < names->count; u++)
        if (names->symbol[u].kind != DARC_PARAMETER)
            continue;
        else if (is_seen(s->io, u))
            s->parameter[s->parameters++] = u;
        else
            out->unseen_parameter[out->unseen++] = u;
}

/* ---- tests
 * ------------------------------------------------------------------- */

/* Keep in *sum the worse of two decisions. */
static void merge(darc_decision *sum, const darc_decision *d, int equations)
{
    static const int rank[] = {
        [DARC_CONSISTENT] = 0, [DARC_UNDECIDED] = 1, [DARC_INCONSISTENT] = 2};
    double p = fmin(1, d->p_value * equations);
    bool worse = rank[d->verdict] > rank[sum->verdict] ||
                 (d->verdict == sum->verdict && p < sum->p_value);
    double least =
        sum->method == NULL || !(sum->p_value <= p) ? p : sum->p_value;
    if (sum->method == NULL || worse)
        *sum = *d;
    sum->p_value = least;
}

/* Test one hypothesis over all equations; changed NULL: equal.  *free: there
 * was nothing to test. */
static darc_status test(darc_decision *d, bool *free, const isolation *s,
                        const bool *changed, darc_err *err)
{
    darc_status status = DARC_OK;
    *d = (darc_decision){.p_value = 1};
    *free = true;
    for (int e = 0; e < s->io->count && status == DARC_OK; e++) {
        darc_contrast c = {0};
        status =
            darc_weakpair_contrast(&c, s->pair + e, changed, s->budget, err);
        if (status == DARC_OK && c.count > 0) {
            darc_decision one;
            darc_weakpair_decide(&one, s->pair + e, &c,
                                 changed == NULL ? "the parameters differ"
                                                 : "others have changed "
                                                   "besides",
                                 changed == NULL ? "the parameters are the "
                                                   "same"
                                                 : "the others are the same");
            *free = false;
            merge(d, &one, s->io->count);
        }
        darc_contrast_clear(&c);
    }
    if (*free) {
        d->method = "weak";
        d->alpha = s->o->alpha;
        d->verdict = DARC_UNDECIDED;
        d->statistic = NAN;
        snprintf(d->reason, sizeof d->reason,
                 "a change of these can make any pair that the structure "
                 "allows");
    }
    return status;
}

static darc_status add_candidate(darc_isolate *out, const isolation *s,
                                 const int *subset, int size, darc_err *err)
{
    bool *changed =
        darc_calloc((size_t)s->io->jet->names->count, sizeof *changed);
    darc_isolate_candidate *c = out->candidate + out->candidates;
    *c = (darc_isolate_candidate){.changed.count = size};
    c->changed.parameter = darc_calloc((size_t)size, sizeof(int));
    for (int i = 0; i < size; i++) {
        c->changed.parameter[i] = s->parameter[subset[i]];
        changed[c->changed.parameter[i]] = true;
    }
    out->candidates++;
    darc_status status = test(&c->decision, &c->free, s, changed, err);
    darc_free(changed);
    return status;
}

/* Set subset to the next one of `size` out of n in lexical order. */
static bool next_subset(int *subset, int size, int n)
{
    int i = size - 1;
    while (i >= 0 && subset[i] == n - size + i)
        i--;
    if (i < 0)
        return false;
    subset[i]++;
    for (int k = i + 1; k < size; k++)
        subset[k] = subset[k - 1] + 1;
    return true;
}

/* Test all sets of a size; *found: some are not rejected. */
static darc_status test_size(darc_isolate *out, const isolation *s, int size,
                             bool *found, darc_err *err)
{
    darc_status status = DARC_OK;
    int *subset = darc_calloc((size_t)size, sizeof *subset);
    for (int i = 0; i < size; i++)
        subset[i] = i;
    do {
        if (out->candidates == MAX_CANDIDATES)
            DARC_TRY(darc_fail(err, DARC_LIMIT,
                               "isolate: more than %d sets of parameters",
                               (int)MAX_CANDIDATES));
        DARC_TRY(darc_budget_check(s->budget, err));
        DARC_TRY(add_candidate(out, s, subset, size, err));
        *found =
            *found || out->candidate[out->candidates - 1].decision.verdict !=
                          DARC_INCONSISTENT;
    } while (next_subset(subset, size, s->parameters));
done:
    darc_free(subset);
    return status;
}

/* ---- result
 * ------------------------------------------------------------------- */

static int cmp_candidates(const void *x, const void *y)
{
    const darc_isolate_candidate *a = x, *b = y;
    int ra = a->decision.verdict == DARC_INCONSISTENT;
    int rb = b->decision.verdict == DARC_INCONSISTENT;
    if (ra != rb)
        return ra - rb;
    if (a->changed.count != b->changed.count)
        return a->changed.count - b->changed.count;
    if (a->decision.p_value != b->decision.p_value)
        return a->decision.p_value > b->decision.p_value ? -1 : 1;
    return a->changed.parameter[0] - b->changed.parameter[0];
}

static void say_diagnosis(darc_isolate *out, const isolation *s)
{
    darc_text_t t;
    darc_text_init(t);
    for (int i = 0; i < out->diagnosis; i++) {
        darc_text_puts(t, i > 0 ? " or " : "");
        darc_parameter_set_print(t, &out->candidate[i].changed,
                                 s->io->jet->names);
    }
    char *reason = out->equal.reason;
    size_t room = sizeof out->equal.reason;
    if (out->diagnosis == 1)
        snprintf(reason, room, "a change of %s explains the difference", t->s);
    else if (out->diagnosis > 1)
        snprintf(reason, room,
                 "ambiguous: a change of %s explains the difference", t->s);
    else
        snprintf(reason, room,
                 "the parameters differ, and no set tried explains it");
    darc_text_clear(t);
}

static darc_status search(darc_isolate *out, isolation *s, int max_size,
                          darc_err *err)
{
    darc_status status = DARC_OK;
    bool free, found = false;
    DARC_TRY(test(&out->equal, &free, s, NULL, err));
    if (out->equal.verdict != DARC_INCONSISTENT)
        goto done;
    out->candidate = darc_calloc(MAX_CANDIDATES, sizeof *out->candidate);
    max_size = max_size > 0 ? max_size : DEFAULT_SIZE;
    for (int k = 1; k <= max_size && k <= s->parameters && !found; k++)
        DARC_TRY(test_size(out, s, k, &found, err));
    qsort(out->candidate, (size_t)out->candidates, sizeof *out->candidate,
          cmp_candidates);
    while (out->diagnosis < out->candidates &&
           out->candidate[out->diagnosis].decision.verdict != DARC_INCONSISTENT)
        out->diagnosis++;
    for (int i = 0; i < out->diagnosis; i++)
        DARC_TRY(darc_explain(out->candidate + i, s->io, s->parameter,
                              s->parameters, s->budget, err));
    say_diagnosis(out, s);
done:
    return status;
}

static darc_status check_equations(const darc_ioeqs_t io, darc_err *err)
{
    for (int e = 0; e < io->count; e++) {
        const darc_ioeq *eq = io->eq + e;
        const char *name = io->jet->names->symbol[eq->leader.unknown].name;
        long terms = (long)eq->part->count;
        if (terms > DARC_WEAK_TERMS)
            return darc_fail(err, DARC_LIMIT,
                             "isolate: the io-equation of '%s' has %ld terms, "
                             "and takes up to %d, whose coefficients can be "
                             "compared one by one; check structure and equal "
                             "take more",
                             name, terms, DARC_WEAK_TERMS);
        if (!eq->expanded)
            return darc_fail(err, DARC_LIMIT,
                             "isolate: the io-equation of '%s' is not "
                             "expanded, which would be long, so that nobody "
                             "knows which of its %ld coefficients hold which "
                             "parameters; --engine project expands it",
                             name, terms);
    }
    return DARC_OK;
}

darc_status darc_isolate_run(darc_isolate *out, const darc_model *model,
                             const darc_ioeqs_t io, const darc_table *a,
                             const darc_table *b,
                             const darc_weakcheck_options *o, int max_size,
                             const darc_budget *budget, darc_err *err)
{
    darc_status status = DARC_OK;
    darc_weakcheck_options each = *o;
    each.alpha /= io->count;
    isolation s = {.model = model, .io = io, .o = &each, .budget = budget};
    *out = (darc_isolate){0};
    DARC_TRY(check_equations(io, err));
    list_parameters(&s, out);
    if (s.parameters == 0)
        DARC_TRY(darc_fail(err, DARC_DOMAIN,
                           "no coefficient holds a parameter: there is "
                           "nothing to isolate"));
    s.pair = darc_calloc((size_t)io->count, sizeof *s.pair);
    for (; s.fitted < io->count; s.fitted++)
        DARC_TRY(darc_weakpair_init(s.pair + s.fitted, model, io, s.fitted, a,
                                    b, &each, budget, err));
    for (int e = 0; e < s.fitted; e++)
        darc_weakpair_estimates(&out->estimate, &out->estimates, s.pair + e);
    status = search(out, &s, max_size, err);
done:
    for (int e = 0; e < s.fitted; e++)
        darc_weakpair_clear(s.pair + e);
    darc_free(s.pair);
    darc_free(s.parameter);
    if (status != DARC_OK)
        darc_isolate_clear(out);
    return status;
}

void darc_isolate_clear(darc_isolate *out)
{
    for (int i = 0; i < out->candidates; i++) {
        darc_isolate_candidate *c = out->candidate + i;
        darc_free(c->changed.parameter);
        for (int k = 0; k < c->equivalents; k++)
            darc_free(c->equivalent[k].parameter);
        darc_free(c->equivalent);
    }
    for (int i = 0; i < out->estimates; i++)
        darc_free(out->estimate[i].function);
    darc_free(out->estimate);
    darc_free(out->candidate);
    darc_free(out->unseen_parameter);
    *out = (darc_isolate){0};
}
