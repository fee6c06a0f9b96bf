#include "derive/strip.h"

#include "base/mem.h"

#include <string.h>

bool darc_strip_is_zero(const darc_strip *s)
{
    return s->value == NULL && s->constant == 0;
}

void darc_strip_clear(darc_strip *s)
{
    darc_free(s->own);
    *s = (darc_strip){0};
}

double *darc_strip_renew(darc_strip *s, size_t n)
{
    if (s->own == NULL)
        s->own = darc_malloc(n * sizeof *s->own);
    s->value = s->own;
    return s->own;
}

double *darc_strip_expand(darc_strip *s, size_t n)
{
    if (s->own != NULL)
        return s->own;
    const double *from = s->value;
    double *to = darc_strip_renew(s, n);
    if (from != NULL)
        memcpy(to, from, n * sizeof *to);
    for (size_t i = 0; i < n && from == NULL; i++)
        to[i] = s->constant;
    return to;
}

void darc_strip_multiply(darc_strip *s, const darc_strip *f, size_t n)
{
    if (s->value == NULL && f->value == NULL) {
        s->constant *= f->constant;
        return;
    }
    if (darc_strip_is_zero(s) || (f->value == NULL && f->constant == 1))
        return;
    const darc_strip x = *s, y = *f;
    double *out = darc_strip_renew(s, n);
    for (size_t i = 0; i < n; i++)
        out[i] = darc_strip_at(&x, i) * darc_strip_at(&y, i);
}

void darc_strip_add(darc_strip *s, const darc_strip *a, const darc_strip *b,
                    size_t n)
{
    const darc_strip x = *a, y = *b;
    if (darc_strip_is_zero(a) || darc_strip_is_zero(b))
        return;
    if (x.value == NULL && y.value == NULL && s->value == NULL) {
        s->constant += x.constant * y.constant;
        return;
    }
    double *sum = darc_strip_expand(s, n);
    for (size_t i = 0; i < n; i++)
        sum[i] += darc_strip_at(&x, i) * darc_strip_at(&y, i);
}

void darc_strip_add_square(darc_strip *s, const darc_strip *a, double factor,
                           size_t n)
{
    const darc_strip x = *a;
    double square = factor * factor;
    if (darc_strip_is_zero(a) || factor == 0)
        return;
    if (x.value == NULL && s->value == NULL) {
        s->constant += square * (x.constant * x.constant);
        return;
    }
    double *sum = darc_strip_expand(s, n);
    for (size_t i = 0; i < n; i++)
        sum[i] += square * (darc_strip_at(&x, i) * darc_strip_at(&x, i));
}

void darc_strip_select(darc_strip *s, const darc_strip *other, const bool *take,
                       size_t n)
{
    if (s->value == NULL && other->value == NULL &&
        s->constant == other->constant)
        return;
    double *x = darc_strip_expand(s, n);
    for (size_t i = 0; i < n; i++)
        x[i] = take[i] ? darc_strip_at(other, i) : x[i];
}

int darc_segment_behind(const darc_table *table, size_t i)
{
    int before = -1, behind = table->segments;
    DARC_BISECT(int, before, behind, k, table->segment[k].end <= i)
    return behind;
}
