#include "algebra/orthant.h"

#include "algebra/thresholds.h"
#include "base/mem.h"

#include <math.h>
#include <string.h>

/* Coefficients times exp(e . x), x the logarithms of the variables. */
typedef struct {
    int terms;
    double *sign, *size; /* of a coefficient c: 1 or -1, log |c| */
    double *e;           /* terms x variables */
} sum;

/* The points origin + sum u_i axis[i], 0 <= u_i <= width[i], which may be
 * infinite: numbers that doubles add and halve without rounding. */
typedef struct {
    double *origin, *width, *axis;
} box;

/* What is known of a sum on a box: it is negative; it may be, were the axis
 * `split` shorter, or, FAN, divided from axis `with` by the ray; or HIGH: it is
 * not negative in the middle, or far out. */
typedef struct {
    enum { HIGH, FAN, OPEN, NEGATIVE } kind;
    double share; /* OPEN: how negative in the middle, of all terms together */
    int split, with;
    double ray[2];
} look;

typedef struct {
    int vars, count;
    sum *f;              /* owned */
    double *term;        /* of all of them; owned */
    double *stack, *now; /* boxes to be covered, and the one in hand; owned */
    size_t boxes;
    double *e, *base; /* of the terms on it, by its axes; owned: e */
    double *shift, *slope, *blame, *ray; /* by axis, variable; owned: shift */
    double work;
} cover;

/* ---- boxes -------------------------------------------------------------- */

static size_t row(const cover *c)
{
    return (size_t)(c->vars * (c->vars + 2)) + 1;
}

static box box_at(const cover *c, double *at)
{
    return (box){at, at + c->vars, at + 2 * c->vars};
}

/* Put a copy of the box in hand on the stack. */
static box push(cover *c)
{
    c->stack = darc_room(c->stack, c->boxes, row(c) * sizeof *c->stack);
    double *to = c->stack + c->boxes++ * row(c);
    memcpy(to, c->now, row(c) * sizeof *to);
    return box_at(c, to);
}

/* One box for each way out from the centre. */
static void push_all(cover *c, const double *centre)
{
    box b = box_at(c, c->now);
    for (int v = 0; v < c->vars; v++) {
        b.origin[v] = round(4 * centre[v]) / 4;
        b.width[v] = HUGE_VAL;
    }
    for (unsigned k = 0; k < 1u << c->vars; k++) {
        for (int v = 0; v < c->vars; v++)
            b.axis[v * c->vars + v] = k >> v & 1 ? -1 : 1;
        push(c);
    }
}

/* Set the ray that divides two axes, in smallest integers; return the sum of
 * these. */
static double set_ray(cover *c, const look *l)
{
    int n = c->vars;
    box b = box_at(c, c->now);
    double common = 0, length = 0;
    for (int v = 0; v < n; v++) {
        c->ray[v] = l->ray[0] * b.axis[l->split * n + v] +
                    l->ray[1] * b.axis[l->with * n + v];
        for (double rest = fabs(c->ray[v]); rest > 0;) { /* Euclid */
            double next = fmod(common, rest);
            common = rest;
            rest = next;
        }
        length += fabs(c->ray[v]);
    }
    for (int v = 0; v < n; v++)
        c->ray[v] /= common;
    return length / common;
}

/* Divide the box in hand as was said; false: numbers leave their range. */
static bool divide_box(cover *c, const look *l)
{
    int n = c->vars;
    box low = push(c), high = push(c), b = box_at(c, c->now);
    low = box_at(c, c->stack + (c->boxes - 2) * row(c)); /* it may have moved */
    double *axis = b.axis + l->split * n, at = b.width[l->split] / 2;
    bool fits = true;
    double length = l->kind == FAN ? set_ray(c, l) : 0;
    for (int v = 0; v < n && l->kind == FAN; v++)
        high.axis[l->split * n + v] = low.axis[l->with * n + v] = c->ray[v];
    if (l->kind == FAN)
        return length <= DARC_ORTHANT_AXIS;
    at = isinf(at) ? 1 : at;
    low.width[l->split] = at;
    high.width[l->split] -= at;
    for (int v = 0; v < n; v++) {
        high.origin[v] += at * axis[v];
        fits = fits && fabs(high.origin[v]) <= DARC_ORTHANT_RANGE;
    }
    return fits && at >= DARC_ORTHANT_FINEST;
}

/* ---- one sum on one box ------------------------------------------------- */

/* Set e and base: a term is exp(base + e . (u - middle)), the middle that of
 * the axes that end, 0 of others.  Return the largest base; NAN: the numbers
 * are too large to be trusted. */
static double place_terms(cover *c, const sum *f)
{
    int n = c->vars;
    box b = box_at(c, c->now);
    double top = -HUGE_VAL, most = 0;
    for (int t = 0; t < f->terms; t++) {
        const double *of = f->e + t * n;
        double base = f->size[t], size = fabs(base);
        for (int v = 0; v < n; v++) {
            base += of[v] * b.origin[v];
            size += fabs(of[v] * b.origin[v]);
        }
        for (int i = 0; i < n; i++) {
            double e = 0;
            for (int v = 0; v < n; v++)
                e += of[v] * b.axis[i * n + v];
            c->e[t * n + i] = e;
            double half = isinf(b.width[i]) ? 0 : e * b.width[i] / 2;
            base += half;
            size += fabs(half);
        }
        c->base[t] = base;
        top = fmax(top, base);
        most = fmax(most, size);
    }
    c->work += (double)f->terms * (n * n + 8);
    return most < DARC_ORTHANT_SIZE ? top : NAN;
}

/* How term t grows, over the leader, along the axes without end: 0: as it does;
 * -1: less; 2: more; 1: it depends on the direction, and l tells how to divide.
 */
static int outgrows(const cover *c, int t, int leader, look *l)
{
    box b = box_at(c, c->now);
    int up = -1, down = -1, n = c->vars;
    for (int i = 0; i < n; i++) {
        double d = c->e[t * n + i] - c->e[leader * n + i];
        if (isinf(b.width[i]) && d > 0)
            up = i;
        else if (isinf(b.width[i]) && d < 0)
            down = i;
    }
    if (up < 0 || down < 0)
        return up >= 0 ? 2 : down >= 0 ? -1 : 0;
    l->split = up;
    l->with = down;
    l->ray[0] = c->e[leader * n + down] - c->e[t * n + down];
    l->ray[1] = c->e[t * n + up] - c->e[leader * n + up];
    return 1;
}

/* Return how the positive terms grow over the leader, at most; 1: the shortest
 * of the rays is in l if it is shorter than what l has. */
static int compare_growth(cover *c, const sum *f, int leader, look *l)
{
    int most = -1;
    look best = *l;
    for (int t = 0; t < f->terms && most < 2; t++) {
        look other = {.kind = FAN};
        int grows = f->sign[t] > 0 ? outgrows(c, t, leader, &other) : -1;
        most = grows > most ? grows : most;
        if (grows != 1)
            continue;
        other.share = -set_ray(c, &other);
        if (best.kind != FAN || other.share > best.share)
            best = other;
    }
    if (most == 1)
        *l = best;
    return most;
}

/* Return the largest of the negative terms that no positive one outgrows; -1:
 * there is none, and l tells how to divide the axes for one. */
static int choose_leader(cover *c, const sum *f, look *l)
{
    int leader = -1;
    for (int t = 0; t < f->terms; t++)
        if (f->sign[t] < 0 && (leader < 0 || c->base[t] > c->base[leader]) &&
            compare_growth(c, f, t, l) <= 0)
            leader = t;
    return leader;
}

/* Set the shift to the mean exponents of the terms that grow as the leader
 * does, by their sizes: over exp(shift . u) the sum varies less. */
static void choose_shift(cover *c, const sum *f, int leader, double top)
{
    int n = c->vars;
    double all = 0;
    look l;
    memset(c->shift, 0, (size_t)(3 * n) * sizeof *c->shift);
    for (int t = 0; t < f->terms; t++) {
        if (outgrows(c, t, leader, &l) != 0)
            continue;
        double size = exp(c->base[t] - top);
        all += size;
        for (int i = 0; i < n; i++)
            c->shift[i] += size * c->e[t * n + i];
    }
    for (int i = 0; i < n; i++)
        c->shift[i] /= all > 0 ? all : 1;
}

/* Bound the sum: of the terms that grow as the leader does, to first order by
 * slopes, then by exp(r) - 1 - r; of others that are positive, where they are
 * largest. */
static void bound(cover *c, const sum *f, int leader, double top, look *l)
{
    int n = c->vars, out = -1;
    box b = box_at(c, c->now);
    double middle = 0, size_there = 0, sizes = 0, rest = 0, most = 0;
    choose_shift(c, f, leader, top);
    for (int t = 0; t < f->terms; t++) {
        int with = outgrows(c, t, leader, l);
        double size = exp(c->base[t] - top), r = 0;
        if (with != 0 && f->sign[t] < 0)
            continue; /* below 0 at any rate */
        for (int i = 0; i < n; i++) {
            double d = c->e[t * n + i] - c->shift[i];
            double h = isinf(b.width[i]) ? 0 : fabs(d) * b.width[i] / 2;
            r += h;
            c->blame[i] += size * h;
            if (with == 0 && !isinf(b.width[i]))
                c->slope[i] += f->sign[t] * size * d;
        }
        middle += with == 0 ? f->sign[t] * size : 0;
        rest += size * (with == 0 ? expm1(r) - r : exp(r));
        size_there += with == 0 ? size : 0;
        sizes += size * exp(r);
        if (with < 0 && size > most) {
            most = size;
            out = t;
        }
    }
    for (int i = 0; i < n; i++)
        rest += isinf(b.width[i]) ? 0 : fabs(c->slope[i]) * b.width[i] / 2;
    l->kind = middle + rest < -DARC_ORTHANT_ROUNDING * sizes ? NEGATIVE
              : middle < -DARC_ORTHANT_ROUNDING * size_there ? OPEN
                                                             : HIGH;
    l->share = -middle / size_there;
    l->split = 0;
    for (int i = 1; i < n; i++)
        if (c->blame[i] > c->blame[l->split])
            l->split = i;
    if (out < 0 || (most < -middle / 2 && most < c->blame[l->split]))
        return;
    double least = 0;
    for (int i = 0; i < n; i++)
        if (isinf(b.width[i]) &&
            c->e[out * n + i] - c->e[leader * n + i] < least) {
            least = c->e[out * n + i] - c->e[leader * n + i];
            l->split = i;
        }
}

static look look_at(cover *c, const sum *f)
{
    look l = {.kind = HIGH};
    double top = place_terms(c, f);
    int leader = isnan(top) ? -1 : choose_leader(c, f, &l);
    if (leader >= 0)
        bound(c, f, leader, top, &l);
    return l;
}

/* ---- the whole ---------------------------------------------------------- */

/* List the variables on which the signs depend: where all f keep
 * theirs under x_v -> x_v a^(w_v), one with w_v != 0 may be 1. */
static void list_variables(cover *c, int *name, const fmpz_mpoly_struct *f,
                           const fmpz_mpoly_ctx_t ctx)
{
    slong vars = fmpz_mpoly_ctx_nvars(ctx), all = 0, rank;
    ulong *e = darc_calloc(2 * (size_t)vars, sizeof *e);
    fmpz_mat_t m;
    fmpz_t den;
    fmpz_init(den);
    for (int k = 0; k < c->count; k++)
        all += f[k].length;
    fmpz_mat_init(m, all, vars);
    for (slong k = 0, r = 0; k < c->count; k++)
        for (slong t = 0; t < f[k].length; t++, r++) {
            fmpz_mpoly_get_term_exp_ui(e + (t > 0 ? vars : 0), f + k, t, ctx);
            for (slong v = 0; v < vars && t > 0; v++)
                fmpz_set_si(fmpz_mat_entry(m, r, v),
                            (slong)e[vars + v] - (slong)e[v]);
        }
    rank = fmpz_mat_rref(m, den, m);
    for (slong r = 0, v = 0; r < rank; r++, v++) {
        while (fmpz_is_zero(fmpz_mat_entry(m, r, v)))
            v++;
        name[c->vars++] = (int)v;
    }
    fmpz_mat_clear(m);
    fmpz_clear(den);
    darc_free(e);
}

static void read_sums(cover *c, const int *name, const fmpz_mpoly_struct *f,
                      const fmpz_mpoly_ctx_t ctx)
{
    size_t n = (size_t)c->vars, all = 0, most = 1;
    ulong *e = darc_calloc((size_t)fmpz_mpoly_ctx_nvars(ctx), sizeof *e);
    for (int k = 0; k < c->count; k++) {
        all += (size_t)f[k].length;
        most = FLINT_MAX(most, (size_t)f[k].length);
    }
    c->f = darc_calloc((size_t)c->count + 1, sizeof *c->f);
    double *at = c->term = darc_calloc(all * (n + 2) + 1, sizeof *at);
    for (int k = 0; k < c->count; k++) {
        sum *s = &c->f[k];
        slong twos;
        *s =
            (sum){(int)f[k].length, at, at + f[k].length, at + 2 * f[k].length};
        at += (size_t)f[k].length * (n + 2);
        for (int t = 0; t < s->terms; t++) {
            double x = fmpz_get_d_2exp(&twos, f[k].coeffs + t);
            s->sign[t] = x < 0 ? -1 : 1;
            s->size[t] = log(fabs(x)) + (double)twos * log(2);
            fmpz_mpoly_get_term_exp_ui(e, f + k, t, ctx);
            for (size_t v = 0; v < n; v++)
                s->e[(size_t)t * n + v] = (double)e[name[v]];
        }
    }
    c->work += DARC_ORTHANT_TERM * (double)all;
    c->now = darc_calloc(row(c), sizeof *c->now);
    c->e = darc_calloc(most * (n + 1), sizeof *c->e);
    c->base = c->e + most * n;
    c->shift = darc_calloc(4 * n + 1, sizeof *c->shift);
    c->slope = c->shift + n;
    c->blame = c->slope + n;
    c->ray = c->blame + n;
    darc_free(e);
}

/* Return the number of the sum that is negative on the box in hand; -1, and how
 * to divide that. */
static int find_negative(cover *c, int first, look *best)
{
    *best = (look){.kind = HIGH};
    for (int k = 0; k < c->count; k++) {
        int i = (first + k) % c->count;
        look l = look_at(c, &c->f[i]);
        if (l.kind == NEGATIVE)
            return i;
        if (l.kind > best->kind ||
            (l.kind == best->kind && l.share > best->share))
            *best = l;
    }
    return -1;
}

bool darc_orthant_cover(darc_orthant *o, const double *centre,
                        const darc_budget *budget)
{
    cover c = {.count = o->count, .work = o->work};
    size_t vars = (size_t)fmpz_mpoly_ctx_nvars(o->ctx);
    int *name = darc_calloc(vars + 1, sizeof *name), last = 0;
    double *start = darc_calloc(vars + 1, sizeof *start);
    list_variables(&c, name, o->f, o->ctx);
    read_sums(&c, name, o->f, o->ctx);
    for (int v = 0; v < c.vars; v++)
        start[v] = log(centre[name[v]]);
    bool yes = c.vars <= DARC_ORTHANT_VARIABLES;
    if (yes)
        push_all(&c, start);
    while (yes && c.boxes > 0) {
        look best;
        memcpy(c.now, c.stack + --c.boxes * row(&c), row(&c) * sizeof *c.now);
        int i = find_negative(&c, last, &best);
        yes = i >= 0 || (best.kind != HIGH && divide_box(&c, &best) &&
                         c.work < DARC_ORTHANT_WORK &&
                         darc_budget_check(budget, NULL) == DARC_OK);
        if (i >= 0) {
            o->used[last = i] = true;
            o->boxes++;
        }
    }
    o->work = c.work;
    DARC_FREE(name, start, c.f, c.term, c.stack, c.now, c.e, c.shift);
    return yes;
}
