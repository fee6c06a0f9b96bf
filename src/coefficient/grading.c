#include "coefficient/grading.h"

#include "base/mem.h"
#include "coefficient/thresholds.h"

/* The differences of exponents inside coefficients: independent rows, reduced
 * modulo a prime to see that, and as they are. */
typedef struct {
    slong vars, rank;
    nmod_mat_t echelon; /* row of pivot p: p, or zero */
    fmpz_mat_t rows;
} differences;

static void differences_init(differences *d, slong vars)
{
    flint_rand_t state;
    flint_randinit(state);
    d->vars = vars;
    d->rank = 0;
    nmod_mat_init(d->echelon, vars, vars, darc_finite_random_prime(state));
    fmpz_mat_init(d->rows, vars, vars);
    flint_randclear(state);
}

static void differences_clear(differences *d)
{
    nmod_mat_clear(d->echelon);
    fmpz_mat_clear(d->rows);
}

/* Add the row unless it depends on those there. */
static void add_difference(differences *d, const slong *row)
{
    nmod_t mod = d->echelon->mod;
    ulong *r = darc_calloc((size_t)d->vars, sizeof *r);
    for (slong v = 0; v < d->vars; v++)
        r[v] =
            row[v] >= 0 ? (ulong)row[v] : nmod_neg((ulong)-row[v] % mod.n, mod);
    slong pivot = -1;
    for (slong v = 0; v < d->vars && pivot < 0; v++) {
        if (r[v] == 0)
            continue;
        ulong head = nmod_mat_entry(d->echelon, v, v);
        if (head == 0) {
            pivot = v;
            break;
        }
        ulong factor = nmod_neg(nmod_div(r[v], head, mod), mod);
        for (slong k = v; k < d->vars; k++)
            r[k] = nmod_add(
                r[k], nmod_mul(factor, nmod_mat_entry(d->echelon, v, k), mod),
                mod);
    }
    for (slong v = 0; v < d->vars && pivot >= 0; v++) {
        nmod_mat_entry(d->echelon, pivot, v) = r[v];
        fmpz_set_si(fmpz_mat_entry(d->rows, d->rank, v), row[v]);
    }
    d->rank += pivot >= 0;
    darc_free(r);
}

static void read_coefficient(differences *d, const fmpz_mpoly_t p,
                             const fmpz_mpoly_ctx_t ctx)
{
    size_t n = (size_t)d->vars;
    ulong *first = darc_calloc(n, sizeof *first);
    ulong *e = darc_calloc(n, sizeof *e);
    slong *row = darc_calloc(n, sizeof *row);
    for (slong t = 0; t < p->length && d->rank < d->vars; t++) {
        fmpz_mpoly_get_term_exp_ui(t == 0 ? first : e, p, t, ctx);
        for (slong v = 0; v < d->vars && t > 0; v++)
            row[v] = (slong)e[v] - (slong)first[v];
        if (t > 0)
            add_difference(d, row);
    }
    darc_free(first);
    darc_free(e);
    darc_free(row);
}

/* Return the weight of p under column k of the kernel, which is that of any of
 * its terms; *ok becomes false where it is large. */
static slong weight_of(bool *ok, const fmpz_mpoly_t p, const fmpz_mat_t kernel,
                       slong k, const fmpz_mpoly_ctx_t ctx)
{
    slong vars = fmpz_mat_nrows(kernel), weight = 0;
    ulong *e = darc_calloc((size_t)vars, sizeof *e);
    fmpz_t sum;
    fmpz_init(sum);
    if (p->length > 0)
        fmpz_mpoly_get_term_exp_ui(e, p, 0, ctx);
    for (slong v = 0; v < vars; v++)
        fmpz_addmul_ui(sum, fmpz_mat_entry(kernel, v, k), e[v]);
    if (fmpz_cmp_si(sum, DARC_MAX_WEIGHT) > 0 ||
        fmpz_cmp_si(sum, -DARC_MAX_WEIGHT) < 0)
        *ok = false;
    else
        weight = fmpz_get_si(sum);
    fmpz_clear(sum);
    darc_free(e);
    return weight;
}

/* Divide column k by the gcd of its entries. */
static void shorten(fmpz_mat_t kernel, slong k)
{
    fmpz_t g;
    fmpz_init(g);
    for (slong v = 0; v < fmpz_mat_nrows(kernel); v++)
        fmpz_gcd(g, g, fmpz_mat_entry(kernel, v, k));
    for (slong v = 0; v < fmpz_mat_nrows(kernel) && !fmpz_is_zero(g); v++)
        fmpz_divexact(fmpz_mat_entry(kernel, v, k),
                      fmpz_mat_entry(kernel, v, k), g);
    fmpz_clear(g);
}

void darc_grading_init(darc_grading *w, const darc_vectors_t v)
{
    *w = (darc_grading){0, NULL};
    const darc_coeffs_struct *c = v->c;
    if (c == NULL)
        return;
    slong columns = c->first[c->vectors];
    differences d;
    fmpz_mat_t kernel;
    differences_init(&d, c->vars);
    for (slong j = 0; j < columns; j++)
        read_coefficient(&d, c->b + j, c->ctx);
    fmpz_mat_init(kernel, c->vars, c->vars);
    slong found = fmpz_mat_nullspace(kernel, d.rows);
    w->weight = darc_calloc((size_t)(columns * found) + 1, sizeof *w->weight);
    slong *one = darc_calloc((size_t)columns, sizeof *one);
    for (slong k = 0; k < found; k++) {
        bool ok = true;
        shorten(kernel, k);
        for (slong j = 0; j < columns; j++)
            one[j] = weight_of(&ok, c->b + j, kernel, k, c->ctx);
        for (slong j = 0; j < columns && ok; j++)
            w->weight[j * found + w->count] = one[j];
        w->count += ok;
    }
    for (slong j = 0; j < columns && w->count < found; j++)
        for (slong k = 0; k < w->count; k++) /* closer rows */
            w->weight[j * w->count + k] = w->weight[j * found + k];
    darc_free(one);
    fmpz_mat_clear(kernel);
    differences_clear(&d);
}

void darc_grading_clear(darc_grading *w)
{
    darc_free(w->weight);
    *w = (darc_grading){0, NULL};
}
