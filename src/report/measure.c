#include "report/measure.h"

#include "report/report.h"
#include "report/thresholds.h"
#include "stats/stats.h"

#include <assert.h>
#include <math.h>
#include <string.h>

void darc_report_measure(darc_text_t out, double value, double half,
                         const char *unit)
{
    darc_text_measure(out, value, half);
    if (unit != NULL && unit[0] != '\0' && isfinite(value) && isfinite(half))
        darc_text_printf(out, " %s", unit);
}

double darc_report_quantile(double alpha)
{
    return -darc_stats_normal_quantile(alpha / 2);
}

void darc_report_change(double *change, double *sd, const darc_estimate *e)
{
    double a = e->value_a, b = e->value_b;
    *change = *sd = NAN;
    if (!(fabs(a) > DARC_NONZERO_SD * e->sd_a) || !isfinite(b))
        return;
    *change = (b - a) / fabs(a);
    *sd = hypot(e->sd_b / a, b * e->sd_a / (a * a));
}

bool darc_report_moved(const darc_estimate *e, double alpha)
{
    return fabs(e->value_b - e->value_a) >
           darc_report_quantile(alpha) * hypot(e->sd_a, e->sd_b);
}

static void print_more(darc_text_t out, int left)
{
    if (left > 0)
        darc_text_printf(out, DARC_LABEL "and %d more (--verbose)\n", "", left);
}

bool darc_report_lopsided(const darc_estimate *e, double half)
{
    return e->low_a < e->high_a &&
           fmax(e->value_a - e->low_a, e->high_a - e->value_a) > 1.001 * half;
}

void darc_report_print_values(darc_text_t out, const darc_estimate *e, int n,
                              double alpha, int most)
{
    double z = darc_report_quantile(alpha);
    int told = 0, left = 0;
    for (int i = 0; i < n; i++) {
        double half = z * e[i].sd_a;
        bool known = isfinite(e[i].value_a) && isfinite(e[i].sd_a);
        if (!known || told == most) {
            left += known;
            continue;
        }
        darc_text_printf(out, DARC_LABEL "%s = ", told == 0 ? "values" : "",
                         e[i].function);
        darc_report_measure(out, e[i].value_a, half, e[i].unit);
        if (darc_report_lopsided(e + i, half))
            darc_text_printf(out, " (%.4g to %.4g)", e[i].low_a, e[i].high_a);
        darc_text_puts(out, e[i].local ? " (or another value)" : "");
        if (told++ == 0)
            darc_text_printf(out, "  (+-: %.4g %%)", 100 * (1 - alpha));
        darc_text_putc(out, '\n');
    }
    print_more(out, left);
}

/* A row: name, on a line of its own where it is long, A, B, change. */
static void print_row(darc_text_t out, const darc_estimate *e, double z)
{
    double change, sd;
    darc_text_printf(out,
                     strlen(e->function) > DARC_NAME_COLUMNS
                         ? "  %s\n" DARC_CELL
                         : "  %-10s" DARC_CELL,
                     e->function);
    darc_report_measure(out, e->value_a, z * e->sd_a, e->unit);
    darc_text_puts(out, DARC_CELL);
    darc_report_measure(out, e->value_b, z * e->sd_b, e->unit);
    darc_text_puts(out, DARC_CELL);
    darc_report_change(&change, &sd, e);
    if (isfinite(change) && isfinite(sd)) {
        darc_text_puts(out, change > 0 ? "+" : "");
        darc_report_measure(out, 100 * change, 100 * z * sd, "%");
    } else {
        darc_report_measure(out, e->value_b - e->value_a,
                            z * hypot(e->sd_a, e->sd_b), e->unit);
    }
    darc_text_puts(out, e->local ? " (or another value)\n" : "\n");
}

void darc_report_print_changes(darc_text_t out, const darc_estimate *e, int n,
                               double alpha, bool marked, int most)
{
    double z = darc_report_quantile(alpha);
    int told = 0, left = 0;
    size_t begin = out->len;
    if (n > 0)
        darc_text_printf(
            out, DARC_CELL "A" DARC_CELL "B" DARC_CELL "change (+-: %.4g %%)\n",
            100 * (1 - alpha));
    for (int pass = 0; pass < 2; pass++) /* what moved; then the rest */
        for (int i = 0; i < n; i++) {
            bool first = marked && darc_report_moved(&e[i], alpha);
            if (first != (pass == 0))
                continue;
            if (first || told < most)
                print_row(out, e + i, z);
            else
                left++;
            told++;
        }
    darc_text_align(out, begin, 2);
    print_more(out, left);
}

void darc_sparkline(darc_text_t out, const double *value, size_t n, double top,
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
