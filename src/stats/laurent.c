#include "stats/laurent.h"

#include "base/mem.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Exponents that a derivative may fall through; terms of the series of
 * darc_laurent_unbias for what is no polynomial. */
enum { MAX_ORDER = 24, CUT = 3 };

void darc_laurent_init(darc_laurent *f, int vars)
{
    assert(vars <= DARC_LAURENT_VARS);
    *f = (darc_laurent){.vars = vars};
}

void darc_laurent_clear(darc_laurent *f)
{
    darc_free(f->m);
    *f = (darc_laurent){0};
}

void darc_laurent_add(darc_laurent *f, const darc_monomial *m)
{
    if (m->a == 0)
        return;
    for (int i = 0; i < f->count; i++)
        if (f->m[i].log == m->log &&
            memcmp(f->m[i].e, m->e, sizeof m->e) == 0) {
            f->m[i].a += m->a;
            if (f->m[i].a == 0)
                f->m[i] = f->m[--f->count];
            return;
        }
    DARC_APPEND(f->m, f->count, *m);
}

void darc_laurent_diff(darc_laurent *g, const darc_laurent *f, int v)
{
    darc_laurent_init(g, f->vars);
    for (int i = 0; i < f->count; i++) {
        const darc_monomial *m = f->m + i;
        darc_monomial d = *m;
        d.e[v]--;
        d.a = m->a * m->e[v];
        darc_laurent_add(g, &d);
        d.a = m->log == v ? m->a : 0;
        d.log = -1;
        darc_laurent_add(g, &d);
    }
}

/* Set g to L f / scale. */
static void apply_operator(darc_laurent *g, const darc_laurent *f,
                           const double *cov, double scale)
{
    darc_laurent_init(g, f->vars);
    for (int v = 0; v < f->vars; v++) {
        darc_laurent first;
        darc_laurent_diff(&first, f, v);
        for (int w = 0; w < f->vars; w++) {
            double c = cov[v * f->vars + w];
            if (c == 0)
                continue;
            darc_laurent second;
            darc_laurent_diff(&second, &first, w);
            for (int i = 0; i < second.count; i++) {
                darc_monomial m = second.m[i];
                m.a *= c / scale;
                darc_laurent_add(g, &m);
            }
            darc_laurent_clear(&second);
        }
        darc_laurent_clear(&first);
    }
}

static bool is_polynomial(const darc_laurent *f)
{
    for (int i = 0; i < f->count; i++) {
        if (f->m[i].log >= 0)
            return false;
        for (int v = 0; v < f->vars; v++)
            if (f->m[i].e[v] < 0)
                return false;
    }
    return true;
}

void darc_laurent_unbias(darc_laurent *f, const double *cov)
{
    int last = is_polynomial(f) ? MAX_ORDER : CUT;
    darc_laurent term;
    darc_laurent_init(&term, f->vars);
    for (int i = 0; i < f->count; i++)
        darc_laurent_add(&term, f->m + i);
    for (int k = 1; k <= last && term.count > 0; k++) {
        darc_laurent next;
        apply_operator(&next, &term, cov, -2.0 * k);
        darc_laurent_clear(&term);
        term = next;
        for (int i = 0; i < term.count; i++)
            darc_laurent_add(f, term.m + i);
    }
    darc_laurent_clear(&term);
}

bool darc_laurent_is_number(const darc_laurent *f, double *value)
{
    *value = 0;
    for (int i = 0; i < f->count; i++) {
        bool one = f->m[i].log < 0;
        for (int v = 0; v < f->vars; v++)
            one = one && f->m[i].e[v] == 0;
        if (!one)
            return false;
        *value += f->m[i].a;
    }
    return true;
}

int darc_laurent_is_variable(const darc_laurent *f)
{
    int found = -1;
    if (f->count != 1 || f->m[0].a != 1 || f->m[0].log >= 0)
        return -1;
    for (int v = 0; v < f->vars; v++) {
        int e = f->m[0].e[v];
        if (e != 0 && (e != 1 || found >= 0))
            return -1;
        found = e == 1 ? v : found;
    }
    return found;
}

static void multiply_power(double *p, const double *x, int e, size_t n)
{
    for (int k = 0; k < abs(e); k++)
        if (e > 0)
            for (size_t t = 0; t < n; t++)
                p[t] *= x[t];
        else
            for (size_t t = 0; t < n; t++)
                p[t] /= x[t];
}

enum { BLOCK = 512 };

static void eval_block(double *out, const darc_laurent *f,
                       const double *const *x, size_t from, size_t n)
{
    double p[BLOCK];
    memset(out, 0, n * sizeof *out);
    for (int i = 0; i < f->count; i++) {
        const darc_monomial *m = f->m + i;
        for (size_t t = 0; t < n; t++)
            p[t] = m->a;
        for (int v = 0; v < f->vars; v++)
            if (m->e[v] != 0) /* else there may be no x[v] */
                multiply_power(p, x[v] + from, m->e[v], n);
        if (m->log >= 0)
            for (size_t t = 0; t < n; t++)
                p[t] *= log(fabs(x[m->log][from + t]));
        for (size_t t = 0; t < n; t++)
            out[t] += p[t];
    }
}

void darc_laurent_eval(double *out, const darc_laurent *f,
                       const double *const *x, size_t n)
{
    for (size_t t = 0; t < n; t += BLOCK)
        eval_block(out + t, f, x, t, n - t < BLOCK ? n - t : BLOCK);
}
