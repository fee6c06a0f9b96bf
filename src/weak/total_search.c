/* total_search.c - an equation in total derivatives, by the integrating factor
 * that leaves least inside. */
#include "weak/total.h"

#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    MAX_EXPONENT = 1000, /* of a monomial; sums stay far from overflow */
    DEEPEST = 3,         /* exponents 0 .. -3 of an integrating factor */
    MAX_SEARCH = 4,      /* signals in the search: 4^4 candidates */
    MAX_SEARCH_TERMS = 500
};

/* Set used[u] and return the highest order of a signal in the parts. */
static int scan_parts(bool *used, const darc_dpolys_t part,
                      const darc_jet_t jet)
{
    int top = 0;
    for (slong i = 0; i < part->count; i++)
        for (int u = 0; u < jet->names->count; u++) {
            int k = darc_jet_is_constant(jet, u)
                        ? -1
                        : darc_dpoly_order(part->p + i, u, jet);
            used[u] = used[u] || k >= 0;
            top = k > top ? k : top;
        }
    return top;
}

/* The variables: every signal of the parts up to one order above the highest
 * order that occurs, so that a missing next derivative can be tried too. */
static void init_vars(darc_total_t out, const darc_dpolys_t part,
                      const darc_jet_t jet)
{
    int n = jet->names->count;
    bool *used = darc_calloc((size_t)n, sizeof *used);
    int top = scan_parts(used, part, jet) + 1;
    size_t most = (size_t)n * (size_t)(top + 1);
    out->var = darc_calloc(most, sizeof *out->var);
    for (int u = 0; u < n; u++)
        for (int k = 0; used[u] && k <= top; k++)
            if (k == 0 || jet->names->symbol[u].kind != DARC_TIME)
                out->var[out->vars++] = (darc_deriv){u, k};
    out->next = darc_calloc((size_t)out->vars, sizeof *out->next);
    out->factor = darc_calloc((size_t)out->vars, sizeof *out->factor);
    for (int v = 0; v < out->vars; v++) {
        darc_deriv d = out->var[v];
        out->next[v] =
            jet->names->symbol[d.unknown].kind == DARC_TIME
                ? -2
                : darc_total_var(out, (darc_deriv){d.unknown, d.order + 1});
    }
    darc_free(used);
}

/* Set e to the exponents of term i of p. */
static darc_status term_exponents(int *e, const darc_total_t total,
                                  const darc_dpoly_t p, slong i,
                                  const darc_jet_t jet, darc_err *err)
{
    memset(e, 0, (size_t)total->vars * sizeof *e);
    if (!fmpz_mpoly_term_exp_fits_ui(p, i, jet->ctx))
        return darc_fail(err, DARC_DOMAIN, "an exponent exceeds %d",
                         (int)MAX_EXPONENT);
    for (slong v = 0; v < jet->vars; v++) {
        ulong exponent = fmpz_mpoly_get_term_var_exp_ui(p, i, v, jet->ctx);
        if (exponent == 0)
            continue;
        if (exponent > MAX_EXPONENT)
            return darc_fail(err, DARC_DOMAIN, "exponent %lu exceeds %d",
                             (unsigned long)exponent, (int)MAX_EXPONENT);
        int w = darc_total_var(total, jet->deriv[v]);
        assert(w >= 0);
        e[w] = (int)exponent;
    }
    return DARC_OK;
}

static darc_status add_parts(darc_total_t total, const darc_dpolys_t part,
                             const darc_jet_t jet, darc_err *err)
{
    darc_status status = DARC_OK;
    int *e = darc_calloc((size_t)total->vars, sizeof *e);
    fmpq_t f;
    fmpq_init(f);
    for (slong j = 0; j < part->count; j++)
        for (slong i = 0; i < part->p[j].length; i++) {
            DARC_TRY(term_exponents(e, total, part->p + j, i, jet, err));
            fmpq_set_fmpz_frac(f, part->p[j].coeffs + i, (fmpz[1]){1});
            darc_total_add(total, (int)j, 0, f, e, -1);
        }
done:
    fmpq_clear(f);
    darc_free(e);
    return status;
}

/* How good a form is, most important first; lower is better. */
typedef struct {
    int rank[5];
} quality;

static quality rate_total(const darc_total_t total)
{
    quality q = {{darc_total_left(total), 0, 0, total->count, 0}};
    for (int i = 0; i < total->count; i++) {
        bool left = false;
        for (int v = 0; v < total->vars; v++)
            if (total->var[v].order > 0 && total->term[i].exponent[v] != 0)
                left = true;
        q.rank[1] += left;
    }
    for (int v = 0; v < total->vars; v++)
        q.rank[4] += abs(total->factor[v]);
    /* Division by noisy data is worth it only for derivatives. */
    q.rank[2] = q.rank[4] > 0;
    return q;
}

static bool is_better(quality a, quality b)
{
    for (int i = 0; i < 5; i++)
        if (a.rank[i] != b.rank[i])
            return a.rank[i] < b.rank[i];
    return false;
}

/* Set out to mu * E, reduced; mu is in out->factor. */
static void multiply_total(darc_total_t out, const darc_total_t plain,
                           const int *factor)
{
    int *exponent = darc_calloc((size_t)plain->vars, sizeof *exponent);
    darc_total_init_like(out, plain);
    memcpy(out->factor, factor, (size_t)plain->vars * sizeof *factor);
    for (int i = 0; i < plain->count; i++) {
        const darc_total_term *t = plain->term + i;
        for (int v = 0; v < plain->vars; v++)
            exponent[v] = t->exponent[v] + factor[v];
        darc_total_add(out, t->coeff, t->order, t->factor, exponent, t->log);
    }
    darc_free(exponent);
    darc_total_reduce(out);
}

/* Try all monomials of the signals `base` as factors; keep the best. */
static void search_factor(darc_total_t best, const darc_total_t plain,
                          const int *base, int bases)
{
    int *factor = darc_calloc((size_t)plain->vars, sizeof *factor);
    int codes = 1;
    for (int b = 0; b < bases; b++)
        codes *= DEEPEST + 1;
    for (int code = 1; code < codes && darc_total_left(best) > 0; code++) {
        for (int b = 0, rest = code; b < bases; b++, rest /= DEEPEST + 1)
            factor[base[b]] = -(rest % (DEEPEST + 1));
        darc_total_t trial;
        multiply_total(trial, plain, factor);
        if (is_better(rate_total(trial), rate_total(best))) {
            darc_total_struct swap = *best;
            *best = *trial;
            *trial = swap;
        }
        darc_total_clear(trial);
    }
    darc_free(factor);
}

darc_status darc_total_init(darc_total_t out, const darc_dpolys_t part,
                            const darc_jet_t jet, bool search, darc_err *err)
{
    darc_total_t plain;
    memset(plain, 0, sizeof *plain);
    init_vars(plain, part, jet);
    plain->coeffs = (int)part->count;
    darc_status status = add_parts(plain, part, jet, err);
    if (status != DARC_OK) {
        darc_total_clear(plain);
        memset(out, 0, sizeof *out);
        return status;
    }
    darc_total_set(out, plain);
    darc_total_reduce(out);

    int base[MAX_SEARCH], bases = 0;
    for (int v = 0; v < plain->vars; v++)
        if (plain->var[v].order == 0 && plain->next[v] >= 0 &&
            bases < MAX_SEARCH)
            base[bases++] = v;
    if (search && darc_total_left(out) > 0 && plain->count <= MAX_SEARCH_TERMS)
        search_factor(out, plain, base, bases);
    darc_total_clear(plain);
    return DARC_OK;
}
