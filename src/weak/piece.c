#include "weak/piece.h"

#include "base/mem.h"
#include "stats/lanes.h"
#include "weak/smoother.h"
#include "weak/thresholds.h"

#include <math.h>
#include <string.h>

/* ---- room ------------------------------------------------------------------
 */

int darc_weak_channels(const darc_weak *weak)
{
    return weak->channels + weak->pairs;
}

/* Samples by which noise fields are longer than a piece. */
static size_t reach(const darc_weak *weak)
{
    return (size_t)(weak->left + weak->right);
}

size_t darc_weak_field(const darc_weak_work *work)
{
    return (size_t)work->samples + reach(work->weak);
}

static size_t longest_piece(const darc_weak *weak)
{
    size_t n = 0;
    for (int i = 0; i < weak->pieces; i++) {
        size_t m = weak->piece[i].end - weak->piece[i].begin;
        n = m > n ? m : n;
    }
    return n;
}

static int most_functions(const darc_weak *weak)
{
    int k = 0;
    for (int i = 0; i < weak->pieces; i++)
        k = weak->piece[i].functions > k ? weak->piece[i].functions : k;
    return k;
}

static double **pointers(int n)
{
    return darc_calloc((size_t)n + 1, sizeof(double *));
}

/* Return the room of a slot, made when first asked for. */
static double *room(double **slot, size_t n)
{
    if (*slot == NULL)
        *slot = darc_calloc(n, sizeof **slot);
    return *slot;
}

static void free_all(double **slot, int n)
{
    for (int i = 0; slot != NULL && i < n; i++)
        darc_free(slot[i]);
    darc_free(slot);
}

darc_weak_work *darc_weak_work_new(const darc_weak *weak)
{
    darc_weak_work *work = darc_calloc(1, sizeof *work);
    size_t n = longest_piece(weak);
    size_t rows = (size_t)most_functions(weak) * (size_t)weak->equations;
    int all = darc_weak_channels(weak), q = weak->equations;
    work->weak = weak;
    work->piece = work->partial = -1;
    work->capacity = n;
    for (int v = 0; v < weak->vars; v++)
        work->own[v] = darc_calloc(n, sizeof(double));
    for (int v = 0; v < weak->vars && !weak->linear; v++)
        work->calm[v] = darc_calloc(n, sizeof(double));
    for (int d = 0; d < weak->orders; d++)
        work->acc[d] = darc_calloc(n, sizeof(double));
    work->z = pointers(all);
    for (int c = 0; c < all; c++)
        work->z[c] = darc_calloc(n + reach(weak), sizeof(double));
    work->by = pointers(weak->groups * weak->vars);
    work->number = darc_calloc((size_t)(weak->groups * weak->vars) + 1,
                               sizeof *work->number);
    work->second = pointers(weak->groups * weak->pairs);
    work->s = pointers(q * weak->vars * weak->orders);
    work->s2 = pointers(q * weak->pairs * weak->orders);
    if (weak->kept == NULL)
        work->room = darc_calloc(rows * (size_t)weak->coeffs, sizeof(double));
    work->scratch = darc_calloc(3 * (n + reach(weak)), sizeof(double));
    work->band = ((weak->support + (int)reach(weak)) / weak->step + 1) * q - 1;
    if ((size_t)work->band >= rows)
        work->band = (int)rows - 1;
    return work;
}

void darc_weak_work_free(darc_weak_work *work)
{
    if (work == NULL)
        return;
    const darc_weak *weak = work->weak;
    for (int v = 0; v < weak->vars; v++) {
        darc_free(work->own[v]);
        darc_free(work->calm[v]);
    }
    for (int d = 0; d < weak->orders; d++)
        darc_free(work->acc[d]);
    free_all(work->z, darc_weak_channels(weak));
    free_all(work->by, weak->groups * weak->vars);
    free_all(work->second, weak->groups * weak->pairs);
    free_all(work->s, weak->equations * weak->vars * weak->orders);
    free_all(work->s2, weak->equations * weak->pairs * weak->orders);
    darc_free(work->number);
    darc_free(work->room);
    darc_free(work->scratch);
    darc_free(work->ab);
    darc_free(work);
}

/* ---- variables -------------------------------------------------------------
 */

/* Return the segment that sample t lies in. */
static const darc_segment *segment_of(const darc_table *table, size_t t)
{
    int low = 0, high = table->segments; /* it is one of low .. high - 1 */
    while (high - low > 1) {
        int middle = low + (high - low) / 2;
        if (table->segment[middle].begin <= t)
            low = middle;
        else
            high = middle;
    }
    return table->segment + low;
}

/* Set x to the sign of a derivative at samples begin .. begin + n - 1 of one
 * segment. */
static void load_sign(double *x, const darc_weak_var *var,
                      const darc_table *table, size_t begin, size_t n)
{
    enum { HALF = DARC_WEAK_SIGN_HALF };
    const darc_segment *s = segment_of(table, begin);
    size_t first = s->begin + HALF, last = begin + n;
    first = first < begin ? begin : first;
    last = last + HALF > s->end ? s->end - HALF : last;
    memset(x, 0, n * sizeof *x);
    if (s->end - s->begin <= 2 * HALF || first >= last)
        return;
    double *sum = x + (first - begin);
    for (size_t k = 0; k <= 2 * HALF; k++)
        darc_lanes_add(sum, var->sign[k], var->value + first + k - HALF,
                       last - first);
    for (size_t t = 0; t < last - first; t++)
        sum[t] = (double)((sum[t] > 0) - (sum[t] < 0));
}

static void load_variable(darc_weak_work *work, int v, size_t begin)
{
    const darc_weak_var *var = work->weak->var + v;
    const darc_table *table = work->weak->table;
    int n = work->samples, h = var->half;
    double *x = work->own[v];
    work->x[v] = x;
    if (var->value == NULL) {
        for (int t = 0; t < n; t++)
            x[t] = table->t0 + (double)(begin + (size_t)t) * table->dt;
    } else if (var->sign != NULL) {
        load_sign(x, var, table, begin, (size_t)n);
    } else if (var->weight == NULL && work->weak->linear) {
        work->x[v] = var->value + begin;
    } else if (var->weight == NULL) {
        memcpy(x, var->value + begin, (size_t)n * sizeof *x);
    } else {
        for (int t = 0; t < n; t++)
            x[t] = 1; /* no test function reaches the margin */
        if (n <= 2 * h)
            return;
        memset(x + h, 0, (size_t)(n - 2 * h) * sizeof *x);
        for (int s = -h; s <= h; s++)
            darc_lanes_add(x + h, var->weight[s + h],
                           var->value + begin + (size_t)(h + s),
                           (size_t)(n - 2 * h));
    }
}

/* Set calm[v] to the variable without what lies above the band of the test
 * functions: polynomials of degree 6, so that little else is changed.  Noisy
 * variables alone need it. */
static void calm_variable(darc_weak_work *work, int v)
{
    const darc_weak *weak = work->weak;
    int n = work->samples, h = (int)(DARC_WEAK_CALM * weak->step);
    double *to = work->calm[v];
    memcpy(to, work->x[v], (size_t)n * sizeof *to);
    if (weak->var[v].paths == 0 || weak->var[v].half > 0 || h < 4 || n <= 2 * h)
        return;
    double *weight = darc_calloc(2 * (size_t)h + 1, sizeof *weight);
    darc_smoother_weights(weight, h, 0, weak->table->dt);
    memset(to + h, 0, (size_t)(n - 2 * h) * sizeof *to);
    for (int s = -h; s <= h; s++)
        darc_lanes_add(to + h, weight[s + h], work->x[v] + h + s,
                       (size_t)(n - 2 * h));
    darc_free(weight);
}

/* ---- moments ---------------------------------------------------------------
 */

void darc_weak_project(const darc_weak_work *work, double *out, int d,
                       const double *f)
{
    const darc_weak *weak = work->weak;
    const double *g = f + weak->margin;
    size_t n = (size_t)weak->support + 1;
    for (int k = 0; k < work->functions; k++, g += weak->step)
        out[k * weak->equations] += darc_lanes_dot(weak->phi[d], g, n);
}

/* Return where the moments of a group begin in a rows x coeffs array. */
static double *moments_of(const darc_weak_work *work, double *w,
                          const darc_weak_group *group)
{
    return w + (size_t)group->coeff * (size_t)work->rows + group->equation;
}

/* A piece is loaded by one thread at a time. */
static void compute_moments(darc_weak_work *work, int piece)
{
    const darc_weak *weak = work->weak;
    size_t n = (size_t)work->rows * (size_t)weak->coeffs;
    double *w = work->room;
    if (weak->kept != NULL)
        w = weak->kept[piece] = darc_malloc(n * sizeof *w);
    memset(w, 0, n * sizeof *w);
    for (int g = 0; g < weak->groups; g++) {
        const darc_weak_group *group = weak->group + g;
        int v = darc_laurent_is_variable(&group->g);
        if (v < 0)
            darc_laurent_eval(work->scratch, &group->g, work->x,
                              (size_t)work->samples);
        darc_weak_project(work, moments_of(work, w, group), group->order,
                          v < 0 ? work->scratch : work->x[v]);
    }
    work->w = w;
}

void darc_weak_load(darc_weak_work *work, int piece)
{
    if (work->piece == piece)
        return;
    const darc_weak *weak = work->weak;
    const darc_weak_piece *p = weak->piece + piece;
    work->piece = piece;
    work->partial = -1;
    work->samples = (int)(p->end - p->begin);
    work->functions = p->functions;
    work->rows = p->functions * weak->equations;
    bool known = weak->kept != NULL && weak->kept[piece] != NULL;
    for (int v = 0; v < weak->vars; v++)
        load_variable(work, v, p->begin);
    if (known)
        work->w = weak->kept[piece];
    else
        compute_moments(work, piece);
    darc_table_done(weak->table, p->begin, p->end);
}

/* ---- partial derivatives ---------------------------------------------------
 */

static void load_second(darc_weak_work *work, int g, const double *const *x)
{
    const darc_weak *weak = work->weak;
    for (int p = 0; p < weak->pairs; p++) {
        int i = g * weak->pairs + p;
        darc_laurent second;
        darc_laurent_diff(&second, weak->group[g].by + weak->pair[p].v,
                          weak->pair[p].w);
        if (second.count > 0)
            darc_laurent_eval(room(work->second + i, work->capacity), &second,
                              x, (size_t)work->samples);
        darc_laurent_clear(&second);
    }
}

void darc_weak_load_partials(darc_weak_work *work)
{
    const darc_weak *weak = work->weak;
    const double *x[DARC_LAURENT_VARS] = {NULL};
    if (work->partial == work->piece)
        return;
    work->partial = work->piece;
    for (int v = 0; v < weak->vars; v++) {
        x[v] = work->x[v];
        if (weak->linear)
            continue;
        calm_variable(work, v);
        x[v] = work->calm[v];
    }
    for (int g = 0; g < weak->groups; g++) {
        for (int v = 0; v < weak->vars; v++) {
            int i = g * weak->vars + v;
            const darc_laurent *by = weak->group[g].by + v;
            if (weak->group[g].noisy[v] &&
                !darc_laurent_is_number(by, work->number + i))
                darc_laurent_eval(room(work->by + i, work->capacity), by, x,
                                  (size_t)work->samples);
        }
        load_second(work, g, x);
    }
}

/* s += c times a partial derivative: f, or a number where f is NULL. */
static void add_sensitivity(darc_weak_work *work, double **slot, double c,
                            const double *f, double number)
{
    double *s = room(slot, work->capacity);
    if (f != NULL)
        darc_lanes_add(s, c, f, (size_t)work->samples);
    else
        for (int t = 0; t < work->samples; t++)
            s[t] += c * number;
}

static void clear_slots(const darc_weak_work *work, double **slot, int n)
{
    for (int i = 0; i < n; i++)
        if (slot[i] != NULL)
            memset(slot[i], 0, (size_t)work->samples * sizeof **slot);
}

void darc_weak_at(darc_weak_work *work, const double *c)
{
    const darc_weak *weak = work->weak;
    clear_slots(work, work->s, weak->equations * weak->vars * weak->orders);
    clear_slots(work, work->s2, weak->equations * weak->pairs * weak->orders);
    for (int g = 0; g < weak->groups; g++) {
        const darc_weak_group *group = weak->group + g;
        double cj = c[group->coeff];
        for (int v = 0; v < weak->vars && cj != 0; v++) {
            int i = g * weak->vars + v;
            int at = (group->equation * weak->vars + v) * weak->orders;
            if (group->noisy[v])
                add_sensitivity(work, work->s + at + group->order, cj,
                                work->by[i], work->number[i]);
        }
        for (int p = 0; p < weak->pairs && cj != 0; p++) {
            const double *f = work->second[g * weak->pairs + p];
            int at = (group->equation * weak->pairs + p) * weak->orders;
            if (f != NULL)
                add_sensitivity(work, work->s2 + at + group->order,
                                cj * weak->pair[p].sd, f, 0);
        }
    }
}

/* ---- noise -----------------------------------------------------------------
 */

/* The transpose of a filter: out has room for its taps before and behind. */
static void scatter(double *out, const double *in, size_t n,
                    const darc_weak_filter *f)
{
    for (int i = 0; i < f->count; i++)
        darc_lanes_add(out + f->first + i, f->tap[i], in, n);
}

/* Add to z what f, n values from sample `begin` of the table on, is through
 * the transpose of the path; z and scratch have room for its reach. */
static void send_back(double *z, const double *f, size_t n,
                      const darc_weak_path *p, size_t begin, double *scratch)
{
    if (p->partial == NULL) {
        scatter(z, f, n, &p->pre);
        return;
    }
    size_t wide = n + (size_t)p->pre.count - 1;
    memset(scratch, 0, wide * sizeof *scratch);
    scatter(scratch - p->pre.first, f, n, &p->pre);
    const double *partial = p->partial + begin + p->pre.first;
    for (size_t t = 0; t < wide; t++) /* the margin keeps this inside */
        scratch[t] *= partial[t];
    scatter(z + p->pre.first, scratch, wide, &p->post);
}

/* Set b[i] = sum_d phi_k^(d)[i] s_d(t_k + i); return whether there is any. */
static bool weigh(const darc_weak_work *work, double *b, double *const *s,
                  int k)
{
    const darc_weak *weak = work->weak;
    int first = weak->margin + k * weak->step, n = weak->support + 1;
    bool any = false;
    memset(b, 0, (size_t)n * sizeof *b);
    for (int d = 0; d < weak->orders; d++) {
        if (s[d] == NULL)
            continue;
        any = true;
        const double *f = s[d] + first, *phi = weak->phi[d];
        for (int i = 0; i < n; i++)
            b[i] += phi[i] * f[i];
    }
    return any;
}

void darc_weak_row(darc_weak_work *work, int channel, int k, int q, double *row)
{
    const darc_weak *weak = work->weak;
    size_t n = (size_t)weak->support + 1;
    double *b = work->scratch, *between = work->scratch + n;
    size_t begin = weak->piece[work->piece < 0 ? 0 : work->piece].begin +
                   (size_t)(weak->margin + k * weak->step);
    memset(row, 0, (n + reach(weak)) * sizeof *row);
    if (channel >= weak->channels) {
        int p = channel - weak->channels;
        weigh(work, row + weak->left,
              work->s2 + (q * weak->pairs + p) * weak->orders, k);
        return;
    }
    for (int v = 0; v < weak->vars; v++) {
        const darc_weak_var *var = weak->var + v;
        bool weighed = false, any = false;
        for (int i = 0; i < var->paths; i++) {
            if (var->path[i].channel != channel)
                continue;
            if (!weighed)
                any = weigh(work, b,
                            work->s + (q * weak->vars + v) * weak->orders, k);
            weighed = true;
            if (any)
                send_back(row + weak->left, b, n, var->path + i, begin,
                          between);
        }
    }
}

static void accumulate(darc_weak_work *work, const double *x, int q)
{
    const darc_weak *weak = work->weak;
    for (int d = 0; d < weak->orders; d++) {
        memset(work->acc[d], 0, (size_t)work->samples * sizeof(double));
        for (int k = 0; k < work->functions; k++)
            darc_lanes_add(work->acc[d] + weak->margin + k * weak->step,
                           x[k * weak->equations + q], weak->phi[d],
                           (size_t)weak->support + 1);
    }
}

/* Set b to sum_d s_d acc_d; return whether there is any. */
static bool gather(darc_weak_work *work, double *b, double *const *s)
{
    bool any = false;
    memset(b, 0, (size_t)work->samples * sizeof *b);
    for (int d = 0; d < work->weak->orders; d++) {
        if (s[d] == NULL)
            continue;
        any = true;
        for (int t = 0; t < work->samples; t++)
            b[t] += s[d][t] * work->acc[d][t];
    }
    return any;
}

/* Inside the margin of a piece a path may look beyond its segment, where the
 * columns of partials still are: only what test functions see counts. */
static void adjoint_of(darc_weak_work *work, int q)
{
    const darc_weak *weak = work->weak;
    size_t m = (size_t)weak->margin, n = (size_t)work->samples;
    size_t begin = weak->piece[work->piece].begin + m;
    double *b = work->scratch, *between = work->scratch + n;
    for (int v = 0; v < weak->vars; v++) {
        const darc_weak_var *var = weak->var + v;
        if (var->paths == 0 ||
            !gather(work, b, work->s + (q * weak->vars + v) * weak->orders))
            continue;
        for (int i = 0; i < var->paths; i++)
            send_back(work->z[var->path[i].channel] + weak->left + m, b + m,
                      n - 2 * m, var->path + i, begin, between);
    }
    for (int p = 0; p < weak->pairs; p++)
        if (gather(work, b, work->s2 + (q * weak->pairs + p) * weak->orders))
            darc_lanes_add(work->z[weak->channels + p] + weak->left, 1, b, n);
}

void darc_weak_adjoint(darc_weak_work *work, const double *x)
{
    const darc_weak *weak = work->weak;
    size_t n = darc_weak_field(work);
    for (int c = 0; c < darc_weak_channels(weak); c++)
        memset(work->z[c], 0, n * sizeof(double));
    for (int q = 0; q < weak->equations; q++) {
        accumulate(work, x, q);
        adjoint_of(work, q);
    }
}

/* out += in through the filter, n values. */
static void collect(double *out, const double *in, size_t n,
                    const darc_weak_filter *f)
{
    for (int i = 0; i < f->count; i++)
        darc_lanes_add(out, f->tap[i], in + f->first + i, n);
}

/* Set f, samples margin .. samples - margin - 1 of the piece, to the noise of
 * variable v under the fields z. */
static void variable_noise(darc_weak_work *work, double *f, int v)
{
    const darc_weak *weak = work->weak;
    const darc_weak_var *var = weak->var + v;
    size_t m = (size_t)weak->margin, n = (size_t)work->samples - 2 * m;
    double *between = work->scratch + work->capacity;
    memset(f, 0, (size_t)work->samples * sizeof *f);
    for (int i = 0; i < var->paths; i++) {
        const darc_weak_path *p = var->path + i;
        const double *z = work->z[p->channel] + weak->left + m;
        if (p->partial == NULL) {
            collect(f + m, z, n, &p->pre);
            continue;
        }
        size_t wide = n + (size_t)p->pre.count - 1;
        const double *partial =
            p->partial + weak->piece[work->piece].begin + m + p->pre.first;
        memset(between, 0, wide * sizeof *between);
        collect(between, z + p->pre.first, wide, &p->post);
        for (size_t t = 0; t < wide; t++)
            between[t] *= partial[t];
        collect(f + m, between - p->pre.first, n, &p->pre);
    }
}

void darc_weak_forward(darc_weak_work *work, double *out)
{
    const darc_weak *weak = work->weak;
    size_t n = (size_t)work->samples;
    double *noise = work->scratch;
    double *f = work->scratch + 2 * (work->capacity + reach(weak));
    memset(out, 0, (size_t)work->rows * (size_t)weak->coeffs * sizeof *out);
    for (int v = 0; v < weak->vars; v++) {
        if (weak->var[v].paths == 0)
            continue;
        variable_noise(work, noise, v);
        for (int g = 0; g < weak->groups; g++) {
            const darc_weak_group *group = weak->group + g;
            const double *by = work->by[g * weak->vars + v];
            double number = work->number[g * weak->vars + v];
            if (!group->noisy[v])
                continue;
            for (size_t t = 0; t < n; t++)
                f[t] = noise[t] * (by != NULL ? by[t] : number);
            darc_weak_project(work, moments_of(work, out, group), group->order,
                              f);
        }
    }
}
