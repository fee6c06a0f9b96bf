#include "weak/total.h"

#include "base/mem.h"

#include <math.h>
#include <string.h>

int darc_total_var(const darc_total_t total, darc_deriv d)
{
    for (int v = 0; v < total->vars; v++)
        if (total->var[v].unknown == d.unknown &&
            total->var[v].order == d.order)
            return v;
    return -1;
}

static void remove_term(darc_total_t total, int i)
{
    fmpq_clear(total->term[i].factor);
    darc_free(total->term[i].exponent);
    total->count--;
    total->term[i] = total->term[total->count];
}

void darc_total_add(darc_total_t total, int coeff, int order,
                    const fmpq_t factor, const int *exponent, int log)
{
    size_t size = (size_t)total->vars * sizeof *exponent;
    if (fmpq_is_zero(factor))
        return;
    for (int i = 0; i < total->count; i++) {
        darc_total_term *t = total->term + i;
        if (t->coeff != coeff || t->order != order || t->log != log ||
            memcmp(t->exponent, exponent, size) != 0)
            continue;
        fmpq_add(t->factor, t->factor, factor);
        if (fmpq_is_zero(t->factor))
            remove_term(total, i);
        return;
    }
    DARC_ROOM(total->term, total->count);
    darc_total_term *t = total->term + total->count++;
    *t = (darc_total_term){.coeff = coeff, .order = order, .log = log};
    fmpq_init(t->factor);
    fmpq_set(t->factor, factor);
    t->exponent = darc_calloc((size_t)total->vars, sizeof *t->exponent);
    memcpy(t->exponent, exponent, size);
}

void darc_total_init_like(darc_total_t out, const darc_total_t total)
{
    size_t n = (size_t)total->vars;
    memset(out, 0, sizeof *out);
    out->vars = total->vars;
    out->coeffs = total->coeffs;
    out->var = darc_calloc(n, sizeof *out->var);
    out->next = darc_calloc(n, sizeof *out->next);
    out->factor = darc_calloc(n, sizeof *out->factor);
    memcpy(out->var, total->var, n * sizeof *out->var);
    memcpy(out->next, total->next, n * sizeof *out->next);
    memcpy(out->factor, total->factor, n * sizeof *out->factor);
}

void darc_total_set(darc_total_t out, const darc_total_t total)
{
    if (out == total)
        return;
    darc_total_init_like(out, total);
    for (int i = 0; i < total->count; i++) {
        const darc_total_term *t = total->term + i;
        darc_total_add(out, t->coeff, t->order, t->factor, t->exponent, t->log);
    }
}

void darc_total_clear(darc_total_t total)
{
    while (total->count > 0)
        remove_term(total, total->count - 1);
    DARC_FREE(total->term, total->var, total->next, total->factor);
    memset(total, 0, sizeof *total);
}

static int *append_int(int *a, int count, int value)
{
    a = darc_realloc(a, (size_t)count + 1, sizeof *a);
    a[count] = value;
    return a;
}

int darc_total_extend(darc_total_t total, int unknown)
{
    int n = total->vars;
    total->var = darc_realloc(total->var, (size_t)n + 1, sizeof *total->var);
    total->var[n] = (darc_deriv){unknown, 0};
    total->next = append_int(total->next, n, -1);
    total->factor = append_int(total->factor, n, 0);
    for (int i = 0; i < total->count; i++)
        total->term[i].exponent = append_int(total->term[i].exponent, n, 0);
    total->vars++;
    return n;
}

int darc_total_open(darc_total_t total)
{
    return total->coeffs++;
}

/* Set q to x exactly. */
static void set_real(fmpq_t q, double x)
{
    int exponent;
    double mantissa = frexp(x, &exponent);
    fmpz_set_d(fmpq_numref(q), ldexp(mantissa, 53));
    fmpz_one(fmpq_denref(q));
    if (exponent > 53)
        fmpq_mul_2exp(q, q, (flint_bitcnt_t)(exponent - 53));
    else
        fmpq_div_2exp(q, q, (flint_bitcnt_t)(53 - exponent));
    fmpq_canonicalise(q);
}

void darc_total_put(darc_total_t total, int coeff, double factor, int order,
                    const int *exponent)
{
    int *e = darc_calloc((size_t)total->vars, sizeof *e);
    for (int v = 0; v < total->vars; v++)
        e[v] = exponent[v] + (order == 0 ? total->factor[v] : 0);
    fmpq_t q;
    fmpq_init(q);
    set_real(q, factor);
    darc_total_add(total, coeff, order, q, e, -1);
    fmpq_clear(q);
    darc_free(e);
}

int darc_total_left(const darc_total_t total)
{
    int left = 0;
    for (int i = 0; i < total->count; i++)
        for (int v = 0; v < total->vars; v++)
            if (darc_total_holds(total->term + i, v) &&
                total->var[v].order > left)
                left = total->var[v].order;
    return left;
}

int darc_total_order(const darc_total_t total)
{
    int order = 0;
    for (int i = 0; i < total->count; i++)
        order = total->term[i].order > order ? total->term[i].order : order;
    return order;
}

bool darc_total_is_plain(const darc_total_t total)
{
    for (int v = 0; v < total->vars; v++)
        if (total->factor[v] != 0)
            return false;
    return true;
}

static void print_inside(darc_text_t out, const darc_total_t total,
                         const darc_total_term *t, const darc_names_t names)
{
    bool first = true;
    for (int v = 0; v < total->vars; v++) {
        if (t->exponent[v] == 0)
            continue;
        if (!first)
            darc_text_putc(out, '*');
        darc_deriv_print(out, total->var[v], names);
        if (t->exponent[v] != 1)
            darc_text_printf(out, t->exponent[v] < 0 ? "^(%d)" : "^%d",
                             t->exponent[v]);
        first = false;
    }
    if (t->log >= 0) {
        darc_text_puts(out, first ? "log(" : "*log(");
        darc_deriv_print(out, total->var[t->log], names);
        darc_text_putc(out, ')');
    } else if (first) {
        darc_text_putc(out, '1');
    }
}

static void print_term(darc_text_t out, const darc_total_t total,
                       const darc_total_term *t, const darc_names_t names,
                       bool first)
{
    bool negative = fmpq_sgn(t->factor) < 0;
    if (first)
        darc_text_puts(out, negative ? "-" : "");
    else
        darc_text_puts(out, negative ? " - " : " + ");
    darc_text_printf(out, "c%d*", t->coeff);
    fmpq_t size;
    fmpq_init(size);
    fmpq_abs(size, t->factor);
    if (!fmpq_is_one(size)) {
        char *s = fmpq_get_str(NULL, 10, size);
        darc_text_printf(out, "%s*", s);
        flint_free(s);
    }
    fmpq_clear(size);
    darc_text_putc(out, '(');
    print_inside(out, total, t, names);
    darc_text_putc(out, ')');
    if (t->order > 3)
        darc_text_printf(out, "^{(%d)}", t->order);
    for (int k = 0; t->order <= 3 && k < t->order; k++)
        darc_text_putc(out, '\'');
}

void darc_total_print(darc_text_t out, const darc_total_t total,
                      const darc_names_t names)
{
    for (int i = 0; i < total->count; i++)
        print_term(out, total, total->term + i, names, i == 0);
}

/* Return the highest derivative, of order 1 at least, in term t; -1: none.  The
 * ranking that the reduction follows is by order, then by unknown, the first
 * the highest. */
static int highest(const darc_total_t total, const darc_total_term *t)
{
    int best = -1;
    for (int v = 0; v < total->vars; v++) {
        darc_deriv d = total->var[v];
        if (d.order > 0 && darc_total_holds(t, v) &&
            (best < 0 || d.order > total->var[best].order ||
             (d.order == total->var[best].order &&
              d.unknown < total->var[best].unknown)))
            best = v;
    }
    return best;
}

/* Whether every other variable w of t has an order below n - 1, or n - 1 and
 * a signal that comes after that of v: then the derivative of what is left
 * ranks below v = y^(n), and rewriting ends. */
static bool rest_is_lower(const darc_total_t total, const darc_total_term *t,
                          int v, int low)
{
    int n = total->var[v].order;
    for (int w = 0; w < total->vars; w++) {
        if (w == v || w == low || !darc_total_holds(t, w))
            continue;
        if (total->next[w] == -1 || total->var[w].order >= n)
            return false;
        if (total->var[w].order == n - 1 &&
            total->var[w].unknown < total->var[v].unknown)
            return false;
    }
    return true;
}

/* v^(n) enters linearly, and the rest is lower: then
 * v^(n) (v^(n-1))^k g = d/dt[P g] - P g', P' = (v^(n-1))^k v^(n). */
static bool is_reducible(const darc_total_t total, const darc_total_term *t,
                         int *leader, int *low)
{
    *leader = highest(total, t);
    if (*leader < 0 || t->exponent[*leader] != 1 || t->log >= 0)
        return false;
    darc_deriv d = total->var[*leader];
    *low = darc_total_var(total, (darc_deriv){d.unknown, d.order - 1});
    return *low >= 0 && rest_is_lower(total, t, *leader, *low);
}

/* Add -f * (d/dt)^order P dg/dw w' for one factor w^e of g. */
static void add_by_parts(darc_total_t total, const darc_total_term *t, int w,
                         const int *exponent, const fmpq_t factor, int log)
{
    int *e = darc_calloc((size_t)total->vars, sizeof *e);
    memcpy(e, exponent, (size_t)total->vars * sizeof *e);
    fmpq_t f;
    fmpq_init(f);
    fmpq_neg(f, factor);
    fmpq_mul_si(f, f, e[w]);
    e[w]--;
    if (total->next[w] >= 0)
        e[total->next[w]]++;
    darc_total_add(total, t->coeff, t->order, f, e, log);
    fmpq_clear(f);
    darc_free(e);
}

static void reduce_term(darc_total_t total, int i, int v, int low)
{
    darc_total_term t = total->term[i]; /* taken out */
    total->count--;
    total->term[i] = total->term[total->count];

    int k = t.exponent[low];
    int log = k == -1 ? low : -1;
    t.exponent[v] = 0;
    t.exponent[low] = k + 1;
    if (k != -1)
        fmpq_div_fmpz(t.factor, t.factor, (fmpz[1]){k + 1});
    for (int w = 0; w < total->vars; w++)
        if (w != low && t.exponent[w] != 0)
            add_by_parts(total, &t, w, t.exponent, t.factor, log);
    darc_total_add(total, t.coeff, t.order + 1, t.factor, t.exponent, log);
    fmpq_clear(t.factor);
    darc_free(t.exponent);
}

/* A logarithm times g' would not be a Laurent monomial to reduce further
 * when g' holds derivatives; such terms are left as they were. */
static bool log_is_clean(const darc_total_t total, const darc_total_term *t,
                         int v, int low)
{
    if (t->exponent[low] != -1)
        return true;
    for (int w = 0; w < total->vars; w++)
        if (w != v && w != low && t->exponent[w] != 0)
            return false;
    return true;
}

/* By coefficient, then falling order, then exponents. */
static int cmp_terms(const darc_total_term *a, const darc_total_term *b,
                     int vars)
{
    if (a->coeff != b->coeff)
        return a->coeff - b->coeff;
    if (a->order != b->order)
        return b->order - a->order;
    for (int v = 0; v < vars; v++)
        if (a->exponent[v] != b->exponent[v])
            return b->exponent[v] - a->exponent[v];
    return a->log - b->log;
}

static void sort_terms(darc_total_t total)
{
    for (int i = 1; i < total->count; i++) {
        darc_total_term t = total->term[i];
        int k = i;
        for (; k > 0 && cmp_terms(total->term + k - 1, &t, total->vars) > 0;
             k--)
            total->term[k] = total->term[k - 1];
        total->term[k] = t;
    }
}

void darc_total_reduce(darc_total_t total)
{
    bool again = true;
    while (again) {
        again = false;
        for (int i = 0; i < total->count; i++) {
            int v, low;
            const darc_total_term *t = total->term + i;
            if (!is_reducible(total, t, &v, &low) ||
                !log_is_clean(total, t, v, low))
                continue;
            reduce_term(total, i, v, low);
            again = true;
            i--;
        }
    }
    sort_terms(total);
}
