#include "diagnose/isolate.h"

#include "base/mem.h"
#include "coefficient/classes.h"
#include "decide/wide.h"
#include "diagnose/thresholds.h"
#include "identify/isolable.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct {
    const darc_question *x;
    darc_pair pair;    /* of the equations that are fitted */
    darc_blackbox_t g; /* of all equations */
    darc_classes_t classes;
    slong *least; /* the classes of a change, to work in; owned */
    int parameters;
    int *parameter;     /* those that some coefficient holds; owned */
    darc_bindings bind; /* of one recording */
    const darc_identification_struct *id; /* of all equations, to explain by */
    const darc_budget *budget;            /* for that */
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

/* Set *seen to whether a change of parameter u changes a ratio. */
static darc_status look_for(bool *seen, isolation *s, int u, darc_err *err)
{
    size_t names = (size_t)s->x->io->jet->names->count;
    bool *changed = darc_calloc(names, sizeof *changed);
    changed[u] = true;
    *seen = false;
    darc_status status = darc_classes_find(s->least, s->classes, changed, err);
    for (int e = 0; e < s->x->io->count && status == DARC_OK; e++)
        *seen = *seen || !darc_classes_is_one(s->least, s->classes, e);
    darc_free(changed);
    return status;
}

static darc_status list_parameters(isolation *s, darc_isolate *out,
                                   darc_err *err)
{
    darc_status status = DARC_OK;
    const darc_names_struct *names = s->x->io->jet->names;
    DARC_TRY(
        darc_blackbox_init(s->g, s->x->io, s->x->model, s->x->budget, err));
    DARC_TRY(darc_classes_init(s->classes, s->g, err));
    s->least = darc_calloc((size_t)s->classes->entries, sizeof *s->least);
    DARC_CALLOC((size_t)names->count, s->parameter, out->unseen_parameter);
    for (int u = 0; u < names->count; u++) {
        bool seen;
        if (names->symbol[u].kind != DARC_PARAMETER || names->symbol[u].number)
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

static darc_status test(darc_decision *d, bool *free, void *user,
                        const bool *changed, double of, darc_err *err)
{
    isolation *s = user;
    s->pair.work = DARC_ISOLATE_WORK / of;
    darc_status status = darc_pair_test(d, free, &s->pair, changed, err);
    if (status != DARC_OK)
        return status;
    if (s->x->lost)
        darc_decision_withhold(d);
    darc_wide_withhold(d, s->x->io);
    return DARC_OK;
}

/* The number of sets of a size. */
static double sets(int size, int n)
{
    double count = 1;
    for (int i = 1; i <= size; i++)
        count *= (double)(n - size + i) / i;
    return count;
}

static darc_status add_candidate(darc_isolate *out, darc_isolate_search *s,
                                 const int *subset, int size, darc_err *err)
{
    bool *changed = darc_calloc((size_t)s->names->count, sizeof *changed);
    darc_isolate_candidate *c = out->candidate + out->candidates;
    *c = (darc_isolate_candidate){.changed.count = size};
    c->changed.parameter = darc_calloc((size_t)size, sizeof(int));
    for (int i = 0; i < size; i++) {
        c->changed.parameter[i] = s->parameter[subset[i]];
        changed[c->changed.parameter[i]] = true;
    }
    out->candidates++;
    darc_status status = s->test(&c->decision, &c->free, s->user, changed,
                                 sets(size, s->parameters), err);
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

static int cmp_candidates(const void *x, const void *y)
{
    const darc_isolate_candidate *a = x, *b = y;
    int ra = darc_verdict_rank(a->decision.verdict),
        rb = darc_verdict_rank(b->decision.verdict);
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

/* Put those that explain the difference first, and count them. */
static void rank_candidates(darc_isolate *out)
{
    qsort(out->candidate, (size_t)out->candidates, sizeof *out->candidate,
          cmp_candidates);
    out->diagnosis = 0;
    while (out->diagnosis < out->candidates &&
           out->candidate[out->diagnosis].decision.verdict != DARC_INCONSISTENT)
        out->diagnosis++;
}

/* Tell that so many of the sets of a size are tested, unless that was told of
 * others just now. */
static void tell(darc_isolate *out, darc_isolate_search *s, int size,
                 double done)
{
    double all = sets(size, s->parameters), now = darc_now();
    darc_progress p = {
        .stage = "sets of parameters", .done = (long)done, .total = (long)all};
    darc_budget_progress(s->budget, &p);
    if (s->so_far == NULL || (done < all && now < s->told + DARC_ISOLATE_TOLD))
        return;
    rank_candidates(out);
    darc_isolate known = *out;
    darc_decision_say(&known.equal, known.equal.verdict,
                      "the parameters differ; so far %.0f of %.0f sets of %d "
                      "are tested",
                      done, all, size);
    s->so_far(s->listener, &known);
    s->told = darc_now();
}

/* Test all sets of a size; *found: some are not rejected. */
static darc_status test_size(darc_isolate *out, darc_isolate_search *s,
                             int size, bool *found, darc_err *err)
{
    darc_status status = DARC_OK;
    int *subset = darc_calloc((size_t)size, sizeof *subset);
    double done = 0;
    for (int i = 0; i < size; i++)
        subset[i] = i;
    tell(out, s, size, 0);
    do {
        DARC_TRY(darc_budget_check(s->budget, err));
        DARC_TRY(add_candidate(out, s, subset, size, err));
        *found =
            *found || out->candidate[out->candidates - 1].decision.verdict !=
                          DARC_INCONSISTENT;
        tell(out, s, size, ++done);
    } while (next_subset(subset, size, s->parameters));
done:
    darc_free(subset);
    return status;
}

/* too_many: the size of sets that were not tried, 0: all were. */
static void say_diagnosis(darc_isolate *out, const darc_isolate_search *s,
                          int too_many)
{
    darc_text_t t;
    darc_text_init(t);
    for (int i = 0; i < out->diagnosis; i++) {
        darc_text_puts(t, i > 0 ? " or " : "");
        darc_parameter_set_print(t, &out->candidate[i].changed, s->names);
    }
    darc_decision *d = &out->equal;
    if (out->diagnosis > 0)
        darc_decision_say(d, d->verdict,
                          "%sa change of %s explains the difference",
                          out->diagnosis > 1 ? "ambiguous: " : "", t->s);
    else if (too_many > 0)
        darc_decision_say(d, d->verdict,
                          "the parameters differ, and no set tried explains "
                          "it; there are more than %d sets of %d, which were "
                          "not tried",
                          (int)DARC_ISOLATE_SETS, too_many);
    else
        darc_decision_say(d, d->verdict,
                          "the parameters differ, and no set tried explains "
                          "it");
    darc_text_clear(t);
}

darc_status darc_isolate_find(darc_isolate *out, darc_isolate_search *s,
                              darc_err *err)
{
    bool free, found = false;
    int too_many = 0;
    DARC_NEED(s->test(&out->equal, &free, s->user, NULL, 1, err));
    if (out->equal.verdict != DARC_INCONSISTENT)
        return DARC_OK;
    out->candidate = darc_calloc(DARC_ISOLATE_SETS, sizeof *out->candidate);
    for (int k = 1; k <= DARC_ISOLATE_SIZE && k <= s->parameters && !found;
         k++) {
        if (out->candidates + sets(k, s->parameters) > DARC_ISOLATE_SETS) {
            too_many = k;
            break;
        }
        DARC_NEED(test_size(out, s, k, &found, err));
    }
    rank_candidates(out);
    say_diagnosis(out, s, too_many);
    return DARC_OK;
}

/* ---- sets that make every pair that another makes ------------------------ */

/* Mark the variables of the identification that change. */
static bool *mark_variables(const isolation *s, const bool *changed)
{
    bool *marked = darc_calloc((size_t)s->id->vars + 1, sizeof *marked);
    for (slong v = 0; v < s->id->vars; v++)
        marked[v] = changed[s->id->unknown[v]];
    return marked;
}

/* Set *yes to whether a change of `other` explains one of `changed`, of the
 * classes `least`.  Its own classes are looked at first: that is quick. */
static darc_status explains(bool *yes, const bool *other, const bool *changed,
                            const slong *least, isolation *s, darc_err *err)
{
    darc_status status = darc_classes_find(s->least, s->classes, other, err);
    *yes =
        status == DARC_OK && darc_classes_refine(s->least, least, s->classes);
    if (!*yes)
        return status;
    bool *in = mark_variables(s, other), *of = mark_variables(s, changed);
    status = darc_isolable_explains(yes, s->id, in, of, s->budget, err);
    DARC_FREE(in, of);
    return status;
}

static bool holds_set(const darc_parameter_set *inner, const bool *changed)
{
    for (int i = 0; i < inner->count; i++)
        if (!changed[inner->parameter[i]])
            return false;
    return true;
}

static void append_candidate(darc_isolate_candidate *c, const bool *changed,
                             const int *parameter, int parameters)
{
    size_t n = (size_t)c->equivalents + 1;
    c->equivalent = darc_realloc(c->equivalent, n, sizeof *c->equivalent);
    darc_parameter_set *s = c->equivalent + c->equivalents++;
    s->count = 0;
    s->parameter = darc_calloc((size_t)parameters, sizeof *s->parameter);
    for (int i = 0; i < parameters; i++)
        if (changed[parameter[i]])
            s->parameter[s->count++] = parameter[i];
}

/* List in c->equivalent the sets of parameters, of at most one parameter more
 * than c and not holding it, that explain a change of c (isolable.h): among all
 * subsets of at most 20 parameters, by their bits. */
static darc_status list_equivalents(darc_isolate_candidate *c, isolation *s,
                                    darc_err *err)
{
    darc_status status;
    int most = c->changed.count + 1, n = s->parameters;
    n = n < DARC_EXPLAIN_PARAMETERS ? n : DARC_EXPLAIN_PARAMETERS;
    size_t names = (size_t)s->x->io->jet->names->count;
    bool *changed = darc_calloc(names, sizeof *changed);
    bool *other = darc_calloc(names, sizeof *other);
    slong *least = darc_calloc((size_t)s->classes->entries, sizeof *least);
    for (int i = 0; i < c->changed.count; i++)
        changed[c->changed.parameter[i]] = true;
    DARC_TRY(darc_classes_find(least, s->classes, changed, err));
    for (unsigned long bits = 1; bits < 1UL << n; bits++) {
        if (__builtin_popcountl(bits) > most)
            continue;
        memset(other, 0, names * sizeof *other);
        for (int i = 0; i < n; i++)
            other[s->parameter[i]] = (bits >> i & 1) != 0;
        if (holds_set(&c->changed, other))
            continue;
        bool yes;
        DARC_TRY(explains(&yes, other, changed, least, s, err));
        if (yes)
            append_candidate(c, other, s->parameter, s->parameters);
    }
done:
    DARC_FREE(least, changed, other);
    return status;
}

/* Say which other changes are the same, as far as that takes no more than some
 * work. */
static darc_status explain(darc_isolate *out, isolation *s, darc_err *err)
{
    const darc_ioeqs_struct *io = s->x->io;
    double left = DARC_ISOLATE_WORK;
    darc_budget own = darc_budget_with(s->x->budget, &left);
    darc_identification_t id;
    darc_err why = {DARC_OK, ""};
    darc_status status = darc_identification_init_field(
        id, io, darc_ioeqs_are_expanded(io) ? NULL : s->x->model, &own, &why);
    if (status == DARC_OK) {
        s->id = id;
        s->budget = &own;
        int n = id->complete ? out->diagnosis : 0;
        for (int i = 0; i < n && status == DARC_OK; i++)
            status = list_equivalents(out->candidate + i, s, &why);
        darc_identification_clear(id);
    }
    if (status == DARC_OK || darc_budget_is_short(&own))
        return DARC_OK;
    return darc_fail(err, status, "%s", why.message);
}

/* Set out from the recordings that s holds. */
static darc_status isolate(darc_isolate *out, isolation *s,
                           darc_isolate_so_far *so_far, darc_err *err)
{
    darc_status status = DARC_OK;
    *out = (darc_isolate){0};
    DARC_TRY(list_parameters(s, out, err));
    s->pair.g = darc_ioeqs_are_expanded(s->x->io) ? NULL : s->g;
    darc_isolate_search of = {.names = s->x->io->jet->names,
                              .parameters = s->parameters,
                              .parameter = s->parameter,
                              .test = test,
                              .user = s,
                              .budget = s->x->budget,
                              .so_far = so_far,
                              .listener = s->x->user};
    DARC_TRY(darc_isolate_find(out, &of, err));
    if (out->candidates > 0)
        status = explain(out, s, err);
done:
    DARC_FREE(s->least, s->parameter);
    darc_classes_clear(s->classes);
    darc_blackbox_clear(s->g);
    if (status != DARC_OK)
        darc_isolate_clear(out);
    return status;
}

/* Fit the equations of s->x to both recordings, and let s->pair hold that. */
static darc_status open_fits(isolation *s, darc_fit f[2], darc_estimates e[2],
                             const darc_table *const table[2], darc_err *err)
{
    const darc_question *x = s->x;
    darc_status status = DARC_OK;
    DARC_TRY(darc_bindings_init(&s->bind, x, NULL, NULL, 0, err));
    for (int i = 0; i < 2; i++)
        DARC_TRY(darc_reading_take(e + i, f + i, x, table[i], &s->bind, err));
    s->pair = (darc_pair){.x = x, .a = e, .b = e + 1, .bind = &s->bind};
    s->pair.copies = darc_regression_are_copies(&f->r, x, table);
    if (!darc_pair_align(e, e + 1))
        status = darc_fail(err, DARC_DATA,
                           "the coefficient that ratios refer to is 0 in one "
                           "of the recordings and not in the other");
done:
    return status;
}

darc_status darc_isolate_run(darc_isolate *out, const darc_question *x,
                             const darc_table *const table[2],
                             darc_isolate_so_far *so_far, darc_err *err)
{
    darc_status status = DARC_OK;
    darc_judgement j = {0};
    darc_err why;
    darc_fit f[2] = {{.weak = NULL}, {.weak = NULL}};
    darc_estimates e[2] = {{0}};
    isolation s = {.x = x};
    *out = (darc_isolate){0};
    out->equal = darc_decision_none(x->by->alpha, x->by->tolerance);
    darc_wide_withhold(&out->equal, x->io);
    if (x->equations == 0)
        return DARC_OK;
    darc_err_init(&why);
    status = open_fits(&s, f, e, table, &why);
    if (status != DARC_OK && (f[0].r.idle || f[1].r.idle)) {
        darc_decision_say(&out->equal, DARC_UNDECIDED, "%s", why.message);
        status = DARC_OK;
        goto done;
    }
    if (status != DARC_OK)
        DARC_TRY(darc_fail(err, status, "%s", why.message));
    DARC_TRY(isolate(out, &s, so_far, err));
    for (int i = 0; i < 2; i++)
        out->used[i] = f[i].used;
    darc_judgement_list(&j, x, e, e + 1);
    DARC_SAME(out, &j, estimates, estimate);
    j.estimates = 0;
    j.estimate = NULL;
done:
    darc_judgement_clear(&j);
    darc_bindings_clear(&s.bind);
    DARC_ALL(darc_estimates_clear, e, 2);
    DARC_ALL(darc_fit_clear, f, 2);
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
    DARC_FREE(out->estimate, out->candidate, out->unseen_parameter);
    *out = (darc_isolate){0};
}
