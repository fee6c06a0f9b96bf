#include "verdict/explain.h"

#include "base/mem.h"
#include "darc/coeffrel.h"

#include <string.h>

enum { TRIALS = 3, RANGE = 1000 };

/* Values of all variables of the jet: random for the parameters, those of
 * `changed` drawn again for recording B. */
typedef struct {
    slong vars;
    fmpz *a, *b;
} point;

static point random_point(const darc_ioeqs_struct *io,
                          const darc_parameter_set *changed, flint_rand_t state)
{
    point p = {io->jet->vars, _fmpz_vec_init(io->jet->vars),
               _fmpz_vec_init(io->jet->vars)};
    for (slong v = 0; v < p.vars; v++) {
        fmpz_set_ui(p.a + v, 1 + n_randint(state, RANGE));
        fmpz_set(p.b + v, p.a + v);
        for (int i = 0; i < changed->count; i++)
            if (io->jet->deriv[v].unknown == changed->parameter[i])
                fmpz_set_ui(p.b + v, 1 + n_randint(state, RANGE));
    }
    return p;
}

static void clear_point(point *p)
{
    _fmpz_vec_clear(p->a, p->vars);
    _fmpz_vec_clear(p->b, p->vars);
}

static void evaluate(fmpz_t out, const fmpz_mpoly_struct *p, fmpz *x,
                     slong vars, const fmpz_mpoly_ctx_t ctx)
{
    fmpz **list = darc_calloc((size_t)vars, sizeof *list);
    for (slong v = 0; v < vars; v++)
        list[v] = x + v;
    if (!fmpz_mpoly_evaluate_all_fmpz(out, p, list, ctx))
        fmpz_one(out); /* too large: not seen to vanish */
    darc_free(list);
}

/* Whether the mixed relations of r vanish at the coefficients of p. */
static bool vanish(const darc_coeffrel_t r, const darc_ioeqs_struct *io,
                   const point *p)
{
    fmpz *c = _fmpz_vec_init(r->vars);
    fmpz_t value;
    fmpz_init(value);
    bool zero = true;
    for (int w = 0; w < r->vectors; w++)
        for (slong v = r->first[w]; v < r->first[w + 1]; v++)
            evaluate(c + v, io->eq[r->equation[w]].coeff->p + (v - r->first[w]),
                     r->recording[w] == 0 ? p->a : p->b, p->vars, io->jet->ctx);
    for (slong k = 0; k < r->count && zero; k++) {
        if (!r->mixed[k])
            continue;
        evaluate(value, r->h + k, c, r->vars, r->ctx);
        zero = fmpz_is_zero(value);
    }
    fmpz_clear(value);
    _fmpz_vec_clear(c, r->vars);
    return zero;
}

static bool holds_set(const darc_parameter_set *inner, const bool *changed)
{
    for (int i = 0; i < inner->count; i++)
        if (!changed[inner->parameter[i]])
            return false;
    return true;
}

/* Whether a change of `changed` makes every pair that a change of s makes. */
static darc_status explains(bool *yes, const bool *changed,
                            const darc_parameter_set *s,
                            const darc_ioeqs_struct *io, flint_rand_t state,
                            const darc_budget *budget, darc_err *err)
{
    *yes = true;
    for (int e = 0; e < io->count && *yes; e++) {
        darc_coeffrel_t r;
        darc_status status = darc_coeffrel_init(r, io, e, changed, budget, err);
        if (status != DARC_OK)
            return status;
        for (int i = 0; i < TRIALS && *yes; i++) {
            point p = random_point(io, s, state);
            *yes = vanish(r, io, &p);
            clear_point(&p);
        }
        darc_coeffrel_clear(r);
    }
    return DARC_OK;
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
darc_status darc_explain(darc_isolate_candidate *c, const darc_ioeqs_t io,
                         const int *parameter, int parameters,
                         const darc_budget *budget, darc_err *err)
{
    darc_status status = DARC_OK;
    int most = c->changed.count + 1, n = parameters < 20 ? parameters : 20;
    flint_rand_t state;
    flint_randinit(state);
    size_t names = (size_t)io->jet->names->count;
    bool *changed = darc_calloc(names, sizeof *changed);
    for (unsigned long bits = 1; bits < 1UL << n; bits++) {
        if (__builtin_popcountl(bits) > most)
            continue;
        memset(changed, 0, names * sizeof *changed);
        for (int i = 0; i < n; i++)
            changed[parameter[i]] = (bits >> i & 1) != 0;
        if (holds_set(&c->changed, changed))
            continue;
        bool yes;
        DARC_TRY(explains(&yes, changed, &c->changed, io, state, budget, err));
        if (yes)
            append(c, changed, parameter, parameters);
    }
done:
    flint_randclear(state);
    darc_free(changed);
    return status;
}
