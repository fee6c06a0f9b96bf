#include "diagnose/explain.h"

#include "base/mem.h"
#include "coefficient/coeffrel.h"
#include "coefficient/vectors.h"
#include "diagnose/thresholds.h"

#include <string.h>

/* A set of parameters and the pairs that its change makes. */
typedef struct {
    const darc_explanation *x;
    bool *changed; /* by unknown; owned */
    slong *least;  /* its classes; owned */
    flint_rand_t state;
} change;

static darc_status change_init(change *s, const darc_explanation *x,
                               const darc_parameter_set *set, darc_err *err)
{
    size_t names = (size_t)x->io->jet->names->count;
    s->x = x;
    flint_randinit(s->state);
    s->changed = darc_calloc(names, sizeof *s->changed);
    s->least = darc_calloc((size_t)x->classes->entries, sizeof *s->least);
    for (int i = 0; i < set->count; i++)
        s->changed[set->parameter[i]] = true;
    return darc_classes_find(s->least, x->classes, s->changed, err);
}

static void change_clear(change *s)
{
    flint_randclear(s->state);
    darc_free(s->changed);
    darc_free(s->least);
}

/* Set *zero to whether the mixed relations of r vanish on a pair of s. */
static darc_status vanish(bool *zero, const darc_coeffrel_t r, change *s,
                          darc_err *err)
{
    darc_vectors_t v;
    nmod_t mod;
    ulong *value = darc_calloc((size_t)r->vars + 1, sizeof *value);
    darc_vectors_init_blackbox(v, s->x->g, -1, s->changed);
    nmod_init(&mod, darc_finite_random_prime(s->state));
    darc_status status = darc_vectors_sample(value, v, mod, s->state, err);
    *zero = true;
    for (slong k = 0; k < r->count && *zero && status == DARC_OK; k++)
        *zero =
            !r->mixed[k] || darc_finite_eval(r->h + k, value, mod, r->ctx) == 0;
    darc_vectors_clear(v);
    darc_free(value);
    return status;
}

/* Set *n to the dimension of the pairs that a change of `changed` makes in all
 * equations together, -1: that takes too long. */
static darc_status dimension(slong *n, const bool *changed, change *s,
                             darc_err *err)
{
    darc_vectors_t v;
    darc_status status = DARC_OK;
    *n = -1;
    darc_vectors_init_blackbox(v, s->x->g, -1, changed);
    if (darc_vectors_jacobian_cost(v) <= s->x->work) {
        nmod_mat_t m;
        nmod_mat_init(m, v->vectors + v->vars, v->first[v->vectors],
                      darc_finite_random_prime(s->state));
        status = darc_vectors_jacobian(m, v, s->state, err);
        *n = nmod_mat_rank(m) - v->vectors;
        nmod_mat_clear(m);
    }
    darc_vectors_clear(v);
    return status;
}

/* Whether the relations of `other` vanish on the pairs of s, where they are
 * known to be all there is. */
static darc_status follows(bool *yes, const bool *other, change *s,
                           darc_err *err)
{
    darc_coeffrel_t r;
    darc_status status =
        darc_coeffrel_init_blackbox(r, s->x->g, -1, other, s->x->work, err);
    if (status != DARC_OK)
        return status;
    *yes = r->decisive;
    for (int i = 0; i < DARC_EXPLAIN_TRIALS && *yes && status == DARC_OK; i++)
        status = vanish(yes, r, s, err);
    darc_coeffrel_clear(r);
    return status;
}

/* Set *yes to whether a change of `other`, which leaves no ratio alone that s
 * changes, makes every pair of coefficients that s makes: it does where s
 * besides makes no more of them. */
static darc_status makes_all(bool *yes, const bool *other, change *s,
                             darc_err *err)
{
    darc_status status;
    slong n, both, own;
    size_t names = (size_t)s->x->io->jet->names->count;
    bool *all = darc_calloc(names, sizeof *all);
    for (size_t u = 0; u < names; u++)
        all[u] = other[u] || s->changed[u];
    *yes = false;
    DARC_TRY(dimension(&n, other, s, err));
    DARC_TRY(dimension(&both, all, s, err));
    DARC_TRY(dimension(&own, s->changed, s, err));
    *yes = n >= 0 && n == both;
    bool few = s->x->classes->entries <= DARC_EXPLAIN_ENTRIES;
    if (!*yes && few && n >= own && own >= 0)
        status = follows(yes, other, s, err);
done:
    darc_free(all);
    return status;
}

/* The same for any `other`.  Its classes are looked at first: that is
 * quick. */
static darc_status explains(bool *yes, const bool *other, change *s,
                            darc_err *err)
{
    const darc_explanation *x = s->x;
    slong *least = darc_calloc((size_t)x->classes->entries, sizeof *least);
    darc_status status = darc_classes_find(least, x->classes, other, err);
    *yes =
        status == DARC_OK && darc_classes_refine(least, s->least, x->classes);
    if (*yes)
        status = makes_all(yes, other, s, err);
    darc_free(least);
    return status;
}

static bool holds_set(const darc_parameter_set *inner, const bool *changed)
{
    for (int i = 0; i < inner->count; i++)
        if (!changed[inner->parameter[i]])
            return false;
    return true;
}

static void append(darc_isolate_candidate *c, const bool *changed,
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

/* All subsets of at most 20 parameters, by their bits. */
darc_status darc_explain(darc_isolate_candidate *c, const darc_explanation *x,
                         darc_err *err)
{
    darc_status status;
    change s;
    int most = c->changed.count + 1, n = x->parameters;
    n = n < DARC_EXPLAIN_PARAMETERS ? n : DARC_EXPLAIN_PARAMETERS;
    size_t names = (size_t)x->io->jet->names->count;
    bool *other = darc_calloc(names, sizeof *other);
    DARC_TRY(change_init(&s, x, &c->changed, err));
    for (unsigned long bits = 1; bits < 1UL << n; bits++) {
        if (__builtin_popcountl(bits) > most)
            continue;
        memset(other, 0, names * sizeof *other);
        for (int i = 0; i < n; i++)
            other[x->parameter[i]] = (bits >> i & 1) != 0;
        if (holds_set(&c->changed, other))
            continue;
        bool yes;
        DARC_TRY(explains(&yes, other, &s, err));
        if (yes)
            append(c, other, x->parameter, x->parameters);
    }
done:
    change_clear(&s);
    darc_free(other);
    return status;
}
