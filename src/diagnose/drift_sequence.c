#include "diagnose/drift_sequence.h"

#include "base/mem.h"
#include "decide/reading.h"
#include "stats/columns.h"
#include "stats/sandwich.h"

#include <math.h>

bool darc_drift_is_told(const darc_drift_comparison *c, int i)
{
    bool told = true;
    for (int r = 0; r < c->covariates; r++)
        told = told && isfinite(c->covariate[i * c->covariates + r]);
    return told;
}

static const darc_change *change_of(const darc_drift *out,
                                    const darc_sequence *s, int i, int k)
{
    return out->recording[s->recording[i]].change + s->which[k];
}

/* Return whether recording r tells something of function j. */
static bool tells(const darc_drift *out, int r, int j)
{
    const darc_drift_test *t = out->recording[r].test + j;
    return r == out->reference ||
           (isfinite(t->log) && isfinite(t->log_sd) && t->log_sd > 0 &&
            isfinite(out->recording[r].change[j].value) &&
            isfinite(t->ignored));
}

/* The functions that at least half of the recordings tell something of, and the
 * recordings that do of all these. */
static void choose_functions(darc_sequence *s, const darc_drift *out)
{
    int n = 0;
    for (int i = 0; i < out->recordings; i++)
        if (out->recording[i].change != NULL && darc_drift_is_told(s->c, i) &&
            !s->c->fit[i]->coarse &&
            !darc_reading_is_useless(s->c->fit[i], NULL, 0))
            s->recording[n++] = i;
    for (int j = 0; j < out->functions; j++) {
        int count = 0;
        for (int i = 0; i < n; i++)
            count += tells(out, s->recording[i], j);
        if (2 * count >= n)
            s->which[s->p++] = j;
    }
    for (int i = 0; i < n; i++) {
        bool all = true;
        for (int k = 0; k < s->p; k++)
            all = all && tells(out, s->recording[i], s->which[k]);
        if (!all)
            continue;
        double dof = s->c->fit[s->recording[i]]->error_dof;
        s->error_dof = fmin(s->error_dof, dof);
        s->time[s->n] = s->recording[i];
        s->recording[s->n++] = s->recording[i];
    }
}

/* Logarithms where no recording comes near 0. */
static void set_values(darc_sequence *s, const darc_drift *out,
                       const darc_followed *f, int k)
{
    s->log[k] = !f[s->which[k]].vanishing;
    for (int i = 0; i < s->n; i++) {
        const darc_change *d = change_of(out, s, i, k);
        const darc_drift_recording *r = out->recording + s->recording[i];
        double first = change_of(out, s, 0, k)->value;
        s->log[k] = s->log[k] && d->value * first > 0 &&
                    fabs(d->value) > DARC_DRIFT_CLEAR * d->sd;
        s->ignored[k] = fmax(s->ignored[k], r->test[s->which[k]].ignored);
    }
    for (int i = 0; i < s->n; i++) {
        const darc_change *d = change_of(out, s, i, k);
        double scale = s->log[k] ? d->value : f[s->which[k]].size;
        s->scale[i * s->p + k] = scale;
        s->x[i * s->p + k] = s->log[k] ? log(fabs(d->value)) : d->value / scale;
        s->sd[i * s->p + k] = d->sd / fabs(scale);
    }
}

/* Set the covariates of the recordings, over their spread: those that are not
 * the same in all, and do not follow from the ones before. */
static void set_covariates(darc_sequence *s)
{
    int all = s->c->covariates, n = s->n;
    double *off = darc_calloc((size_t)(n * all) + 1, sizeof *off);
    for (int r = 0; r < all && n > 0; r++) {
        double mean = 0, spread = 0, left = 0, *own = off + s->q * n;
        for (int i = 0; i < n; i++)
            mean += s->c->covariate[s->recording[i] * all + r] / n;
        for (int i = 0; i < n; i++) {
            own[i] = s->c->covariate[s->recording[i] * all + r] - mean;
            spread = hypot(spread, own[i] / sqrt(n));
        }
        s->spread[s->q] = spread;
        s->kept[s->q] = r;
        for (int i = 0; i < n && spread > 0; i++)
            s->z[i * all + s->q] = own[i] /= spread;
        for (int k = 0; k < s->q; k++) {
            double along = 0, square = 0;
            for (int i = 0; i < n; i++) {
                along += own[i] * off[k * n + i];
                square += off[k * n + i] * off[k * n + i];
            }
            for (int i = 0; i < n; i++)
                own[i] -= along / square * off[k * n + i];
        }
        for (int i = 0; i < n; i++)
            left += own[i] * own[i] / n;
        s->q += spread > DARC_DRIFT_SPREAD * fabs(mean) &&
                left > DARC_DRIFT_APART * DARC_DRIFT_APART;
    }
    for (int i = 0; i < n; i++) /* rows of q */
        for (int r = 0; r < s->q; r++)
            s->z[i * s->q + r] = s->z[i * all + r];
    darc_free(off);
}

/* Set info (p x p) and score to what recording i says, relations of its
 * coefficients not imposed: they would leave it a range of its own. */
static void tell_recording(double *info, double *score, const darc_sequence *s,
                           const darc_followed *f, int i)
{
    const darc_estimates *e = s->c->fit[s->recording[i]];
    const double *cov = e->bare != NULL ? e->bare_cov : e->cov;
    const double *value = e->bare != NULL ? e->bare : e->c;
    const double *scale = s->scale + i * s->p;
    int p = s->p;
    double *v = darc_calloc((size_t)(p * p), sizeof *v);
    double *root = darc_calloc((size_t)(p * p), sizeof *root);
    for (int k = 0; k < p; k++)
        for (int l = 0; l < p; l++)
            v[k * p + l] =
                cov[f[s->which[k]].j * e->coeffs + f[s->which[l]].j] /
                (scale[k] * scale[l]);
    int rank = darc_whiten(root, v, p);
    for (int r = 0; r < rank; r++)
        for (int k = 0; k < p; k++)
            for (int l = 0; l < p; l++)
                info[k * p + l] += root[r * p + k] * root[r * p + l];
    for (int k = 0; k < p; k++)
        for (int l = 0; l < p; l++) {
            double off = value[f[s->which[l]].j] - e->c[f[s->which[l]].j];
            double x = s->x[i * p + l] - s->x[l] + off / scale[l];
            score[k] += info[k * p + l] * x;
        }
    DARC_FREE(v, root);
}

/* Set the data of the course. */
static void set_data(darc_sequence *s, const darc_followed *f)
{
    ptrdiff_t n = s->n, p = s->p;
    double *info, *score;
    DARC_CARVE({&info, n * p * p + 1}, {&score, n * p + 1});
    for (int i = 0; i < s->n; i++)
        tell_recording(info + i * p * p, score + i * p, s, f, i);
    s->data = (darc_course_data){.n = s->n,
                                 .p = s->p,
                                 .time = s->time,
                                 .info = info,
                                 .score = score,
                                 .error_dof = s->error_dof,
                                 .alpha = s->c->x->by->alpha,
                                 .lines = true,
                                 .covariates = s->q,
                                 .covariate = s->z};
}

void darc_sequence_open(darc_sequence *s, const darc_drift *out,
                        const darc_drift_comparison *c, const darc_followed *f)
{
    ptrdiff_t n = out->recordings, p = out->functions + 1;
    *s = (darc_sequence){.c = c, .all = f, .error_dof = HUGE_VAL};
    s->recording = darc_calloc((size_t)n, sizeof *s->recording);
    s->which = darc_calloc(2 * (size_t)p, sizeof *s->which);
    s->column = s->which + p;
    s->log = darc_calloc((size_t)p, sizeof *s->log);
    DARC_CARVE({&s->time, n}, {&s->x, n * p}, {&s->sd, n * p},
               {&s->scale, n * p}, {&s->z, n * c->covariates + 1},
               {&s->ignored, p});
    choose_functions(s, out);
    for (int k = 0; k < s->p; k++) {
        s->column[k] = f[s->which[k]].j;
        set_values(s, out, f, k);
    }
    set_covariates(s);
    set_data(s, f);
}

void darc_sequence_close(darc_sequence *s)
{
    DARC_FREE(s->recording, s->which, s->log, s->time, (void *)s->data.info);
}
