#include "coefficient/coeffrel.h"

#include "base/mem.h"
#include "coefficient/classes.h"
#include "coefficient/interpolate.h"
#include "coefficient/scaling.h"
#include "coefficient/thresholds.h"

#include <assert.h>
#include <math.h>
#include <string.h>

void darc_coeffrel_clear(darc_coeffrel_t r)
{
    if (r->first == NULL)
        return;
    DARC_ALL_IN(fmpz_mpoly_clear, r->ctx, r->h, r->count);
    DARC_FREE(r->h, r->mixed, r->recording, r->equation, r->first);
    fmpz_mpoly_ctx_clear(r->ctx);
    *r = (darc_coeffrel_struct){.vectors = 0};
}

/* Return the rank of g along the tangents in t[0] and t[1]. */
static slong rank_along(const nmod_mat_t g, nmod_mat_t t[2])
{
    nmod_mat_t across, along, all;
    slong n = t[0]->r;
    nmod_mat_init(across, g->c, n, g->mod.n);
    nmod_mat_init(all, g->r, 2 * n, g->mod.n);
    for (int side = 0; side < 2; side++) {
        nmod_mat_window_init(along, all, 0, side * n, g->r, (side + 1) * n);
        nmod_mat_transpose(across, t[side]);
        nmod_mat_mul(along, g, across);
        nmod_mat_window_clear(along);
    }
    slong rank = nmod_mat_rank(all);
    DARC_EACH(nmod_mat_clear, across, all);
    return rank;
}

bool darc_coeffrel_is_decisive(const darc_coeffrel_t r,
                               const nmod_mat_t jacobian)
{
    bool two = false;
    for (int i = 0; i < r->vectors; i++)
        two = two || r->recording[i] != r->recording[0];
    if (!two)
        return r->complete;
    nmod_mat_t g, t[2]; /* gradients of the h; tangents, by recordings */
    ulong p = jacobian->mod.n;
    ulong *x = darc_calloc((size_t)r->vars + 1, sizeof *x);
    for (int side = 0; side < 2; side++)
        nmod_mat_init(t[side], jacobian->r, jacobian->c, p);
    for (int i = 0; i < r->vectors; i++)
        for (slong j = r->first[i]; j < r->first[i + 1]; j++) {
            x[j] = nmod_mat_entry(jacobian, i, j);
            for (slong k = 0; k < jacobian->r; k++)
                nmod_mat_entry(t[r->recording[i]], k, j) =
                    nmod_mat_entry(jacobian, k, j);
        }
    slong product =
        nmod_mat_rank(t[0]) + nmod_mat_rank(t[1]) - (slong)r->vectors;
    nmod_mat_init(g, r->count, r->vars, p);
    for (slong k = 0; k < r->count; k++)
        if (r->mixed[k])
            darc_finite_gradient(nmod_mat_entry_ptr(g, k, 0), r->h + k, x,
                                 g->mod, r->ctx);
    darc_free(x);
    bool all = rank_along(g, t) == product - r->dimension;
    nmod_mat_clear(g);
    DARC_ALL_OF(nmod_mat_clear, t, 2);
    return all;
}

typedef struct {
    darc_coeffrel_struct *out;
    const darc_vectors_struct *v;
    double work; /* products of terms that points may take */
    darc_sampling find, check;
    darc_grading weights;
    bool counted;        /* the codimension is known */
    nmod_mat_t jacobian; /* of the vectors, if counted */
    nmod_mat_t gradient; /* of the relations kept, at a generic point */
    slong most;          /* monomials that are tried */
    double products;     /* done in interpolations, about */
    const darc_budget *budget;
} relation_search;

/* Relations that are still of use. */
static slong wanted(const relation_search *s)
{
    return s->counted ? s->out->codimension : s->out->vars;
}

static bool is_mixed(const fmpz_mpoly_t h, const darc_coeffrel_t out)
{
    int *used = darc_calloc((size_t)out->vars, sizeof *used);
    fmpz_mpoly_used_vars(used, h, out->ctx);
    bool in[2] = {false, false};
    for (int i = 0; i < out->vectors; i++)
        for (slong v = out->first[i]; v < out->first[i + 1]; v++)
            in[out->recording[i]] = in[out->recording[i]] || used[v] != 0;
    darc_free(used);
    return in[0] && in[1];
}

/* Keep h, which becomes 0, if it is true and new. */
static void consider(fmpz_mpoly_t h, relation_search *s)
{
    darc_coeffrel_struct *out = s->out;
    double vars = (double)out->vars; /* in products modulo a prime: */
    s->products += DARC_TERM_PRICE * (double)h->length * vars +
                   DARC_RANK_PRICE * vars * vars * vars;
    if (out->count >= wanted(s))
        return;
    bool holds = true;
    for (slong i = 0; i < DARC_CHECK_POINTS && holds; i++)
        holds = darc_finite_eval(h, darc_sampling_at(&s->check, i),
                                 s->check.mod, out->ctx) == 0;
    ulong *row = nmod_mat_entry_ptr(s->gradient, out->count, 0);
    if (holds)
        darc_finite_gradient(row, h,
                             darc_sampling_at(&s->check, DARC_CHECK_POINTS),
                             s->check.mod, out->ctx);
    if (!holds || nmod_mat_rank(s->gradient) != out->count + 1) {
        _nmod_vec_zero(row, out->vars);
        return;
    }
    DARC_ROOM(out->h, out->count);
    DARC_ROOM(out->mixed, out->count);
    fmpz_mpoly_init(out->h + out->count, out->ctx);
    fmpz_mpoly_swap(out->h + out->count, h, out->ctx);
    out->mixed[out->count] = is_mixed(out->h + out->count, out);
    out->count++;
}

/* Search one multidegree; set *any if it was small enough to be tried. */
static darc_status search_degree(relation_search *s, const int *degree,
                                 bool *any, darc_err *err)
{
    DARC_NEED(darc_budget_check(s->budget, err));
    darc_status status = DARC_OK;
    darc_ansatz m;
    darc_poly_list h = {.ctx = s->out->ctx};
    darc_ansatz_init(&m, s->v, degree, &s->weights);
    bool tried = m.largest >= 0 && m.largest <= s->most &&
                 (double)m.largest * s->v->cost <= s->work &&
                 s->products <= DARC_MAX_PRODUCTS;
    if (tried && m.largest > 1) {
        s->products += m.products;
        status = darc_interpolate(&h, &s->find, &m, err);
    }
    for (slong i = 0; i < h.count; i++) {
        if (status == DARC_OK)
            consider(h.p + i, s);
        fmpz_mpoly_clear(h.p + i, h.ctx);
    }
    *any = *any || tried;
    DARC_FREE(h.p, m.col, m.first);
    return status;
}

/* Consider the ratios that vectors a and b, one equation of either recording,
 * have in common at two points: cA_j*cB_k - cA_k*cB_j. */
static void consider_classes(relation_search *s, int a, int b)
{
    const darc_coeffrel_struct *out = s->out;
    slong n = out->first[a + 1] - out->first[a];
    slong *least = darc_calloc((size_t)n, sizeof *least);
    ulong *e = darc_calloc((size_t)out->vars, sizeof *e);
    const darc_sampling *at[DARC_CLASS_POINTS] = {&s->find, &s->check};
    const ulong *before[DARC_CLASS_POINTS], *after[DARC_CLASS_POINTS];
    nmod_t mod[DARC_CLASS_POINTS];
    for (int i = 0; i < DARC_CLASS_POINTS; i++) {
        before[i] = darc_sampling_at(at[i], 0) + out->first[a];
        after[i] = darc_sampling_at(at[i], 0) + out->first[b];
        mod[i] = at[i]->mod;
    }
    darc_classes_split(least, n, before, after, mod);
    fmpz_mpoly_t h;
    fmpz_mpoly_init(h, out->ctx);
    for (slong j = 0; j < n; j++) {
        if (least[j] == j)
            continue;
        fmpz_mpoly_zero(h, out->ctx);
        for (int sign = 1; sign >= -1; sign -= 2) {
            ulong *x = e + out->first[a] + (sign > 0 ? j : least[j]);
            ulong *y = e + out->first[b] + (sign > 0 ? least[j] : j);
            *x = *y = 1;
            fmpz_mpoly_set_coeff_si_ui(h, sign, e, out->ctx);
            *x = *y = 0;
        }
        consider(h, s);
    }
    fmpz_mpoly_clear(h, out->ctx);
    DARC_FREE(least, e);
}

static void search_classes(relation_search *s)
{
    const darc_vectors_struct *v = s->v;
    for (int a = 0; a < v->vectors; a++)
        for (int b = a + 1; b < v->vectors; b++)
            if (v->recording[a] != v->recording[b] &&
                v->equation[a] == v->equation[b])
                consider_classes(s, a, b);
}

/* Set degree to the next composition of the same total; return whether
 * there is one.  The first is (total, 0, ..., 0). */
static bool next_composition(int *degree, int vectors)
{
    int last = degree[vectors - 1], i = vectors - 2;
    degree[vectors - 1] = 0;
    while (i >= 0 && degree[i] == 0)
        i--;
    if (i < 0)
        return false;
    degree[i]--;
    degree[i + 1] = last + 1;
    return true;
}

/* Search all multidegrees of one total, those of single vectors first, then
 * ratios that stay; set *any to whether one was small enough to be tried. */
static darc_status search_total(relation_search *s, int total, bool *any,
                                darc_err *err)
{
    darc_status status = DARC_OK;
    int n = s->v->vectors;
    int *degree = darc_calloc((size_t)n, sizeof *degree);
    for (int pass = 0; pass < 2; pass++) {
        if (pass == 1 && total == 2)
            search_classes(s);
        memset(degree, 0, (size_t)n * sizeof *degree);
        degree[0] = total;
        do {
            if (s->out->count >= wanted(s))
                goto done;
            int parts = 0;
            for (int i = 0; i < n; i++)
                parts += degree[i] > 0;
            if ((parts == 1) != (pass == 0))
                continue;
            DARC_TRY(search_degree(s, degree, any, err));
        } while (next_composition(degree, n));
    }
done:
    darc_free(degree);
    return status;
}

/* Search ascending degrees, of which so many monomials are tried at most. */
static darc_status search_degrees(relation_search *s, slong most, darc_err *err)
{
    bool any = true;
    s->most = most;
    for (int total = 2;
         total <= DARC_MAX_RELATION_DEGREE && any && s->out->count < wanted(s);
         total++) {
        any = false;
        DARC_NEED(search_total(s, total, &any, err));
    }
    return DARC_OK;
}

/* Set w to all scalings of the vectors v; to none where these are not known as
 * polynomials.  Cost O(terms vars^2). */
static void find_scalings(darc_grading *w, const darc_vectors_t v)
{
    *w = (darc_grading){0, NULL};
    const darc_coeffs_struct *c = v->c;
    if (c == NULL)
        return;
    slong n = c->first[c->vectors];
    fmpz_mat_t all;
    fmpz_t sum;
    darc_weights_find(all, c->vars, NULL, c->b, n, c->ctx);
    fmpz_init(sum);
    w->weight = darc_calloc((size_t)(n * all->r) + 1, sizeof *w->weight);
    ulong *e = darc_calloc((size_t)c->vars, sizeof *e);
    slong *one = darc_calloc((size_t)n, sizeof *one);
    for (slong k = 0; k < all->r; k++) {
        bool small = true;
        for (slong j = 0; j < n && small; j++) { /* of any of its terms */
            fmpz_zero(sum);
            if (c->b[j].length > 0)
                fmpz_mpoly_get_term_exp_ui(e, c->b + j, 0, c->ctx);
            for (slong x = 0; x < c->vars && c->b[j].length > 0; x++)
                fmpz_addmul_ui(sum, fmpz_mat_entry(all, k, x), e[x]);
            small = fmpz_cmp_si(sum, DARC_MAX_WEIGHT) <= 0 &&
                    fmpz_cmp_si(sum, -DARC_MAX_WEIGHT) >= 0;
            one[j] = small ? fmpz_get_si(sum) : 0;
        }
        for (slong j = 0; j < n && small; j++)
            w->weight[j * all->r + w->count] = one[j];
        w->count += small;
    }
    for (slong j = 0; j < n && w->count < all->r; j++)
        for (slong k = 0; k < w->count; k++) /* closer rows */
            w->weight[j * w->count + k] = w->weight[j * all->r + k];
    DARC_FREE(e, one);
    fmpz_clear(sum);
    fmpz_mat_clear(all);
}

/* Set the relations of out to those of v; points and dimensions take at most
 * about `work` products of terms each. */
static darc_status find_relations(darc_coeffrel_t out, const darc_vectors_t v,
                                  double work, const darc_budget *budget,
                                  darc_err *err)
{
    darc_status status;
    relation_search s = {.out = out, .v = v, .work = work, .budget = budget};
    find_scalings(&s.weights, v);
    darc_sampling_init(&s.find, v, 1);
    darc_sampling_init(&s.check, v, 2);
    nmod_mat_init(s.jacobian, v->vectors + v->vars, out->vars, s.check.mod.n);
    nmod_mat_init(s.gradient, out->vars + 1, out->vars, s.check.mod.n);
    out->dimension = out->codimension = -1;
    s.counted = v->c != NULL;
    if (s.counted) {
        darc_coeffs_jacobian(s.jacobian, v->c, s.check.state);
        out->dimension = nmod_mat_rank(s.jacobian) - out->vectors;
        out->codimension = out->vars - out->vectors - out->dimension;
    }
    DARC_TRY(darc_sampling_fill(&s.find, 1, err));
    DARC_TRY(darc_sampling_fill(&s.check, DARC_CHECK_POINTS + 1, err));
    DARC_TRY(search_degrees(&s, DARC_SHORT_SEARCH, err));
    DARC_TRY(search_degrees(&s, DARC_MAX_INTERPOLATED, err));
    if (s.counted) {
        out->complete = out->count == out->codimension;
        out->decisive = darc_coeffrel_is_decisive(out, s.jacobian);
    }
done:
    DARC_EACH(nmod_mat_clear, s.jacobian, s.gradient);
    darc_free(s.weights.weight);
    DARC_EACH(darc_sampling_clear, &s.find, &s.check);
    return status;
}

/* Set out to the relations of v, whose layout it takes, and clear v. */
static darc_status set_vectors(darc_coeffrel_t out, darc_vectors_t v,
                               double work, const darc_budget *budget,
                               darc_err *err)
{
    *out = (darc_coeffrel_struct){.vectors = v->vectors,
                                  .recording = v->recording,
                                  .equation = v->equation,
                                  .first = v->first,
                                  .vars = v->first[v->vectors]};
    fmpz_mpoly_ctx_init(out->ctx, out->vars, ORD_DEGREVLEX);
    darc_status status = find_relations(out, v, work, budget, err);
    v->recording = v->equation = NULL;
    v->first = NULL;
    darc_vectors_clear(v);
    if (status != DARC_OK)
        darc_coeffrel_clear(out);
    return status;
}

/* Set v to the vectors c, which it keeps. */
static void take_polynomials(darc_vectors_t v, const darc_coeffs_t c)
{
    size_t n = (size_t)c->vectors;
    *v = (darc_vectors_struct){.vectors = c->vectors, .vars = c->vars, .c = c};
    DARC_CALLOC(n, v->recording, v->equation);
    v->first = darc_calloc(n + 1, sizeof *v->first);
    memcpy(v->recording, c->recording, n * sizeof *v->recording);
    memcpy(v->equation, c->equation, n * sizeof *v->equation);
    memcpy(v->first, c->first, (n + 1) * sizeof *v->first);
}

darc_status darc_coeffrel_set_coeffs(darc_coeffrel_t out, const darc_coeffs_t c,
                                     const darc_budget *budget, darc_err *err)
{
    darc_vectors_t v;
    take_polynomials(v, c);
    return set_vectors(out, v, HUGE_VAL, budget, err);
}

darc_status darc_coeffrel_init_blackbox(darc_coeffrel_t out, darc_blackbox_t g,
                                        int equation, const bool *changed,
                                        double work, darc_err *err)
{
    darc_vectors_t v;
    darc_vectors_init_blackbox(v, g, equation, changed);
    return set_vectors(out, v, work, g->budget, err);
}

darc_status darc_coeffrel_init(darc_coeffrel_t out, const darc_ioeqs_t io,
                               int equation, const bool *changed,
                               const darc_budget *budget, darc_err *err)
{
    assert(equation < io->count);
    memset(out, 0, sizeof *out);
    for (int i = 0; i < io->count; i++)
        if ((equation < 0 || equation == i) && !io->eq[i].expanded)
            return darc_fail(
                err, DARC_DOMAIN,
                "the coefficients of the io-equation of '%s' are "
                "not known as polynomials",
                io->jet->names->symbol[io->eq[i].leader.unknown].name);
    darc_coeffs_t c;
    darc_coeffs_init(c, io, equation, changed);
    darc_status status = darc_coeffrel_set_coeffs(out, c, budget, err);
    darc_coeffs_clear(c);
    return status;
}
