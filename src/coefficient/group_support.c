#include "coefficient/blackbox.h"

#include "base/mem.h"
#include "coefficient/interpolate.h"
#include "coefficient/thresholds.h"
#include "modular/reconstruct.h"

typedef struct {
    darc_ioeqs_struct *io;
    darc_vectors_t v;          /* a vector an equation */
    darc_sampling find, check; /* modulo two primes */
    slong points;
} grouping;

/* Set row i of c to R_i without denominators, pivot[i] to its pivot. */
static bool lift_rows(fmpz_mat_t c, slong *pivot, const nmod_mat_t r)
{
    fmpz_t modulus;
    fmpz_init_set_ui(modulus, r->mod.n);
    bool ok = true;
    for (slong i = 0; i < c->r && ok; i++) {
        fmpz *row = _fmpz_vec_init(c->c);
        for (slong j = 0; j < c->c; j++)
            fmpz_set_ui(row + j, nmod_mat_entry(r, i, j));
        ok = darc_reconstruct(row, row, c->c, modulus, DARC_SUPPORT_BITS);
        for (slong j = 0; j < c->c && ok; j++)
            fmpz_set(fmpz_mat_entry(c, i, j), row + j);
        pivot[i] = 0;
        while (ok && fmpz_is_zero(row + pivot[i]))
            pivot[i]++;
        _fmpz_vec_clear(row, c->c);
    }
    fmpz_clear(modulus);
    return ok;
}

/* Whether the values v of another prime are those of the joined monomials. */
static bool agrees(const ulong *v, const fmpz_mat_t c, const slong *pivot,
                   nmod_t mod)
{
    for (slong j = 0; j < c->c; j++) {
        ulong sum = 0;
        for (slong i = 0; i < c->r; i++) {
            ulong q = nmod_div(
                fmpz_fdiv_ui(fmpz_mat_entry(c, i, j), mod.n),
                fmpz_fdiv_ui(fmpz_mat_entry(c, i, pivot[i]), mod.n), mod);
            sum = nmod_add(sum, nmod_mul(q, v[pivot[i]], mod), mod);
        }
        if (sum != v[j])
            return false;
    }
    return true;
}

static void join_equation(darc_ioeq *eq, const fmpz_mat_t c,
                          const darc_jet_t jet)
{
    darc_dpolys_t part = {{0}};
    darc_dpoly_t sum;
    darc_dpoly_init(sum, jet);
    for (slong i = 0; i < c->r; i++) {
        darc_dpolys_combine(sum, fmpz_mat_entry(c, i, 0), eq->part, jet);
        darc_dpolys_append(part, sum, jet);
    }
    darc_dpoly_clear(sum, jet);
    darc_dpolys_clear(eq->part, jet);
    eq->part[0] = part[0];
}

static void group(grouping *w, int e)
{
    slong n = w->io->eq[e].part->count, first = w->v->first[e];
    nmod_mat_t r;
    nmod_mat_init(r, w->points, n, w->find.mod.n);
    for (slong i = 0; i < w->points; i++)
        for (slong j = 0; j < n; j++)
            nmod_mat_entry(r, i, j) = darc_sampling_at(&w->find, i)[first + j];
    slong rank = nmod_mat_rref(r);
    if (rank > 1 && rank < n) {
        slong *pivot = darc_calloc((size_t)rank, sizeof *pivot);
        fmpz_mat_t c;
        fmpz_mat_init(c, rank, n);
        bool ok = lift_rows(c, pivot, r);
        for (slong i = 0; i < DARC_SUPPORT_CHECKS && ok; i++)
            ok = agrees(darc_sampling_at(&w->check, i) + first, c, pivot,
                        w->check.mod);
        if (ok)
            join_equation(w->io->eq + e, c, w->io->jet);
        fmpz_mat_clear(c);
        darc_free(pivot);
    }
    nmod_mat_clear(r);
}

static darc_status group_all(grouping *w, darc_blackbox_t g, darc_err *err)
{
    darc_status status = DARC_OK;
    darc_vectors_init_blackbox(w->v, g, -1, NULL);
    darc_sampling_init(&w->find, w->v, 1);
    darc_sampling_init(&w->check, w->v, 2);
    DARC_TRY(darc_sampling_fill(&w->find, w->points, err));
    DARC_TRY(darc_sampling_fill(&w->check, DARC_SUPPORT_CHECKS, err));
    for (int e = 0; e < w->io->count; e++)
        if (!w->io->eq[e].expanded)
            group(w, e);
done:
    DARC_EACH(darc_sampling_clear, &w->find, &w->check);
    darc_vectors_clear(w->v);
    return status;
}

darc_status darc_ioeqs_group_support(darc_ioeqs_t io, const darc_model *model,
                                     double work, const darc_budget *budget,
                                     darc_err *err)
{
    darc_err own = {DARC_OK, ""};
    darc_blackbox_t g;
    grouping w = {.io = io};
    for (int e = 0; e < io->count; e++)
        if (!io->eq[e].expanded)
            w.points =
                FLINT_MAX(w.points, io->eq[e].part->count + DARC_SUPPORT_SPARE);
    if (w.points == 0)
        return DARC_OK;
    darc_status status = darc_blackbox_init(g, io, model, budget, &own);
    if (status == DARC_OK && !g->polynomials &&
        g->route.work * (double)w.points <= work)
        status = group_all(&w, g, &own);
    darc_blackbox_clear(g);
    /* Without values monomials stay as they are. */
    return status == DARC_DOMAIN ? DARC_OK : darc_fail_as(err, status, &own);
}
