#include "decide/bindings.h"

#include "base/mem.h"
#include "decide/thresholds.h"
#include "identify/identify.h"
#include "projection/coeffs.h"
#include "stats/real.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The question's index of equation e of the model; -1: it is not held. */
static int held(const darc_question *x, int e)
{
    for (int q = 0; q < x->equations; q++)
        if (x->equation[q] == e)
            return q;
    return -1;
}

/* Whether all equations of the model are held, and expanded. */
static bool are_all_expanded(const darc_question *x)
{
    for (int e = 0; e < x->io->count; e++)
        if (held(x, e) < 0 || !x->io->eq[e].expanded)
            return false;
    return x->io->count > 0;
}

/* Find the relations of all equations together where all are expanded, else one
 * by one. */
static darc_status find_parts(darc_bindings *b, const darc_question *x,
                              const bool *changed, darc_blackbox_struct *g,
                              double work, darc_err *err)
{
    bool together = are_all_expanded(x);
    b->part = darc_calloc((size_t)x->equations + 1, sizeof *b->part);
    for (int q = 0; q < (together ? 1 : x->equations); q++) {
        darc_coeffrel_struct *r = b->part + b->parts;
        int e = !together ? x->equation[q] : x->io->count > 1 ? -1 : 0;
        if (e >= x->io->count)
            continue;
        if (e < 0 || x->io->eq[e].expanded)
            DARC_NEED(darc_coeffrel_init(r, x->io, e, changed, x->budget, err));
        else if (g != NULL)
            DARC_NEED(darc_coeffrel_init_blackbox(r, g, e, changed, work, err));
        else
            b->wanting = true;
        b->parts += e < 0 || x->io->eq[e].expanded || g != NULL;
    }
    /* what equations share is not known where they are taken one by one */
    b->wanting = b->wanting || (!together && x->io->count > 1);
    return DARC_OK;
}

static void place_part(darc_bindings *b, const darc_question *x, int p,
                       const int *first, int coeffs)
{
    const darc_coeffrel_struct *r = b->part + p;
    b->place[p] = darc_calloc((size_t)r->vars + 1, sizeof **b->place);
    for (int i = 0; i < r->vectors; i++) {
        int q = held(x, r->equation[i]);
        for (slong v = r->first[i]; v < r->first[i + 1]; v++)
            b->place[p][v] =
                r->recording[i] * coeffs + first[q] + (int)(v - r->first[i]);
    }
}

static void list_relations(darc_bindings *b, bool two)
{
    int most = 0;
    for (int p = 0; p < b->parts; p++)
        most += (int)b->part[p].count;
    b->in = darc_calloc((size_t)most + 1, sizeof *b->in);
    b->which = darc_calloc((size_t)most + 1, sizeof *b->which);
    b->complete = !b->wanting;
    for (int p = 0; p < b->parts; p++) {
        const darc_coeffrel_struct *r = b->part + p;
        for (slong k = 0; k < r->count; k++)
            if (!two || r->mixed[k]) {
                b->in[b->count] = p;
                b->which[b->count++] = (int)k;
            }
        b->complete = b->complete && (two ? r->decisive : r->complete);
    }
    b->wanting = b->wanting || !b->complete;
}

darc_status darc_bindings_init(darc_bindings *b, const darc_question *x,
                               const bool *changed, darc_blackbox_struct *g,
                               double work, darc_err *err)
{
    *b = (darc_bindings){0};
    darc_status status = find_parts(b, x, changed, g, work, err);
    if (status != DARC_OK) {
        darc_bindings_clear(b);
        return status;
    }
    int *first = darc_calloc((size_t)x->equations + 1, sizeof *first);
    for (int q = 0; q < x->equations; q++) {
        int own = (int)darc_question_equation(x, q)->part->count;
        first[q + 1] = first[q] + (own < 2 ? 2 : own);
    }
    int coeffs = first[x->equations];
    b->variables = (changed != NULL ? 2 : 1) * coeffs;
    b->place = darc_calloc((size_t)b->parts + 1, sizeof *b->place);
    for (int p = 0; p < b->parts; p++)
        place_part(b, x, p, first, coeffs);
    list_relations(b, changed != NULL);
    darc_free(first);
    return DARC_OK;
}

void darc_bindings_clear(darc_bindings *b)
{
    for (int p = 0; p < b->parts; p++) {
        darc_coeffrel_clear(b->part + p);
        if (b->place != NULL)
            darc_free(b->place[p]);
    }
    DARC_FREE(b->part, b->place, b->in, b->which);
    *b = (darc_bindings){0};
}

/* Binary exponents past all numbers, and such that squares of a number are
 * still well inside. */
enum { FAR = 5000, NEAR = 300 };

/* a x^e of `vars` variables that stand at place[v]. */
typedef struct {
    double a;
    slong vars;
    const ulong *e;
    const int *place;
} term;

/* Return the term a x^e, x at place[v] of variable v, or what is left of it
 * once divided by variable `by` (-1: by none): times 2^*k. */
static double term_at(long *k, const term *t, const double *x, slong by)
{
    double m = t->a;
    *k = 0;
    for (slong v = 0; v < t->vars; v++) {
        long e = (long)t->e[v] - (v == by);
        int own;
        if (e == 0)
            continue;
        m *= pow(frexp(x[t->place[v]], &own), (double)e);
        *k += e * own;
    }
    return m;
}

static double scaled(double m, long k)
{
    return ldexp(m, k > FAR ? FAR : k < -FAR ? -FAR : (int)k);
}

/* Add to *h the term, and to jac its derivatives, both over 2^shift. */
static void add_term(double *h, double *jac, const term *t, const double *x,
                     long shift)
{
    long k;
    double value = term_at(&k, t, x, -1);
    *h += scaled(value, k - shift);
    for (slong v = 0; v < t->vars && jac != NULL; v++) {
        if (t->e[v] == 0)
            continue;
        value = (double)t->e[v] * term_at(&k, t, x, v);
        jac[t->place[v]] += scaled(value, k - shift);
    }
}

/* Set t to term i of the polynomial, whose exponents it has room for. */
static void read_term(term *t, ulong *e, const fmpz_mpoly_t poly, slong i,
                      const fmpz_mpoly_ctx_t ctx)
{
    fmpz_mpoly_get_term_exp_ui(e, poly, i, ctx);
    t->a = darc_real_integer(poly->coeffs + i);
}

/* Return the exponent of what is taken off a relation, which may hold up to
 * eighth powers, so that squares of it stay in the range of numbers; 0 where
 * they do. */
static long shift_of(long greatest)
{
    return labs(greatest) > NEAR && greatest > -FAR ? greatest : 0;
}

void darc_bindings_evaluate(const void *user, const double *x, double *h,
                            double *jac)
{
    const darc_bindings *b = user;
    for (int k = 0; k < b->count; k++) {
        int p = b->in[k];
        const darc_coeffrel_struct *r = b->part + p;
        const fmpz_mpoly_struct *poly = r->h + b->which[k];
        double *row = jac != NULL ? jac + k * b->variables : NULL;
        ulong *e = darc_calloc((size_t)r->vars, sizeof *e);
        term t = {0, r->vars, e, b->place[p]};
        long greatest = -FAR, own;
        h[k] = 0;
        if (row != NULL)
            memset(row, 0, (size_t)b->variables * sizeof *row);
        for (slong i = 0; i < poly->length; i++) {
            read_term(&t, e, poly, i, r->ctx);
            double m = term_at(&own, &t, x, -1);
            own += m != 0 && isfinite(m) ? ilogb(m) : -FAR;
            greatest = own > greatest ? own : greatest;
        }
        for (slong i = 0; i < poly->length; i++) {
            read_term(&t, e, poly, i, r->ctx);
            add_term(h + k, row, &t, x, shift_of(greatest));
        }
        darc_free(e);
    }
}

void darc_bindings_impose(const darc_bindings *b, darc_estimates *e,
                          double alpha)
{
    size_t n = (size_t)e->coeffs;
    if (b->count == 0 || e->bare != NULL)
        return;
    darc_constraint c;
    darc_constraint_init(&c, e->coeffs, b->count);
    memcpy(c.x, e->c, n * sizeof *c.x);
    memcpy(c.v, e->cov, n * n * sizeof *c.v);
    c.error_dof = e->error_dof;
    c.relations = darc_bindings_evaluate;
    c.user = b;
    darc_constraint_solve(&c);
    if (c.settled && c.p_value >= DARC_SIDE_SHARE * alpha) {
        darc_constraint_project(&c);
        e->bare = e->c;
        e->bare_cov = e->cov;
        e->c = darc_malloc(n * sizeof *e->c);
        e->cov = darc_malloc(n * n * sizeof *e->cov);
        memcpy(e->c, c.at, n * sizeof *c.x);
        memcpy(e->cov, c.v, n * n * sizeof *c.v);
    }
    darc_constraint_clear(&c);
}

static char **names_of(const darc_bindings *b, int p, const darc_question *x)
{
    const darc_coeffrel_struct *r = b->part + p;
    bool two = false;
    char **name = darc_calloc((size_t)r->vars + 1, sizeof *name);
    for (int i = 0; i < r->vectors; i++)
        two = two || r->recording[i] > 0;
    for (int i = 0; i < r->vectors; i++)
        for (slong v = r->first[i]; v < r->first[i + 1]; v++) {
            darc_text_t t = DARC_TEXT;
            int u = x->io->eq[r->equation[i]].leader.unknown;
            darc_text_printf(t, "c%s%ld",
                             !two                   ? ""
                             : r->recording[i] == 0 ? "A"
                                                    : "B",
                             (long)(v - r->first[i]));
            if (x->io->count > 1)
                darc_text_printf(t, "(%s)", x->io->jet->names->symbol[u].name);
            name[v] = darc_text_take(t);
        }
    return name;
}

void darc_bindings_print(darc_text_t out, const darc_bindings *b,
                         const darc_question *x)
{
    for (int k = 0; k < b->count; k++) {
        const darc_coeffrel_struct *r = b->part + b->in[k];
        char **name = names_of(b, b->in[k], x);
        char *h = fmpz_mpoly_get_str_pretty(r->h + b->which[k],
                                            (const char **)name, r->ctx);
        darc_text_printf(out, "%s%s = 0", k > 0 ? ", " : "", h);
        flint_free(h);
        for (slong v = 0; v < r->vars; v++)
            darc_free(name[v]);
        darc_free(name);
    }
}

bool darc_freedom_is_full(const darc_model *model, const darc_ioeqs_t io, int e,
                          const darc_budget *budget)
{
    slong ratios = io->eq[e].part->count - 1, all = 0, parameters = 0, rank;
    const darc_names_struct *names = io->jet->names;
    for (int u = 0; u < names->count; u++)
        parameters += names->symbol[u].kind == DARC_PARAMETER;
    if (parameters < ratios)
        return false;
    if (io->eq[e].expanded) {
        darc_coeffs_t c;
        flint_rand_t rand;
        flint_randinit(rand);
        darc_coeffs_init(c, io, e, NULL);
        rank = darc_coeffs_dimension(c, rand);
        darc_coeffs_clear(c);
        flint_randclear(rand);
        return rank == ratios;
    }
    darc_identification_t id; /* of all equations together */
    if (model == NULL ||
        darc_identification_init_local(id, model, budget, NULL) != DARC_OK)
        return false;
    rank = id->dimension;
    darc_identification_clear(id);
    for (int i = 0; i < io->count; i++)
        all += io->eq[i].part->count - 1;
    return rank == all;
}
