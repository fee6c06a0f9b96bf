#include "decide/along.h"

#include "base/mem.h"
#include "weak/columns.h"

#include <math.h>
#include <string.h>

/* Sums over all functions. */
typedef struct {
    const double *c;
    double *term;  /* of the squares of c_j w_j; owned */
    double *terms; /* by equation, of the squares of sum_j |c_j w_j|;
                      owned */
    double *e;     /* rows of a piece; owned */
    double *bar;   /* standard deviations of these; owned */
} walk;

static void open_along(darc_along *a, const darc_weak *weak)
{
    size_t n = weak->functions;
    *a = (darc_along){.equations = weak->equations};
    a->series = darc_calloc((size_t)a->equations, sizeof *a->series);
    a->summary = darc_calloc((size_t)a->equations, sizeof *a->summary);
    for (int q = 0; q < a->equations; q++)
        a->series[q] =
            (darc_residual_series){.time = darc_calloc(n, sizeof(double)),
                                   .value = darc_calloc(n, sizeof(double)),
                                   .bar = darc_calloc(n, sizeof(double)),
                                   .margin = darc_calloc(n, sizeof(double))};
}

/* Add row i of the piece that is loaded, of equation q. */
static void add_row(darc_along *a, walk *s, const darc_weak_work *work, int i)
{
    const darc_weak *weak = work->weak;
    int q = i % weak->equations, at = i / weak->equations, rows = work->rows;
    darc_residual_series *to = a->series + q;
    double sum = 0;
    for (int j = weak->first[q]; j < weak->first[q + 1]; j++) {
        double x = s->c[j] * work->w[j * rows + i];
        s->term[j] += x * x;
        sum += fabs(x);
    }
    s->terms[q] += sum * sum;
    double sample = (double)weak->piece[work->piece].begin + weak->margin +
                    (double)at * weak->step + weak->support / 2.0;
    to->time[to->count] = darc_table_time(weak->table, (size_t)sample);
    to->value[to->count] = s->e[i];
    to->bar[to->count] = s->bar[i];
    to->margin[to->count++] = NAN;
}

/* Set the standard deviations of the rows of the piece that is loaded. */
static void set_bars(walk *s, darc_weak_work *work)
{
    darc_weak_load_partials(work);
    darc_weak_at(work, s->c);
    darc_weak_covariance(work);
    for (int i = 0; i < work->rows; i++)
        s->bar[i] = sqrt(work->ab[i * (work->band + 1)]);
}

/* Divide by the largest term, and sum up. */
static void scale(darc_along *a, const walk *s, const darc_weak *weak, int q)
{
    darc_residual_series *x = a->series + q;
    darc_residual_summary *to = a->summary + q;
    double lead = 0, squares = 0, n = (double)x->count;
    for (int j = weak->first[q]; j < weak->first[q + 1]; j++)
        lead = fmax(lead, sqrt(s->term[j] / n));
    for (size_t k = 0; k < x->count; k++) {
        x->value[k] /= lead;
        x->bar[k] /= lead;
        squares += x->value[k] * x->value[k];
        to->max = fmax(to->max, fabs(x->value[k]));
    }
    to->rms = sqrt(squares / n);
    to->relative_rms = to->rms * lead / sqrt(s->terms[q] / n);
    strcpy(to->unit, "of the largest term");
}

darc_status darc_along_init(darc_along *a, const darc_weak *weak,
                            const double *c, const darc_budget *budget,
                            darc_err *err)
{
    darc_status status = DARC_OK;
    darc_weak_work *work = darc_weak_work_new(weak);
    int e = weak->equations, most = darc_weak_most_functions(weak) * e;
    bool same = weak->linear && weak->stamps == NULL;
    int known = 0; /* rows */
    walk s = {.c = c};
    s.term = darc_calloc((size_t)weak->coeffs, sizeof *s.term);
    s.terms = darc_calloc((size_t)e, sizeof *s.terms);
    s.e = darc_calloc((size_t)most, sizeof *s.e);
    s.bar = darc_calloc((size_t)most, sizeof *s.bar);
    open_along(a, weak);
    for (int p = 0; p < weak->pieces && status == DARC_OK; p++) {
        darc_weak_load(work, p);
        darc_columns_combine(work, s.e, work->w, c);
        if (!same || known < work->rows)
            set_bars(&s, work);
        known = work->rows > known ? work->rows : known;
        for (int i = 0; i < work->rows; i++)
            add_row(a, &s, work, i);
        status = darc_budget_check(budget, err);
    }
    for (int q = 0; q < e; q++)
        scale(a, &s, weak, q);
    darc_weak_work_free(work);
    darc_free(s.term);
    darc_free(s.terms);
    darc_free(s.e);
    darc_free(s.bar);
    if (status != DARC_OK)
        darc_along_clear(a);
    return status;
}

void darc_along_clear(darc_along *a)
{
    for (int q = 0; q < a->equations; q++) {
        darc_free(a->series[q].time);
        darc_free(a->series[q].value);
        darc_free(a->series[q].bar);
        darc_free(a->series[q].margin);
    }
    darc_free(a->series);
    darc_free(a->summary);
    *a = (darc_along){0};
}
