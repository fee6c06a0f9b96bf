/* drift_adjust.c - recordings at the covariates of the reference. */
#include "diagnose/drift_sequence.h"

#include "base/mem.h"

#include <math.h>
#include <string.h>

/* Return what the recording says at the covariates of the reference. */
static darc_estimates *adjust(const darc_estimates *e, const darc_sequence *s,
                              const darc_followed *f,
                              const darc_course_shift *by)
{
    int n = e->coeffs;
    darc_estimates *to = darc_malloc(sizeof *to);
    *to = *e;
    for (int bare = 0; bare < 1 + (e->bare != NULL); bare++) {
        double *c = darc_calloc((size_t)n, sizeof *c);
        double *v = darc_calloc((size_t)(n * n), sizeof *v);
        memcpy(c, bare ? e->bare : e->c, (size_t)n * sizeof *c);
        memcpy(v, bare ? e->bare_cov : e->cov, (size_t)(n * n) * sizeof *v);
        *(bare ? &to->bare : &to->c) = c;
        *(bare ? &to->bare_cov : &to->cov) = v;
        for (int k = 0; k < s->p; k++) {
            int j = f[s->which[k]].j;
            double factor = s->log[k] ? exp(-by->by[k]) : 1;
            c[j] = s->log[k] ? c[j] * factor
                             : c[j] - by->by[k] * f[s->which[k]].size;
            for (int l = 0; l < n; l++) {
                v[j * n + l] *= factor;
                v[l * n + j] *= factor;
            }
        }
        for (int k = 0; k < s->p; k++)
            for (int l = 0; l < s->p; l++) {
                const darc_followed *a = f + s->which[k], *b = f + s->which[l];
                v[a->j * n + b->j] += by->cov[k * s->p + l] *
                                      (s->log[k] ? c[a->j] : a->size) *
                                      (s->log[l] ? c[b->j] : b->size);
            }
    }
    return to;
}

void darc_drift_unadjust(darc_estimates *adjusted)
{
    if (adjusted == NULL)
        return;
    DARC_FREE(adjusted->c, adjusted->cov, adjusted->bare, adjusted->bare_cov,
              adjusted);
}

void darc_sequence_adjust(const darc_sequence *s, darc_drift *out,
                          const darc_course *c, const darc_followed *f,
                          darc_estimates **adjusted)
{
    size_t n = (size_t)s->n, p = (size_t)s->p;
    int reference = 0;
    while (reference < s->n && s->recording[reference] != out->reference)
        reference++;
    if (s->p == 0 || reference == s->n)
        return;
    double *by = darc_calloc(n * p * (p + 1), sizeof *by);
    darc_course_shift *shift = darc_calloc(n, sizeof *shift);
    for (size_t i = 0; i < n; i++) {
        double *own = by + i * p * (p + 1);
        shift[i] = (darc_course_shift){
            .of = (int)i, .from = reference, .by = own, .cov = own + p};
    }
    darc_course_shifts(&s->data, c, shift, s->n);
    for (int i = 0; i < s->n; i++) {
        int r = s->recording[i];
        if (i == reference || !shift[i].seen)
            continue;
        adjusted[r] = adjust(s->c->fit[r], s, f, shift + i);
        for (int k = 0; k < s->p; k++) {
            darc_drift_test *d = out->recording[r].test + s->which[k];
            d->shift = shift[i].by[k];
            d->shift_sd = sqrt(shift[i].cov[k * (s->p + 1)]);
        }
    }
    DARC_FREE(by, shift);
}
