#include "identify/generators.h"

#include "base/mem.h"
#include "identify/candidates.h"
#include "identify/thresholds.h"

/* Behind those at which functions are sought, a fibre modulo a second prime, at
 * which every answer is checked. */
#define CHECK DARC_GENERATOR_PLACES

typedef struct {
    const darc_ratios_struct *ratio; /* they generate the field */
    const fmpz_mpoly_ctx_struct *ctx;
    slong rank;
    darc_fibre fibre[DARC_GENERATOR_PLACES + 1]; /* of ratio */
    const darc_identifiability *parameter;
    darc_ratios_struct *gen;
    darc_fibre own; /* of gen, cut, made for divisors */
    bool complete;  /* gen generates the field */
    const darc_budget *budget;
} finder;

/* Return whether all of f is constant on the fibre w->own. */
static bool fixes_functions(const finder *w, const darc_ratios_t f)
{
    for (slong k = 0; k < f->count; k++)
        if (!darc_fibre_fixes(&w->own, f->num + k, f->den + k))
            return false;
    return true;
}

/* Add num/den to the generators if it is in the field and new to them. */
static darc_status consider(finder *w, const fmpz_mpoly_t num,
                            const fmpz_mpoly_t den, darc_err *err)
{
    if (!darc_fibre_fixes(w->fibre + CHECK, num, den))
        return DARC_OK;
    if (w->gen->count > 0 && darc_fibre_fixes(&w->own, num, den))
        return DARC_OK;
    if (!darc_ratios_append(w->gen, num, den))
        return DARC_OK;
    darc_status status = darc_fibre_find(&w->own, w->gen, err);
    if (status == DARC_OK && w->gen->count >= w->rank)
        w->complete = fixes_functions(w, w->ratio);
    return status;
}

/* Consider the P/den with deg P <= degree. */
static darc_status search(finder *w, const fmpz_mpoly_t den, slong degree,
                          darc_err *err)
{
    darc_status status = DARC_OK;
    darc_ratios_t f;
    darc_ratios_init(f, w->ctx);
    DARC_TRY(
        darc_candidates(f, den, degree, w->fibre, DARC_GENERATOR_PLACES, err));
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
    for (slong degree = 1; degree <= DARC_CANDIDATE_DEGREE && !w->complete;
         degree++) {
        DARC_TRY(search(w, one, degree, err));
        if (degree <= DARC_QUOTIENT_DEGREE && !w->complete)
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
    darc_ratios_t f;
    darc_ratios_init(f, w->ctx);
    darc_ratios_sort(w->gen, 0);
    for (slong k = w->gen->count - 1; k >= 0 && w->gen->count > w->rank; k--) {
        darc_ratios_clear(f);
        darc_ratios_init(f, w->ctx);
        for (slong i = 0; i < w->gen->count; i++)
            if (i != k)
                darc_ratios_append(f, w->gen->num + i, w->gen->den + i);
        DARC_TRY(darc_fibre_find(&w->own, f, err));
        if (fixes_functions(w, w->ratio))
            darc_ratios_remove(w->gen, k);
    }
done:
    darc_ratios_clear(f);
    return status;
}

static darc_status finder_init(finder *w, darc_err *err)
{
    darc_status status = DARC_OK;
    flint_rand_t state;
    flint_randinit(state);
    bool *cut = darc_calloc((size_t)fmpz_mpoly_ctx_nvars(w->ctx), sizeof *cut);
    darc_ratios_independent(cut, w->ratio);
    ulong prime = darc_finite_random_prime(state),
          second = darc_finite_random_prime(state);
    for (int i = 0; i <= DARC_GENERATOR_PLACES; i++)
        darc_fibre_init(w->fibre + i, w->ratio, false, i == CHECK ? cut : NULL,
                        i == CHECK ? second : prime, state);
    darc_fibre_init(&w->own, w->ratio, true, cut, prime, state);
    w->own.budget = w->budget;
    for (int i = 0; i <= DARC_GENERATOR_PLACES && status == DARC_OK; i++) {
        w->fibre[i].budget = w->budget;
        status = darc_fibre_find(w->fibre + i, w->ratio, err);
    }
    darc_free(cut);
    flint_randclear(state);
    return status;
}

static void finder_clear(finder *w)
{
    for (int i = 0; i <= DARC_GENERATOR_PLACES; i++)
        darc_fibre_clear(w->fibre + i);
    darc_fibre_clear(&w->own);
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
