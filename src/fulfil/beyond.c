#include "fulfil/nearest.h"

#include "algebra/definite.h"
#include "algebra/margin.h"
#include "algebra/orthant.h"
#include "base/mem.h"
#include "fulfil/thresholds.h"

#include <math.h>
#include <string.h>

static const double turn = 2 * 3.14159265358979323846;

typedef struct {
    const darc_nearest *n;
    const darc_budget *budget;
    fmpz_mpoly_ctx_t ctx;    /* s, the parameters of both */
    fmpz_mpoly_struct *f[2]; /* functions of model and target; owned */
    int entries, points, parameters;
    fmpz_mpoly_struct *excess; /* of each entry; owned */
    double *centre;            /* of s, each parameter; owned */
    int *sign;                 /* of each parameter: -1, 0, 1; owned */
    double omega[DARC_BEYOND_POINTS + 1];
    bool *used; /* points x entries; owned */
    slong boxes;
    double work;
} proof;

/* Add f(s) f(-s) times factor, which at s = i omega is |f|^2, to q. */
static void add_square(fmpz_mpoly_t q, const fmpz_mpoly_t f,
                       const fmpz_mpoly_t factor, const fmpz_mpoly_ctx_t ctx)
{
    ulong *e = darc_calloc((size_t)fmpz_mpoly_ctx_nvars(ctx), sizeof *e);
    fmpz_mpoly_t g;
    fmpz_mpoly_init(g, ctx);
    fmpz_mpoly_set(g, f, ctx);
    for (slong t = 0; t < g->length; t++) {
        fmpz_mpoly_get_term_exp_ui(e, g, t, ctx);
        if (e[0] % 2 == 1)
            fmpz_neg(g->coeffs + t, g->coeffs + t);
    }
    fmpz_mpoly_mul(g, g, f, ctx);
    fmpz_mpoly_mul(g, g, factor, ctx);
    fmpz_mpoly_add(q, q, g, ctx);
    fmpz_mpoly_clear(g, ctx);
    darc_free(e);
}

/* Set p->f[k] to the functions of the model or the target. */
static void set_functions(proof *p, int k)
{
    const darc_transfer *r = &p->n->of[k];
    slong *to = darc_calloc((size_t)r->parameters + 1, sizeof *to);
    for (int v = 1; v <= r->parameters; v++)
        to[v] = v + (k == 1 ? p->n->of[0].parameters : 0);
    p->f[k] = darc_calloc((size_t)r->functions, sizeof *p->f[k]);
    for (int i = 0; i < r->functions; i++) {
        fmpz_mpoly_init(p->f[k] + i, p->ctx);
        fmpz_mpoly_compose_fmpz_mpoly_gen(p->f[k] + i, r->f + i, to, r->ctx,
                                          p->ctx);
    }
    darc_free(to);
}

/* With H = N/D and G = M/E, |D E|^2 (R^2 |G|^2 - |H - G|^2) as a polynomial in
 * s = i omega: R^2 |D|^2 |M|^2 - |N E - M D|^2, times a number. */
static void set_excess(proof *p, int entry)
{
    const fmpz_mpoly_struct *h = p->f[0], *g = p->f[1];
    int inputs = p->n->of[1].inputs, first = entry / inputs * inputs;
    fmpz_mpoly_t miss, scale, one;
    fmpq_t bound;
    fmpq_init(bound);
    DARC_EACH_IN(fmpz_mpoly_init, p->ctx, miss, scale, one);
    fmpz_mpoly_one(one, p->ctx);
    bool none = fmpz_mpoly_is_zero(g + 1 + entry, p->ctx);
    for (int j = none ? first : entry; j <= (none ? first + inputs - 1 : entry);
         j++)
        add_square(scale, g + 1 + j, one, p->ctx);
    darc_margin_number(bound, p->n->tolerance, 1);
    fmpz_mpoly_scalar_mul_fmpz(scale, scale, fmpq_numref(bound), p->ctx);
    add_square(p->excess + entry, h, scale, p->ctx);
    fmpz_mpoly_mul(miss, h + 1 + entry, g, p->ctx);
    fmpz_mpoly_mul(scale, g + 1 + entry, h, p->ctx);
    fmpz_mpoly_sub(miss, miss, scale, p->ctx);
    fmpz_mpoly_set_fmpz(one, fmpq_denref(bound), p->ctx);
    fmpz_mpoly_neg(one, one, p->ctx);
    add_square(p->excess + entry, miss, one, p->ctx);
    fmpq_clear(bound);
    DARC_EACH_IN(fmpz_mpoly_clear, p->ctx, miss, scale, one);
}

/* Set f to the excess of the entry at omega, with the signs in front of the
 * parameters, times a number > 0. */
static void set_at(fmpz_mpoly_t f, const proof *p, int entry, double omega)
{
    const fmpz_mpoly_struct *all = p->excess + entry;
    ulong *e = darc_calloc((size_t)p->parameters + 1, sizeof *e);
    ulong degree = (ulong)fmpz_mpoly_degree_si(all, 0, p->ctx);
    fmpq_t square;
    fmpz_t c, power;
    fmpq_init(square);
    DARC_EACH(fmpz_init, c, power);
    darc_margin_number(square, omega, 1);
    for (slong t = 0; t < all->length; t++) {
        fmpz_mpoly_get_term_exp_ui(e, all, t, p->ctx);
        fmpz_pow_ui(power, fmpq_numref(square), e[0] / 2);
        fmpz_mul(c, all->coeffs + t, power);
        fmpz_pow_ui(power, fmpq_denref(square), (degree - e[0]) / 2);
        fmpz_mul(c, c, power);
        bool negative = e[0] / 2 % 2 == 1, gone = false;
        for (int v = 0; v < p->parameters; v++) {
            negative ^= p->sign[v] < 0 && e[1 + v] % 2 == 1;
            gone = gone || (p->sign[v] == 0 && e[1 + v] > 0);
        }
        e[0] = 0;
        if (negative)
            fmpz_neg(c, c);
        if (!gone)
            fmpz_mpoly_push_term_fmpz_ui(f, c, e, p->ctx);
    }
    fmpz_mpoly_sort_terms(f, p->ctx);
    fmpz_mpoly_combine_like_terms(f, p->ctx);
    fmpq_clear(square);
    DARC_EACH(fmpz_clear, c, power);
    darc_free(e);
}

/* Prove it for parameters of these signs. */
static bool prove_orthant(proof *p)
{
    int count = p->points * p->entries;
    fmpz_mpoly_struct *f = darc_calloc((size_t)count, sizeof *f);
    for (int i = 0; i < count; i++) {
        fmpz_mpoly_init(f + i, p->ctx);
        set_at(f + i, p, i % p->entries, p->omega[i / p->entries]);
    }
    darc_orthant o = {f, count, p->ctx, p->used, p->boxes, p->work};
    bool yes = darc_orthant_cover(&o, p->centre, p->budget);
    DARC_SAME(p, &o, boxes, work);
    DARC_ALL_IN(fmpz_mpoly_clear, p->ctx, f, count);
    darc_free(f);
    return yes;
}

/* Prove it for all signs that the parameters may have. */
static bool prove(proof *p, const bool *positive)
{
    int v = 0;
    DARC_FILL(p->sign, p->parameters, 1);
    while (v < p->parameters || p->parameters == 0) {
        if (!prove_orthant(p))
            return false;
        for (v = 0; v < p->parameters; v++) { /* the next of 1, 0, -1 */
            if (!positive[v] && --p->sign[v] >= -1)
                break;
            p->sign[v] = 1;
        }
        if (p->parameters == 0)
            break;
    }
    return true;
}

/* ---- all parameters at once ------------------------------------------------
 *
 * N and D are linear in monomials of the parameters, so that an excess is a
 * quadratic form in these.  Products that are positive, and relations between
 * products, are forms that are never negative.
 */

typedef struct {
    proof *p;
    const bool *positive;
    int count; /* monomials */
    ulong *e;  /* exponents; count x parameters; owned */
    darc_forms forms;
} whole;

/* Return the place of a monomial, which it gets if it has none. */
static int place_monomial(whole *w, const ulong *e)
{
    size_t n = (size_t)w->p->parameters;
    for (int i = 0; i < w->count; i++)
        if (memcmp(w->e + (size_t)i * n, e, n * sizeof *e) == 0)
            return i;
    w->e = darc_room(w->e, (size_t)w->count, n * sizeof *w->e);
    memcpy(w->e + (size_t)w->count * n, e, n * sizeof *e);
    return w->count++;
}

/* Add factor |f(i omega)|^2 to the form q, f linear in the monomials; q NULL:
 * only list these. */
static void add_form(whole *w, fmpq_mat_struct *q, const fmpz_mpoly_t f,
                     double omega, const fmpq_t factor)
{
    const proof *p = w->p;
    ulong *e = darc_calloc((size_t)p->parameters + 1, sizeof *e);
    fmpq_mat_t part; /* real and imaginary */
    fmpq_t x, c;
    DARC_EACH(fmpq_init, x, c);
    fmpq_mat_init(part, 2, DARC_BEYOND_MONOMIALS);
    for (slong t = 0; t < f->length; t++) {
        fmpz_mpoly_get_term_exp_ui(e, f, t, p->ctx);
        int at = place_monomial(w, e + 1);
        if (q == NULL)
            continue;
        darc_margin_number(x, 1, omega);
        fmpq_pow_si(x, x, (slong)e[0]);
        fmpq_set_fmpz(c, f->coeffs + t);
        fmpq_mul(x, x, c);
        if (e[0] % 4 > 1)
            fmpq_neg(x, x);
        fmpq *to = fmpq_mat_entry(part, (slong)(e[0] % 2), at);
        fmpq_add(to, to, x);
    }
    for (int k = 0; k < 2 && q != NULL; k++)
        for (int i = 0; i < w->count; i++)
            for (int j = 0; j < w->count; j++) {
                fmpq_mul(x, fmpq_mat_entry(part, k, i),
                         fmpq_mat_entry(part, k, j));
                fmpq_mul(x, x, factor);
                fmpq_add(fmpq_mat_entry(q, i, j), fmpq_mat_entry(q, i, j), x);
            }
    fmpq_mat_clear(part);
    DARC_EACH(fmpq_clear, x, c);
    darc_free(e);
}

/* Add the excess of entry k at omega; `list`: only its monomials. */
static void add_excess(whole *w, int k, double omega, bool list)
{
    const proof *p = w->p;
    const fmpz_mpoly_struct *h = p->f[0], *g = p->f[1];
    int inputs = p->n->of[1].inputs, first = k / inputs * inputs;
    bool none = fmpz_mpoly_is_zero(g + 1 + k, p->ctx);
    fmpz_mpoly_t a, b;
    fmpq_t factor;
    fmpq_mat_t q;
    fmpq_init(factor);
    DARC_EACH_IN(fmpz_mpoly_init, p->ctx, a, b);
    fmpq_mat_init(q, list ? 0 : w->count, list ? 0 : w->count);
    darc_margin_number(factor, p->n->tolerance, 1);
    for (int j = none ? first : k; j <= (none ? first + inputs - 1 : k); j++) {
        fmpz_mpoly_mul(a, g + 1 + j, h, p->ctx);
        add_form(w, list ? NULL : q, a, omega, factor);
    }
    fmpz_mpoly_mul(a, h + 1 + k, g, p->ctx);
    fmpz_mpoly_mul(b, g + 1 + k, h, p->ctx);
    fmpz_mpoly_sub(a, a, b, p->ctx);
    fmpq_set_si(factor, -1, 1);
    add_form(w, list ? NULL : q, a, omega, factor);
    if (!list) {
        fmpz_t den;
        fmpz_init(den);
        fmpq_mat_get_fmpz_mat_matwise(darc_forms_append(&w->forms), den, q);
        fmpz_clear(den);
    }
    fmpq_mat_clear(q);
    DARC_EACH_IN(fmpz_mpoly_clear, p->ctx, a, b);
    fmpq_clear(factor);
}

/* Are the products of monomials i, j and k, l the same? */
static bool same_product(const whole *w, const int *i)
{
    int n = w->p->parameters;
    bool same = true;
    for (int v = 0; v < n; v++)
        same = same && w->e[i[0] * n + v] + w->e[i[1] * n + v] ==
                           w->e[i[2] * n + v] + w->e[i[3] * n + v];
    return same;
}

/* Append sign times the product of monomials i, j as a form. */
static void set_product(fmpz_mat_struct *q, const int *i, int sign)
{
    for (int k = 0; k < 2; k++) {
        fmpz *to = fmpz_mat_entry(q, i[k], i[1 - k]);
        if (sign > 0)
            fmpz_add_ui(to, to, 1);
        else
            fmpz_sub_ui(to, to, 1);
    }
}

/* Add what is known of the product of i[0] and i[1]. */
static void know_product(whole *w, int *i)
{
    int n = w->p->parameters;
    bool above = i[0] != i[1];
    for (int v = 0; v < n; v++)
        above &= w->positive[v] ||
                 (w->e[i[0] * n + v] + w->e[i[1] * n + v]) % 2 == 0;
    if (above)
        set_product(darc_forms_append(&w->forms), i, 1);
    for (i[2] = i[0] + 1; i[2] < w->count; i[2]++) /* to the next alike */
        for (i[3] = i[2]; i[3] < w->count; i[3]++) {
            if (!same_product(w, i))
                continue;
            for (int sign = -1; sign <= 1; sign += 2) {
                fmpz_mat_struct *q = darc_forms_append(&w->forms);
                set_product(q, i, sign);
                set_product(q, i + 2, -sign);
            }
            return;
        }
}

static bool prove_whole(proof *p, const bool *positive)
{
    whole w = {.p = p, .positive = positive};
    int i[4], excesses = p->points * p->entries;
    for (int k = 0; k < p->entries; k++)
        add_excess(&w, k, 1, true);
    bool yes = w.count <= DARC_BEYOND_MONOMIALS;
    w.forms.size = w.count;
    for (int k = 0; k < excesses && yes; k++)
        add_excess(&w, k % p->entries, p->omega[k / p->entries], false);
    for (i[0] = 0; i[0] < w.count && yes; i[0]++)
        for (i[1] = i[0]; i[1] < w.count; i[1]++)
            know_product(&w, i);
    bool *used = darc_calloc((size_t)w.forms.count + 1, sizeof *used);
    yes = yes && darc_forms_exclude(used, &w.forms, p->budget);
    for (int k = 0; k < excesses && yes; k++)
        p->used[k] = used[k];
    darc_forms_clear(&w.forms);
    DARC_FREE(used, w.e);
    return yes;
}

/* Add hz, rounded into the band to so many digits that numbers stay short. */
static void add_point(proof *p, double hz, bool up)
{
    int twos;
    double low = turn * p->n->low, high = turn * p->n->high;
    double x = ldexp(frexp(turn * hz, &twos), DARC_BEYOND_BITS);
    double omega = ldexp(up ? ceil(x) : floor(x), twos - DARC_BEYOND_BITS);
    int at = p->points;
    while (at > 0 && p->omega[at - 1] >= omega)
        at--;
    if (!(omega > low * (1 + 1e-14) && omega < high * (1 - 1e-14)) ||
        (at < p->points && p->omega[at] == omega))
        return;
    memmove(p->omega + at + 1, p->omega + at,
            (size_t)(p->points++ - at) * sizeof *p->omega);
    p->omega[at] = omega;
}

static void choose_points(proof *p)
{
    double low = p->n->low, span = log(p->n->high / low);
    int last = DARC_BEYOND_POINTS - 1;
    add_point(p, p->n->hz, false);
    add_point(p, p->n->high, false);
    for (int i = 0; i < last; i++)
        add_point(p, low * exp(span * i / last), i == 0);
}

/* Return the text: which frequencies served. */
static char *describe(const proof *p, bool at_once)
{
    darc_text_t out = DARC_TEXT;
    int served = 0;
    for (int i = 0; i < p->points; i++) {
        bool any = false;
        for (int k = 0; k < p->entries; k++)
            any = any || p->used[i * p->entries + k];
        if (any)
            darc_text_printf(out, "%s%.9g", served++ > 0 ? ", " : "",
                             p->omega[i] / turn);
    }
    char *text =
        at_once
            ? darc_text_of("|H - G| > %.9g*|G| at %s%s Hz: "
                           "%.9g^2*|G*D|^2 - |N - G*D|^2, H = N/D, %s",
                           p->n->tolerance, served > 1 ? "one of " : "", out->s,
                           p->n->tolerance,
                           "weighted, add up to a negative definite form")
            : darc_text_of("|H - G| > %.9g*|G| at %s%s Hz on each of %ld boxes "
                           "that cover the parameters",
                           p->n->tolerance, served > 1 ? "one of " : "", out->s,
                           (long)p->boxes);
    darc_text_clear(out);
    return text;
}

char *darc_beyond_prove(const darc_nearest *n, const bool *positive,
                        const darc_budget *budget)
{
    proof p = {.n = n,
               .budget = budget,
               .entries = n->of[1].outputs * n->of[1].inputs,
               .parameters = n->of[0].parameters + n->of[1].parameters};
    fmpz_mpoly_ctx_init(p.ctx, 1 + p.parameters, ORD_LEX);
    choose_points(&p);
    p.excess = darc_calloc((size_t)p.entries, sizeof *p.excess);
    p.used = darc_calloc((size_t)(p.entries * p.points) + 1, sizeof *p.used);
    DARC_CALLOC((size_t)p.parameters + 1, p.sign, p.centre);
    p.centre[0] = 1;
    for (int v = 0; v < p.parameters; v++)
        p.centre[1 + v] = n->value[v] != 0 ? fabs(n->value[v]) : 1;
    for (int k = 0; k < 2; k++)
        set_functions(&p, k);
    for (int k = 0; k < p.entries; k++) {
        fmpz_mpoly_init(p.excess + k, p.ctx);
        set_excess(&p, k);
    }
    bool few = p.parameters < DARC_BEYOND_MANY;
    char *text = few && prove(&p, positive)    ? describe(&p, false)
                 : prove_whole(&p, positive)   ? describe(&p, true)
                 : !few && prove(&p, positive) ? describe(&p, false)
                                               : NULL;
    DARC_ALL_IN(fmpz_mpoly_clear, p.ctx, p.excess, p.entries);
    for (int k = 0; k < 2; k++)
        for (int i = 0; i <= p.entries; i++)
            fmpz_mpoly_clear(p.f[k] + i, p.ctx);
    fmpz_mpoly_ctx_clear(p.ctx);
    DARC_FREE(p.excess, p.used, p.sign, p.centre, p.f[0], p.f[1]);
    return text;
}
