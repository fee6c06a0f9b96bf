#include "diagnose/isolate.h"

#include "base/mem.h"
#include "decide/weakpair.h"
#include "decide/wide.h"
#include "decide/widepair.h"
#include "diagnose/explain.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DEFAULT_SIZE = 3, MAX_CANDIDATES = 500 };

/* Products of terms that points of a program may take for all sets of a size:
 * seconds. */
#define RELATION_WORK 1e7

/* Both recordings of an equation. */
typedef struct {
    int e;
    bool idle; /* nothing excites it in one of them: */
    darc_err why;
    bool wide;
    darc_weakpair pair; /* unless idle or wide */
    darc_widepair many; /* if wide */
} equation;

typedef struct {
    const darc_model *model;
    const darc_ioeqs_struct *io;
    const darc_weakcheck_options *o;
    const darc_budget *budget;
    equation *eq; /* owned */
    int fitted;
    darc_blackbox_t g; /* of all equations */
    darc_classes_t classes;
    slong *least; /* the classes of a change, to work in; owned */
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

/* Set *seen to whether a change of parameter u changes a ratio. */
static darc_status look_for(bool *seen, isolation *s, int u, darc_err *err)
{
    size_t names = (size_t)s->io->jet->names->count;
    bool *changed = darc_calloc(names, sizeof *changed);
    changed[u] = true;
    *seen = false;
    darc_status status = darc_classes_find(s->least, s->classes, changed, err);
    for (int e = 0; e < s->io->count && status == DARC_OK; e++)
        *seen = *seen || !darc_classes_is_one(s->least, s->classes, e);
    darc_free(changed);
    return status;
}

static darc_status list_parameters(isolation *s, darc_isolate *out,
                                   darc_err *err)
{
    darc_status status = DARC_OK;
    const darc_names_struct *names = s->io->jet->names;
    DARC_TRY(darc_blackbox_init(s->g, s->io, s->model, s->budget, err));
    DARC_TRY(darc_classes_init(s->classes, s->g, err));
    s->least = darc_calloc((size_t)s->classes->entries, sizeof *s->least);
    s->parameter = darc_calloc((size_t)names->count, sizeof *s->parameter);
    out->unseen_parameter =
        darc_calloc((size_t)names->count, sizeof *out->unseen_parameter);
    for (int u = 0; u < names->count; u++) {
        bool seen;
        if (names->symbol[u].kind != DARC_PARAMETER)
            continue;
        DARC_TRY(look_for(&seen, s, u, err));
        if (seen)
            s->parameter[s->parameters++] = u;
        else
            out->unseen_parameter[out->unseen++] = u;
    }
    if (s->parameters == 0)
        status = darc_fail(err, DARC_DOMAIN,
                           "no coefficient holds a parameter: there is "
                           "nothing to isolate");
done:
    return status;
}

/* ---- tests
 * ------------------------------------------------------------------- */

/* From what holds to what is rejected. */
static const int rank[] = {
    [DARC_CONSISTENT] = 0, [DARC_UNDECIDED] = 1, [DARC_INCONSISTENT] = 2};

/* Keep in *sum the worse of two decisions. */
static void merge(darc_decision *sum, const darc_decision *d, int tests)
{
    double p = isnan(d->p_value) ? NAN : fmin(1, d->p_value * tests);
    bool first = sum->method == NULL;
    double least = first ? p : fmin(sum->p_value, p);
    bool worse = first || rank[d->verdict] > rank[sum->verdict] ||
                 (d->verdict == sum->verdict && p < sum->p_value);
    if (worse)
        *sum = *d;
    sum->p_value = least;
}

/* Test one hypothesis on an equation, the classes of the change being found;
 * *free: a change can make any pair. */
static darc_status test_equation(darc_decision *d, bool *free, isolation *s,
                                 const equation *q, const bool *changed,
                                 darc_err *err)
{
    *free = false;
    if (q->idle) {
        *d = darc_decision_none(s->o->alpha, s->o->tolerance);
        darc_decision_say(d, DARC_UNDECIDED, "%s", q->why.message);
        return DARC_OK;
    }
    if (!q->wide)
        return darc_weakpair_test(d, free, &q->pair, changed, s->budget, err);
    return changed == NULL ? darc_widepair_equal(d, &q->many, err)
                           : darc_widepair_changed(d, &q->many, s->least,
                                                   s->g->first[q->e], err);
}

/* Return the number of tests of one hypothesis: the equations, and what binds
 * them to each other. */
static int tests(const darc_ioeqs_t io)
{
    return io->count > 1 ? io->count + 1 : 1;
}

/* Whether parameters that equations share bind their coefficients. */
static bool is_linked(const isolation *s, const bool *changed)
{
    for (int e = 0; e < s->io->count; e++)
        if (s->eq[e].idle || s->eq[e].wide)
            return false;
    return changed != NULL && darc_weakcheck_is_linked(s->io, changed);
}

/* Test that as well, unless *d is a rejection. */
static darc_status test_links(darc_decision *d, isolation *s,
                              const bool *changed, darc_err *err)
{
    if (d->verdict == DARC_INCONSISTENT && d->method != NULL)
        return DARC_OK;
    darc_weakcheck out;
    darc_weakcheck *each = darc_calloc((size_t)s->io->count, sizeof *each);
    for (int e = 0; e < s->io->count; e++) {
        each[e].fit[0] = &s->eq[e].pair.a;
        each[e].fit[1] = &s->eq[e].pair.b;
    }
    darc_status status = darc_weakcheck_links(&out, s->model, s->io, changed,
                                              each, s->o, s->budget, err);
    darc_free(each);
    if (status != DARC_OK)
        return status;
    merge(d, &out.decision, tests(s->io));
    darc_weakcheck_clear(&out);
    return DARC_OK;
}

/* Test one hypothesis over all equations; changed NULL: equal.  *free: there
 * was nothing to test. */
static darc_status test(darc_decision *d, bool *free, isolation *s,
                        const bool *changed, darc_err *err)
{
    darc_status status = DARC_OK;
    *d = (darc_decision){.p_value = NAN};
    *free = true;
    if (changed != NULL)
        DARC_TRY(darc_classes_find(s->least, s->classes, changed, err));
    for (int e = 0; e < s->io->count; e++) {
        darc_decision one;
        bool any;
        DARC_TRY(test_equation(&one, &any, s, s->eq + e, changed, err));
        *free = *free && any;
        if (!any)
            merge(d, &one, tests(s->io));
    }
    if (is_linked(s, changed)) {
        *free = false;
        DARC_TRY(test_links(d, s, changed, err));
    }
    if (*free) {
        *d = darc_decision_none(s->o->alpha, s->o->tolerance);
        d->p_value = 1;
        darc_decision_say(d, DARC_UNDECIDED,
                          "a change of these can make any pair that the "
                          "structure allows");
    }
done:
    return status;
}

static darc_status add_candidate(darc_isolate *out, isolation *s,
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

/* The number of sets of a size. */
static double sets(int size, int n)
{
    double count = 1;
    for (int i = 1; i <= size; i++)
        count *= (double)(n - size + i) / i;
    return count;
}

/* Test all sets of a size; *found: some are not rejected. */
static darc_status test_size(darc_isolate *out, isolation *s, int size,
                             bool *found, darc_err *err)
{
    darc_status status = DARC_OK;
    int *subset = darc_calloc((size_t)size, sizeof *subset);
    for (int i = 0; i < size; i++)
        subset[i] = i;
    for (int e = 0; e < s->io->count; e++)
        s->eq[e].pair.work = RELATION_WORK / sets(size, s->parameters);
    do {
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
    int ra = rank[a->decision.verdict], rb = rank[b->decision.verdict];
    if (ra != rb)
        return ra - rb;
    if (a->changed.count != b->changed.count)
        return a->changed.count - b->changed.count;
    double pa = isnan(a->decision.p_value) ? 2 : a->decision.p_value;
    double pb = isnan(b->decision.p_value) ? 2 : b->decision.p_value;
    if (pa > pb || pa < pb)
        return pa > pb ? -1 : 1;
    for (int i = 0; i < a->changed.count; i++)
        if (a->changed.parameter[i] != b->changed.parameter[i])
            return a->changed.parameter[i] - b->changed.parameter[i];
    return 0;
}

/* too_many: the size of sets that were not tried, 0: all were. */
static void say_diagnosis(darc_isolate *out, isolation *s, int too_many)
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
    else if (too_many > 0)
        snprintf(reason, room,
                 "the parameters differ, and no set tried explains it; there "
                 "are more than %d sets of %d, which were not tried",
                 (int)MAX_CANDIDATES, too_many);
    else
        snprintf(reason, room,
                 "the parameters differ, and no set tried explains it");
    darc_text_clear(t);
}

static darc_status explain(darc_isolate *out, isolation *s, darc_err *err)
{
    darc_status status = DARC_OK;
    double all = 0;
    for (int i = 0; i < out->diagnosis; i++)
        for (int k = 1; k <= out->candidate[i].changed.count + 1; k++)
            all += sets(k, s->parameters);
    darc_explanation x = {.io = s->io,
                          .g = s->g,
                          .classes = s->classes,
                          .parameter = s->parameter,
                          .parameters = s->parameters,
                          .work = RELATION_WORK / fmax(1, all)};
    for (int i = 0; i < out->diagnosis && status == DARC_OK; i++)
        status = darc_explain(out->candidate + i, &x, err);
    return status;
}

static darc_status search(darc_isolate *out, isolation *s, int max_size,
                          darc_err *err)
{
    darc_status status = DARC_OK;
    bool free, found = false;
    int too_many = 0;
    DARC_TRY(test(&out->equal, &free, s, NULL, err));
    if (out->equal.verdict != DARC_INCONSISTENT)
        goto done;
    out->candidate = darc_calloc(MAX_CANDIDATES, sizeof *out->candidate);
    max_size = max_size > 0 ? max_size : DEFAULT_SIZE;
    for (int k = 1; k <= max_size && k <= s->parameters && !found; k++) {
        if (out->candidates + sets(k, s->parameters) > MAX_CANDIDATES) {
            too_many = k;
            break;
        }
        DARC_TRY(test_size(out, s, k, &found, err));
    }
    qsort(out->candidate, (size_t)out->candidates, sizeof *out->candidate,
          cmp_candidates);
    while (out->diagnosis < out->candidates &&
           out->candidate[out->diagnosis].decision.verdict != DARC_INCONSISTENT)
        out->diagnosis++;
    DARC_TRY(explain(out, s, err));
    say_diagnosis(out, s, too_many);
done:
    return status;
}

/* Fit equation q->e to both recordings. */
static darc_status open_equation(equation *q, isolation *s,
                                 const darc_table *const table[2],
                                 darc_err *err)
{
    int e = q->e;
    darc_status status;
    darc_weakdoubt at = {NULL, s->model, s->io, e, NULL, NULL, s->o, s->budget};
    darc_err_init(&q->why);
    q->wide = darc_wide_is(s->io, e);
    if (q->wide)
        return darc_widepair_init(&q->many, at, table, err);
    status = darc_weakpair_init(&q->pair, s->model, s->io, e, table[0],
                                table[1], s->o, s->budget, &q->why);
    q->idle = status != DARC_OK && (q->pair.a.idle || q->pair.b.idle);
    if (status != DARC_OK)
        return q->idle ? DARC_OK : darc_fail(err, status, "%s", q->why.message);
    if (!s->io->eq[e].expanded)
        q->pair.program = s->g;
    return DARC_OK;
}

static void close_equation(equation *q)
{
    if (q->wide)
        darc_widepair_clear(&q->many);
    else if (!q->idle)
        darc_weakpair_clear(&q->pair);
}

darc_status darc_isolate_run(darc_isolate *out, const darc_model *model,
                             const darc_ioeqs_t io, const darc_table *a,
                             const darc_table *b,
                             const darc_weakcheck_options *o, int max_size,
                             const darc_budget *budget, darc_err *err)
{
    darc_status status = DARC_OK;
    darc_weakcheck_options each = *o;
    each.alpha /= tests(io);
    isolation s = {.model = model, .io = io, .o = &each, .budget = budget};
    const darc_table *const table[2] = {a, b};
    *out = (darc_isolate){0};
    DARC_TRY(list_parameters(&s, out, err));
    s.eq = darc_calloc((size_t)io->count, sizeof *s.eq);
    for (; s.fitted < io->count; s.fitted++) {
        s.eq[s.fitted].e = s.fitted;
        DARC_TRY(open_equation(s.eq + s.fitted, &s, table, err));
    }
    for (int e = 0; e < s.fitted; e++)
        if (!s.eq[e].idle && !s.eq[e].wide)
            darc_weakpair_estimates(&out->estimate, &out->estimates,
                                    &s.eq[e].pair);
    status = search(out, &s, max_size, err);
done:
    for (int e = 0; e < s.fitted; e++)
        close_equation(s.eq + e);
    darc_free(s.eq);
    darc_free(s.least);
    darc_free(s.parameter);
    darc_classes_clear(s.classes);
    darc_blackbox_clear(s.g);
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
