#include "weak/stamps.h"

#include "base/mem.h"
#include "data/bridge.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* ---- rates -----------------------------------------------------------------
 */

void darc_weak_stamps_new(darc_weak *weak, const darc_weak_data *data)
{
    weak->dt = darc_table_step(data->table);
    if (darc_table_is_patchy(data->table))
        weak->stamps = darc_calloc(1, sizeof *weak->stamps);
}

void darc_weak_stamps_free(darc_weak_stamps *s)
{
    for (int r = 0; s != NULL && r < s->rates; r++)
        darc_free(s->rate[r].absent);
    if (s != NULL)
        darc_free(s->stretch);
    darc_free(s);
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

static bool is_same(const unsigned char *a, const unsigned char *b, size_t n)
{
    return a == NULL || b == NULL ? a == b : memcmp(a, b, n) == 0;
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
        if (term->exponent[v] != 0 || term->log == v)
            join_absent(&absent, data->signal[total->var[v].unknown].absent, n);
    int r = 0;
    while (r < s->rates && !is_same(s->rate[r].absent, absent, n))
        r++;
    if (r == DARC_WEAK_RATES)
        join_absent(&s->rate[--r].absent, absent, n);
    if (r < s->rates)
        darc_free(absent);
    else
        s->rate[s->rates++] = (darc_weak_rate){.absent = absent};
    return r;
}

static bool is_there(const darc_weak_rate *r, size_t i)
{
    return r->absent == NULL || r->absent[i] == 0;
}

static void set_spacing(darc_weak_rate *rate, const darc_table *table)
{
    double sum = 0, count = 0;
    for (int i = 0; i < table->segments; i++) {
        darc_segment g = table->segment[i];
        sum +=
            darc_table_time(table, g.end - 1) - darc_table_time(table, g.begin);
        for (size_t t = g.begin; t < g.end; t++)
            count += is_there(rate, t);
    }
    rate->spacing = sum / fmax(1, count - 1);
}

/* ---- stretches -------------------------------------------------------------
 */

/* Mark begins[i] where no sample lies within `most` s before sample i. */
static void mark_long(unsigned char *begins, const darc_table *table,
                      const darc_weak_rate *rate, darc_segment g, double most)
{
    size_t last = g.end;
    for (size_t i = g.begin; i < g.end; i++) {
        if (!is_there(rate, i))
            continue;
        if (last < i &&
            darc_table_time(table, i) - darc_table_time(table, last) > most)
            begins[i] = 1;
        last = i;
    }
}

static void add_stretch(darc_weak_stamps *s, size_t begin, size_t end)
{
    s->stretch = darc_grow(s->stretch, (size_t)s->stretches, &s->stretch_alloc,
                           sizeof *s->stretch);
    s->stretch[s->stretches++] = (darc_segment){begin, end};
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
    double phase = DARC_WEAK_HOLE_PHASE / (2 * 3.14159265358979323846);
    for (int r = 0; r < s->rates; r++) {
        set_spacing(s->rate + r, table);
        double most = DARC_WEAK_HOLE * s->rate[r].spacing;
        most = fmax(most, phase / band);
        for (int i = 0; i < table->segments; i++)
            mark_long(begins, table, s->rate + r, table->segment[i], most);
    }
    for (int i = 0; i < table->segments; i++) {
        darc_segment g = table->segment[i];
        for (size_t t = g.begin + 1; t < g.end; t++)
            if (begins[t]) {
                add_stretch(s, g.begin, t);
                g.begin = t;
            }
        add_stretch(s, g.begin, g.end);
    }
    darc_free(begins);
}

darc_segment darc_weak_stamps_trim(const darc_weak_stamps *s, darc_segment g)
{
    for (int r = 0; r < s->rates; r++) {
        while (g.begin < g.end && !is_there(s->rate + r, g.begin))
            g.begin++;
        while (g.end > g.begin && !is_there(s->rate + r, g.end - 1))
            g.end--;
    }
    return g;
}

/* ---- windows ---------------------------------------------------------------
 */

/* The samples of a rate in a piece. */
typedef struct {
    int n;
    int *row;  /* of the piece */
    double *x; /* places of the lattice, from the first on */
} places;

static places new_places(size_t samples)
{
    return (places){0, darc_calloc(samples, sizeof(int)),
                    darc_calloc(samples, sizeof(double))};
}

static void clear_places(places *p)
{
    darc_free(p->row);
    darc_free(p->x);
}

static void list_places(places *p, const darc_weak *weak,
                        const darc_weak_piece *piece,
                        const darc_weak_rate *rate)
{
    double t0 =
        darc_table_time(weak->table, piece->begin + (size_t)weak->margin);
    p->n = 0;
    for (size_t t = piece->begin; t < piece->end; t++)
        if (is_there(rate, t)) {
            p->row[p->n] = (int)(t - piece->begin);
            p->x[p->n++] = (darc_table_time(weak->table, t) - t0) / weak->dt;
        }
}

/* Let *at be the sample before place l of the lattice; return the first of
 * those around it. */
static int first_node(const places *p, int *at, double l)
{
    while (*at + 2 < p->n && p->x[*at + 1] <= l)
        ++*at;
    int from = *at + 1 - DARC_LATTICE_NODES / 2;
    from = from + DARC_LATTICE_NODES > p->n ? p->n - DARC_LATTICE_NODES : from;
    return from < 0 ? 0 : from;
}

static int last_node(const places *p, int first)
{
    int last = first + DARC_LATTICE_NODES - 1;
    return last < p->n ? last : p->n - 1;
}

static void widen_window(darc_weak_window *w, int first, int last)
{
    int end = w->count > 0 ? w->first + w->count : 0;
    end = last + 1 > end ? last + 1 : end;
    w->first = first < w->first ? first : w->first;
    w->count = end - w->first;
}

/* Let the windows hold all samples of a rate that functions see. */
static void place_windows(darc_weak_window *window, const darc_weak *weak,
                          const places *p, int functions)
{
    for (int k = 0, a = 0, b = 0; k < functions; k++) {
        int first = first_node(p, &a, k * weak->step);
        int last = first_node(p, &b, k * weak->step + weak->support);
        widen_window(window + k, p->row[first], p->row[last_node(p, last)]);
    }
}

/* Set the windows of a piece; return the values that they hold. */
static size_t find_windows(darc_weak_window *window, places *p,
                           const darc_weak *weak, const darc_weak_piece *piece)
{
    size_t at = 0;
    for (int k = 0; k < piece->functions; k++)
        window[k] =
            (darc_weak_window){.first = (int)(piece->end - piece->begin)};
    for (int r = 0; r < weak->stamps->rates; r++) {
        list_places(p + r, weak, piece, weak->stamps->rate + r);
        assert(p[r].n > 0); /* a piece begins with a sample of each rate */
        place_windows(window, weak, p + r, piece->functions);
    }
    for (int k = 0; k < piece->functions; k++) {
        window[k].at = at;
        at += (size_t)window[k].count;
    }
    return at;
}

void darc_weak_stamps_widen(darc_weak *weak)
{
    if (weak->stamps == NULL)
        return;
    size_t most = (size_t)darc_weak_most_functions(weak);
    darc_weak_window *window = darc_calloc(most, sizeof *window);
    weak->wide = weak->support + 1;
    for (int i = 0; i < weak->pieces; i++) {
        const darc_weak_piece *piece = weak->piece + i;
        places p[DARC_WEAK_RATES] = {0};
        for (int r = 0; r < weak->stamps->rates; r++)
            p[r] = new_places(piece->end - piece->begin);
        find_windows(window, p, weak, piece);
        for (int k = 0; k < piece->functions; k++)
            weak->wide =
                window[k].count > weak->wide ? window[k].count : weak->wide;
        for (int r = 0; r < weak->stamps->rates; r++)
            clear_places(p + r);
    }
    darc_free(window);
}

/* ---- shapes ----------------------------------------------------------------
 */

/* Set w to the weights of the values at n places x of the polynomial through
 * them at l; return the sum of their absolute values. */
static double interpolate(double *w, const double *x, int n, double l)
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

/* Set w to weights of the nodes from `from` on, of those in the middle alone
 * where more would amplify noise; return how many nodes there are. */
static int weigh_nodes(double *w, const places *p, int from, int at, double l)
{
    int n = last_node(p, from) + 1 - from;
    for (int nodes = n; nodes > 2; nodes -= 2) {
        int first = at + 1 - nodes / 2;
        first = first < from ? from : first;
        first = first + nodes > from + n ? from + n - nodes : first;
        memset(w, 0, (size_t)n * sizeof *w);
        if (interpolate(w + first - from, p->x + first, nodes, l) <
            DARC_LATTICE_MOST)
            return n;
    }
    memset(w, 0, (size_t)n * sizeof *w);
    interpolate(w + at - from, p->x + at, 2, l);
    return n;
}

/* Add place l of the lattice, whose weights are w, to all functions. */
static void add_place(darc_weak_work *work, int rate, int l, const int *row,
                      const double *w, int nodes)
{
    const darc_weak *weak = work->weak;
    int k = l / weak->step;
    for (k = k < work->functions ? k : work->functions - 1;
         k >= 0 && l - k * weak->step <= weak->support; k--) {
        const darc_weak_window *window = work->window + k;
        size_t at = window->at - (size_t)window->first;
        for (int d = 0; d < weak->orders; d++) {
            double phi = weak->phi[d][l - k * weak->step];
            double *shape = work->shape[rate * weak->orders + d];
            for (int i = 0; i < nodes; i++)
                shape[at + (size_t)row[i]] += phi * w[i];
        }
    }
}

static void add_rate(darc_weak_work *work, int rate, const places *p)
{
    const darc_weak *weak = work->weak;
    int last = (work->functions - 1) * weak->step + weak->support;
    for (int l = 0, at = 0; l <= last; l++) {
        double w[DARC_LATTICE_NODES];
        int from = first_node(p, &at, l);
        int nodes = weigh_nodes(w, p, from, at, l);
        add_place(work, rate, l, p->row + from, w, nodes);
    }
}

void darc_weak_stamps_load(darc_weak_work *work)
{
    const darc_weak *weak = work->weak;
    places p[DARC_WEAK_RATES] = {0};
    for (int r = 0; r < weak->stamps->rates; r++)
        p[r] = new_places((size_t)work->samples);
    size_t n = find_windows(work->window, p, weak, weak->piece + work->piece);
    for (int d = 0; d < weak->shapes; d++) {
        if (n > work->window_room) {
            darc_free(work->shape[d]);
            work->shape[d] = darc_malloc(n * sizeof **work->shape);
        }
        memset(work->shape[d], 0, n * sizeof **work->shape);
    }
    work->window_room = n > work->window_room ? n : work->window_room;
    for (int r = 0; r < weak->stamps->rates; r++) {
        add_rate(work, r, p + r);
        clear_places(p + r);
    }
}
