#include "agree/evidence.h"

#include "agree/align.h"
#include "agree/grey.h"
#include "agree/interval.h"
#include "agree/spectrum.h"
#include "agree/theil.h"
#include "agree/thresholds.h"
#include "base/mem.h"

#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Load "FILE:COLUMN", FILE relative to the factor file, as signal "value". */
static darc_status load_series(darc_table **t, const char *series, double rate,
                               const darc_factor *f, const darc_factor_space *s,
                               darc_err *err)
{
    const char *colon = strrchr(series, ':');
    if (colon == NULL || colon == series || colon[1] == '\0')
        return darc_fail(err, DARC_MODEL,
                         "%s:%zu:1: error: expected \"FILE:COLUMN\", not "
                         "\"%s\"",
                         s->file, f->line, series);
    const char *slash = strrchr(s->file, '/');
    size_t dir =
        slash != NULL && series[0] != '/' ? (size_t)(slash - s->file) + 1 : 0;
    size_t size = dir + (size_t)(colon - series) + 1;
    char *path = darc_malloc(size);
    snprintf(path, size, "%.*s%.*s", (int)dir, s->file, (int)(colon - series),
             series);
    const char *want[] = {colon + 1};
    darc_load_options o;
    darc_load_options_init(&o);
    o.wanted = 1;
    o.want = want;
    o.rate = rate;
    darc_status status = darc_table_load(t, path, &o, err);
    darc_free(path);
    if (status == DARC_OK) {
        darc_free((*t)->signal[0].name);
        (*t)->signal[0].name = darc_strdup("value");
    }
    return status;
}

/* One minus the share of the half width that the difference takes up; 0
 * where zero lies outside. */
static darc_status by_ttest(double *similarity, const darc_table *r,
                            const darc_table *s, double level, darc_err *err)
{
    darc_interval v;
    assert(r != NULL && s != NULL);
    DARC_NEED(darc_interval_welch(
        &v, (darc_runs){r->signal[0].value, r->samples},
        (darc_runs){s->signal[0].value, s->samples}, level, 0, err));
    double half = (v.high - v.low) / 2, used = fabs(v.difference);
    *similarity = used == 0 ? 1 : used >= half ? 0 : 1 - used / half;
    return DARC_OK;
}

/* The same for the worst band of the spectra, in logarithms. */
static darc_status by_ftest(double *similarity, const darc_aligned *a,
                            double level, darc_err *err)
{
    darc_spectra v;
    if (a->dt == 0)
        return darc_fail(err, DARC_DATA, "spectra need uniform times");
    DARC_NEED(darc_spectra_set(
        &v, &(darc_matched){a->value[0], a->value[1], a->samples, a->dt}, level,
        err));
    *similarity = 1;
    for (int k = 0; k < v.bands; k++) {
        const darc_band *b = &v.band[k];
        double edge = b->ratio > 1 ? b->ratio_low : b->ratio_high;
        double used = b->accepted && b->ratio != 1
                          ? log(b->ratio) / log(b->ratio / edge)
                      : b->accepted ? 0
                                    : 1;
        *similarity = fmin(*similarity, fmax(0, 1 - used));
    }
    return DARC_OK;
}

static darc_status by_series(double *similarity, const darc_factor *f,
                             const darc_table *const *table, double level,
                             darc_err *err)
{
    static const char *const name[] = {"value"};
    darc_aligned a;
    darc_status status = darc_aligned_init(&a, table, 2, name, 1, err);
    if (status != DARC_OK)
        return status;
    const double *r = a.value[0], *s = a.value[1];
    if (f->evidence == DARC_EVIDENCE_GREY)
        *similarity = darc_grey_degree(r, s, a.samples, DARC_LAMBDA).degree;
    else if (f->evidence == DARC_EVIDENCE_THEIL)
        *similarity = 1 - darc_theil_classical(r, s, a.samples);
    else
        status = by_ftest(similarity, &a, level, err);
    darc_aligned_clear(&a);
    return status;
}

darc_status darc_evidence_similarity(double *similarity, const darc_factor *f,
                                     const darc_factor_space *s, darc_err *err)
{
    darc_status status;
    darc_table *table[2] = {NULL, NULL};
    darc_err inner;
    darc_err_init(&inner);
    bool runs = f->evidence == DARC_EVIDENCE_TTEST;
    double rate = runs ? 1 : s->rate;
    DARC_TRY(load_series(&table[0], f->reference, rate, f, s, err));
    DARC_TRY(load_series(&table[1], f->simulation, rate, f, s, err));
    status = runs ? by_ttest(similarity, table[0], table[1], s->level, &inner)
                  : by_series(similarity, f, (const darc_table *const *)table,
                              s->level, &inner);
    if (status != DARC_OK)
        darc_fail(err, status, "%s:%zu:1: error: %s: %s", s->file, f->line,
                  f->name, inner.message);
done:
    darc_table_free(table[0]);
    darc_table_free(table[1]);
    return status;
}
