#include "projection/ioeq.h"

#include "base/mem.h"
#include "projection/coeffs.h"
#include "projection/thresholds.h"

#include <assert.h>
#include <math.h>
#include <string.h>

void darc_ioeq_ranking(darc_ranking_t rk, const darc_ranking_t ranking,
                       const darc_names_t names)
{
    darc_ranking_set(rk, ranking);
    int lowest = 0;
    for (int u = 0; u < names->count; u++)
        lowest = ranking->block[u] > lowest ? ranking->block[u] : lowest;
    for (int u = 0; u < names->count; u++)
        if (names->symbol[u].kind == DARC_PARAMETER)
            rk->block[u] = lowest + 1;
}

void darc_ioeqs_init_frame(darc_ioeqs_t e, const darc_names_t names,
                           const darc_ranking_t ranking, const int *bound)
{
    darc_ranking_t rk;
    darc_ranking_init(rk, names->count);
    darc_ioeq_ranking(rk, ranking, names);
    *e = (darc_ioeqs_struct){.count = 0};
    darc_jet_init(e->jet, names, rk, bound);
    darc_ranking_clear(rk);
}

void darc_ioeqs_drop(darc_ioeqs_t e)
{
    for (int i = 0; i < e->count; i++) {
        darc_dpoly_clear(e->eq[i].poly, e->jet);
        DARC_EACH_IN(darc_dpolys_clear, e->jet, e->eq[i].coeff, e->eq[i].part);
    }
    darc_free(e->eq);
    e->eq = NULL;
    e->count = 0;
    e->coupled = e->bound = false;
}

void darc_ioeqs_clear(darc_ioeqs_t e)
{
    darc_ioeqs_drop(e);
    darc_dpolys_clear(e->inequations, e->jet);
    darc_jet_clear(e->jet);
}

bool darc_ioeqs_are_expanded(const darc_ioeqs_t e)
{
    for (int i = 0; i < e->count; i++)
        if (!e->eq[i].expanded)
            return false;
    return true;
}

void darc_ioeqs_reframe(darc_ioeqs_t e, const darc_names_t names,
                        const darc_ranking_t ranking, const int *bound)
{
    darc_ioeqs_t fresh; /* names and ranking may be those of e */
    darc_ioeqs_init_frame(fresh, names, ranking, bound);
    darc_ioeqs_clear(e);
    *e = *fresh;
}

/* Move the last equation to its place among ascending leaders. */
static void sift(darc_ioeqs_t e)
{
    for (int i = e->count - 1; i > 0; i--) {
        darc_ioeq *a = e->eq + i - 1, *b = e->eq + i;
        if (darc_ranking_cmp(a->leader, b->leader, e->jet->ranking) <= 0)
            return;
        DARC_SWAP(darc_ioeq, *a, *b);
    }
}

/* Append an equation without poly, of leader v. */
static darc_ioeq *append_empty(darc_ioeqs_t e, slong v, const char *engine)
{
    DARC_ROOM(e->eq, e->count);
    darc_ioeq *eq = e->eq + e->count++;
    assert(v >= 0);
    *eq = (darc_ioeq){.leader = e->jet->deriv[v], .engine = engine};
    assert(!darc_jet_is_constant(e->jet, eq->leader.unknown));
    darc_dpoly_init(eq->poly, e->jet);
    return eq;
}

void darc_ioeqs_append(darc_ioeqs_t e, const darc_dpoly_t poly,
                       const char *engine)
{
    darc_ioeqs_append_led(e, poly, darc_dpoly_leader(poly, e->jet), engine);
}

void darc_ioeqs_append_led(darc_ioeqs_t e, const darc_dpoly_t poly,
                           slong leader, const char *engine)
{
    darc_ioeq *eq = append_empty(e, leader, engine);
    darc_dpoly_primitive(eq->poly, poly, e->jet);
    eq->expanded = true;
    darc_ioeq_group(eq, e->jet);
    sift(e);
}

void darc_ioeqs_append_support(darc_ioeqs_t e, const darc_dpoly_t sum,
                               const char *engine)
{
    darc_ioeq *eq = append_empty(e, darc_dpoly_leader(sum, e->jet), engine);
    for (slong t = 0; t < sum->length; t++) {
        darc_dpoly_t m;
        darc_dpoly_init(m, e->jet);
        fmpz_mpoly_get_term_monomial(m, sum, t, e->jet->ctx);
        darc_dpolys_append_take(eq->part, m, e->jet);
        darc_dpoly_clear(m, e->jet);
    }
    sift(e);
}

darc_status darc_ioeqs_solve(darc_solution_t s, const darc_ioeqs_t e,
                             flint_rand_t state, darc_err *err)
{
    const darc_jet_struct *jet = e->jet;
    darc_dpolys_t eq = {{0}}; /* the parameters of s put in */
    darc_err why = {DARC_OK, ""};
    darc_dpoly_t sum, term;
    darc_dpoly_inits(jet->ctx, sum, term, NULL);
    for (int i = 0; i < e->count; i++) {
        const darc_ioeq *from = e->eq + i;
        for (slong j = 0; j < from->coeff->count; j++) {
            ulong c;
            darc_solution_derivatives(&c, 1, from->coeff->p + j, jet, s);
            fmpz_mpoly_scalar_mul_ui(term, from->part->p + j, c, jet->ctx);
            fmpz_mpoly_add(sum, sum, term, jet->ctx);
        }
        darc_dpolys_append_take(eq, sum, jet);
    }
    darc_dpoly_clears(jet->ctx, sum, term, NULL);
    slong *leader = darc_calloc((size_t)e->count + 1, sizeof *leader);
    for (int i = 0; i < e->count; i++)
        leader[i] = darc_jet_var(jet, e->eq[i].leader);
    darc_status status =
        e->coupled ? darc_solution_solve_linear(s, eq, leader, jet, state, &why)
                   : darc_solution_solve(s, eq, jet, state, &why);
    darc_free(leader);
    darc_dpolys_clear(eq, e->jet);
    if (status == DARC_OK)
        return status;
    darc_solution_clear(s);
    return darc_fail(err, DARC_INTERNAL, "%s", why.message);
}

int darc_ioeq_order(const darc_ioeq *eq, const darc_jet_t jet)
{
    int order = 0;
    for (slong j = 0; j < eq->part->count; j++) {
        int k = darc_dpoly_highest_order(eq->part->p + j, jet);
        order = k > order ? k : order;
    }
    return order;
}

void darc_ioeqs_reach(darc_partial_t p, const darc_ioeqs_t e)
{
    darc_partial_init(p, e->jet->names, e->jet->ranking, e->jet->bound);
    for (int i = 0; i < e->count; i++) {
        const darc_ioeq *eq = e->eq + i;
        darc_item *item = darc_partial_add(
            p, DARC_ITEM_IO,
            eq->expanded ? DARC_ITEM_EQUATION : DARC_ITEM_MONOMIALS, eq->leader,
            (long)(eq->expanded ? eq->poly->length : eq->part->count));
        if (eq->expanded)
            fmpz_mpoly_set(item->poly, eq->poly, p->jet->ctx);
        for (slong j = 0; j < eq->part->count && !eq->expanded; j++)
            fmpz_mpoly_add(item->poly, item->poly, eq->part->p + j,
                           p->jet->ctx);
    }
}

void darc_monomials_init(darc_monomials *g, const darc_dpoly_t p,
                         const darc_jet_t jet)
{
    *g = (darc_monomials){0};
    /* The parameters are the lowest variables and the order is lexicographic:
     * terms of one signal monomial are neighbours. */
    size_t size = (size_t)jet->vars * sizeof(ulong);
    ulong *e = darc_malloc(size), *s = darc_malloc(size);
    ulong *last = darc_malloc(size);
    darc_dpoly_t zero, m;
    darc_dpoly_inits(jet->ctx, zero, m, NULL);
    for (slong t = 0; t < p->length; t++) {
        fmpz_mpoly_get_term_exp_ui(e, p, t, jet->ctx);
        for (slong v = 0; v < jet->vars; v++) {
            bool constant = darc_jet_is_constant(jet, jet->deriv[v].unknown);
            s[v] = constant ? 0 : e[v];
            e[v] = constant ? e[v] : 0;
        }
        if (t == 0 || memcmp(s, last, size) != 0) {
            darc_dpolys_append_take(g->coeff, zero, jet);
            fmpz_mpoly_set_coeff_ui_ui(m, 1, s, jet->ctx);
            darc_dpolys_append_take(g->monomial, m, jet);
        }
        memcpy(last, s, size);
        fmpz_mpoly_struct *c = g->coeff->p + g->coeff->count - 1;
        fmpz_mpoly_push_term_fmpz_ui(c, p->coeffs + t, e, jet->ctx);
    }
    darc_dpoly_clears(jet->ctx, zero, m, NULL);
    DARC_FREE(e, s, last);
}

void darc_monomials_clear(darc_monomials *g, const darc_jet_t jet)
{
    DARC_EACH_IN(darc_dpolys_clear, jet, g->coeff, g->monomial);
}

/* part[j] = sum_k w_kj monomial[k], w integral. */
static void collect_parts(darc_dpolys_t part, const fmpq_mat_t w,
                          const darc_dpolys_t monomial, const darc_jet_t jet)
{
    darc_dpoly_t sum;
    fmpz *c = _fmpz_vec_init(w->r);
    darc_dpoly_init(sum, jet);
    for (slong j = 0; j < w->c; j++) {
        for (slong k = 0; k < w->r; k++) {
            assert(fmpz_is_one(fmpq_mat_entry_den(w, k, j)));
            fmpz_set(c + k, fmpq_mat_entry_num(w, k, j));
        }
        darc_dpolys_combine(sum, c, monomial, jet);
        darc_dpolys_append(part, sum, jet);
    }
    darc_dpoly_clear(sum, jet);
    _fmpz_vec_clear(c, w->r);
}

static bool is_integral(const fmpq_mat_t q)
{
    for (slong i = 0; i < q->r; i++)
        for (slong j = 0; j < q->c; j++)
            if (!fmpz_is_one(fmpq_mat_entry_den(q, i, j)))
                return false;
    return true;
}

/* Replace the basis by one of the lattice: b' = (h/den) b, w = q den h^-1. */
static void refine(darc_ioeq *eq, const slong *basis, const fmpq_mat_t q,
                   const darc_monomials *g, const darc_jet_t jet)
{
    fmpz_mat_t h;
    fmpq_mat_t inverse, w;
    fmpz_t den;
    fmpz_init(den);
    fmpz_mat_init(h, q->c, q->c);
    fmpq_mat_init(inverse, q->c, q->c);
    fmpq_mat_init(w, q->r, q->c);
    /* Set h to a basis of the lattice that the rows of q span in Q^r, over the
     * common denominator den. */
    fmpz_mat_t num;
    fmpz_mat_init(num, q->r, q->c);
    fmpq_mat_get_fmpz_mat_matwise(num, den, q);
    fmpz_mat_hnf(num, num);
    for (slong i = 0; i < q->c; i++)
        for (slong j = 0; j < q->c; j++)
            fmpz_set(fmpz_mat_entry(h, i, j), fmpz_mat_entry(num, i, j));
    fmpz_mat_clear(num);
    fmpq_mat_set_fmpz_mat_div_fmpz(inverse, h, den);
    int ok = fmpq_mat_inv(inverse, inverse);
    assert(ok);
    (void)ok;
    fmpq_mat_mul(w, q, inverse);
    /* Set coeff[i] = sum_j h_ij/den * (basis polynomial j), an integer one. */
    darc_dpoly_t sum;
    fmpz *c = _fmpz_vec_init(g->coeff->count);
    darc_dpoly_init(sum, jet);
    for (slong i = 0; i < h->r; i++) {
        for (slong j = 0; j < h->c; j++)
            fmpz_set(c + basis[j], fmpz_mat_entry(h, i, j));
        darc_dpolys_combine(sum, c, g->coeff, jet);
        fmpz_mpoly_scalar_divexact_fmpz(sum, sum, den, jet->ctx);
        darc_dpolys_append(eq->coeff, sum, jet);
    }
    darc_dpoly_clear(sum, jet);
    _fmpz_vec_clear(c, g->coeff->count);
    collect_parts(eq->part, w, g->monomial, jet);
    fmpz_mat_clear(h);
    DARC_EACH(fmpq_mat_clear, inverse, w);
    fmpz_clear(den);
}

/* Make the leading coefficients of the coeff positive. */
static void normalize_signs(darc_ioeq *eq, const darc_jet_t jet)
{
    for (slong j = 0; j < eq->coeff->count; j++) {
        fmpz_mpoly_struct *c = eq->coeff->p + j, *p = eq->part->p + j;
        if (fmpz_sgn(c->coeffs) > 0)
            continue;
        fmpz_mpoly_neg(c, c, jet->ctx);
        fmpz_mpoly_neg(p, p, jet->ctx);
    }
}

void darc_ioeq_group(darc_ioeq *eq, const darc_jet_t jet)
{
    assert(eq->coeff->count == 0 && eq->part->count == 0);
    assert(!fmpz_mpoly_is_zero(eq->poly, jet->ctx));
    darc_monomials g;
    darc_monomials_init(&g, eq->poly, jet);
    double m = (double)g.coeff->count;
    if (m * ((double)eq->poly->length + m * m) > DARC_GROUP_WORK) {
        /* Make every monomial a part of its own. */
        for (slong j = 0; j < g.coeff->count; j++) {
            darc_dpolys_append_take(eq->coeff, g.coeff->p + j, jet);
            darc_dpolys_append_take(eq->part, g.monomial->p + j, jet);
        }
        normalize_signs(eq, jet);
        goto done;
    }
    slong *basis = darc_calloc((size_t)g.coeff->count, sizeof *basis);
    fmpq_mat_t q;
    slong n = darc_coeffs_basis(basis, q, g.coeff->p, g.coeff->count, jet->ctx);
    if (is_integral(q)) {
        for (slong j = 0; j < n; j++)
            darc_dpolys_append(eq->coeff, g.coeff->p + basis[j], jet);
        collect_parts(eq->part, q, g.monomial, jet);
    } else {
        refine(eq, basis, q, &g, jet);
    }
    normalize_signs(eq, jet);
    fmpq_mat_clear(q);
    darc_free(basis);
done:
    darc_monomials_clear(&g, jet);
}

/* The value of what stands for a number; NAN of another unknown. */
static double value_of(void *user, darc_deriv d)
{
    const darc_model *model = user;
    int i = darc_adjoined_find(model, d.unknown);
    return i < 0 ? NAN
                 : darc_expr_eval(darc_adjoined_expr(model, i), value_of, user);
}

/* Put num/den in the place of v, times a power of den. */
static void put_fraction(darc_dpoly_t p, slong v, const fmpq_t x,
                         const darc_jet_t jet)
{
    slong degree = darc_dpoly_degree(p, v, jet);
    darc_dpoly_t sum, c;
    fmpz_t factor, power;
    DARC_EACH(fmpz_init, factor, power);
    darc_dpoly_inits(jet->ctx, sum, c, NULL);
    for (slong k = 0; k <= degree; k++) {
        darc_dpoly_coeff(c, p, v, k, jet);
        fmpz_pow_ui(factor, fmpq_numref(x), (ulong)k);
        fmpz_pow_ui(power, fmpq_denref(x), (ulong)(degree - k));
        fmpz_mul(factor, factor, power);
        fmpz_mpoly_scalar_mul_fmpz(c, c, factor, jet->ctx);
        fmpz_mpoly_add(sum, sum, c, jet->ctx);
    }
    darc_dpoly_primitive(p, sum, jet);
    darc_dpoly_clears(jet->ctx, sum, c, NULL);
    DARC_EACH(fmpz_clear, factor, power);
}

static void replace_by_fraction(darc_ioeqs_t e, int u, double value)
{
    const double scale = 0x1p50;
    slong v = darc_jet_var(e->jet, (darc_deriv){u, 0});
    fmpq_t x;
    fmpq_init(x);
    if (v >= 0 && fabs(value) < scale && fabs(value) > 1 / scale) {
        int exponent;
        double mantissa = frexp(value, &exponent);
        fmpz_set_d(fmpq_numref(x), mantissa * scale);
        fmpz_one(fmpq_denref(x));
        fmpz_mul_2exp(fmpq_denref(x), fmpq_denref(x), 50);
        fmpq_canonicalise(x);
        if (exponent > 0)
            fmpq_mul_2exp(x, x, (flint_bitcnt_t)exponent);
        else
            fmpq_div_2exp(x, x, (flint_bitcnt_t)-exponent);
        for (int i = 0; i < e->count; i++) {
            darc_ioeq *eq = e->eq + i;
            if (!eq->expanded || darc_dpoly_degree(eq->poly, v, e->jet) <= 0)
                continue;
            put_fraction(eq->poly, v, x, e->jet);
            DARC_EACH_IN(darc_dpolys_clear, e->jet, eq->coeff, eq->part);
            darc_ioeq_group(eq, e->jet);
        }
    }
    fmpq_clear(x);
}

void darc_ioeqs_put_numbers(darc_ioeqs_t e, const darc_model *model)
{
    const darc_names_struct *names = darc_model_names(model);
    for (int u = 0; u < names->count; u++)
        if (names->symbol[u].number)
            replace_by_fraction(e, u,
                                value_of((void *)model, (darc_deriv){u, 0}));
}
