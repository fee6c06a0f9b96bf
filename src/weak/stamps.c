#include "weak/stamps.h"

#include "base/mem.h"
#include "data/table.h"
#include "stats/lanes.h"

#include <assert.h>
#include <math.h>
#include <string.h>

void darc_weak_stamps_free(darc_weak_stamps *s)
{
    if (s == NULL)
        return;
    for (int r = 0; r < s->rates; r++)
        darc_free(s->absent[r]);
    DARC_FREE(s->stretch, s->gain, s);
}

static void join_absent(unsigned char **to, const unsigned char *from, size_t n)
{
    if (from == NULL)
        return;
    if (*to == NULL)
        *to = darc_calloc(n, 1);
    for (size_t i = 0; i < n; i++)
        if (from[i])
            (*to)[i] = 1;
}

int darc_weak_stamps_rate(darc_weak *weak, const darc_weak_data *data,
                          const darc_total_struct *total,
                          const darc_total_term *term)
{
    darc_weak_stamps *s = weak->stamps;
    size_t n = data->table->samples;
    unsigned char *absent = NULL;
    if (s == NULL)
        return 0;
    for (int v = 0; v < total->vars; v++)
        if (darc_total_holds(term, v))
            join_absent(&absent, data->signal[total->var[v].unknown].absent, n);
    int r = 0;
    while (r < s->rates && s->absent[r] != absent &&
           (s->absent[r] == NULL || absent == NULL ||
            memcmp(s->absent[r], absent, n) != 0))
        r++;
    if (r == DARC_WEAK_RATES)
        join_absent(&s->absent[--r], absent, n);
    if (r < s->rates)
        darc_free(absent);
    else
        s->absent[s->rates++] = absent;
    return r;
}

static bool is_stamp_there(const unsigned char *absent, size_t i)
{
    return absent == NULL || absent[i] == 0;
}

/* Return the spacing of the samples that are there on the average, s. */
static double spacing(const unsigned char *absent, const darc_table *table)
{
    double sum = 0, count = 0;
    for (int i = 0; i < table->segments; i++) {
        darc_segment g = table->segment[i];
        sum +=
            darc_table_time(table, g.end - 1) - darc_table_time(table, g.begin);
        for (size_t t = g.begin; t < g.end; t++)
            count += is_stamp_there(absent, t);
    }
    return sum / fmax(1, count - 1);
}

/* Mark begins[i] where no sample lies within `most` s before sample i. */
static void mark_long(unsigned char *begins, const darc_table *table,
                      const unsigned char *absent, darc_segment g, double most)
{
    size_t last = g.end;
    for (size_t i = g.begin; i < g.end; i++) {
        if (!is_stamp_there(absent, i))
            continue;
        if (last < i &&
            darc_table_time(table, i) - darc_table_time(table, last) > most)
            begins[i] = 1;
        last = i;
    }
}

void darc_weak_stamps_stretch(darc_weak *weak, double band)
{
    const darc_table *table = weak->table;
    darc_weak_stamps *s = weak->stamps;
    if (s == NULL)
        return;
    unsigned char *begins = darc_calloc(table->samples, 1);
    if (!(band > 0))
        band = DARC_WEAK_PERIODS / (weak->support * weak->dt);
    band *= 2 * 3.14159265358979323846; /* rad/s */
    s->turn = band * weak->dt;
    for (int r = 0; r < s->rates; r++) {
        double usual = spacing(s->absent[r], table);
        double wide =
            weak->steps != NULL ? DARC_WEAK_LOST : DARC_WEAK_HOLE_WIDE;
        double most = fmin(wide * usual, DARC_WEAK_HOLE_PHASE / band);
        most = fmax(most, DARC_WEAK_HOLE * usual);
        s->spacing[r] = usual / weak->dt;
        for (int i = 0; i < table->segments; i++)
            mark_long(begins, table, s->absent[r], table->segment[i], most);
    }
    for (int i = 0; i < table->segments; i++) {
        darc_segment g = table->segment[i];
        for (size_t t = g.begin + 1; t <= g.end; t++) {
            if (t < g.end && !begins[t])
                continue;
            DARC_ROOM(s->stretch, s->stretches);
            s->stretch[s->stretches++] = (darc_segment){g.begin, t};
            g.begin = t;
        }
    }
    darc_free(begins);
}

darc_segment darc_weak_stamps_trim(const darc_weak_stamps *s, darc_segment g)
{
    for (int r = 0; r < s->rates; r++) {
        while (g.begin < g.end && !is_stamp_there(s->absent[r], g.begin))
            g.begin++;
        while (g.end > g.begin && !is_stamp_there(s->absent[r], g.end - 1))
            g.end--;
    }
    return g;
}

size_t darc_weak_places(const darc_weak *weak, int functions)
{
    return (size_t)((functions - 1) * weak->step + weak->support + 1);
}

void darc_weak_stamps_init(darc_weak_work *work)
{
    const darc_weak *weak = work->weak;
    int functions = darc_weak_most_functions(weak);
    size_t places = darc_weak_places(weak, functions);
    if (weak->stamps == NULL)
        return;
    work->window = darc_calloc((size_t)functions, sizeof *work->window);
    work->place = darc_calloc(places, sizeof *work->place);
    for (int r = 0; r < weak->stamps->rates; r++)
        darc_uneven_init(work->lattice + r, work->capacity, places);
}

void darc_weak_stamps_clear(darc_weak_work *work)
{
    DARC_FREE(work->window, work->place);
    for (int r = 0; r < DARC_WEAK_RATES; r++)
        darc_uneven_clear(work->lattice + r);
}

/* Set where the samples of a rate are, and which lie around each place. */
static void find_nodes(darc_weak_work *work, int rate,
                       const darc_weak_piece *piece)
{
    const darc_weak *weak = work->weak;
    const darc_weak_stamps *s = weak->stamps;
    darc_uneven *l = work->lattice + rate;
    double t0 =
        darc_table_time(weak->table, piece->begin + (size_t)weak->margin);
    l->n = 0;
    for (size_t t = piece->begin; t < piece->end; t++)
        if (is_stamp_there(s->absent[rate], t)) {
            l->row[l->n] = (int)(t - piece->begin);
            l->x[l->n++] = (darc_table_time(weak->table, t) - t0) / weak->dt;
        }
    assert(l->n > 1); /* a piece begins and ends with samples of each rate */
    darc_uneven_find(l, (int)darc_weak_places(weak, piece->functions),
                     s->spacing[rate], s->turn);
}

/* Let the windows hold all samples of a rate that functions see. */
static void widen_windows(darc_weak_window *window, const darc_weak *weak,
                          const darc_uneven *l, int functions)
{
    for (int k = 0; k < functions; k++) {
        darc_weak_window *w = window + k;
        size_t begin = (size_t)(k * weak->step);
        int first, last, end = w->count > 0 ? w->first + w->count : 0;
        darc_uneven_nodes(&first, &last, l, begin,
                          begin + (size_t)weak->support + 1);
        first = l->row[first];
        last = l->row[last];
        w->first = w->count > 0 && w->first < first ? w->first : first;
        w->count = (last + 1 > end ? last + 1 : end) - w->first;
    }
}

void darc_weak_stamps_windows(darc_weak_work *work,
                              const darc_weak_piece *piece)
{
    const darc_weak *weak = work->weak;
    memset(work->window, 0, (size_t)piece->functions * sizeof *work->window);
    for (int r = 0; r < weak->stamps->rates; r++) {
        find_nodes(work, r, piece);
        widen_windows(work->window, weak, work->lattice + r, piece->functions);
    }
}

void darc_weak_stamps_place(darc_weak_work *work)
{
    const darc_weak *weak = work->weak;
    if (weak->stamps == NULL || work->placed)
        return;
    work->placed = true;
    darc_weak_stamps_windows(work, weak->piece + work->piece);
}

const double *darc_weak_stamps_even(darc_weak_work *work, int rate,
                                    const double *f)
{
    darc_uneven *l = work->lattice + rate;
    size_t places = darc_weak_places(work->weak, work->functions);
    darc_weak_stamps_place(work);
    for (int i = 0; i < l->n; i++)
        l->value[i] = f[l->row[i]];
    for (size_t i = 0; i < places; i++) {
        const double *w = l->weight + l->at[i];
        const double *x = l->value + l->from[i];
        double sum = 0;
        for (int j = 0; j < l->count[i]; j++)
            sum += w[j] * x[j];
        work->place[i] = sum;
    }
    return work->place;
}

void darc_weak_stamps_spread(double *out, const darc_weak_work *work, int rate,
                             const double *f, darc_segment places)
{
    const darc_uneven *l = work->lattice + rate;
    double *sum = l->value;
    int first, last;
    darc_uneven_nodes(&first, &last, l, places.begin, places.end);
    memset(sum + first, 0, (size_t)(last + 1 - first) * sizeof *sum);
    for (size_t i = places.begin; i < places.end; i++) {
        const double *w = l->weight + l->at[i];
        double *x = sum + l->from[i], y = f[i - places.begin];
        for (int j = 0; j < l->count[i]; j++)
            x[j] += w[j] * y;
    }
    for (int i = first; i <= last; i++)
        out[l->row[i]] += sum[i];
}

/* Return how many times as much white noise adds to functions as on even time,
 * on the average: the sum of squared weights of samples, and a sum over samples
 * times their weights is one over places.  0 where functions differ too much.
 */
static double gain_of(darc_weak_work *work, int rate)
{
    const darc_weak *weak = work->weak;
    size_t places = darc_weak_places(weak, work->functions);
    size_t n = (size_t)weak->support + 1;
    double *weight = darc_calloc((size_t)work->samples + n, sizeof *weight);
    double *square = weight + work->samples, sum = 0, squares = 0;
    for (size_t i = 0; i < places; i++)
        work->place[i] = 1;
    darc_weak_stamps_spread(weight, work, rate, work->place,
                            (darc_segment){0, places});
    darc_weak_stamps_even(work, rate, weight);
    for (size_t i = 0; i < n; i++)
        square[i] = weak->phi[0][i] * weak->phi[0][i];
    double unit = darc_lanes_sum(square, n);
    for (int k = 0; k < work->functions; k++) {
        double gain =
            darc_lanes_dot(square, work->place + k * weak->step, n) / unit;
        sum += gain / work->functions;
        squares += gain * gain / work->functions;
    }
    darc_free(weight);
    double spread = fmax(0, squares / (sum * sum) - 1);
    return spread < DARC_WEAK_ALIKE * DARC_WEAK_ALIKE ? sum : 0;
}

const double *darc_weak_stamps_gain(darc_weak_work *work)
{
    const darc_weak_stamps *s = work->weak->stamps;
    double *gain = s->gain + work->piece * s->rates;
    bool known = gain[0] != 0, alike = gain[0] >= 0;
    if (!known)
        darc_weak_stamps_place(work);
    for (int r = 0; r < s->rates && !known; r++) {
        gain[r] = gain_of(work, r);
        alike = alike && gain[r] > 0;
    }
    gain[0] = alike ? gain[0] : -1;
    return alike ? gain : NULL;
}
