#include "projection/projection.h"

#include "base/mem.h"
#include "modular/resultant.h"

#include <assert.h>
#include <string.h>

#define CONSTANT (-1)
#define UNIT (-2)
#define OUTSIDE (-3)

/* ---- the frame ---------------------------------------------------------- */

static slong add_var(darc_projection_t proj, slong *vars, darc_deriv d)
{
    proj->deriv[*vars] = d;
    proj->next[*vars] = OUTSIDE;
    return (*vars)++;
}

/* Append u^(top), ..., u^(0) and link them; return the variable of u^(0). */
static slong add_signal(darc_projection_t proj, slong *vars, int u, int top,
                        slong *variable)
{
    for (int k = top; k >= 0; k--) {
        slong v = add_var(proj, vars, (darc_deriv){u, k});
        if (k < top)
            proj->next[v] = v - 1;
        if (variable != NULL)
            variable[k] = v;
    }
    return *vars - 1;
}

static int highest_target(const darc_projection_t proj)
{
    int top = 0;
    for (int j = 0; j < proj->s->outputs; j++)
        top = proj->target[j] > top ? proj->target[j] : top;
    return top;
}

static slong count_vars(const darc_projection_t proj)
{
    const darc_solved_struct *s = proj->s;
    slong vars = 2 * s->states + 2;
    int top = highest_target(proj);
    for (int j = 0; j < s->outputs; j++)
        vars += proj->target[j] + 1;
    for (int u = 0; u < s->jet->names->count; u++)
        vars += s->jet->names->symbol[u].kind == DARC_INPUT
                    ? s->jet->bound[u] + top + 1
                    : 1;
    return vars;
}

static slong add_states(darc_projection_t proj)
{
    const darc_solved_struct *s = proj->s;
    slong vars = 0;
    for (int i = 0; i < s->states; i++) {
        darc_deriv d = s->state[i];
        proj->dx[i] =
            add_var(proj, &vars, (darc_deriv){d.unknown, d.order + 1});
    }
    for (int i = 0; i < s->states; i++) {
        proj->x[i] = add_var(proj, &vars, s->state[i]);
        proj->next[proj->x[i]] = proj->dx[i];
        proj->alive[i] = true;
    }
    proj->spare = add_var(proj, &vars, s->state[0]);
    add_var(proj, &vars, s->state[0]);
    return vars;
}

/* Lay out the variables; return their number. */
static slong layout(darc_projection_t proj, bool numeric)
{
    const darc_solved_struct *s = proj->s;
    int top = highest_target(proj);
    slong vars = add_states(proj);
    for (int j = 0; j < s->outputs; j++) {
        proj->y[j] = darc_calloc((size_t)proj->target[j] + 1, sizeof(slong));
        add_signal(proj, &vars, s->output[j], proj->target[j], proj->y[j]);
    }
    for (int u = 0; u < s->jet->names->count; u++) {
        darc_kind kind = s->jet->names->symbol[u].kind;
        if (kind == DARC_INPUT)
            add_signal(proj, &vars, u, s->jet->bound[u] + top, NULL);
        else if (kind == DARC_TIME)
            proj->next[add_signal(proj, &vars, u, 0, NULL)] = UNIT;
    }
    for (int u = 0; u < s->jet->names->count && !numeric; u++)
        if (darc_jet_is_constant(s->jet, u))
            proj->next[add_signal(proj, &vars, u, 0, NULL)] = CONSTANT;
    return vars;
}

static void proj_alloc(darc_projection_t proj)
{
    size_t n = (size_t)proj->s->states, m = (size_t)proj->s->outputs;
    size_t vars = (size_t)count_vars(proj);
    DARC_CALLOC(vars, proj->deriv, proj->next);
    DARC_CALLOC(n, proj->x, proj->dx, proj->alive, proj->E, proj->pivot);
    DARC_CALLOC(m, proj->order, proj->y, proj->Q);
}

void darc_projection_clear(darc_projection_t proj)
{
    for (int i = 0; i < proj->s->states; i++) {
        darc_mpoly_clears(proj->ring->ctx, proj->E + i, proj->pivot + i, NULL);
    }
    for (int i = 0; i < proj->changes; i++) {
        darc_mpoly_clears(proj->ring->ctx, proj->change[i].a, proj->change[i].b,
                          NULL);
    }
    for (int j = 0; j < proj->s->outputs; j++) {
        nmod_mpoly_clear(proj->Q + j, proj->ring->ctx);
        darc_free(proj->y[j]);
    }
    DARC_FREE(proj->deriv, proj->next, proj->x, proj->dx, proj->alive, proj->E,
              proj->pivot, proj->change, proj->order, proj->y, proj->Q);
    darc_ring_clear(proj->ring);
}

/* ---- the relations ------------------------------------------------------ */

/* Set f to p, of the frame of the model. */
static void carry_polynomial(darc_mpoly *f, const darc_dpoly_t p,
                             const slong *map, const darc_projection_t proj,
                             const darc_point_t pt)
{
    const darc_jet_struct *jet = proj->s->jet;
    ulong *x = darc_calloc((size_t)jet->vars, sizeof *x);
    for (slong v = 0; v < jet->vars; v++)
        if (map[v] < 0)
            x[v] = darc_point_value(pt, jet->deriv[v]);
    darc_finite_image(f, proj->ring->ctx, map, x, p, jet->ctx);
    darc_free(x);
}

static void put_model(darc_projection_t proj, const darc_point_t pt)
{
    const darc_solved_struct *s = proj->s;
    const nmod_mpoly_ctx_struct *ctx = proj->ring->ctx;
    slong *map = darc_calloc((size_t)s->jet->vars, sizeof *map);
    nmod_mpoly_t den, num;
    darc_mpoly_inits(ctx, den, num, NULL);
    for (slong v = 0; v < s->jet->vars; v++) {
        darc_deriv d = s->jet->deriv[v];
        slong w = s->states; /* behind the derivatives of the states */
        while (w < proj->ring->vars && (proj->deriv[w].unknown != d.unknown ||
                                        proj->deriv[w].order != d.order))
            w++;
        map[v] = w < proj->ring->vars ? w : -1; /* -1: put in */
    }
    for (int i = 0; i < s->states; i++) {
        darc_mpoly_inits(ctx, proj->E + i, proj->pivot + i, NULL);
    }
    DARC_ALL_IN(nmod_mpoly_init, ctx, proj->Q, s->outputs);
    for (int i = 0; i < s->states + s->outputs; i++) {
        int j = i - s->states;
        carry_polynomial(den, s->den->p + i, map, proj, pt);
        carry_polynomial(num, s->num->p + i, map, proj, pt);
        darc_mpoly *f = j < 0 ? proj->E + i : proj->Q + j; /* den*v - num */
        nmod_mpoly_gen(f, j < 0 ? proj->dx[i] : proj->y[j][0], ctx);
        nmod_mpoly_mul(f, f, den, ctx);
        nmod_mpoly_sub(f, f, num, ctx);
    }
    darc_mpoly_clears(ctx, den, num, NULL);
    darc_free(map);
}

void darc_projection_init(darc_projection_t proj, const darc_problem_t p,
                          const darc_point_t pt, bool numeric)
{
    const darc_solved_struct *s = p->s;
    *proj = (darc_projection_struct){
        .s = s, .numeric = numeric, .target = p->order};
    proj_alloc(proj);
    slong vars = layout(proj, numeric);
    darc_ring_init(proj->ring, vars, pt->mod.n, p->budget);
    while (proj->ring->side > 0 && proj->next[proj->ring->side - 1] == CONSTANT)
        proj->ring->side--;
    for (slong v = 0; v < vars; v++)
        proj->ring->point[v] = darc_point_value(pt, proj->deriv[v]);
    for (int i = 0; i < s->states; i++)
        proj->ring->point[proj->x[i]] =
            pt->variable[darc_jet_var(s->jet, s->state[i])][0];
    for (int j = 0; j < s->outputs; j++)
        proj->total += proj->target[j];
    put_model(proj, pt);
}

/* ---- derivatives -------------------------------------------------------- */

void darc_projection_derive(darc_mpoly *d, const darc_mpoly *f,
                            const darc_projection_t proj)
{
    const nmod_mpoly_ctx_struct *ctx = proj->ring->ctx;
    nmod_mpoly_t a, b;
    darc_mpoly_inits(ctx, a, b, NULL);
    nmod_mpoly_zero(d, ctx);
    for (slong v = 0; v < proj->ring->vars; v++) {
        if (proj->next[v] == CONSTANT || darc_ring_degree(f, v, proj->ring) < 1)
            continue;
        assert(proj->next[v] != OUTSIDE);
        nmod_mpoly_derivative(a, f, v, ctx);
        if (proj->next[v] != UNIT) {
            nmod_mpoly_gen(b, proj->next[v], ctx);
            nmod_mpoly_mul(a, a, b, ctx);
        }
        nmod_mpoly_add(d, d, a, ctx);
    }
    darc_mpoly_clears(ctx, a, b, NULL);
}

/* ---- to a frame over the integers --------------------------------------- */

void darc_projection_carry(darc_dpoly_t q, const darc_jet_t jet,
                           const fmpz *coeff, const darc_mpoly *f,
                           const darc_deriv *deriv, const darc_ring_t ring)
{
    size_t size = (size_t)jet->vars * sizeof(ulong);
    ulong *from = darc_calloc((size_t)ring->vars, sizeof *from);
    ulong *to = darc_malloc(size);
    fmpz_t one;
    fmpz_init_set_ui(one, 1);
    fmpz_mpoly_zero(q, jet->ctx);
    for (slong t = 0; t < f->length; t++) {
        nmod_mpoly_get_term_exp_ui(from, f, t, ring->ctx);
        memset(to, 0, size);
        for (slong v = 0; v < ring->vars; v++) {
            slong w = from[v] != 0 ? darc_jet_var(jet, deriv[v]) : 0;
            assert(w >= 0);
            to[w] += from[v]; /* an output may be a state as well */
        }
        fmpz_mpoly_push_term_fmpz_ui(q, coeff == NULL ? one : coeff + t, to,
                                     jet->ctx);
    }
    fmpz_mpoly_sort_terms(q, jet->ctx);
    fmpz_clear(one);
    DARC_FREE(from, to);
}

bool darc_projection_join(darc_dpoly_t q, const darc_jet_t jet,
                          darc_residues *image, const darc_mpoly *f,
                          const darc_deriv *deriv, const darc_ring_t ring)
{
    if (image->n == 0)
        darc_residues_init(image, f->length);
    if (image->n != f->length)
        return false;
    darc_residues_add(image, f->coeffs, ring->mod.n);
    fmpz *coeff = _fmpz_vec_init(image->n);
    bool known = darc_residues_integers(coeff, image);
    if (known) {
        darc_projection_carry(q, jet, coeff, f, deriv, ring);
        darc_dpoly_primitive(q, q, jet);
    }
    _fmpz_vec_clear(coeff, image->n);
    return known;
}
