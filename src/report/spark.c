#include "report/spark.h"

#include <assert.h>
#include <math.h>

void darc_spark(darc_text_t out, const double *value, size_t n, double top,
                int width, bool utf8)
{
    static const char *const block[] = {"\u2581", "\u2582", "\u2583", "\u2584",
                                        "\u2585", "\u2586", "\u2587", "\u2588"};
    static const char ascii[] = ".:-=+*#%@";
    int levels = utf8 ? 8 : (int)sizeof ascii - 1;
    assert(width > 0 && top > 0);
    for (int i = 0; i < width; i++) {
        size_t begin = n * (size_t)i / (size_t)width;
        size_t end = n * (size_t)(i + 1) / (size_t)width;
        if (end == begin && begin < n)
            end = begin + 1;
        double share = NAN; /* of the largest magnitude that is finite */
        for (size_t k = begin; k < end; k++)
            if (isfinite(value[k]))
                share = fmax(share, fabs(value[k]) / top);
        int level =
            isnan(share) ? 0 : (int)(fmin(share, 1) * (levels - 1) + 0.5);
        if (isnan(share) || !utf8)
            darc_text_putc(out, isnan(share) ? ' ' : ascii[level]);
        else
            darc_text_puts(out, block[level]);
    }
}
