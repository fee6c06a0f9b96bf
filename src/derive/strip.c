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
    const double *x = s->value, *y = f->value;
    double *out = darc_strip_renew(s, n);
    double factor = x == NULL ? s->constant : f->constant;
    if (x != NULL && y != NULL)
        for (size_t i = 0; i < n; i++)
            out[i] = x[i] * y[i];
    else
        for (size_t i = 0; i < n; i++)
            out[i] = factor * (x == NULL ? y : x)[i];
}

void darc_strip_add(darc_strip *s, const darc_strip *a, const darc_strip *b,
                    size_t n)
{
    const double *x = a->value, *y = b->value;
    double factor = a->constant * b->constant;
    if (darc_strip_is_zero(a) || darc_strip_is_zero(b))
        return;
    if (x == NULL && y == NULL && s->value == NULL) {
        s->constant += factor;
        return;
    }
    double *sum = darc_strip_expand(s, n);
    if (x != NULL && y != NULL) {
        for (size_t i = 0; i < n; i++)
            sum[i] += x[i] * y[i];
        return;
    }
    if (x != NULL || y != NULL) {
        factor = x != NULL ? b->constant : a->constant;
        x = x != NULL ? x : y;
        for (size_t i = 0; i < n; i++)
            sum[i] += factor * x[i];
        return;
    }
    for (size_t i = 0; i < n; i++)
        sum[i] += factor;
}

void darc_strip_add_square(darc_strip *s, const darc_strip *a, double factor,
                           size_t n)
{
    if (darc_strip_is_zero(a) || factor == 0)
        return;
    if (a->value == NULL && s->value == NULL) {
        s->constant += factor * factor * (a->constant * a->constant);
        return;
    }
    const double *x = a->value;
    double *sum = darc_strip_expand(s, n), square = factor * factor;
    if (x == NULL)
        for (size_t i = 0; i < n; i++)
            sum[i] += square * (a->constant * a->constant);
    else
        for (size_t i = 0; i < n; i++)
            sum[i] += square * (x[i] * x[i]);
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
    int low = 0, high = table->segments;
    while (low < high) {
        int middle = low + (high - low) / 2;
        if (table->segment[middle].end > i)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}
