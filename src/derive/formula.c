#include "derive/formula.h"

#include "base/mem.h"
#include "stats/lanes.h"

#include <assert.h>
#include <math.h>
#include <string.h>

static const darc_diff_spec ladder[DARC_FORMULAS] = {
    {DARC_DIFF_CENTRAL, 4, 0, 0}, {DARC_DIFF_CENTRAL, 6, 0, 0},
    {DARC_DIFF_SG, 0, 9, 4},      {DARC_DIFF_SG, 0, 15, 4},
    {DARC_DIFF_SG, 0, 25, 4},     {DARC_DIFF_SG, 0, 41, 4},
    {DARC_DIFF_SG, 0, 65, 4},     {DARC_DIFF_SG, 0, 105, 4}};

/* Add the weights of a formula, times sign. */
static void add_weights(darc_weights *to, const darc_diff_spec *spec,
                        double sign, const darc_formula *f)
{
    const darc_table *table = f->table;
    size_t n = table->samples;
    double dt = table->dt;
    if (dt <= 0 && n > 1)
        dt = (table->time[n - 1] - table->time[0]) / (double)n;
    int half = darc_diff_half(spec, f->order);
    assert(half >= to->half);
    double *w = darc_diff_weights(spec, f->order, dt > 0 ? dt : 1);
    for (int j = 0; j <= 2 * half; j++)
        w[j] *= sign;
    for (int j = 0; j <= 2 * to->half && to->weight != NULL; j++)
        w[j + half - to->half] += to->weight[j];
    to->square = 0;
    for (int j = 0; j <= 2 * half; j++)
        to->square += w[j] * w[j];
    darc_free(to->weight);
    to->weight = w;
    to->half = half;
}

void darc_formula_init(darc_formula *f, int order, const darc_table *table)
{
    *f = (darc_formula){.order = order, .table = table, .best = -1};
    for (int r = 0; r < DARC_FORMULAS; r++) {
        darc_rung *rung = f->rung + r;
        darc_diff_spec finer = darc_diff_spec_finer(ladder + r);
        if (ladder[r].kind == DARC_DIFF_SG && ladder[r].degree < order)
            continue;
        add_weights(&rung->formula, ladder + r, 1, f);
        add_weights(&rung->difference, ladder + r, 1, f);
        add_weights(&rung->difference, &finer, -1, f);
    }
}

darc_segment darc_formula_reach(const darc_formula *f, darc_segment at,
                                bool errors)
{
    size_t half = 0, samples = f->table->samples;
    for (int r = 0; r < DARC_FORMULAS; r++) {
        const darc_rung *rung = f->rung + r;
        size_t own = (size_t)(errors ? 2 * rung->difference.half
                                     : rung->difference.half);
        if (f->best < 0 || r == f->best)
            half = own > half ? own : half;
    }
    return (darc_segment){at.begin > half ? at.begin - half : 0,
                          samples - at.end > half ? at.end + half : samples};
}

/* Parts of a stretch, as a table of one signal. */
typedef struct {
    darc_signal signal;
    darc_table table;
} view;

/* Cut the stretch into segments of the recording where it is known. */
static void open_view(view *w, const darc_stretch *v, const darc_table *table)
{
    size_t n = v->at.end - v->at.begin;
    w->signal = (darc_signal){"", "", (double *)(void *)v->x};
    w->table = (darc_table){
        .samples = n,
        .time = table->time == NULL ? NULL : table->time + v->at.begin,
        .dt = table->dt,
        .signals = 1,
        .signal = &w->signal};
    for (int s = darc_segment_behind(table, v->at.begin);
         s < table->segments && table->segment[s].begin < v->at.end; s++) {
        size_t i = table->segment[s].begin, end = table->segment[s].end;
        i = i < v->at.begin ? 0 : i - v->at.begin;
        end = end < v->at.end ? end - v->at.begin : n;
        while (i < end) {
            size_t from = i;
            while (i < end && isfinite(v->x[i]))
                i++;
            if (i > from) {
                darc_table *t = &w->table;
                DARC_APPEND(t->segment, t->segments, (darc_segment){from, i});
            }
            i++;
        }
    }
}

/* Set out[i - at.begin] to the weighted sums, NAN where they do not fit. */
static void apply(double *out, const darc_weights *w, int order,
                  const darc_stretch *v, const view *runs, darc_segment at)
{
    size_t half = (size_t)w->half, first = at.begin - v->at.begin;
    size_t last = at.end - v->at.begin;
    DARC_FILL(out, last - first, NAN);
    for (int s = 0; s < runs->table.segments; s++) {
        const darc_segment *g = runs->table.segment + s;
        size_t begin = g->begin + half, end = g->end > half ? g->end - half : 0;
        begin = begin > first ? begin : first;
        end = end < last ? end : last;
        if (begin < end)
            darc_stencil_apply(out + (begin - first), w->weight + half, w->half,
                               order % 2 == 1, v->x + begin, end - begin);
    }
}

/* On uneven time every sample has weights of its own. */
static void differ(const darc_formula *f, int r, double *value, double *d,
                   double *gain, const view *runs)
{
    darc_status status =
        darc_differ_signal((darc_differentiated){value, d, gain}, &runs->table,
                           0, f->order, ladder + r, NULL);
    assert(status == DARC_OK); /* the rung has such a derivative */
    (void)status;
}

/* Set d to the difference of rung r from the next finer formula at all samples
 * of the stretch, NAN where it does not fit, and gain to the noise gain. */
static void differences(const darc_formula *f, int r, double *d, double *gain,
                        const darc_stretch *v, const view *runs)
{
    size_t n = v->at.end - v->at.begin;
    if (f->table->dt > 0) {
        double even = sqrt(f->rung[r].formula.square);
        apply(d, &f->rung[r].difference, f->order, v, runs, v->at);
        DARC_FILL(gain, n, even);
        return;
    }
    double *value = darc_malloc(n * sizeof *value);
    differ(f, r, value, d, gain, runs);
    darc_free(value);
}

void darc_formula_try(darc_formula_sums *sums, const darc_formula *f,
                      const darc_stretch *v, darc_segment at)
{
    view runs;
    open_view(&runs, v, f->table);
    size_t n = v->at.end - v->at.begin;
    size_t first = at.begin - v->at.begin, last = at.end - v->at.begin;
    double *d = darc_malloc(2 * n * sizeof *d), *gain = d + n;
    darc_noisesums_add(&sums->noise, &runs.table, 0, first, last);
    for (int r = 0; r < DARC_FORMULAS; r++) {
        if (f->rung[r].formula.weight == NULL)
            continue;
        differences(f, r, d, gain, v, &runs);
        for (size_t i = first; i < last; i++)
            if (isfinite(d[i])) {
                sums->truncation[r] += d[i] * d[i];
                sums->gain[r] += gain[i] * gain[i];
                sums->count[r] += 1;
            }
    }
    DARC_FREE(d, runs.table.segment);
}

/* Return what the weights make, `offset` samples behind a kink, of that whose
 * derivative is |t|, t in samples: |t| t^order / (order + 1)! */
static double at_kink(const darc_weights *w, int order, int offset)
{
    double sum = 0;
    for (int j = -w->half; j <= w->half; j++) {
        double t = j + offset, x = fabs(t);
        for (int k = 1; k <= order; k++)
            x *= t / (k + 1);
        sum += w->weight[j + w->half] * x;
    }
    return sum;
}

static double kink_ratio(const darc_rung *rung, int order)
{
    int h = rung->difference.half;
    double sum = 0;
    for (int offset = -h; offset <= h; offset++) {
        double d = at_kink(&rung->difference, order, offset);
        sum += d * d;
    }
    return fabs(at_kink(&rung->formula, order, 0)) / sqrt(sum / (2 * h + 1));
}

void darc_formula_choose(darc_formula *f, const darc_formula_sums *sums,
                         double noise)
{
    double least = INFINITY;
    f->noise = noise;
    for (int r = 0; r < DARC_FORMULAS; r++) {
        double square = sums->truncation[r] + noise * noise * sums->gain[r];
        if (!(sums->count[r] > 0 && square / sums->count[r] < least))
            continue;
        least = square / sums->count[r];
        f->best = r;
    }
    if (f->best >= 0)
        f->kink = kink_ratio(f->rung + f->best, f->order);
}

double darc_formula_width(const darc_formula *f)
{
    return f->best < 0 ? 1 : 2.0 * f->rung[f->best].formula.half + 1;
}

void darc_formula_values(const darc_formula *f, double *out,
                         const darc_stretch *v, darc_segment at)
{
    size_t n = at.end - at.begin;
    view runs;
    for (size_t i = 0; i < n && f->best < 0; i++)
        out[i] = NAN;
    if (f->best < 0)
        return;
    open_view(&runs, v, f->table);
    if (f->table->dt > 0) {
        apply(out, &f->rung[f->best].formula, f->order, v, &runs, at);
    } else {
        double *all = darc_malloc(runs.table.samples * sizeof *all);
        differ(f, f->best, all, NULL, NULL, &runs);
        memcpy(out, all + (at.begin - v->at.begin), n * sizeof *out);
        darc_free(all);
    }
    darc_free(runs.table.segment);
}

/* Set sum[i], i < n - width + 1, to the sum of the squares of d[i] .. d[i +
 * width - 1].  A window is the end of one chunk and the begin of the next,
 * along which both add up; chunks lie at multiples of their length, counted
 * from `begin` at d[0], so that the sum is the same whoever asks. */
static void add_squares(double *sum, const double *d, size_t n, size_t width,
                        size_t begin)
{
    double *head = darc_malloc(2 * n * sizeof *head), *tail = head + n;
    for (size_t i = 0, k = begin % width; i < n; i++) {
        double square = d[i] * d[i];
        head[i] = k == 0 || i == 0 ? square : head[i - 1] + square;
        k = k + 1 == width ? 0 : k + 1;
    }
    for (size_t i = n, k = (begin + n) % width; i-- > 0;) {
        double square = d[i] * d[i];
        tail[i] = k == 0 || i + 1 == n ? square : tail[i + 1] + square;
        k = k == 0 ? width - 1 : k - 1;
    }
    for (size_t i = 0, k = begin % width; i + width <= n; i++) {
        sum[i] = (k == 0 ? 0 : tail[i]) + head[i + width - 1];
        k = k + 1 == width ? 0 : k + 1;
    }
    darc_free(head);
}

/* Set mean[i - at.begin] to the mean of squared differences that are known
 * around sample i, of their sum. */
static void divide_by_counts(double *mean, const darc_formula *f,
                             const darc_stretch *v, const view *runs,
                             darc_segment at)
{
    ptrdiff_t half = f->rung[f->best].difference.half;
    ptrdiff_t first = (ptrdiff_t)(at.begin - v->at.begin);
    ptrdiff_t last = (ptrdiff_t)(at.end - v->at.begin);
    for (int s = 0; s < runs->table.segments; s++) {
        ptrdiff_t begin = (ptrdiff_t)runs->table.segment[s].begin;
        ptrdiff_t end = (ptrdiff_t)runs->table.segment[s].end;
        ptrdiff_t from = begin + half, to = end - half; /* known ones */
        begin = begin > first ? begin : first;
        end = end < last ? end : last;
        for (ptrdiff_t i = begin; i < end; i++) {
            ptrdiff_t low = i - half > from ? i - half : from;
            ptrdiff_t high = i + half + 1 < to ? i + half + 1 : to;
            mean[i - first] /= high > low ? (double)(high - low) : 1;
        }
    }
}

void darc_formula_errors(const darc_formula *f, double *sd, double *switching,
                         const darc_stretch *v, darc_segment at)
{
    size_t n = at.end - at.begin, m = v->at.end - v->at.begin;
    if (f->best < 0) {
        memset(sd, 0, n * sizeof *sd);
        if (switching != NULL)
            memset(switching, 0, n * sizeof *sd);
        return;
    }
    view runs;
    const darc_rung *rung = f->rung + f->best;
    size_t half = (size_t)rung->difference.half, first = at.begin - v->at.begin;
    double *d = darc_calloc(m + 2 * half, sizeof *d);
    double *gain = darc_malloc(m * sizeof *gain);
    open_view(&runs, v, f->table);
    differences(f, f->best, d + half, gain, v, &runs);
    for (size_t i = half; i < m + half; i++)
        d[i] = isfinite(d[i]) ? d[i] : 0;
    add_squares(sd, d + first, n + 2 * half, 2 * half + 1, at.begin);
    divide_by_counts(sd, f, v, &runs, at);
    double share = rung->difference.square / rung->formula.square;
    double kink = f->kink * f->kink;
    for (size_t i = 0; i < n; i++) {
        double noise = f->noise * gain[first + i], square = noise * noise;
        double excess = sd[i] - share * square;
        double truncation = excess > 0 ? excess : 0;
        sd[i] = sqrt(square + truncation);
        if (switching != NULL)
            switching[i] = sqrt(square + kink * truncation);
    }
    DARC_FREE(gain, d, runs.table.segment);
}
