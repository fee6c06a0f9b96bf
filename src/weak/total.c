#include "weak/total_inside.h"

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

static bool is_like(const darc_total_t total, const darc_total_term *t,
                    int coeff, int order, const int *exponent, int log)
{
    return t->coeff == coeff && t->order == order && t->log == log &&
           memcmp(t->exponent, exponent,
                  (size_t)total->vars * sizeof *exponent) == 0;
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
    if (fmpq_is_zero(factor))
        return;
    for (int i = 0; i < total->count; i++) {
        darc_total_term *t = total->term + i;
        if (!is_like(total, t, coeff, order, exponent, log))
            continue;
        fmpq_add(t->factor, t->factor, factor);
        if (fmpq_is_zero(t->factor))
            remove_term(total, i);
        return;
    }
    total->term = darc_grow(total->term, (size_t)total->count, &total->alloc,
                            sizeof *total->term);
    darc_total_term *t = total->term + total->count++;
    *t = (darc_total_term){.coeff = coeff, .order = order, .log = log};
    fmpq_init(t->factor);
    fmpq_set(t->factor, factor);
    t->exponent = darc_calloc((size_t)total->vars, sizeof *t->exponent);
    memcpy(t->exponent, exponent, (size_t)total->vars * sizeof *exponent);
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
    darc_free(total->term);
    darc_free(total->var);
    darc_free(total->next);
    darc_free(total->factor);
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
            if ((total->term[i].exponent[v] != 0 || total->term[i].log == v) &&
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
