#include "terms/instruments.h"

#include "base/mem.h"
#include "model/model.h"
#include "noise/limits.h"
#include "noise/rebuild.h"
#include "stats/columns.h"
#include "stats/lanes.h"
#include "terms/thresholds.h"
#include "weak/origin.h"
#include "weak/piece.h"

#include <math.h>
#include <string.h>

/* Whether signal u is an input that shows no noise, or of which the user says
 * that it has none.  A staircase shows none, though a controller may have made
 * it of noise. */
static bool is_exact_input(const darc_offers *of, int u)
{
    const darc_regression *r = &of->f->r;
    const darc_signalnoise *n = r->noise + u;
    const double *given = of->x->by->noise_sd;
    if (r->column[u] < 0 || darc_derived_expr(of->x->model, u) != NULL ||
        of->x->io->jet->names->symbol[u].kind != DARC_INPUT)
        return false;
    if (given != NULL && given[u] == 0)
        return true;
    return n->colour != DARC_COLOUR_EXACT && r->edge[u] == NULL &&
           n->sd <= DARC_NOISE_CREDIBLE * n->rms &&
           n->beyond <= DARC_INSTRUMENT_BEYOND * n->rms;
}

/* Set value[u] to every signal as rebuilt, NULL where it stays as measured. */
static bool rebuild(double **value, const darc_offers *of)
{
    const darc_regression *r = &of->f->r;
    darc_rebuild_source from = {.period = of->f->weak->support / 2.0};
    size_t n = (size_t)r->unknowns, samples = of->table->samples;
    const double **signal = darc_calloc(n, sizeof *signal);
    double **out = darc_calloc(n, sizeof *out);
    int count = 0;
    for (int u = 0; u < r->unknowns; u++) {
        bool exact = is_exact_input(of, u);
        if (exact && from.inputs < DARC_REBUILD_INPUTS)
            from.input[from.inputs++] = r->signal[u].value;
        if (r->column[u] < 0 || exact)
            continue;
        signal[count] = r->signal[u].value;
        out[count++] = value[u] = darc_calloc(samples, sizeof **value);
    }
    if (from.inputs > 0)
        darc_rebuild(out, signal, count, &from, of->table);
    DARC_FREE(signal, out);
    return from.inputs > 0;
}

/* Where a sign is taken of a difference, take it of the rebuilt one. */
static void rebuild_signs(double **value, const darc_offers *of)
{
    int unknowns = of->f->r.unknowns;
    for (int i = 0; i < of->signs; i++) {
        const darc_candidate_factor *f = of->sign + i;
        const double *a = value[f->d.unknown], *b = NULL;
        double *to = darc_calloc(of->table->samples, sizeof *to);
        a = a != NULL ? a : of->signal[f->d.unknown].value;
        if (f->other >= 0)
            b = value[f->other] != NULL ? value[f->other]
                                        : of->signal[f->other].value;
        for (size_t t = 0; t < of->table->samples; t++)
            to[t] = a[t] - (b != NULL ? b[t] : 0);
        value[unknowns + i] = to;
    }
}

/* Return which test functions reach into two folds. */
static bool *find_torn(const darc_weak *weak)
{
    size_t i = 0, margin = (size_t)weak->margin, step = (size_t)weak->step;
    bool *torn = darc_calloc(weak->functions + 1, sizeof *torn);
    for (int p = 0; p < weak->pieces; p++)
        for (size_t k = 0; k < (size_t)weak->piece[p].functions; k++, i++) {
            size_t begin = weak->piece[p].begin + margin + k * step;
            size_t end = begin + (size_t)weak->support + margin;
            for (int f = 1; f < DARC_REBUILD_FOLDS; f++) {
                size_t fold = darc_rebuild_fold(weak->table, f);
                torn[i] = torn[i] || (begin < fold && fold <= end);
            }
        }
    return torn;
}

/* Set *out to the moments of signals that replace the measured ones. */
static darc_status take_moments(double **out, darc_instruments *z,
                                double *const *value, const darc_offers *of,
                                const darc_total_struct *const *total,
                                int smooth)
{
    const darc_regression *r = &of->f->r;
    int signals = r->unknowns + of->signs;
    darc_weak *weak;
    darc_weak_signal *signal = darc_calloc((size_t)signals, sizeof *signal);
    memcpy(signal, of->signal, (size_t)signals * sizeof *signal);
    for (int u = 0; u < signals; u++) {
        if (value == NULL || value[u] == NULL)
            continue;
        /* The same share of noise leads to the same test functions. */
        double was = darc_lanes_variance(signal[u].value, of->table);
        double is = darc_lanes_variance(value[u], of->table);
        signal[u].sd *= was > 0 ? sqrt(is / was) : 1;
        signal[u].value = value[u];
    }
    darc_weak_data data = {
        .table = of->table,
        .signal = signal,
        .channel = r->channel,
        .channels = r->channels,
        .steps = r->steps,
        .support = of->f->weak->support,
        .smooth = smooth,
        .threads = of->x->by->threads,
        .moments = true,
        .every = darc_weak_stride(of->f->weak,
                                  of->f->weak->pieces / DARC_MISSING_PIECES)};
    darc_status status = darc_weak_new(&weak, total, r->equations, &data, NULL);
    if (status == DARC_OK) {
        z->functions = weak->functions;
        z->equations = weak->equations;
        z->coeffs = weak->coeffs;
        for (int q = 0; q < weak->equations; q++)
            z->first[q] = weak->first[q];
        *out = darc_columns_all(weak);
        if (value != NULL)
            z->torn = find_torn(weak);
        darc_weak_free(weak);
    }
    darc_free(signal);
    return status;
}

void darc_instruments_init(darc_instruments *z, const darc_offers *of,
                           const darc_total_struct *const *total, int smooth)
{
    size_t signals = (size_t)(of->f->r.unknowns + of->signs), functions = 0;
    double **value = darc_calloc(signals, sizeof *value);
    bool ok = false;
    *z = (darc_instruments){0};
    z->first = darc_calloc((size_t)of->f->r.equations, sizeof *z->first);
    if (of->f->weak->margin == 0 &&
        of->table->samples <= DARC_INSTRUMENT_SAMPLES && rebuild(value, of)) {
        rebuild_signs(value, of);
        ok = take_moments(&z->x, z, NULL, of, total, smooth) == DARC_OK;
        functions = z->functions;
        ok = ok &&
             take_moments(&z->z, z, value, of, total, smooth) == DARC_OK &&
             z->functions == functions;
    }
    for (size_t u = 0; u < signals; u++)
        darc_free(value[u]);
    darc_free(value);
    if (!ok)
        darc_instruments_clear(z);
}

void darc_instruments_clear(darc_instruments *z)
{
    DARC_FREE(z->x, z->z, z->torn, z->first);
    *z = (darc_instruments){0};
}

/* Add column j of equation q. */
static void take_column(double *to, const double *from,
                        const darc_instruments *z, int q, int j)
{
    size_t e = (size_t)z->equations, rows = z->functions * e;
    for (size_t k = 0; k < z->functions; k++)
        to[k] += from[(size_t)j * rows + k * e + (size_t)q];
}

bool darc_instruments_test(darc_twostage *out, const darc_instruments *z,
                           const darc_fit *f, int q, int candidate)
{
    size_t n = z->functions;
    int own = f->r.total[q].coeffs, first = z->first[q];
    int reference = f->fit.reference[q] - f->weak->first[q] + first;
    int offset = darc_origin_offset(f->weak, q) - f->weak->first[q] + first;
    size_t terms = 0;
    double *y = darc_calloc(n, sizeof *y);
    double **x = darc_columns_new((size_t)own + 1, n);
    double **w = darc_columns_new((size_t)own + 1, n);
    for (int j = first; j <= first + own; j++) {
        bool last = j == first + own;
        if (!last && (f->r.settled[q] || j == reference)) {
            take_column(y, z->x, z, q, j);
            continue;
        }
        if (!last && j == offset) /* the test fits its own */
            continue;
        take_column(x[terms], z->x, z, q, last ? candidate : j);
        take_column(w[terms++], z->z, z, q, last ? candidate : j);
    }
    darc_twostage_task task = {n, (int)terms, y, *x, *w, z->torn};
    bool ok = darc_twostage_test(out, &task);
    darc_free(y);
    darc_columns_free(x);
    darc_columns_free(w);
    return ok;
}
