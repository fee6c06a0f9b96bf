#include "weak/stamps.h"

#include "base/mem.h"
#include "data/table.h"
#include "stats/columns.h"
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
    for (int r = 0; r < s->rates; r++) {
        double usual = spacing(s->absent[r], table);
        double lost = fmin(DARC_WEAK_LOST * usual, DARC_WEAK_LOST_PHASE / band);
        double most = lost < 2 * usual ? DARC_WEAK_HOLE * usual : lost;
        most = fmax(most, DARC_WEAK_HOLE_PHASE / band);
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
    for (int r = 0; r < weak->stamps->rates; r++) {
        darc_weak_lattice *l = work->lattice + r;
        size_t room = work->capacity + DARC_LATTICE_NODES;
        l->row = darc_calloc(room, sizeof *l->row);
        l->from = darc_calloc(places, sizeof *l->from);
        DARC_CARVE({&l->x, (ptrdiff_t)room}, {&l->value, (ptrdiff_t)room},
                   {&l->weight, (ptrdiff_t)places * DARC_LATTICE_NODES});
    }
}

void darc_weak_stamps_clear(darc_weak_work *work)
{
    DARC_FREE(work->window, work->place);
    for (int r = 0; r < DARC_WEAK_RATES; r++)
        DARC_FREE(work->lattice[r].row, work->lattice[r].from,
                  work->lattice[r].x);
}

/* Set where the samples of a rate are, and which lie around each place. */
static void find_nodes(darc_weak_lattice *l, const darc_weak *weak,
                       const darc_weak_piece *piece,
                       const unsigned char *absent)
{
    double t0 =
        darc_table_time(weak->table, piece->begin + (size_t)weak->margin);
    int places = (int)darc_weak_places(weak, piece->functions), at = 0;
    l->n = 0;
    for (size_t t = piece->begin; t < piece->end; t++)
        if (is_stamp_there(absent, t)) {
            l->row[l->n] = (int)(t - piece->begin);
            l->x[l->n++] = (darc_table_time(weak->table, t) - t0) / weak->dt;
        }
    assert(l->n > 1); /* a piece begins and ends with samples of each rate */
    for (int i = 0; i < places; i++) {
        while (at + 2 < l->n && l->x[at + 1] <= i)
            at++;
        int from = at + 1 - DARC_LATTICE_NODES / 2;
        from =
            from + DARC_LATTICE_NODES > l->n ? l->n - DARC_LATTICE_NODES : from;
        l->from[i] = from < 0 ? 0 : from;
    }
}

/* Let the windows hold all samples of a rate that functions see. */
static void widen_windows(darc_weak_window *window, const darc_weak *weak,
                          const darc_weak_lattice *l, int functions)
{
    for (int k = 0; k < functions; k++) {
        darc_weak_window *w = window + k;
        int last =
            l->from[k * weak->step + weak->support] + DARC_LATTICE_NODES - 1;
        int first = l->row[l->from[k * weak->step]];
        int end = w->count > 0 ? w->first + w->count : 0;
        last = l->row[last < l->n ? last : l->n - 1];
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
        find_nodes(work->lattice + r, weak, piece, weak->stamps->absent[r]);
        widen_windows(work->window, weak, work->lattice + r, piece->functions);
    }
}

/* Set w to the weights of the values at n places x of the polynomial through
 * them at l; return the sum of their absolute values. */
static double interpolate_weights(double *w, const double *x, int n, double l)
{
    double sum = 0;
    for (int i = 0; i < n; i++) {
        double above = 1, below = 1;
        for (int j = 0; j < n; j++)
            if (j != i) {
                above *= l - x[j];
                below *= x[i] - x[j];
            }
        w[i] = above / below;
        sum += fabs(w[i]);
    }
    return sum;
}

/* Set w to the weights of the nodes around place i, of those in the middle
 * alone where more would amplify noise. */
static void weigh_nodes(double *w, const darc_weak_lattice *l, int i)
{
    int from = l->from[i];
    int n = l->n < DARC_LATTICE_NODES ? l->n : DARC_LATTICE_NODES;
    if (n == DARC_LATTICE_NODES &&
        interpolate_weights(w, l->x + from, DARC_LATTICE_NODES, i) <
            DARC_LATTICE_MOST)
        return;
    int at = from;
    while (at + 2 < l->n && l->x[at + 1] <= i)
        at++;
    for (int nodes = n < DARC_LATTICE_NODES ? n : n - 2; nodes > 2;
         nodes -= 2) {
        int first = at + 1 - nodes / 2;
        first = first < from ? from : first;
        first = first + nodes > from + n ? from + n - nodes : first;
        memset(w, 0, DARC_LATTICE_NODES * sizeof *w);
        if (interpolate_weights(w + first - from, l->x + first, nodes, i) <
            DARC_LATTICE_MOST)
            return;
    }
    memset(w, 0, DARC_LATTICE_NODES * sizeof *w);
    interpolate_weights(w + at - from, l->x + at, 2, i);
}

void darc_weak_stamps_place(darc_weak_work *work)
{
    const darc_weak *weak = work->weak;
    if (weak->stamps == NULL || work->placed)
        return;
    work->placed = true;
    darc_weak_stamps_windows(work, weak->piece + work->piece);
    int places = (int)darc_weak_places(weak, work->functions);
    for (int r = 0; r < weak->stamps->rates; r++)
        for (int i = 0; i < places; i++)
            weigh_nodes(work->lattice[r].weight + i * DARC_LATTICE_NODES,
                        work->lattice + r, i);
}

const double *darc_weak_stamps_even(darc_weak_work *work, int rate,
                                    const double *f)
{
    darc_weak_lattice *l = work->lattice + rate;
    size_t places = darc_weak_places(work->weak, work->functions);
    darc_weak_stamps_place(work);
    for (int i = 0; i < l->n; i++)
        l->value[i] = f[l->row[i]];
    for (size_t i = 0; i < places; i++) {
        const double *w = l->weight + i * DARC_LATTICE_NODES;
        const double *x = l->value + l->from[i];
        double sum = 0;
        for (int j = 0; j < DARC_LATTICE_NODES; j++)
            sum += w[j] * x[j];
        work->place[i] = sum;
    }
    return work->place;
}

void darc_weak_stamps_spread(double *out, const darc_weak_work *work, int rate,
                             const double *f, darc_segment places)
{
    const darc_weak_lattice *l = work->lattice + rate;
    double *sum = l->value;
    int first = l->from[places.begin];
    int end = l->from[places.end - 1] + DARC_LATTICE_NODES;
    memset(sum + first, 0, (size_t)(end - first) * sizeof *sum);
    for (size_t i = places.begin; i < places.end; i++) {
        const double *w = l->weight + i * DARC_LATTICE_NODES;
        double *x = sum + l->from[i], y = f[i - places.begin];
        for (int j = 0; j < DARC_LATTICE_NODES; j++)
            x[j] += w[j] * y;
    }
    for (int i = first; i < end && i < l->n; i++)
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
