#include "identify/starts.h"

#include "base/mem.h"
#include "identify/thresholds.h"
#include "projection/point.h"

#include <string.h>

bool darc_starts_have_values(const darc_starts *starts)
{
    for (int i = 0; i < starts->count; i++)
        if (starts->value[i] >= 0)
            return true;
    return false;
}

static darc_status set_start(int *start, const darc_solved_t s,
                             const char *name, int value, darc_err *err)
{
    const darc_names_struct *names = s->jet->names;
    darc_deriv d = {-1, 0};
    size_t n = strlen(name);
    for (; n > 0 && name[n - 1] == '\''; n--)
        d.order++;
    d.unknown = darc_names_find(names, name, n);
    int i = 0;
    while (i < s->states &&
           (s->state[i].unknown != d.unknown || s->state[i].order != d.order))
        i++;
    if (i == s->states)
        return darc_fail(err, DARC_USAGE,
                         "--init: '%s' is no state that may start anywhere",
                         name);
    start[i] = value < 0 ? DARC_STARTS_KNOWN : value;
    slong k = s->states + value;
    for (slong v = 0; v < s->jet->vars && value >= 0; v++)
        if (!darc_jet_is_constant(s->jet, s->jet->deriv[v].unknown) &&
            (darc_dpoly_degree(s->num->p + k, v, s->jet) > 0 ||
             darc_dpoly_degree(s->den->p + k, v, s->jet) > 0))
            return darc_fail(err, DARC_USAGE,
                             "--init: %s: an initial value is a number or "
                             "a function of parameters",
                             name);
    return DARC_OK;
}

darc_status darc_starts_set(int *start, const darc_solved_t s,
                            const darc_starts *starts, darc_err *err)
{
    darc_status status = DARC_OK;
    for (int i = 0; i < s->states; i++)
        start[i] = DARC_STARTS_ANYWHERE;
    for (int i = 0; i < starts->count && status == DARC_OK; i++)
        status = set_start(start, s, starts->state[i], starts->value[i], err);
    return status;
}

/* Series of the variables of a frame along a point, some of them. */
typedef struct {
    const darc_jet_struct *jet;
    nmod_t mod;
    slong length;
    nmod_poly_struct *x; /* owned */
} course;

static void course_init(course *w, const darc_jet_t jet, const darc_point_t pt,
                        const darc_names_struct *names, slong length)
{
    *w = (course){jet, pt->mod, length,
                  darc_calloc((size_t)jet->vars + 1, sizeof *w->x)};
    for (slong v = 0; v < jet->vars; v++) {
        darc_deriv d = jet->deriv[v];
        const char *name = jet->names->symbol[d.unknown].name;
        int u = darc_names_find(names, name, strlen(name));
        nmod_poly_init_mod(w->x + v, pt->mod);
        if (u < 0)
            continue;
        bool fixed = darc_jet_is_constant(jet, d.unknown);
        for (slong k = fixed ? 0 : pt->length - 1; k >= 0; k--)
            nmod_poly_set_coeff_ui(w->x + v, k, pt->series[u][k]);
        for (int k = 0; k < d.order; k++)
            nmod_poly_derivative(w->x + v, w->x + v);
        nmod_poly_truncate(w->x + v, length);
    }
}

/* Set f to the series of p. */
static void follow(nmod_poly_t f, const darc_dpoly_t p, const course *w)
{
    const fmpz_mpoly_ctx_struct *ctx = w->jet->ctx;
    nmod_poly_t term;
    ulong *e = darc_calloc((size_t)w->jet->vars, sizeof *e);
    nmod_poly_init_mod(term, w->mod);
    nmod_poly_zero(f);
    for (slong i = 0; i < p->length; i++) {
        fmpz_mpoly_get_term_exp_ui(e, p, i, ctx);
        nmod_poly_zero(term);
        nmod_poly_set_coeff_ui(term, 0, fmpz_get_nmod(p->coeffs + i, w->mod));
        for (slong v = 0; v < w->jet->vars; v++)
            for (ulong k = 0; k < e[v]; k++)
                nmod_poly_mullow(term, term, w->x + v, w->length);
        nmod_poly_add(f, f, term);
    }
    nmod_poly_clear(term);
    darc_free(e);
}

/* Take an io-equation into what is found. */
static void hold(darc_started *out, const darc_ioeq *eq, const course *w,
                 int recordings)
{
    slong length = w->length;
    nmod_mat_t m;
    nmod_poly_t f;
    darc_dpoly_t separant;
    nmod_mat_init(m, recordings * length, eq->part->count, w->mod.n);
    nmod_poly_init_mod(f, w->mod);
    darc_dpoly_init(separant, w->jet);
    for (int r = 0; r < recordings; r++)
        for (slong k = 0; k < eq->part->count; k++) {
            follow(f, eq->part->p + k, w + r);
            for (slong i = 0; i < length; i++)
                nmod_mat_entry(m, r * length + i, k) =
                    nmod_poly_get_coeff_ui(f, i);
        }
    out->reached = out->reached && nmod_mat_rank(m) + 1 == eq->part->count;
    if (eq->expanded) {
        fmpz_mpoly_derivative(separant, eq->poly,
                              darc_jet_var(w->jet, eq->leader), w->jet->ctx);
        follow(f, separant, w);
    }
    out->regular =
        out->regular && eq->expanded && nmod_poly_get_coeff_ui(f, 0) != 0;
    darc_dpoly_clear(separant, w->jet);
    nmod_poly_clear(f);
    nmod_mat_clear(m);
}

void darc_started_find(darc_started *out, const darc_solved_t s,
                       const darc_ioeqs_struct *io, flint_rand_t rand)
{
    course w[DARC_STARTED_RECORDINGS];
    const darc_names_struct *names = s->jet->names;
    slong length = 2, order = 0;
    int n = 0;
    *out = (darc_started){false, false};
    if (io == NULL)
        return;
    for (int i = 0; i < io->count; i++) {
        length = FLINT_MAX(length, io->eq[i].part->count + 1);
        order = FLINT_MAX(order, darc_ioeq_order(io->eq + i, io->jet));
    }
    if (length > DARC_STARTED_PARTS)
        return;
    ulong prime = darc_finite_random_prime(rand);
    ulong *param = darc_calloc((size_t)names->count + 1, sizeof *param);
    for (int u = 0; u < names->count; u++)
        param[u] = 1 + n_randint(rand, prime - 1);
    for (; n < DARC_STARTED_RECORDINGS; n++) {
        darc_point_t pt;
        if (!darc_point_init_at(pt, s, length + order, prime, param, rand))
            break;
        course_init(w + n, io->jet, pt, names, length);
        darc_point_clear(pt);
    }
    out->reached = out->regular = n == DARC_STARTED_RECORDINGS;
    for (int i = 0; i < io->count && n == DARC_STARTED_RECORDINGS; i++)
        hold(out, io->eq + i, w, n);
    while (n-- > 0) {
        for (slong v = 0; v < io->jet->vars; v++)
            nmod_poly_clear(w[n].x + v);
        darc_free(w[n].x);
    }
    darc_free(param);
}
