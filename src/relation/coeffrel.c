#include "darc/coeffrel.h"

#include "base/mem.h"
#include "relation/coeffrel.h"
#include "relation/coeffs.h"
#include "relation/interpolate.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* Relations of a higher total degree are not sought. */
#define MAX_DEGREE 8

/* Points of a second prime at which a relation found modulo the first must
 * vanish. */
#define CHECK_POINTS 3

typedef struct {
    darc_coeffrel_struct *out;
    const darc_coeffs_struct *c;
    darc_sampling find, check;
    nmod_mat_t gradient; /* of the relations kept, at a generic point */
    const darc_budget *budget;
} search;

static bool vanishes(const fmpz_mpoly_t h, search *s)
{
    for (slong i = 0; i < CHECK_POINTS; i++)
        if (darc_coeffs_eval(h, darc_sampling_at(&s->check, i), s->check.mod,
                             s->out->ctx) != 0)
            return false;
    return true;
}

/* Put the gradient of h into the next row; return whether the rank grows. */
static bool is_independent(const fmpz_mpoly_t h, search *s)
{
    slong row = s->out->count, n = s->out->vars;
    const ulong *x = darc_sampling_at(&s->check, CHECK_POINTS);
    fmpz_mpoly_t d;
    fmpz_mpoly_init(d, s->out->ctx);
    for (slong v = 0; v < n; v++) {
        fmpz_mpoly_derivative(d, h, v, s->out->ctx);
        nmod_mat_entry(s->gradient, row, v) =
            darc_coeffs_eval(d, x, s->check.mod, s->out->ctx);
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

/* Keep h, which becomes 0, if it is true and new. */
static void consider(fmpz_mpoly_t h, search *s)
{
    darc_coeffrel_struct *out = s->out;
    bool full = out->count >= out->codimension;
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

/* Search one multidegree over the chosen columns. */
static darc_status search_degree(search *s, const darc_choice *choice,
                                 const int *degree, darc_err *err)
{
    darc_status status = darc_budget_check(s->budget, err);
    slong n = darc_monomial_count(choice, degree, s->c->vectors);
    if (status != DARC_OK || n < 2 || n > DARC_MAX_INTERPOLATED)
        return status;
    fmpz_mpoly_struct *h = NULL;
    slong count = 0;
    size_t alloc = 0;
    darc_interpolate(&h, &count, &alloc, s->out->ctx, &s->find, choice, degree);
    for (slong i = 0; i < count; i++) {
        consider(h + i, s);
        fmpz_mpoly_clear(h + i, s->out->ctx);
    }
    darc_free(h);
    return DARC_OK;
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

/* Search all multidegrees of one total, those of single vectors first; set
 * *any to whether one was small enough to be tried. */
static darc_status search_total(search *s, const darc_choice *choice, int total,
                                slong stop, bool *any, darc_err *err)
{
    darc_status status = DARC_OK;
    int n = s->c->vectors;
    int *degree = darc_calloc((size_t)n, sizeof *degree);
    for (int pass = 0; pass < 2; pass++) {
        memset(degree, 0, (size_t)n * sizeof *degree);
        degree[0] = total;
        do {
            if (s->out->count >= stop)
                goto done;
            if (is_pure(degree, n) != (pass == 0))
                continue;
            slong count = darc_monomial_count(choice, degree, n);
            *any = *any || (count >= 2 && count <= DARC_MAX_INTERPOLATED);
            DARC_TRY(search_degree(s, choice, degree, err));
        } while (next_composition(degree, n));
    }
done:
    darc_free(degree);
    return status;
}

/* Search ascending degrees until `stop` relations are known. */
static darc_status search_choice(search *s, const darc_choice *choice,
                                 slong stop, darc_err *err)
{
    darc_status status = DARC_OK;
    bool any = true;
    for (int total = 2; total <= MAX_DEGREE && any; total++) {
        any = false;
        DARC_TRY(search_total(s, choice, total, stop, &any, err));
        if (s->out->count >= stop)
            break;
    }
done:
    return status;
}

static void choice_init(darc_choice *choice, const darc_coeffs_t c,
                        const bool *wanted)
{
    slong n = 0;
    choice->column =
        darc_calloc((size_t)c->first[c->vectors], sizeof *choice->column);
    choice->first = darc_calloc((size_t)c->vectors + 1, sizeof *choice->first);
    for (int i = 0; i < c->vectors; i++) {
        for (slong j = c->first[i]; j < c->first[i + 1]; j++)
            if (wanted == NULL || wanted[j])
                choice->column[n++] = j;
        choice->first[i + 1] = n;
    }
}

static void choice_clear(darc_choice *choice)
{
    darc_free(choice->column);
    darc_free(choice->first);
}

/* Mark in base columns whose ratios are a transcendence basis: every other
 * column is algebraic over them. */
static void transcendence_basis(bool *base, const darc_coeffs_t c,
                                darc_sampling *s)
{
    slong n = c->first[c->vectors], rows = c->vectors + c->vars;
    nmod_mat_t m;
    nmod_mat_init(m, rows, n, s->mod.n);
    darc_coeffs_jacobian(m, c, s->state);
    slong rank = nmod_mat_rref(m);
    for (slong i = 0, j = 0; i < rank; i++) {
        while (nmod_mat_entry(m, i, j) == 0)
            j++;
        base[j] = true;
    }
    nmod_mat_clear(m);
}

/* For every column outside a transcendence basis, seek the relation that
 * binds it to the basis: fewer monomials where there are many columns. */
static darc_status search_columns(search *s, darc_err *err)
{
    darc_status status = DARC_OK;
    slong n = s->out->vars;
    bool *wanted = darc_calloc((size_t)n, sizeof *wanted);
    transcendence_basis(wanted, s->c, &s->find);
    for (slong j = 0; j < n && s->out->count < s->out->codimension; j++) {
        if (wanted[j])
            continue;
        wanted[j] = true;
        darc_choice choice;
        choice_init(&choice, s->c, wanted);
        status = search_choice(s, &choice, s->out->count + 1, err);
        choice_clear(&choice);
        wanted[j] = false;
        DARC_TRY(status);
    }
done:
    darc_free(wanted);
    return status;
}

static void copy_layout(darc_coeffrel_t out, const darc_coeffs_t c)
{
    size_t n = (size_t)c->vectors;
    out->vectors = c->vectors;
    out->recording = darc_calloc(n, sizeof *out->recording);
    out->equation = darc_calloc(n, sizeof *out->equation);
    out->first = darc_calloc(n + 1, sizeof *out->first);
    memcpy(out->recording, c->recording, n * sizeof *out->recording);
    memcpy(out->equation, c->equation, n * sizeof *out->equation);
    memcpy(out->first, c->first, (n + 1) * sizeof *out->first);
    out->vars = c->first[c->vectors];
    fmpz_mpoly_ctx_init(out->ctx, out->vars, ORD_DEGREVLEX);
}

static darc_status run_search(search *s, darc_err *err)
{
    darc_status status;
    darc_coeffrel_struct *out = s->out;
    darc_sampling_init(&s->find, s->c, 1);
    darc_sampling_init(&s->check, s->c, 2);
    out->dimension = darc_coeffs_dimension(s->c, s->check.state);
    out->codimension = out->vars - out->vectors - out->dimension;
    nmod_mat_init(s->gradient, out->codimension + 1, out->vars, s->check.mod.n);
    darc_choice all;
    choice_init(&all, s->c, NULL);
    DARC_TRY(search_choice(s, &all, out->codimension, err));
    DARC_TRY(search_columns(s, err));
    out->complete = out->count == out->codimension;
done:
    choice_clear(&all);
    nmod_mat_clear(s->gradient);
    darc_sampling_clear(&s->find);
    darc_sampling_clear(&s->check);
    return status;
}

darc_status darc_coeffrel_set_coeffs(darc_coeffrel_t out, const darc_coeffs_t c,
                                     const darc_budget *budget, darc_err *err)
{
    memset(out, 0, sizeof *out);
    copy_layout(out, c);
    search s = {.out = out, .c = c, .budget = budget};
    darc_status status = run_search(&s, err);
    if (status != DARC_OK)
        darc_coeffrel_clear(out);
    return status;
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

void darc_coeffrel_clear(darc_coeffrel_t r)
{
    if (r->first == NULL)
        return;
    for (slong i = 0; i < r->count; i++)
        fmpz_mpoly_clear(r->h + i, r->ctx);
    darc_free(r->h);
    darc_free(r->mixed);
    darc_free(r->recording);
    darc_free(r->equation);
    darc_free(r->first);
    fmpz_mpoly_ctx_clear(r->ctx);
    memset(r, 0, sizeof *r);
}

/* "c3", "cA3", "c3_1", "cA3_1" for column 3 of equation 1. */
static char *column_text(const darc_coeffrel_t r, slong v)
{
    int i = 0;
    while (r->first[i + 1] <= v)
        i++;
    int recordings = 1, equations = 1;
    for (int k = 0; k < r->vectors; k++) {
        recordings = r->recording[k] > 0 ? 2 : recordings;
        equations = r->equation[k] != r->equation[0] ? 2 : equations;
    }
    darc_text_t t;
    darc_text_init(t);
    darc_text_putc(t, 'c');
    if (recordings > 1)
        darc_text_putc(t, r->recording[i] == 0 ? 'A' : 'B');
    darc_text_printf(t, "%ld", (long)(v - r->first[i]));
    if (equations > 1)
        darc_text_printf(t, "_%d", r->equation[i]);
    return darc_text_take(t);
}

void darc_coeffrel_print(darc_text_t out, const darc_coeffrel_t r, slong i)
{
    assert(i >= 0 && i < r->count);
    char **name = darc_calloc((size_t)r->vars, sizeof *name);
    for (slong v = 0; v < r->vars; v++)
        name[v] = column_text(r, v);
    char *s = fmpz_mpoly_get_str_pretty(r->h + i, (const char **)name, r->ctx);
    darc_text_puts(out, s);
    flint_free(s);
    for (slong v = 0; v < r->vars; v++)
        free(name[v]);
    darc_free(name);
}
