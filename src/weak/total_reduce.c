#include "weak/total_inside.h"

#include "base/mem.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

/* The ranking of signal derivatives that the reduction follows: by order, then
 * by unknown, the first the highest. */
static bool outranks(darc_deriv a, darc_deriv b)
{
    if (a.order != b.order)
        return a.order > b.order;
    return a.unknown < b.unknown;
}

/* Return the highest derivative, of order 1 at least, in term t; -1: none. */
static int highest(const darc_total_t total, const darc_total_term *t)
{
    int best = -1;
    for (int v = 0; v < total->vars; v++) {
        bool in = t->exponent[v] != 0 || t->log == v;
        if (!in || total->var[v].order == 0)
            continue;
        if (best < 0 || outranks(total->var[v], total->var[best]))
            best = v;
    }
    return best;
}

static int below(const darc_total_t total, int v)
{
    darc_deriv d = total->var[v];
    return darc_total_var(total, (darc_deriv){d.unknown, d.order - 1});
}

/* Whether every other variable w of t has an order below n - 1, or n - 1 and
 * a signal that comes after that of v: then the derivative of what is left
 * ranks below v = y^(n), and rewriting ends. */
static bool rest_is_lower(const darc_total_t total, const darc_total_term *t,
                          int v, int low)
{
    int n = total->var[v].order;
    for (int w = 0; w < total->vars; w++) {
        if (w == v || w == low || (t->exponent[w] == 0 && t->log != w))
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
    *low = below(total, *leader);
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
