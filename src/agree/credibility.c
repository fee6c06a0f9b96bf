#include "agree/credibility.h"

#include "agree/measures.h"
#include "agree/runs.h"
#include "agree/spectrum.h"
#include "agree/thresholds.h"
#include "base/mem.h"
#include "base/text.h"

#include <assert.h>
#include <errno.h>
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
    darc_text_t path = DARC_TEXT;
    darc_text_beside(path, s->file, series, (size_t)(colon - series));
    const char *want[] = {colon + 1};
    darc_load_options o;
    darc_load_options_init(&o);
    o.wanted = 1;
    o.want = want;
    o.rate = rate;
    darc_status status = darc_table_load(t, path->s, &o, err);
    darc_text_clear(path);
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
    darc_status status = DARC_OK;
    darc_aligned a;
    DARC_NEED(darc_aligned_init(&a, table, 2, name, 1, err));
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

/* Set *similarity of the factor, 0 .. 1, from its series; failures have the
 * place of the evidence. */
static darc_status similarity_of(double *similarity, const darc_factor *f,
                                 const darc_factor_space *s, darc_err *err)
{
    darc_status status;
    darc_table *table[2] = {NULL, NULL};
    darc_err inner = {DARC_OK, ""};
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
    DARC_EACH(darc_table_free, table[0], table[1]);
    return status;
}

double darc_credibility_transform(double g, double gth, double cth)
{
    assert(g >= 0 && g <= 1 && gth > 0 && gth < 1);
    if (g < gth)
        return cth * g / gth;
    return (1 - cth) / (1 - gth) * (g - gth) + cth;
}

/* Factors are settled in the order of their dependence. */
typedef enum { OPEN, UNDER_WAY, SETTLED } progress;

typedef struct {
    darc_factor_space *s;
    progress *state; /* of every factor */
} work;

/* Find similarity and credibility of factor i; -1: there is none. */
static darc_status settle_factor(work *w, int i, darc_err *err);

static double threshold_of(const darc_factor_space *s, const darc_factor *f)
{
    return isnan(f->accept) ? s->credibility : f->accept;
}

/* Whether the link's condition holds, whose factor is settled. */
static bool condition_holds(const darc_factor_space *s,
                            const darc_factor_link *l)
{
    return l->condition < 0 || s->factor[l->condition].acceptable ==
                                   (l->unless ? DARC_FALSE : DARC_TRUE);
}

/* What the links of each kind say about a factor without evidence. */
typedef struct {
    double sum, weight; /* compose: weighted sum and weights */
    double least;       /* derive, inherit */
    double substitute;  /* the first one known, else NAN */
    bool unknown;       /* some factor it depends on is not known */
    bool any;
} findings;

static void add_finding(findings *v, const darc_factor_link *l, double c)
{
    if (l->kind == DARC_LINK_SUBSTITUTE) {
        v->substitute = isnan(v->substitute) ? c : v->substitute;
        return;
    }
    v->any = true;
    v->unknown |= isnan(c);
    if (l->kind == DARC_LINK_COMPOSE) {
        v->sum += l->weight * c;
        v->weight += l->weight;
    } else {
        v->least = fmin(v->least, c);
    }
}

static darc_status from_links(work *w, int i, darc_err *err)
{
    darc_factor_space *s = w->s;
    findings v = {.least = HUGE_VAL, .substitute = NAN};
    for (int k = 0; k < s->links; k++) {
        const darc_factor_link *l = &s->link[k];
        if (l->parent != i || l->kind == DARC_LINK_SURPASS ||
            l->kind == DARC_LINK_CONTRADICT)
            continue;
        DARC_NEED(settle_factor(w, l->condition, err));
        if (!condition_holds(s, l))
            continue;
        DARC_NEED(settle_factor(w, l->child, err));
        add_finding(&v, l, s->factor[l->child].credibility);
    }
    double c = NAN;
    if (v.any && !v.unknown)
        c = v.weight > 0 ? fmin(v.least, v.sum / v.weight) : v.least;
    s->factor[i].credibility = isnan(c) ? v.substitute : c;
    return DARC_OK;
}

/* Links that outrank what the factor itself says. */
static darc_status apply_surpass(work *w, int i, darc_err *err)
{
    darc_factor_space *s = w->s;
    for (int k = 0; k < s->links; k++) {
        const darc_factor_link *l = &s->link[k];
        if (l->parent != i || l->kind != DARC_LINK_SURPASS)
            continue;
        DARC_NEED(settle_factor(w, l->condition, err));
        bool active = condition_holds(s, l);
        DARC_NEED(settle_factor(w, l->child, err));
        const darc_factor *child = &s->factor[l->child];
        double limit =
            isnan(l->threshold) ? threshold_of(s, child) : l->threshold;
        if (active && child->credibility < limit)
            s->factor[i].acceptable = DARC_FALSE;
    }
    return DARC_OK;
}

static darc_status settle_factor(work *w, int i, darc_err *err)
{
    if (i < 0 || w->state[i] == SETTLED)
        return DARC_OK;
    darc_factor_space *s = w->s;
    darc_factor *f = &s->factor[i];
    if (w->state[i] == UNDER_WAY)
        return darc_fail(err, DARC_MODEL,
                         "%s:1:1: error: '%s' depends on itself: an iterated "
                         "factor needs evidence of its own",
                         s->file, f->name);
    w->state[i] = UNDER_WAY;
    if (f->evidence == DARC_EVIDENCE_NONE) {
        DARC_NEED(from_links(w, i, err));
    } else if (f->evidence == DARC_EVIDENCE_GRADE) {
        f->credibility = f->given;
    } else {
        f->similarity = f->given;
        if (f->evidence != DARC_EVIDENCE_SIMILARITY)
            DARC_NEED(similarity_of(&f->similarity, f, s, err));
        f->credibility = darc_credibility_transform(
            f->similarity, s->similarity, s->credibility);
    }
    f->acceptable = isnan(f->credibility)                  ? DARC_UNKNOWN
                    : f->credibility >= threshold_of(s, f) ? DARC_TRUE
                                                           : DARC_FALSE;
    /* From here on cycles through this factor end here. */
    w->state[i] = SETTLED;
    return apply_surpass(w, i, err);
}

/* Mark factor i, which is not acceptable, and what lies below it. */
static void trace(darc_factor_space *s, int i)
{
    darc_factor *f = &s->factor[i];
    bool leaf = true, all_pass = true;
    f->defect = true;
    for (int k = 0; k < s->links; k++) {
        const darc_factor_link *l = &s->link[k];
        if (l->parent != i || l->kind == DARC_LINK_CONTRADICT ||
            !condition_holds(s, l))
            continue;
        leaf = false;
        all_pass &= s->factor[l->child].acceptable == DARC_TRUE;
        if (s->factor[l->child].acceptable == DARC_FALSE &&
            !s->factor[l->child].defect)
            trace(s, l->child);
    }
    f->origin = leaf;
    f->stricter = !leaf && all_pass;
}

darc_status darc_credibility_assess(darc_factor_space *s, darc_err *err)
{
    darc_status status = DARC_OK;
    work w = {s, darc_calloc((size_t)s->factors, sizeof *w.state)};
    for (int i = 0; i < s->factors; i++)
        DARC_TRY(settle_factor(&w, i, err));
    for (int k = 0; k < s->links; k++) { /* both sides cannot be credible */
        const darc_factor_link *l = &s->link[k];
        if (l->kind == DARC_LINK_CONTRADICT && condition_holds(s, l) &&
            s->factor[l->parent].acceptable == DARC_TRUE &&
            s->factor[l->child].acceptable == DARC_TRUE)
            s->factor[l->parent].acceptable = DARC_FALSE;
    }
    for (int i = 0; i < s->factors; i++)
        if (s->factor[i].role == DARC_FACTOR_OUTPUT &&
            s->factor[i].acceptable == DARC_FALSE)
            trace(s, i);
done:
    darc_free(w.state);
    return status;
}

darc_truth darc_credibility_verdict(const darc_factor_space *s)
{
    darc_truth all = DARC_TRUE;
    for (int i = 0; i < s->factors; i++) {
        if (s->factor[i].role != DARC_FACTOR_OUTPUT)
            continue;
        if (s->factor[i].acceptable == DARC_FALSE)
            return DARC_FALSE;
        if (s->factor[i].acceptable == DARC_UNKNOWN)
            all = DARC_UNKNOWN;
    }
    return all;
}

darc_status darc_credibility_read(darc_factor_space *s, const char *file,
                                  darc_err *err)
{
    darc_status status = DARC_OK;
    bool own = strcmp(file, "-") != 0;
    char *text = darc_malloc(DARC_FACTOR_BYTES + 1);
    FILE *f = own ? fopen(file, "rb") : stdin;
    if (f == NULL) {
        darc_free(text);
        return darc_fail(err, DARC_IO, "%s: error: cannot open: %s", file,
                         strerror(errno));
    }
    size_t n = fread(text, 1, DARC_FACTOR_BYTES + 1, f);
    bool failed = ferror(f) != 0;
    if (own)
        fclose(f);
    if (failed)
        status = darc_fail(err, DARC_IO, "%s: error: cannot read", file);
    else if (n > DARC_FACTOR_BYTES)
        status = darc_fail(err, DARC_LIMIT, "%s: error: more than %d bytes",
                           file, DARC_FACTOR_BYTES);
    else
        status = darc_credibility_parse(s, text, n, file, err);
    darc_free(text);
    return status;
}
