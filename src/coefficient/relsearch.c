#include "coefficient/relsearch.h"

#include "base/mem.h"
#include "coefficient/circuits.h"
#include "coefficient/classes.h"
#include "coefficient/decisive.h"
#include "coefficient/interpolate.h"
#include "coefficient/thresholds.h"

#include <string.h>

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
} search;

/* Relations that are still of use. */
static slong wanted(const search *s)
{
    return s->counted ? s->out->codimension : s->out->vars;
}

static bool vanishes(const fmpz_mpoly_t h, search *s)
{
    for (slong i = 0; i < DARC_CHECK_POINTS; i++)
        if (darc_finite_eval(h, darc_sampling_at(&s->check, i), s->check.mod,
                             s->out->ctx) != 0)
            return false;
    return true;
}

/* Put the gradient of h into the next row; return whether the rank grows. */
static bool is_independent(const fmpz_mpoly_t h, search *s)
{
    slong row = s->out->count, n = s->out->vars;
    const ulong *x = darc_sampling_at(&s->check, DARC_CHECK_POINTS);
    fmpz_mpoly_t d;
    fmpz_mpoly_init(d, s->out->ctx);
    for (slong v = 0; v < n; v++) {
        fmpz_mpoly_derivative(d, h, v, s->out->ctx);
        nmod_mat_entry(s->gradient, row, v) =
            darc_finite_eval(d, x, s->check.mod, s->out->ctx);
    }
    fmpz_mpoly_clear(d, s->out->ctx);
    return nmod_mat_rank(s->gradient) == row + 1;
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

/* Return what consider() takes, in units of products modulo a prime. */
static double price(const fmpz_mpoly_t h, const search *s)
{
    double vars = (double)s->out->vars;
    return DARC_TERM_PRICE * (double)h->length * vars +
           DARC_RANK_PRICE * vars * vars * vars;
}

/* Keep h, which becomes 0, if it is true and new. */
static void consider(fmpz_mpoly_t h, search *s)
{
    darc_coeffrel_struct *out = s->out;
    s->products += price(h, s);
    bool full = out->count >= wanted(s);
    if (full || !vanishes(h, s) || !is_independent(h, s)) {
        if (!full) /* clear the trial row */
            for (slong v = 0; v < out->vars; v++)
                nmod_mat_entry(s->gradient, out->count, v) = 0;
        return;
    }
    out->h = darc_grow(out->h, (size_t)out->count, &out->alloc, sizeof *out->h);
    out->mixed =
        darc_realloc(out->mixed, (size_t)out->count + 1, sizeof *out->mixed);
    fmpz_mpoly_init(out->h + out->count, out->ctx);
    fmpz_mpoly_swap(out->h + out->count, h, out->ctx);
    out->mixed[out->count] = is_mixed(out->h + out->count, out);
    out->count++;
}

/* Whether the monomials are not too many. */
static bool is_in_reach(const darc_ansatz *m, const search *s)
{
    return m->largest >= 0 && m->largest <= s->most &&
           (double)m->largest * s->v->cost <= s->work &&
           s->products <= DARC_MAX_PRODUCTS;
}

static darc_status interpolate(search *s, const darc_ansatz *m, darc_err *err)
{
    darc_poly_list h = {.ctx = s->out->ctx};
    s->products += m->products;
    darc_status status = darc_interpolate(&h, &s->find, m, err);
    for (slong i = 0; i < h.count; i++) {
        if (status == DARC_OK)
            consider(h.p + i, s);
        fmpz_mpoly_clear(h.p + i, h.ctx);
    }
    darc_free(h.p);
    return status;
}

/* Search one multidegree over the chosen columns; set *any if it was small
 * enough to be tried. */
static darc_status search_degree(search *s, const darc_selection *choice,
                                 const int *degree, bool *any, darc_err *err)
{
    darc_status status = darc_budget_check(s->budget, err);
    if (status != DARC_OK)
        return status;
    darc_ansatz m;
    darc_ansatz_init(&m, choice, degree, s->v->vectors, &s->weights);
    bool tried = is_in_reach(&m, s);
    if (tried && m.largest > 1)
        status = interpolate(s, &m, err);
    *any = *any || tried;
    darc_ansatz_clear(&m);
    return status;
}

/* Consider cA_j*cB_k - cA_k*cB_j, entries of the vectors a and b. */
static void consider_ratio(search *s, int a, int b, slong j, slong k)
{
    const darc_coeffrel_struct *out = s->out;
    fmpz_mpoly_t h, x, y;
    fmpz_mpoly_init(h, out->ctx);
    fmpz_mpoly_init(x, out->ctx);
    fmpz_mpoly_init(y, out->ctx);
    fmpz_mpoly_gen(x, out->first[a] + j, out->ctx);
    fmpz_mpoly_gen(y, out->first[b] + k, out->ctx);
    fmpz_mpoly_mul(h, x, y, out->ctx);
    fmpz_mpoly_gen(x, out->first[a] + k, out->ctx);
    fmpz_mpoly_gen(y, out->first[b] + j, out->ctx);
    fmpz_mpoly_mul(x, x, y, out->ctx);
    fmpz_mpoly_sub(h, h, x, out->ctx);
    consider(h, s);
    fmpz_mpoly_clear(h, out->ctx);
    fmpz_mpoly_clear(x, out->ctx);
    fmpz_mpoly_clear(y, out->ctx);
}

/* Consider the ratios that vectors a and b, one equation of either recording,
 * have in common at two points. */
static void consider_classes(search *s, int a, int b)
{
    const darc_coeffrel_struct *out = s->out;
    slong n = out->first[a + 1] - out->first[a];
    slong *least = darc_calloc((size_t)n, sizeof *least);
    const darc_sampling *at[DARC_CLASS_POINTS] = {&s->find, &s->check};
    const ulong *before[DARC_CLASS_POINTS], *after[DARC_CLASS_POINTS];
    nmod_t mod[DARC_CLASS_POINTS];
    for (int i = 0; i < DARC_CLASS_POINTS; i++) {
        before[i] = darc_sampling_at(at[i], 0) + out->first[a];
        after[i] = darc_sampling_at(at[i], 0) + out->first[b];
        mod[i] = at[i]->mod;
    }
    darc_classes_split(least, n, before, after, mod);
    for (slong j = 0; j < n; j++)
        if (least[j] < j)
            consider_ratio(s, a, b, j, least[j]);
    darc_free(least);
}

static void search_classes(search *s)
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

static bool is_pure(const int *degree, int vectors)
{
    int parts = 0;
    for (int i = 0; i < vectors; i++)
        parts += degree[i] > 0;
    return parts == 1;
}

/* Search all multidegrees of one total, those of single vectors first, then
 * ratios that stay; set *any to whether one was small enough to be tried. */
static darc_status search_total(search *s, const darc_selection *choice,
                                int total, slong stop, bool *any, darc_err *err)
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
            if (s->out->count >= stop)
                goto done;
            if (is_pure(degree, n) != (pass == 0))
                continue;
            DARC_TRY(search_degree(s, choice, degree, any, err));
        } while (next_composition(degree, n));
    }
done:
    darc_free(degree);
    return status;
}

/* Search ascending degrees until `stop` relations are known. */
static darc_status search_choice(search *s, const darc_selection *choice,
                                 slong stop, darc_err *err)
{
    darc_status status = DARC_OK;
    bool any = true;
    for (int total = 2; total <= DARC_MAX_RELATION_DEGREE && any; total++) {
        any = false;
        DARC_TRY(search_total(s, choice, total, stop, &any, err));
        if (s->out->count >= stop)
            break;
    }
done:
    return status;
}

static void choice_init(darc_selection *choice, const darc_vectors_t v,
                        const bool *chosen)
{
    slong n = 0;
    choice->column =
        darc_calloc((size_t)v->first[v->vectors], sizeof *choice->column);
    choice->first = darc_calloc((size_t)v->vectors + 1, sizeof *choice->first);
    for (int i = 0; i < v->vectors; i++) {
        for (slong j = v->first[i]; j < v->first[i + 1]; j++)
            if (chosen == NULL || chosen[j])
                choice->column[n++] = j;
        choice->first[i + 1] = n;
    }
}

static void choice_clear(darc_selection *choice)
{
    darc_free(choice->column);
    darc_free(choice->first);
}

/* Return how many of the relations kept hold chosen columns alone. */
static slong count_inside(const search *s, const bool *chosen)
{
    const darc_coeffrel_struct *out = s->out;
    slong count = 0;
    int *used = darc_calloc((size_t)out->vars, sizeof *used);
    for (slong i = 0; i < out->count; i++) {
        bool inside = true;
        fmpz_mpoly_used_vars(used, out->h + i, out->ctx);
        for (slong v = 0; v < out->vars; v++)
            inside = inside && (used[v] == 0 || chosen[v]);
        count += inside;
    }
    darc_free(used);
    return count;
}

/* Seek the relations between the coefficients of few terms. */
static darc_status search_circuits(search *s, darc_err *err)
{
    darc_status status = DARC_OK;
    darc_circuits w;
    bool *chosen = darc_calloc((size_t)s->out->vars, sizeof *chosen);
    darc_circuits_init(&w, s->v, s->jacobian);
    while (s->out->count < s->out->codimension &&
           s->products <= DARC_MAX_PRODUCTS && darc_circuits_next(&w)) {
        darc_circuits_mark(chosen, &w);
        slong missing = w.excess - count_inside(s, chosen);
        if (missing <= 0)
            continue;
        darc_selection choice;
        choice_init(&choice, s->v, chosen);
        status = search_choice(s, &choice, s->out->count + missing, err);
        choice_clear(&choice);
        DARC_TRY(status);
    }
done:
    darc_circuits_clear(&w);
    darc_free(chosen);
    return status;
}

/* Seek them all, cheap ones first. */
static darc_status search_all(search *s, darc_err *err)
{
    darc_status status;
    darc_selection all;
    choice_init(&all, s->v, NULL);
    s->most = DARC_SHORT_SEARCH;
    DARC_TRY(search_choice(s, &all, wanted(s), err));
    s->most = DARC_MAX_INTERPOLATED;
    if (s->counted)
        DARC_TRY(search_circuits(s, err));
    status = search_choice(s, &all, wanted(s), err);
done:
    choice_clear(&all);
    return status;
}

/* Find the codimension of what is known as polynomials. */
static void count_relations(search *s)
{
    darc_coeffrel_struct *out = s->out;
    out->dimension = out->codimension = -1;
    s->counted = s->v->c != NULL;
    if (!s->counted)
        return;
    darc_coeffs_jacobian(s->jacobian, s->v->c, s->check.state);
    out->dimension = nmod_mat_rank(s->jacobian) - out->vectors;
    out->codimension = out->vars - out->vectors - out->dimension;
}

darc_status darc_relsearch_run(darc_coeffrel_t out, const darc_vectors_t v,
                               double work, const darc_budget *budget,
                               darc_err *err)
{
    darc_status status;
    search s = {.out = out, .v = v, .work = work, .budget = budget};
    darc_grading_init(&s.weights, v);
    darc_sampling_init(&s.find, v, 1);
    darc_sampling_init(&s.check, v, 2);
    nmod_mat_init(s.jacobian, v->vectors + v->vars, out->vars, s.check.mod.n);
    nmod_mat_init(s.gradient, out->vars + 1, out->vars, s.check.mod.n);
    count_relations(&s);
    DARC_TRY(darc_sampling_fill(&s.find, 1, err));
    DARC_TRY(darc_sampling_fill(&s.check, DARC_CHECK_POINTS + 1, err));
    DARC_TRY(search_all(&s, err));
    if (s.counted) {
        out->complete = out->count == out->codimension;
        out->decisive = darc_coeffrel_is_decisive(out, s.jacobian);
    }
done:
    nmod_mat_clear(s.jacobian);
    nmod_mat_clear(s.gradient);
    darc_grading_clear(&s.weights);
    darc_sampling_clear(&s.find);
    darc_sampling_clear(&s.check);
    return status;
}
