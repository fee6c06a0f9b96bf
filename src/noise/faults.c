#include "noise/faults.h"

#include "base/mem.h"
#include "noise/angles.h"
#include "noise/lattice.h"
#include "noise/limits.h"
#include "noise/lines.h"
#include "noise/spikes.h"
#include "stats/stats.h"

#include <math.h>
#include <stdlib.h>

enum { PLACES = 4096, BESIDE = 4, NOISY = 32 };

#define PI 3.14159265358979323846

/* What loggers write where there is no value. */
static const double CODES[] = {
    999,   9999,         99999,        999999,       9999999,
    999.9, 9999.9,       99.99,        999.9,        999.25,
    6999,  7999,         127,          32767,        32768,
    65535, 2147483647.0, 2147483648.0, 4294967295.0, 9.9692099683868690e36};

/* A column and what it is like; codes are no part of that. */
typedef struct {
    const double *y;
    size_t n;
    double low, high; /* quantiles .05 and .95 of places spread evenly */
    double code;      /* NAN: none */
    double sd;        /* of the noise */
    double step;      /* of a lattice; 0: none */
    bool held;
} course;

static void set_spread(course *c)
{
    double *x = darc_malloc(PLACES * sizeof *x);
    size_t k = 0, stride = 1 + c->n / PLACES;
    for (size_t i = 0; i < c->n && k < PLACES; i += stride)
        if (isfinite(c->y[i]))
            x[k++] = c->y[i];
    qsort(x, k, sizeof *x, darc_stats_cmp);
    c->low = k > 0 ? x[k / 20] : 0;
    c->high = k > 0 ? x[k - 1 - k / 20] : 0;
    darc_free(x);
}

static bool is_code(double v)
{
    if (fabs(v) >= 1e20)
        return true;
    for (size_t k = 0; k < sizeof CODES / sizeof CODES[0]; k++)
        if (fabs(fabs(v) - CODES[k]) <= 1e-6 * CODES[k])
            return true;
    return false;
}

/* ---- codes, zeros --------------------------------------------------------
 */

/* The largest or least value, where it is a code, far off all others. */
static size_t count_code(course *c, bool low)
{
    double v = NAN, min = HUGE_VAL, max = -HUGE_VAL;
    size_t count = 0;
    for (size_t i = 0; i < c->n; i++)
        if (isnan(v) || (low ? c->y[i] < v : c->y[i] > v))
            v = c->y[i];
    if (!is_code(v))
        return 0;
    for (size_t i = 0; i < c->n; i++) {
        if (c->y[i] == v)
            count++;
        else if (!isnan(c->y[i])) {
            min = fmin(min, c->y[i]);
            max = fmax(max, c->y[i]);
        }
    }
    double off = low ? min - v : v - max;
    if (!(max > min) || !(off > DARC_CODE_FAR * (max - min)) ||
        2 * count > c->n)
        return 0;
    c->code = v;
    return count;
}

static bool find_code(darc_fault *f, course *c)
{
    for (int low = 0; low < 2; low++) {
        size_t count = count_code(c, low == 1);
        if (count == 0)
            continue;
        *f = (darc_fault){
            .kind = DARC_FAULT_CODE, .count = count, .value = c->code};
        return true;
    }
    return false;
}

/* The end of the run of equal values that begins at i. */
static size_t run_end(const course *c, size_t i)
{
    size_t end = i + 1;
    while (end < c->n && c->y[end] == c->y[i])
        end++;
    return end;
}

/* Whether the course is the same before and behind a run of zeros, far off. */
static bool drops_out(const course *c, size_t begin, size_t end)
{
    if (begin == 0 || end >= c->n || end - begin > DARC_ZEROS_LONGEST)
        return false;
    double a = c->y[begin - 1], b = c->y[end];
    double near = fmin(fabs(a), fabs(b));
    return a * b > 0 && fabs(a - b) < 0.5 * near &&
           near > DARC_SPIKE_FAR * c->sd && near > 0.1 * (c->high - c->low);
}

/* All zeros are of that kind: one that is not makes zero a value. */
static bool find_zeros(darc_fault *f, const course *c)
{
    size_t count = 0, end;
    for (size_t i = 0; i < c->n; i = end) {
        end = c->y[i] == 0 ? run_end(c, i) : i + 1;
        if (c->y[i] != 0)
            continue;
        if (!drops_out(c, i, end))
            return false;
        count += end - i;
    }
    *f = (darc_fault){.kind = DARC_FAULT_ZEROS, .count = count};
    return count > 0 && (double)count < DARC_ZEROS_SHARE * (double)c->n;
}

static bool find_turn(darc_fault *f, const course *c)
{
    double turn;
    size_t count = darc_angle_turn(&turn, c->y, c->n, c->sd, c->step);
    *f =
        (darc_fault){.kind = DARC_FAULT_WRAPPED, .count = count, .value = turn};
    return count > 0;
}

/* ---- spikes --------------------------------------------------------------
 */

static double least_spike(const course *c)
{
    return fmax(c->step,
                DARC_SPIKE_LEAST * (c->high - c->low) / DARC_SPIKE_FAR);
}

/* Whether another signal jumps at sample i: what happens in two signals at a
 * time is no fault of one. */
static bool jumps_elsewhere(const darc_table *table, const double *sd,
                            int signal, size_t i)
{
    for (int k = 0; k < table->signals; k++) {
        const double *y = table->signal[k].value;
        for (size_t j = i - DARC_SPIKE_BESIDE;
             j <= i + DARC_SPIKE_BESIDE && k != signal; j++)
            if (fabs(y[j] - y[j - 1]) > DARC_SPIKE_FAR * sd[k] &&
                fabs(y[j] - y[j - 1]) > 3 * fabs(y[j - 1] - y[j - 2]))
                return true;
    }
    return false;
}

static size_t spikes(size_t **at, double **value, const course *c,
                     const darc_table *table, int signal)
{
    size_t n = darc_spikes_find(at, value, c->y, c->n, least_spike(c)),
           kept = 0;
    double *sd = darc_calloc((size_t)table->signals, sizeof *sd);
    for (int k = 0; k < table->signals && n > 0; k++)
        sd[k] = darc_spikes_sd(table->signal[k].value, table->samples);
    for (size_t q = 0; q < n; q++)
        if (!jumps_elsewhere(table, sd, signal, (*at)[q])) {
            (*at)[kept] = (*at)[q];
            (*value)[kept++] = (*value)[q];
        }
    darc_free(sd);
    return kept;
}

static bool find_spikes(darc_fault *f, const course *c, const darc_table *table,
                        int signal)
{
    size_t *at;
    double *value;
    size_t count = spikes(&at, &value, c, table, signal);
    darc_free(at);
    darc_free(value);
    *f = (darc_fault){.kind = DARC_FAULT_OUTLIERS, .count = count};
    return count > 0;
}

/* ---- sticking ------------------------------------------------------------
 */

/* Whether noise stands in the samples from i on, NOISY of them: no two
 * neighbours are equal, it is as loud as elsewhere, and finer than its digits.
 */
static bool is_noisy(const course *c, size_t i)
{
    double least = HUGE_VAL;
    for (size_t k = i; k + 1 < i + NOISY; k++)
        if (!(c->y[k] != c->y[k + 1]))
            return false;
    for (size_t k = i + 1; k + 1 < i + NOISY; k++)
        least = fmin(least, fabs(c->y[k + 1] - 2 * c->y[k] + c->y[k - 1]));
    return isfinite(least) && darc_spikes_sd_near(c->y + i, NOISY, NOISY / 2) >
                                  fmax(DARC_STUCK_NOISY * c->sd,
                                       DARC_STUCK_FINE * fmax(least, c->step));
}

/* Before and behind a run, which begins and ends with a step of the noise's
 * size; a recording may end in one. */
static bool noise_beside(const course *c, size_t begin, size_t end)
{
    if (begin < NOISY || !is_noisy(c, begin - NOISY) ||
        (end < c->n && (end + NOISY > c->n || !is_noisy(c, end))))
        return false;
    double in = fabs(c->y[begin] - c->y[begin - 1]);
    double out = end < c->n ? fabs(c->y[end] - c->y[end - 1]) : 0;
    return fmax(in, out) >
           0.5 * darc_spikes_sd_near(c->y + begin - NOISY, NOISY, NOISY / 2);
}

static bool find_stuck(darc_fault *f, const course *c)
{
    size_t equal = 0, steps = 0, count = 0, end;
    for (size_t i = 0; i < c->n; i = end) {
        end = run_end(c, i);
        steps += end - i < DARC_STUCK_LEAST ? end - i : 1;
        equal += end - i < DARC_STUCK_LEAST ? end - i - 1 : 0;
    }
    double share = (double)equal / (double)(steps > 0 ? steps : 1);
    if (share > DARC_STUCK_EQUAL ||
        !(c->sd > DARC_STUCK_LOUD * (c->high - c->low)))
        return false;
    for (size_t i = 0; i < c->n; i = end) {
        end = run_end(c, i);
        double by_chance = (double)c->n * pow(share, (double)(end - i - 1));
        if (end - i >= DARC_STUCK_LEAST && c->y[i] != 0 &&
            by_chance < DARC_STUCK_CHANCE && noise_beside(c, i, end)) {
            count += end - i;
            f->value = c->y[i];
        }
    }
    f->kind = DARC_FAULT_STUCK;
    f->count = count;
    return count > 0;
}

/* ---- clipping ------------------------------------------------------------
 */

/* Whether the course runs into a limit at sample `at`, the first of a run of
 * `length` that lie there, from sample at - 1 backwards (by = 1) or, of the
 * last, forwards (-1): it moves, not by one jump, and would go on. */
static bool runs_in(const course *c, size_t at, size_t length, int by)
{
    double y[BESIDE + 1];
    for (int k = 0; k <= BESIDE; k++) {
        long i = (long)at - (long)by * k;
        if (i < 0 || i >= (long)c->n || isnan(c->y[i]))
            return false;
        y[k] = c->y[i];
    }
    double slope = (y[1] - y[BESIDE]) / (BESIDE - 1), bend = 0;
    for (int k = 1; k + 2 <= BESIDE; k++) {
        bend = fmax(bend, fabs(y[k] - 2 * y[k + 1] + y[k + 2]));
        if (!((y[k] - y[k + 1]) * slope > 0.25 * slope * slope))
            return false;
    }
    double on = (double)(length < BESIDE ? length : BESIDE) * fabs(slope);
    return on > DARC_CLIPPED_BEYOND * c->sd &&
           bend > 1e-5 * (c->high - c->low) &&
           fabs(y[0] - y[1]) < 2 * fabs(slope);
}

static bool find_clipped(darc_fault *f, const course *c, bool low)
{
    double limit = NAN;
    size_t count = 0, twice = 0, beside = 0, sharp = 0, ends = 0, end;
    for (size_t i = 0; i < c->n; i++)
        if (c->y[i] != c->code &&
            (isnan(limit) || (low ? c->y[i] < limit : c->y[i] > limit)))
            limit = c->y[i];
    for (size_t i = 0; i < c->n; i = end) {
        end = c->y[i] == limit ? run_end(c, i) : i + 1;
        beside += fabs(c->y[i] - limit) < 2 * c->sd && c->y[i] != limit;
        count += c->y[i] == limit ? end - i : 0;
        twice += c->y[i] == limit && end - i > 1 ? end - i : 0;
        if (c->y[i] != limit || end - i < 3)
            continue;
        ends += 2;
        sharp += runs_in(c, i, end - i, 1);
        sharp += runs_in(c, end - 1, end - i, -1);
    }
    *f = (darc_fault){
        .kind = DARC_FAULT_CLIPPED, .count = count, .value = limit, .low = low};
    bool piles = count >= DARC_CLIPPED_PILE && count > 3 * beside &&
                 3 * twice > count && c->sd > 2 * c->step &&
                 c->sd > DARC_STUCK_LOUD * (c->high - c->low);
    return (sharp >= DARC_CLIPPED_ENDS && 2 * sharp > ends) || piles;
}

static bool find_line(darc_fault *f, const darc_table *table, int signal)
{
    darc_line line[DARC_LINES_MOST];
    darc_signalnoise noise;
    if (darc_signalnoise_read(&noise, table, &signal, 1, NULL) != DARC_OK)
        return false;
    int lines = darc_lines_find(line, &noise, table, signal);
    darc_signalnoise_clear(&noise);
    if (lines == 0)
        return false;
    *f = (darc_fault){
        .kind = DARC_FAULT_LINE, .value = line[0].hz, .share = line[0].share};
    return true;
}

/* ---- all -----------------------------------------------------------------
 */

static void look(course *c, const darc_table *table, int signal)
{
    *c = (course){
        .y = table->signal[signal].value, .n = table->samples, .code = NAN};
    set_spread(c);
    c->sd = darc_spikes_sd(c->y, c->n);
    c->step = darc_lattice_step(c->y, c->n);
    c->held = !(c->high > c->low) ||
              darc_lattice_is_held(c->y, table, c->step, DARC_STAIRS);
}

int darc_faults_find(darc_fault *list, const darc_table *table, int signal)
{
    course c;
    int n = 0;
    look(&c, table, signal);
    n += find_code(list + n, &c);
    n += n == 0 && !c.held && find_zeros(list + n, &c);
    if (n == 0 && !c.held) { /* codes and zeros first: they hide the rest */
        n += find_turn(list + n, &c);
        n += table->time == NULL && find_spikes(list + n, &c, table, signal);
        list[n] = (darc_fault){0};
        n += find_stuck(list + n, &c);
        n += find_clipped(list + n, &c, false) ||
             find_clipped(list + n, &c, true);
        n += find_line(list + n, table, signal);
    }
    for (int k = 0; k < n; k++)
        if (list[k].kind != DARC_FAULT_LINE)
            list[k].share = (double)list[k].count / (double)c.n;
    return n;
}

size_t darc_faults_outliers(size_t **at, double **value,
                            const darc_table *table, int signal)
{
    course c;
    look(&c, table, signal);
    return spikes(at, value, &c, table, signal);
}

const char *darc_fault_text(darc_fault_kind kind)
{
    static const char *const text[] = {
        "code", "zeros", "wrapped", "outliers", "stuck", "clipped", "line"};
    return text[kind];
}

void darc_fault_say(darc_text_t out, const darc_fault *f)
{
    switch (f->kind) {
    case DARC_FAULT_CODE:
        darc_text_printf(out, "%zu times %.9g, which stands for no value",
                         f->count, f->value);
        break;
    case DARC_FAULT_ZEROS:
        darc_text_printf(out, "%zu zeros where it drops out", f->count);
        break;
    case DARC_FAULT_WRAPPED:
        darc_text_printf(out, "an angle that jumps by %.6g, %zu times",
                         f->value, f->count);
        break;
    case DARC_FAULT_OUTLIERS:
        darc_text_printf(out, "%zu outlier%s", f->count,
                         f->count == 1 ? "" : "s");
        break;
    case DARC_FAULT_STUCK:
        darc_text_printf(out, "sticks at one value for %zu samples", f->count);
        break;
    case DARC_FAULT_CLIPPED:
        darc_text_printf(out, "clipped at %.6g: %zu samples", f->value,
                         f->count);
        break;
    case DARC_FAULT_LINE:
        darc_text_printf(out, "a line of %.2g %% at %.4g Hz", 100 * f->share,
                         f->value);
        break;
    default:
        break;
    }
}
