#include "identify/generators.h"

#include "base/mem.h"
#include "identify/candidates.h"

#include <string.h>

/* Points at which functions are sought, and one more modulo a second prime, at
 * which every answer is checked. */
#define PLACES 3
#define CHECK PLACES

typedef struct {
    const darc_ratios_struct *ratio; /* they generate the field */
    const fmpz_mpoly_ctx_struct *ctx;
    slong rank;
    darc_place place[PLACES + 1];
    darc_groebner_t basis[PLACES + 1]; /* of fibres of ratio there */
    const darc_identifiability *parameter;
    darc_ratios_struct *gen;
    darc_place own_place; /* made for divisors, cut */
    darc_groebner_t own;  /* of the slice of the fibre of gen there */
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
        if (!darc_fibre_fixes(b, f->num + k, f->den + k, w->ctx, &w->own_place))
            return false;
    return true;
}

/* Add num/den to the generators if it is in the field and new to them. */
static darc_status consider(finder *w, const fmpz_mpoly_t num,
                            const fmpz_mpoly_t den, darc_err *err)
{
    const fmpz_mpoly_ctx_struct *ctx = w->ctx;
    if (!darc_fibre_fixes(w->basis[CHECK], num, den, ctx, w->place + CHECK))
        return DARC_OK;
    if (w->gen->count > 0 &&
        darc_fibre_fixes(w->own, num, den, ctx, &w->own_place))
        return DARC_OK;
    if (!darc_ratios_append(w->gen, num, den))
        return DARC_OK;
    darc_status status = update(w->own, w->gen, &w->own_place, w->budget, err);
    if (status == DARC_OK && w->gen->count >= w->rank)
        w->complete = fixes_functions(w->own, w->ratio, w);
    return status;
}

/* Consider the P/den with deg P <= degree. */
static darc_status search(finder *w, const fmpz_mpoly_t den, slong degree,
                          darc_err *err)
{
    darc_status status = DARC_OK;
    darc_ratios_t f;
    darc_ratios_init(f, w->ctx);
    DARC_TRY(darc_candidates(f, den, degree, w->basis[0], w->place, PLACES,
                             w->budget, err));
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
    fmpz_mpoly_init(x, w->ctx);
    for (slong v = 0; v < fmpz_mpoly_ctx_nvars(w->ctx) && !w->complete; v++) {
        if (w->parameter[v] == DARC_GLOBALLY)
            continue;
        fmpz_mpoly_gen(x, v, w->ctx);
        DARC_TRY(search(w, x, degree, err));
    }
done:
    fmpz_mpoly_clear(x, w->ctx);
    return status;
}

static darc_status search_all(finder *w, darc_err *err)
{
    darc_status status = DARC_OK;
    fmpz_mpoly_t one;
    fmpz_mpoly_init(one, w->ctx);
    fmpz_mpoly_one(one, w->ctx);
    for (slong degree = 1; degree <= 3 && !w->complete; degree++) {
        DARC_TRY(search(w, one, degree, err));
        if (degree <= 2 && !w->complete)
            DARC_TRY(search_quotients(w, degree, err));
    }
    for (slong k = 0; k < w->ratio->count && !w->complete; k++)
        DARC_TRY(consider(w, w->ratio->num + k, w->ratio->den + k, err));
done:
    fmpz_mpoly_clear(one, w->ctx);
    return status;
}

/* Remove generators that the others make superfluous, the longest first. */
static darc_status prune(finder *w, darc_err *err)
{
    darc_status status = DARC_OK;
    darc_groebner_t b;
    memset(b, 0, sizeof *b);
    darc_ratios_t f;
    darc_ratios_init(f, w->ctx);
    darc_ratios_sort(w->gen, 0);
    for (slong k = w->gen->count - 1; k >= 0 && w->gen->count > w->rank; k--) {
        darc_ratios_clear(f);
        darc_ratios_init(f, w->ctx);
        for (slong i = 0; i < w->gen->count; i++)
            if (i != k)
                darc_ratios_append(f, w->gen->num + i, w->gen->den + i);
        DARC_TRY(update(b, f, &w->own_place, w->budget, err));
        if (fixes_functions(b, w->ratio, w))
            darc_ratios_remove(w->gen, k);
    }
done:
    darc_groebner_clear(b);
    darc_ratios_clear(f);
    return status;
}

static darc_status finder_init(finder *w, darc_err *err)
{
    darc_status status = DARC_OK;
    flint_rand_t state;
    flint_randinit(state);
    slong vars = fmpz_mpoly_ctx_nvars(w->ctx);
    bool divisors = darc_ratios_have_divisors(w->ratio);
    bool *cut = darc_calloc((size_t)vars, sizeof *cut);
    darc_ratios_independent(cut, w->ratio);
    ulong prime = darc_finite_random_prime(state),
          second = darc_finite_random_prime(state);
    for (int i = 0; i <= PLACES; i++)
        darc_place_init(w->place + i, vars, divisors,
                        i == CHECK ? second : prime, state);
    darc_place_cut(w->place + CHECK, cut, state);
    darc_place_init(&w->own_place, vars, true, prime, state);
    darc_place_cut(&w->own_place, cut, state);
    for (int i = 0; i <= PLACES && status == DARC_OK; i++)
        status = darc_fibre_init(w->basis[i], w->ratio, w->place + i, w->budget,
                                 err);
    darc_free(cut);
    flint_randclear(state);
    return status;
}

static void finder_clear(finder *w)
{
    for (int i = 0; i <= PLACES; i++) {
        darc_groebner_clear(w->basis[i]);
        darc_place_clear(w->place + i);
    }
    darc_groebner_clear(w->own);
    darc_place_clear(&w->own_place);
}

darc_status darc_generators_find(darc_ratios_t gen, const darc_ratios_t ratio,
                                 const darc_identifiability *parameter,
                                 const darc_budget *budget, darc_err *err)
{
    darc_status status;
    finder w = {.ratio = ratio, .ctx = ratio->ctx, .gen = gen};
    w.parameter = parameter;
    w.budget = budget;
    if (ratio->count == 0)
        return DARC_OK;
    w.rank = darc_ratios_rank(ratio, 1);
    DARC_TRY(finder_init(&w, err));
    DARC_TRY(search_all(&w, err));
    DARC_TRY(prune(&w, err));
done:
    finder_clear(&w);
    return status;
}
