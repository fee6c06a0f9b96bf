#include "relation/generators.h"

#include "base/mem.h"
#include "relation/candidates.h"

#include <string.h>

typedef struct {
    const darc_field_struct *f;
    const darc_identifiability *parameter;
    darc_ratios_struct *gen;
    darc_place own_place; /* place[0] of f, made for divisors */
    darc_groebner_t own;  /* of the fibre of gen there */
    bool complete;        /* gen generates the field */
    const darc_budget *budget;
} finder;

static darc_status update(darc_groebner_t b, const darc_ratios_t f,
                          const darc_place *p, const darc_budget *budget,
                          darc_err *err)
{
    darc_groebner_clear(b);
    return darc_fibre_init(b, f, p, budget, err);
}

/* Return whether all of f is constant on the fibre b at own_place. */
static bool fixes_functions(const darc_groebner_t b, const darc_ratios_t f,
                            const finder *w)
{
    for (slong k = 0; k < f->count; k++)
        if (!darc_fibre_fixes(b, f->num + k, f->den + k, w->f->ctx,
                              &w->own_place))
            return false;
    return true;
}

/* Add num/den to the generators if it is in the field and new to them. */
static darc_status consider(finder *w, const fmpz_mpoly_t num,
                            const fmpz_mpoly_t den, darc_err *err)
{
    const fmpz_mpoly_ctx_struct *ctx = w->f->ctx;
    if (!darc_fibre_fixes(w->f->basis[DARC_FIELD_CHECK], num, den, ctx,
                          w->f->place + DARC_FIELD_CHECK))
        return DARC_OK;
    if (w->gen->count > 0 &&
        darc_fibre_fixes(w->own, num, den, ctx, &w->own_place))
        return DARC_OK;
    if (!darc_ratios_append(w->gen, num, den))
        return DARC_OK;
    darc_status status = update(w->own, w->gen, &w->own_place, w->budget, err);
    if (status == DARC_OK && w->gen->count >= w->f->rank)
        w->complete = fixes_functions(w->own, w->f->ratio, w);
    return status;
}

/* Consider the P/den with deg P <= degree. */
static darc_status search(finder *w, const fmpz_mpoly_t den, slong degree,
                          darc_err *err)
{
    darc_status status = DARC_OK;
    darc_ratios_t f;
    darc_ratios_init(f, w->f->ctx);
    DARC_TRY(darc_candidates(f, den, degree, w->f->basis[0], w->f->place,
                             DARC_FIELD_PLACES, w->budget, err));
    for (slong k = 0; k < f->count && !w->complete; k++)
        DARC_TRY(consider(w, f->num + k, f->den + k, err));
done:
    darc_ratios_clear(f);
    return status;
}

/* Consider polynomials of a degree over the single parameters. */
static darc_status search_quotients(finder *w, slong degree, darc_err *err)
{
    darc_status status = DARC_OK;
    fmpz_mpoly_t x;
    fmpz_mpoly_init(x, w->f->ctx);
    for (slong v = 0; v < fmpz_mpoly_ctx_nvars(w->f->ctx) && !w->complete;
         v++) {
        if (w->parameter[v] == DARC_GLOBALLY)
            continue;
        fmpz_mpoly_gen(x, v, w->f->ctx);
        DARC_TRY(search(w, x, degree, err));
    }
done:
    fmpz_mpoly_clear(x, w->f->ctx);
    return status;
}

static darc_status search_all(finder *w, darc_err *err)
{
    darc_status status = DARC_OK;
    fmpz_mpoly_t one;
    fmpz_mpoly_init(one, w->f->ctx);
    fmpz_mpoly_one(one, w->f->ctx);
    for (slong degree = 1; degree <= 3 && !w->complete; degree++) {
        DARC_TRY(search(w, one, degree, err));
        if (degree <= 2 && !w->complete)
            DARC_TRY(search_quotients(w, degree, err));
    }
    for (slong k = 0; k < w->f->ratio->count && !w->complete; k++)
        DARC_TRY(consider(w, w->f->ratio->num + k, w->f->ratio->den + k, err));
done:
    fmpz_mpoly_clear(one, w->f->ctx);
    return status;
}

/* Remove generators that the others make superfluous, the longest first. */
static darc_status prune(finder *w, darc_err *err)
{
    darc_status status = DARC_OK;
    darc_groebner_t b;
    memset(b, 0, sizeof *b);
    darc_ratios_t f;
    darc_ratios_init(f, w->f->ctx);
    darc_ratios_sort(w->gen, 0);
    for (slong k = w->gen->count - 1; k >= 0 && w->gen->count > w->f->rank;
         k--) {
        darc_ratios_clear(f);
        darc_ratios_init(f, w->f->ctx);
        for (slong i = 0; i < w->gen->count; i++)
            if (i != k)
                darc_ratios_append(f, w->gen->num + i, w->gen->den + i);
        DARC_TRY(update(b, f, &w->own_place, w->budget, err));
        if (fixes_functions(b, w->f->ratio, w))
            darc_ratios_remove(w->gen, k);
    }
done:
    darc_groebner_clear(b);
    darc_ratios_clear(f);
    return status;
}

static void finder_init(finder *w, darc_ratios_t gen, const darc_field_t f,
                        const darc_identifiability *parameter,
                        const darc_budget *budget)
{
    *w = (finder){.f = f, .parameter = parameter, .gen = gen, .budget = budget};
    flint_rand_t state;
    flint_randinit(state);
    darc_place_init(&w->own_place, f->place->vars, true, f->place->mod.n,
                    state);
    memcpy(w->own_place.x, f->place->x,
           (size_t)f->place->vars * sizeof *f->place->x);
    flint_randclear(state);
}

darc_status darc_generators_find(darc_ratios_t gen, const darc_field_t f,
                                 const darc_identifiability *parameter,
                                 const darc_budget *budget, darc_err *err)
{
    darc_status status;
    finder w;
    if (f->ratio->count == 0)
        return DARC_OK;
    finder_init(&w, gen, f, parameter, budget);
    DARC_TRY(search_all(&w, err));
    DARC_TRY(prune(&w, err));
done:
    darc_groebner_clear(w.own);
    darc_place_clear(&w.own_place);
    return status;
}
