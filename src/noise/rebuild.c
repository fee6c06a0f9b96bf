#include "noise/rebuild.h"

#include "base/mem.h"
#include "noise/limits.h"
#include "stats/columns.h"

#include <lapacke.h>
#include <math.h>
#include <string.h>

enum {
    CHAINS = DARC_REBUILD_CHAINS,
    LINKS = 4,                /* two poles one behind the other, a resonance */
    OWN = 1 + CHAINS * LINKS, /* the input itself, and what comes of it */
    MOST = 1 + DARC_REBUILD_INPUTS * OWN
};

typedef struct {
    const darc_rebuild_source *from;
    const double *const *signal;
    int count, terms;
    double keep[CHAINS];    /* of a low pass, from one sample to the next */
    double ring[CHAINS][2]; /* of a resonance, real and imaginary part */
    double gram[DARC_REBUILD_FOLDS][MOST * MOST];
    double **with;   /* products of signals and terms, by fold; count x MOST */
    double **weight; /* likewise */
    double x[MOST];  /* the terms at a sample */
} rebuilding;

size_t darc_rebuild_fold(const darc_table *table, int f)
{
    return table->samples * (size_t)f / DARC_REBUILD_FOLDS;
}

static int fold_of(const darc_table *table, size_t t)
{
    int f = 0;
    while (t >= darc_rebuild_fold(table, f + 1))
        f++;
    return f;
}

/* At the begin of a segment all has settled. */
static void begin_segment(rebuilding *b, size_t t)
{
    b->x[0] = 1;
    for (int i = 0; i < b->from->inputs; i++)
        for (int k = 0; k < OWN; k++)
            b->x[1 + i * OWN + k] =
                k > 0 && k % LINKS == 0 ? 0 : b->from->input[i][t];
}

/* One sample more of a chain that starts at y, its input `in`; w is a complex
 * number, and settles at its input. */
static void advance_chain(double *y, double in, double a, const double *w)
{
    for (int p = 0; p < 2; p++) {
        double was = y[p];
        y[p] = a * was + (1 - a) * in;
        in = p == 0 ? (was + y[0]) / 2 : in;
    }
    double re = y[2] - in, im = y[3];
    y[2] = in + w[0] * re - w[1] * im;
    y[3] = w[1] * re + w[0] * im;
}

static void step_chains(rebuilding *b, size_t t)
{
    for (int i = 0; i < b->from->inputs; i++) {
        double *own = b->x + 1 + i * OWN, before = *own;
        *own = b->from->input[i][t];
        for (int c = 0; c < CHAINS; c++)
            advance_chain(own + 1 + c * LINKS, (before + *own) / 2, b->keep[c],
                          b->ring[c]);
    }
}

static void learn(rebuilding *b, int fold, size_t t)
{
    double *g = b->gram[fold];
    for (int i = 0; i < b->terms; i++)
        for (int k = 0; k <= i; k++)
            g[i * MOST + k] += b->x[i] * b->x[k];
    for (int s = 0; s < b->count; s++)
        for (int i = 0; i < b->terms; i++)
            b->with[fold][s * MOST + i] += b->x[i] * b->signal[s][t];
}

/* Visit every sample; learn, or else write what the weights make of it. */
static void visit_samples(rebuilding *b, const darc_table *table,
                          double *const *out)
{
    size_t every = 1 + table->samples / DARC_REBUILD_SEEN;
    for (int i = 0; i < table->segments; i++) {
        darc_segment g = table->segment[i];
        begin_segment(b, g.begin);
        for (size_t t = g.begin; t < g.end; t++) {
            int fold = fold_of(table, t);
            step_chains(b, t);
            if (out == NULL && t % every == 0)
                learn(b, fold, t);
            for (int s = 0; s < b->count && out != NULL; s++) {
                out[s][t] = 0;
                for (int k = 0; k < b->terms; k++)
                    out[s][t] += b->weight[fold][s * MOST + k] * b->x[k];
            }
        }
    }
}

/* Set the weights of a fold to those that all others have. */
static void solve_fold(rebuilding *b, int fold, double ridge)
{
    int n = b->terms;
    double *g = darc_calloc((size_t)(n * n), sizeof *g), unit[MOST];
    double *w = darc_calloc((size_t)(n * b->count), sizeof *w);
    for (int f = 0; f < DARC_REBUILD_FOLDS; f++) {
        if (f == fold)
            continue;
        for (int i = 0; i < n; i++)
            for (int k = 0; k <= i; k++)
                g[i * n + k] += b->gram[f][i * MOST + k];
        for (int s = 0; s < b->count; s++)
            for (int i = 0; i < n; i++)
                w[s * n + i] += b->with[f][s * MOST + i];
    }
    for (int i = 0; i < n; i++)
        unit[i] = g[i * (n + 1)] > 0 ? 1 / sqrt(g[i * (n + 1)]) : 0;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k <= i; k++)
            g[i * n + k] *= unit[i] * unit[k];
        g[i * (n + 1)] = 1 + ridge;
        for (int s = 0; s < b->count; s++)
            w[s * n + i] *= unit[i];
    }
    if (LAPACKE_dposv(LAPACK_COL_MAJOR, 'U', n, b->count, g, n, w, n) != 0)
        memset(w, 0, (size_t)(n * b->count) * sizeof *w);
    for (int s = 0; s < b->count; s++)
        for (int i = 0; i < n; i++)
            b->weight[fold][s * MOST + i] = w[s * n + i] * unit[i];
    DARC_FREE(g, w);
}

static void set_chains(rebuilding *b)
{
    for (int c = 0; c < CHAINS; c++) {
        double tau = b->from->period * DARC_REBUILD_SHORTEST *
                     pow(DARC_REBUILD_RATIO, c);
        double fade = exp(-DARC_REBUILD_DAMPING / tau);
        b->keep[c] = exp(-1 / tau);
        b->ring[c][0] = fade * cos(1 / tau);
        b->ring[c][1] = fade * sin(1 / tau);
    }
}

/* Return the sum of squares of what x leaves of a signal. */
static double left_by(const double *x, const double *signal,
                      const darc_table *table)
{
    double sum = 0;
    for (int i = 0; i < table->segments; i++)
        for (size_t t = table->segment[i].begin; t < table->segment[i].end; t++)
            sum += (signal[t] - x[t]) * (signal[t] - x[t]);
    return sum;
}

/* Put into out what fits better there: signals rebuilt anew, by weights that
 * lean more or less towards 0.  Return whether one does. */
static bool improve(double *const *out, const double *const *signal, int count,
                    const darc_rebuild_source *from, const darc_table *table)
{
    static const double ridge[] = {DARC_REBUILD_RIDGES};
    size_t folds = DARC_REBUILD_FOLDS, size = table->samples;
    bool better = false;
    rebuilding *b = darc_calloc(1, sizeof *b);
    double **trial = darc_columns_new((size_t)count, size);
    b->from = from;
    b->signal = signal;
    b->count = count;
    b->terms = 1 + from->inputs * OWN;
    b->with = darc_columns_new(folds, (size_t)count * MOST);
    b->weight = darc_columns_new(folds, (size_t)count * MOST);
    set_chains(b);
    visit_samples(b, table, NULL);
    for (size_t i = 0; i < sizeof ridge / sizeof *ridge; i++) {
        for (int f = 0; f < DARC_REBUILD_FOLDS; f++)
            solve_fold(b, f, ridge[i]);
        visit_samples(b, table, trial);
        for (int s = 0; s < count; s++)
            if (left_by(trial[s], signal[s], table) <
                left_by(out[s], signal[s], table)) {
                memcpy(out[s], trial[s], size * sizeof *out[s]);
                better = true;
            }
    }
    darc_columns_free(b->with);
    darc_columns_free(b->weight);
    darc_columns_free(trial);
    darc_free(b);
    return better;
}

/* Append the squares and cubes of signals as inputs; they are owned. */
static int add_powers(darc_rebuild_source *to, double **own,
                      double *const *rebuilt, int count, size_t n)
{
    int added = 0;
    for (int i = 0; i < count; i++)
        for (int power = 2; power <= 3; power++) {
            if (to->inputs == DARC_REBUILD_INPUTS)
                return added;
            double *x = own[added++] = darc_malloc(n * sizeof *x);
            for (size_t t = 0; t < n; t++)
                x[t] = pow(rebuilt[i][t], power);
            to->input[to->inputs++] = x;
        }
    return added;
}

void darc_rebuild(double *const *out, const double *const *signal, int count,
                  const darc_rebuild_source *from, const darc_table *table)
{
    size_t n = table->samples;
    bool better =
        improve(out, signal, count, from, table) && n <= DARC_REBUILD_LONG;
    for (int pass = 0; pass < DARC_REBUILD_PASSES && better; pass++) {
        darc_rebuild_source more = *from;
        double *power[DARC_REBUILD_INPUTS];
        int powers = add_powers(&more, power, out, count, n);
        better = n > (size_t)(more.inputs * OWN) * DARC_REBUILD_PER_TERM &&
                 improve(out, signal, count, &more, table);
        for (int i = 0; i < powers; i++)
            darc_free(power[i]);
    }
}
