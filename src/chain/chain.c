#include "chain/chain.h"

#include "base/limits.h"
#include "base/mem.h"
#include "chain/regular.h"
#include "chain/ritt.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

/* ---- frames */

static darc_kind kind_of(const darc_jet_t jet, int u)
{
    return jet->names->symbol[u].kind;
}

static bool has_derivatives(const darc_jet_t jet, int u)
{
    return kind_of(jet, u) != DARC_PARAMETER && kind_of(jet, u) != DARC_TIME;
}

slong darc_frame_max_order(const darc_jet_t jet)
{
    slong order = 0;
    for (int u = 0; u < jet->names->count; u++)
        if (jet->bound[u] > order)
            order = jet->bound[u];
    return order;
}

void darc_frame_guess(int *bound, const int *order, const darc_jet_t jet)
{
    const darc_ranking_struct *rk = jet->ranking;
    int n = jet->names->count, states = 0;
    for (int u = 0; u < n; u++)
        if (kind_of(jet, u) == DARC_STATE)
            states += order[u];
    for (int u = 0; u < n; u++) {
        bound[u] = 0;
        if (!has_derivatives(jet, u))
            continue;
        bound[u] = order[u] + 2;
        if (kind_of(jet, u) != DARC_STATE)
            bound[u] += states;
        for (int w = 0; w < n; w++)
            bound[u] += kind_of(jet, w) == DARC_PARAMETER &&
                        kind_of(jet, u) != DARC_STATE &&
                        darc_ranking_cmp((darc_deriv){w, 0},
                                         (darc_deriv){u, bound[u]}, rk) > 0;
        if (bound[u] > DARC_MAX_FRAME_ORDER)
            bound[u] = DARC_MAX_FRAME_ORDER;
    }
}

bool darc_frame_grow(int *bound, const darc_jet_t jet)
{
    int n = jet->names->count;
    for (int u = 0; u < n; u++)
        if (has_derivatives(jet, u) &&
            bound[u] + bound[u] / 2 + 2 > DARC_MAX_FRAME_ORDER)
            return false;
    for (int u = 0; u < n; u++)
        if (has_derivatives(jet, u))
            bound[u] += bound[u] / 2 + 2;
    return true;
}

/* ---- membership */

static darc_status carry_chain(darc_autored_t a, const darc_component *c,
                               const darc_jet_t to, const darc_jet_t from)
{
    darc_status status = DARC_OK;
    darc_dpoly_t p;
    darc_dpoly_init(p, to);
    for (slong i = 0; i < c->equations->count; i++) {
        DARC_TRY(darc_dpoly_move(p, to, c->equations->p + i, from, NULL));
        darc_autored_insert(a, p, to);
    }
done:
    darc_dpoly_clear(p, to);
    return status;
}

/* Append the product of what a reduction multiplied by. */
static void print_product(darc_text_t out, const darc_cert_t cert,
                          const darc_jet_t jet)
{
    for (slong i = 0; i < cert->count; i++) {
        const darc_dpoly_struct *h = cert->step[i].h;
        int power = 0;
        for (slong k = 0; k < cert->count; k++) {
            bool same = fmpz_mpoly_equal(h, cert->step[k].h, jet->ctx);
            power = same && k < i ? -1 : power;
            power += same && power >= 0;
        }
        if (power <= 0 || fmpz_mpoly_is_one(h, jet->ctx))
            continue;
        darc_text_puts(out, out->len > 0 ? "*(" : "(");
        darc_dpoly_print(out, h, jet);
        darc_text_putc(out, ')');
        if (power > 1)
            darc_text_printf(out, "^%d", power);
    }
}

/* A reduction; what is to be told of it, NULL: nothing. */
typedef struct {
    const darc_budget *budget;
    darc_text_struct *rest, *factor;
} reduction;

/* Return whether f reduces to 0 in the frame `wide`; *grow: that is too small,
 * or the budget is spent. */
static darc_truth reduces(bool *grow, const reduction *t, const darc_dpoly_t f,
                          const darc_component *c, const darc_jet_t jet,
                          const darc_jet_t wide)
{
    darc_truth truth = DARC_UNKNOWN;
    darc_status status;
    darc_autored_t a;
    darc_dpoly_t p;
    darc_cert_t cert;
    darc_autored_init(a, wide);
    darc_dpoly_init(p, wide);
    darc_cert_init(cert);
    const darc_ritt_options o = {.budget = t->budget,
                                 .cert = t->rest != NULL ? cert : NULL};
    *grow = false;
    DARC_TRY(darc_dpoly_move(p, wide, f, jet, NULL));
    DARC_TRY(carry_chain(a, c, wide, jet));
    status = darc_ritt_reduce(p, p, a, &o, wide, NULL);
    *grow = status != DARC_OK;
    if (!*grow)
        truth = fmpz_mpoly_is_zero(p, wide->ctx) ? DARC_TRUE : DARC_FALSE;
    if (!*grow && t->rest != NULL) {
        darc_dpoly_print(t->rest, p, wide);
        print_product(t->factor, cert, wide);
    }
done:
    darc_cert_clear(cert, wide);
    darc_dpoly_clear(p, wide);
    darc_autored_clear(a, wide);
    return truth;
}

/* In frames that grow as far as need be. */
static darc_truth reduces_in_some(const reduction *t, const darc_dpoly_t f,
                                  const darc_component *c, const darc_jet_t jet)
{
    darc_truth truth;
    bool grow;
    size_t size = (size_t)jet->names->count * sizeof *jet->bound;
    int *bound = darc_malloc(size);
    memcpy(bound, jet->bound, size);
    do {
        darc_jet_t wide;
        darc_jet_init(wide, jet->names, jet->ranking, bound);
        truth = reduces(&grow, t, f, c, jet, wide);
        darc_jet_clear(wide);
    } while (grow && darc_budget_check(t->budget, NULL) == DARC_OK &&
             darc_frame_grow(bound, jet));
    darc_free(bound);
    return truth;
}

darc_truth darc_chain_member(const darc_dpoly_t f, const darc_component *c,
                             const darc_jet_t jet, const darc_budget *budget)
{
    return reduces_in_some(&(reduction){budget, NULL, NULL}, f, c, jet);
}

darc_truth darc_chain_normal_form(darc_text_t rest, darc_text_t factor,
                                  const darc_dpoly_t f, const darc_component *c,
                                  const darc_jet_t jet,
                                  const darc_budget *budget)
{
    return reduces_in_some(&(reduction){budget, rest, factor}, f, c, jet);
}

darc_truth darc_chain_contains(const darc_component *a, const darc_component *b,
                               const darc_jet_t jet, const darc_budget *budget)
{
    darc_truth truth = DARC_TRUE;
    for (slong i = 0; truth == DARC_TRUE && i < a->equations->count; i++)
        truth = darc_chain_member(a->equations->p + i, b, jet, budget);
    if (truth != DARC_TRUE)
        return truth;
    darc_autored_t set;
    darc_dpoly_t p;
    darc_autored_init(set, jet);
    darc_dpoly_init(p, jet);
    if (carry_chain(set, b, jet, jet) != DARC_OK)
        truth = DARC_UNKNOWN;
    for (slong i = 0; truth == DARC_TRUE && i < 2 * a->equations->count; i++) {
        bool regular; /* initials and separants, modulo b */
        (i % 2 == 0 ? darc_dpoly_initial
                    : darc_dpoly_separant)(p, a->equations->p + i / 2, jet);
        if (darc_regular_test(&regular, p, set, jet, NULL) != DARC_OK ||
            !regular)
            truth = DARC_UNKNOWN;
    }
    darc_dpoly_clear(p, jet);
    darc_autored_clear(set, jet);
    return truth;
}

/* Degrees of the terms met so far; LONG_MAX: none. */
typedef struct {
    const darc_dpoly_struct *a;
    const darc_jet_struct *jet;
    const darc_budget *budget;
    long pure;  /* least degree of a power of A alone */
    long mixed; /* least degree of a term with proper derivatives */
} expansion;

/* z = s*v + t. */
typedef struct {
    slong v;
    darc_dpoly_t s, t;
} leading;

/* Set e to the coefficient of z^j in s^d * p(v = (z - t)/s), d = deg_v p. */
static void substitute(darc_dpoly_t e, const darc_dpoly_t p, slong j,
                       const leading *z, const darc_jet_t jet)
{
    slong v = z->v, d = darc_dpoly_degree(p, v, jet);
    darc_dpoly_t c, power;
    darc_dpoly_inits(jet->ctx, c, power, NULL);
    fmpz_t binomial;
    fmpz_init(binomial);
    fmpz_mpoly_zero(e, jet->ctx);
    for (slong i = j; i <= d; i++) {
        darc_dpoly_coeff(c, p, v, i, jet);
        fmpz_mpoly_pow_ui(power, z->s, (ulong)(d - i), jet->ctx);
        fmpz_mpoly_mul(c, c, power, jet->ctx);
        fmpz_mpoly_pow_ui(power, z->t, (ulong)(i - j), jet->ctx);
        fmpz_mpoly_mul(c, c, power, jet->ctx);
        fmpz_bin_uiui(binomial, (ulong)i, (ulong)j);
        if ((i - j) % 2 != 0)
            fmpz_neg(binomial, binomial);
        fmpz_mpoly_scalar_mul_fmpz(c, c, binomial, jet->ctx);
        fmpz_mpoly_add(e, e, c, jet->ctx);
    }
    fmpz_clear(binomial);
    darc_dpoly_clears(jet->ctx, c, power, NULL);
}

/* Expand p, a coefficient of a product of `degree` derivatives of order over
 * k, in the derivatives of A of orders k, ..., 1. */
static darc_status expand(expansion *x, const darc_dpoly_t p, int k,
                          long degree, darc_err *err)
{
    const darc_jet_struct *jet = x->jet;
    if (fmpz_mpoly_is_zero(p, jet->ctx))
        return DARC_OK;
    if (k == 0) {
        /* c is the coefficient of a product of `degree` proper derivatives of
         * A: its lowest term has that degree plus the multiplicity of A in c.
         */
        darc_dpoly_t q;
        darc_dpoly_init(q, x->jet);
        fmpz_mpoly_set(q, p, x->jet->ctx);
        long power = degree;
        while (fmpz_mpoly_divides(q, q, x->a, x->jet->ctx))
            power++;
        long *least = degree == 0 ? &x->pure : &x->mixed;
        if (power < *least)
            *least = power;
        darc_dpoly_clear(q, x->jet);
        return DARC_OK;
    }
    darc_status status;
    leading z;
    darc_dpoly_t g;
    darc_dpoly_inits(jet->ctx, g, z.s, z.t, NULL);
    DARC_TRY(darc_budget_check(x->budget, err));
    DARC_TRY(darc_dpoly_diff_n(g, x->a, k, jet, err));
    z.v = darc_dpoly_leader(g, jet);
    darc_dpoly_coeff(z.s, g, z.v, 1, jet);
    darc_dpoly_coeff(z.t, g, z.v, 0, jet);
    for (slong j = darc_dpoly_degree(p, z.v, jet); j >= 0; j--) {
        substitute(g, p, j, &z, jet);
        DARC_TRY(expand(x, g, k - 1, degree + j, err));
    }
done:
    darc_dpoly_clears(jet->ctx, g, z.s, z.t, NULL);
    return status;
}

darc_status darc_lowpower(bool *essential, const darc_dpoly_t f,
                          const darc_dpoly_t a, const darc_jet_t jet,
                          const darc_budget *budget)
{
    darc_deriv df = jet->deriv[darc_dpoly_leader(f, jet)];
    darc_deriv da = jet->deriv[darc_dpoly_leader(a, jet)];
    assert(df.unknown == da.unknown && df.order >= da.order);
    expansion x = {a, jet, budget, LONG_MAX, LONG_MAX};
    darc_status status = expand(&x, f, df.order - da.order, 0, NULL);
    if (status == DARC_OK)
        *essential = x.pure < x.mixed;
    return status;
}
