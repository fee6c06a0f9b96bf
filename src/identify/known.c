#include "identify/known.h"

#include "base/mem.h"
#include "identify/fibre.h"
#include "identify/thresholds.h"

typedef struct {
    darc_ratios_struct *ratio; /* those chosen */
    darc_ratios_t all;
    bool *taken; /* of all */
    bool *cut;   /* variables that slices put in */
    const darc_budget *budget;
    flint_rand_t rand;
} job;

static void list_ratios(darc_ratios_t all, const darc_coeffs_t c)
{
    for (int i = 0; i < c->vectors; i++)
        for (slong j = c->first[i] + 1; j < c->first[i + 1]; j++)
            darc_ratios_append(all, c->b + j, c->b + c->first[i]);
    darc_ratios_sort(all, 0);
}

static bool take(job *w, slong k)
{
    w->taken[k] =
        darc_ratios_append(w->ratio, w->all->num + k, w->all->den + k);
    return w->taken[k];
}

/* Take ratios as long as they raise the rank. */
static darc_status reach_rank(job *w, slong rank, darc_err *err)
{
    for (slong k = 0; k < w->all->count && w->ratio->count < rank; k++) {
        slong before = w->ratio->count;
        darc_status status = darc_budget_check(w->budget, err);
        if (status != DARC_OK)
            return status;
        if (!take(w, k) || darc_ratios_rank(w->ratio, 2) > before)
            continue;
        darc_ratios_remove(w->ratio, before);
        w->taken[k] = false;
    }
    return DARC_OK;
}

/* Take the first ratio that is not constant on the fibre; *found: there is
 * one. */
static darc_status take_missing(bool *found, job *w, const darc_fibre *fibre,
                                darc_err *err)
{
    *found = false;
    for (slong k = 0; k < w->all->count && !*found; k++) {
        darc_status status = darc_budget_check(w->budget, err);
        if (status != DARC_OK)
            return status;
        if (!w->taken[k] &&
            !darc_fibre_fixes(fibre, w->all->num + k, w->all->den + k))
            *found = take(w, k);
    }
    return DARC_OK;
}

static darc_status look(bool *found, job *w, darc_err *err)
{
    darc_fibre fibre;
    darc_fibre_init(&fibre, w->ratio, false, w->cut,
                    darc_finite_random_prime(w->rand), w->rand);
    fibre.budget = w->budget;
    darc_status status = darc_fibre_find(&fibre, w->ratio, err);
    if (status == DARC_OK)
        status = take_missing(found, w, &fibre, err);
    darc_fibre_clear(&fibre);
    return status;
}

static darc_status complete(job *w, darc_err *err)
{
    darc_ratios_independent(w->cut, w->ratio);
    for (int agreed = 0; agreed < DARC_KNOWN_PRIMES;) {
        bool found;
        darc_status status = look(&found, w, err);
        if (status != DARC_OK)
            return status;
        agreed = found ? 0 : agreed + 1;
    }
    return DARC_OK;
}

darc_status darc_known_field(darc_ratios_t ratio, bool *complete_field,
                             const darc_coeffs_t c, slong rank,
                             const darc_budget *budget, darc_err *err)
{
    job w = {.ratio = ratio, .budget = budget};
    flint_randinit(w.rand);
    darc_ratios_init(w.all, ratio->ctx);
    list_ratios(w.all, c);
    w.taken = darc_calloc((size_t)w.all->count + 1, sizeof *w.taken);
    w.cut =
        darc_calloc((size_t)fmpz_mpoly_ctx_nvars(ratio->ctx), sizeof *w.cut);
    darc_status status = reach_rank(&w, rank, err);
    *complete_field = status == DARC_OK && ratio->count == rank;
    if (status == DARC_OK)
        status = complete(&w, err);
    darc_ratios_clear(w.all);
    darc_free(w.taken);
    darc_free(w.cut);
    flint_randclear(w.rand);
    return status;
}
