#include "page/decimate.h"

#include <assert.h>
#include <math.h>

size_t darc_decimate_points(size_t n, size_t buckets)
{
    return n <= 2 * buckets ? n : 2 * buckets;
}

/* The first sample of run b. */
static size_t begin_of(size_t b, size_t n, size_t buckets)
{
    return (size_t)((double)n * (double)b / (double)buckets);
}

size_t darc_decimate_at(size_t k, size_t n, size_t buckets)
{
    if (n <= 2 * buckets)
        return k;
    size_t begin = begin_of(k / 2, n, buckets);
    size_t end = begin_of(k / 2 + 1, n, buckets);
    return k % 2 == 0 ? begin : begin + (end - begin) / 2;
}

/* Set the two points of samples begin .. end - 1. */
static void keep_extremes(double *point, const double *value, size_t begin,
                          size_t end, darc_keep keep)
{
    size_t least = end, most = end;
    for (size_t i = begin; i < end; i++) {
        if (!isfinite(value[i]))
            continue;
        least = least == end || value[i] < value[least] ? i : least;
        most = most == end || value[i] > value[most] ? i : most;
    }
    size_t first = least < most ? least : most;
    size_t second = least < most ? most : least;
    if (keep != DARC_KEEP_BOTH)
        first = second = keep == DARC_KEEP_MOST ? most : least;
    point[0] = first == end ? NAN : value[first];
    point[1] = second == end ? NAN : value[second];
}

void darc_decimate(double *point, const double *value, size_t n, size_t buckets,
                   darc_keep keep, const darc_decimate_holder *holder)
{
    assert(buckets > 0);
    if (n <= 2 * buckets) {
        for (size_t i = 0; i < n; i++)
            point[i] = isfinite(value[i]) ? value[i] : NAN;
        return;
    }
    for (size_t b = 0; b < buckets; b++) {
        size_t begin = begin_of(b, n, buckets);
        size_t end = begin_of(b + 1, n, buckets);
        keep_extremes(point + 2 * b, value, begin, end, keep);
        if (holder != NULL && holder->done != NULL)
            holder->done(holder->holder, begin, end);
    }
}

void darc_decimate_pack(darc_text_t out, const double *value, size_t n)
{
    static const char digit[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
                                "abcdefghijklmnopqrstuvwxyz0123456789+/";
    double lo = INFINITY, hi = -INFINITY;
    for (size_t i = 0; i < n; i++)
        if (isfinite(value[i])) {
            lo = fmin(lo, value[i]);
            hi = fmax(hi, value[i]);
        }
    if (lo > hi)
        lo = hi = 0;
    /* Halves, so that the difference of huge values is finite. */
    double half = hi / 2 - lo / 2;
    darc_text_printf(out, "\"lo\":%.10g,\"hi\":%.10g,\"q\":\"", lo, hi);
    for (size_t i = 0; i < n; i++) {
        double share = half > 0 ? (value[i] / 2 - lo / 2) / half : 0;
        unsigned level = isfinite(value[i])
                             ? (unsigned)(share * DARC_DECIMATE_LEVELS + 0.5)
                             : DARC_DECIMATE_LEVELS + 1;
        for (int shift = 12; shift >= 0; shift -= 6)
            darc_text_putc(out, digit[level >> shift & 63]);
    }
    darc_text_putc(out, '"');
}
