#include "report/spark.h"

#include <assert.h>
#include <math.h>

/* The largest magnitude of value[begin .. end - 1], NAN if none is finite. */
static double largest(const double *value, size_t begin, size_t end)
{
    double most = NAN;
    for (size_t i = begin; i < end; i++)
        if (isfinite(value[i]))
            most = fmax(most, fabs(value[i]));
    return most;
}

static void put_cell(darc_text_t out, double share, bool utf8)
{
    static const char *const block[] = {"\u2581", "\u2582", "\u2583", "\u2584",
                                        "\u2585", "\u2586", "\u2587", "\u2588"};
    static const char ascii[] = ".:-=+*#%@";
    int levels = utf8 ? 8 : (int)sizeof ascii - 1;
    if (isnan(share)) {
        darc_text_putc(out, ' ');
        return;
    }
    int level = (int)(fmin(share, 1) * (levels - 1) + 0.5);
    if (utf8)
        darc_text_puts(out, block[level]);
    else
        darc_text_putc(out, ascii[level]);
}

void darc_spark(darc_text_t out, const double *value, size_t n, double top,
                int width, bool utf8)
{
    assert(width > 0 && top > 0);
    for (int i = 0; i < width; i++) {
        size_t begin = n * (size_t)i / (size_t)width;
        size_t end = n * (size_t)(i + 1) / (size_t)width;
        if (end == begin && begin < n)
            end = begin + 1;
        put_cell(out, largest(value, begin, end) / top, utf8);
    }
}
