#include "trajectory/compare.h"

#include "base/mem.h"
#include "decide/thresholds.h"
#include "stats/columns.h"
#include "stats/dense.h"
#include "stats/stats.h"

#include <math.h>
#include <string.h>

/* From x's match to one for each recording. */
static void part_all(darc_comparing *c, darc_trajectory *x)
{
    int p = x->flow.params;
    bool *all = darc_malloc((size_t)(p + 1) * sizeof *all);
    DARC_FILL(all, p, true);
    darc_match_init(&c->apart, &x->flow, x->run, x->runs, all,
                    x->question->budget);
    darc_free(all);
    darc_match_set(&c->apart, &x->match);
    for (int j = 0; j < x->flow.outputs; j++)
        x->sought.level[j].most = DARC_LEVEL_APART;
}

/* Set best, which is empty, to the match where some may differ: from that of x,
 * from each recording by itself. */
static darc_status match_some(darc_match *best, const darc_comparing *c,
                              const darc_trajectory *x, const bool *may,
                              darc_err *err)
{
    int p = x->flow.params;
    darc_status status = DARC_OK;
    best->square = HUGE_VAL;
    for (int from = -1; from < x->runs && from < DARC_COMPARE_STARTS; from++) {
        darc_match some;
        darc_match_init(&some, (darc_flow *)&x->flow, x->run, x->runs, may,
                        x->question->budget);
        darc_match_set(&some, from < 0 ? &x->match : &c->apart);
        for (int k = 0; k < p && from >= 0; k++)
            if (may == NULL || !may[k])
                some.theta[some.place[k]] =
                    c->apart.theta[c->apart.place[from * p + k]];
        status = darc_match_run(&some, DARC_SEEK_LAST, false, err);
        if (status == DARC_OK && (from < 0 || some.square < best->square))
            darc_match_swap(best, &some);
        darc_match_clear(&some);
        if (status != DARC_OK)
            break;
    }
    return status;
}

darc_status darc_comparing_ask(darc_comparing *c, darc_trajectory *x,
                               const bool *may, darc_err *err)
{
    darc_match some = {.flow = NULL};
    darc_status status = match_some(&some, c, x, may, err);
    if (some.flow == NULL)
        return status;
    if (some.square < c->apart.square) {
        darc_match_set(&c->apart, &some);
        DARC_THEN(darc_match_run(&c->apart, DARC_SEEK_LAST, false, err));
    }
    double rank = darc_match_rank(&c->apart);
    c->dof = (int)(rank - darc_match_rank(&some));
    c->statistic = fmax(some.square - c->apart.square, 0);
    c->p_value = c->dof > 0 ? darc_stats_squares_sf(c->statistic / x->scale,
                                                    c->dof, x->dof)
                            : NAN;
    c->statistic /= x->scale;
    c->settled = some.settled && c->apart.settled;
    c->moves = c->moves_most = HUGE_VAL;
    darc_match_clear(&x->match);
    x->match = some;
    return status;
}

/* Set what each parameter differs by; covariances are those of the recordings,
 * each by itself. */
static void list_differing(darc_comparing *c, darc_trajectory *x)
{
    int p = x->flow.params, runs = x->runs;
    darc_linear_match l;
    darc_free(c->differing);
    c->differing = darc_calloc((size_t)(runs * p) + 1, sizeof *c->differing);
    if (!darc_linear_match_init(&l, &c->apart)) {
        darc_linear_match_clear(&l);
        return;
    }
    for (int i = 0; i < runs * p; i++) {
        int at = c->apart.place[i];
        darc_differing *d = c->differing + i;
        double variance = l.inverse[at * l.columns + at] * x->scale;
        *d = (darc_differing){.param = i % p,
                              .run = i / p,
                              .value = c->apart.theta[at],
                              .sd = sqrt(variance),
                              .detectable = HUGE_VAL};
        d->known = l.unseen[at] < DARC_LINEAR_UNSEEN && variance > 0;
    }
    for (int k = 0; k < p; k++) {
        double weight = 0, mean = 0;
        for (int r = 0; r < runs; r++) {
            const darc_differing *d = c->differing + r * p + k;
            weight += d->known ? 1 / (d->sd * d->sd) : 0;
            mean += d->known ? d->value / (d->sd * d->sd) : 0;
        }
        for (int r = 0; r < runs; r++) {
            darc_differing *d = c->differing + r * p + k;
            const darc_differing *first = c->differing + k;
            double of = runs == 2 ? first->value : mean / weight;
            double sd = runs == 2 ? hypot(first->sd, d->sd)
                                  : sqrt(fmax(d->sd * d->sd - 1 / weight, 0));
            d->change = (d->value - of) / fabs(of);
            d->change_sd = runs == 2 && r == 0 ? 0 : sd / fabs(of);
        }
    }
    darc_linear_match_clear(&l);
}

/* Set the least change of each parameter alone, in one recording, that F would
 * find, and what changes may move: of the information on the differences that
 * the recordings have. */
static void foresee(darc_comparing *c, darc_trajectory *x, const bool *may)
{
    int p = x->flow.params, runs = x->runs, n = 0;
    darc_linear_match l;
    double *info = darc_malloc((size_t)(2 * p * p + 1) * sizeof *info);
    int *place = darc_malloc((size_t)(p + 1) * sizeof *place);
    double least =
        c->dof > 0
            ? darc_stats_detectable_ncp(c->dof, x->dof, x->question->alpha, .9)
            : HUGE_VAL;
    bool good = darc_linear_match_init(&l, &c->apart);
    for (int k = 0; k < p; k++) {
        bool known = true;
        for (int r = 0; r < runs; r++)
            known = known && c->differing[r * p + k].known;
        if (known)
            place[n++] = k;
    }
    for (int r = 0; r < runs && good && isfinite(least); r++) {
        int other = r == 0 ? 1 : 0;
        double *unit = info + p * p;
        memset(unit, 0, (size_t)(n * n) * sizeof *unit);
        for (int i = 0; i < n; i++) {
            unit[i * n + i] = 1;
            for (int k = 0; k < n; k++) {
                const int *a = c->apart.place + r * p,
                          *b = c->apart.place + other * p;
                info[i * n + k] =
                    l.inverse[a[place[i]] * l.columns + a[place[k]]] +
                    (runs == 2
                         ? l.inverse[b[place[i]] * l.columns + b[place[k]]]
                         : 0);
            }
        }
        if (!darc_dense_solve(info, unit, n, n))
            continue;
        for (int i = 0; i < n; i++) {
            darc_differing *d = c->differing + r * p + place[i];
            d->detectable =
                sqrt(least * x->scale / unit[i * n + i]) / fabs(d->value);
        }
    }
    if (good && x->run->piece == 0 && c->p_value >= x->question->alpha)
        darc_effect_take(c, x, &l, may);
    darc_linear_match_clear(&l);
    DARC_FREE(info, place);
}

/* Take the values of recordings `which` of `from`. */
static void take_values(darc_match *m, const darc_match *from, const int *which)
{
    int p = m->flow->params, n = m->flow->n;
    for (int r = m->runs - 1; r >= 0; r--) { /* one set: that of the first */
        for (int k = 0; k < p; k++)
            m->theta[m->place[r * p + k]] =
                from->theta[from->place[which[r] * p + k]];
        darc_match_state(m, r, from->pieces + which[r]);
    }
    memcpy(m->size, from->size, (size_t)n * sizeof *m->size);
}

/* Common parameters may have led each recording to others than its own: draw
 * for each by itself, all draws, and set *better to whether one is elsewhere.
 */
static darc_status part_anew(bool *better, darc_comparing *c,
                             darc_trajectory *x, darc_err *err)
{
    int p = x->flow.params;
    darc_status status = DARC_OK;
    *better = false;
    for (int r = 0; r < x->runs && r < DARC_COMPARE_STARTS; r++) {
        darc_sought sought = {.all = true};
        darc_match one;
        darc_match_init(&one, &x->flow, x->run + r, 1, NULL,
                        x->question->budget);
        take_values(&one, &c->apart, &r);
        status = darc_match_run(&one, DARC_SEEK_LAST, false, err);
        double before = one.square * (1 - DARC_SEEK_SAME);
        DARC_THEN(darc_seek_draw(&sought, &one, x->question->seed, err));
        for (int k = 0; k < p && one.square < before; k++)
            c->apart.theta[c->apart.place[r * p + k]] = one.theta[k];
        if (one.square < before)
            darc_match_state(&c->apart, r, one.pieces);
        *better = *better || one.square < before;
        darc_match_clear(&one);
        darc_sought_clear(&sought);
        if (status != DARC_OK)
            break;
    }
    return status;
}

/* Compare, from where c->apart is, by noise that grows so, NAN: as is
 * likeliest.
 */
static darc_status judge(darc_comparing *c, darc_trajectory *x, const bool *may,
                         double grows, darc_err *err)
{
    double taken = x->sought.taken;
    DARC_NEED(darc_match_run(&c->apart, DARC_SEEK_LAST, false, err));
    if (isnan(grows))
        DARC_NEED(darc_seek_growth(&x->sought, &c->apart, err));
    else
        DARC_NEED(
            darc_seek_grown(&x->sought, &c->apart, NULL, grows, HUGE_VAL, err));
    x->sought.taken = taken;
    double samples = 0, least = HUGE_VAL, rank = darc_match_rank(&c->apart);
    bool own = false;
    for (int r = 0; r < x->runs; r++) {
        double count = (double)darc_record_samples(x->run + r, x->flow.outputs);
        samples += count;
        least = fmin(least, count - rank / x->runs);
    }
    for (int j = 0; j < x->flow.outputs; j++)
        own = own || x->sought.level[j].runs == DARC_LEVEL_APART;
    c->error_dof = samples - rank;
    if (c->error_dof < 1)
        return darc_fail(
            err, DARC_DOMAIN,
            "%.0f samples determine the unknowns of all recordings "
            "and leave nothing to judge by: more samples, or known "
            "initial values (--init) would",
            samples);
    if (x->dof < HUGE_VAL) {
        x->scale = c->apart.square / c->error_dof;
        c->error_dof = own ? fmax(least, 1) : c->error_dof;
        x->dof = c->error_dof;
    }
    list_differing(c, x);
    DARC_NEED(darc_comparing_ask(c, x, may, err));
    foresee(c, x, may);
    return DARC_OK;
}

/* Parameters that seem to differ do so where noise grows in any way that its
 * likelihood allows; else compare by that which tells least. */
static darc_status doubt(darc_comparing *c, darc_trajectory *x, const bool *may,
                         darc_err *err)
{
    static const double grows[] = {0, 1, 4, 30};
    double p[4], surprise[4], least = darc_trajectory_surprise(x);
    double most = x->question->alpha, at = NAN;
    for (int k = 0; k < 4; k++) {
        DARC_NEED(judge(c, x, may, grows[k], err));
        p[k] = c->p_value;
        surprise[k] = darc_trajectory_surprise(x);
        least = fmin(least, surprise[k]);
    }
    for (int k = 0; k < 4; k++)
        if (surprise[k] - least < DARC_LEVEL_EXCLUDED && p[k] >= most) {
            most = p[k];
            at = grows[k];
        }
    return judge(c, x, may, at, err);
}

darc_status darc_comparing_glance(darc_comparing *c, darc_trajectory *x,
                                  darc_err *err)
{
    *c = (darc_comparing){.p_value = NAN};
    part_all(c, x);
    return judge(c, x, NULL, NAN, err);
}

darc_status darc_comparing_init(darc_comparing *c, darc_trajectory *x,
                                const bool *may, darc_err *err)
{
    *c = (darc_comparing){.p_value = NAN};
    part_all(c, x);
    DARC_NEED(judge(c, x, may, NAN, err));
    bool better = false, short_ones = x->run->piece == 0;
    if (c->p_value < x->question->alpha && short_ones)
        DARC_NEED(part_anew(&better, c, x, err));
    if (better)
        DARC_NEED(judge(c, x, may, NAN, err));
    return c->p_value < x->question->alpha && short_ones && x->dof < HUGE_VAL
               ? doubt(c, x, may, err)
               : DARC_OK;
}

darc_status darc_comparing_part(darc_comparing *c, darc_trajectory *x,
                                darc_trajectory *whole,
                                const darc_comparing_some *some, darc_err *err)
{
    size_t p = (size_t)x->flow.params;
    bool *differ = darc_malloc((p + 1) * sizeof *differ);
    memset(differ, true, p + 1);
    *c = (darc_comparing){.p_value = NAN, .error_dof = some->all->error_dof};
    *whole = *x;
    x->runs = some->count;
    x->run = darc_malloc((size_t)some->count * sizeof *x->run);
    for (int r = 0; r < some->count; r++)
        x->run[r] = whole->run[some->which[r]];
    darc_match_init(&x->match, &x->flow, x->run, some->count, NULL,
                    x->question->budget);
    darc_match_init(&c->apart, &x->flow, x->run, some->count, differ,
                    x->question->budget);
    darc_free(differ);
    take_values(&x->match, &whole->match, some->which);
    take_values(&c->apart, &some->all->apart, some->which);
    DARC_NEED(darc_match_run(&c->apart, DARC_SEEK_LAST, false, err));
    list_differing(c, x);
    if (some->count == 1)
        return darc_match_run(&x->match, DARC_SEEK_LAST, false, err);
    DARC_NEED(darc_comparing_ask(c, x, NULL, err));
    foresee(c, x, NULL);
    return DARC_OK;
}

void darc_comparing_estimates(darc_comparing *c, const darc_trajectory *x,
                              const darc_estimates *a, const darc_estimates *b)
{
    int p = a->coeffs, n = 0;
    double *v, *d;
    int *at = darc_malloc((size_t)(p + 1) * sizeof *at);
    *c = (darc_comparing){
        .p_value = NAN, .settled = true, .moves_most = HUGE_VAL};
    c->differing = darc_calloc((size_t)(2 * p), sizeof *c->differing);
    DARC_CARVE({&v, p * p + 1}, {&d, 2 * p + 1});
    for (int k = 0; k < p; k++)
        if (isfinite(a->c[k]) && isfinite(b->c[k]))
            at[n++] = k;
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < n; k++)
            v[i * n + k] =
                a->cov[at[i] * p + at[k]] + b->cov[at[i] * p + at[k]];
        d[i] = d[n + i] = b->c[at[i]] - a->c[at[i]];
    }
    double least =
        darc_stats_detectable_ncp(n, x->dof, x->question->alpha, DARC_POWER);
    for (int i = 0; i < n; i++) {
        int k = at[i];
        double sd = sqrt(v[i * (n + 1)]), of = fabs(a->c[k]);
        c->differing[k] = (darc_differing){.param = k, .known = true};
        c->differing[p + k] =
            (darc_differing){.param = k,
                             .run = 1,
                             .known = true,
                             .value = b->c[k],
                             .change = d[i] / of,
                             .change_sd = sd / of,
                             .detectable = sqrt(least) * sd / of};
    }
    c->dof = n;
    if (n > 0 && darc_dense_solve(v, d + n, n, 1))
        for (int i = 0; i < n; i++)
            c->statistic += d[i] * d[n + i];
    c->p_value = n > 0 ? darc_stats_squares_sf(c->statistic, n, x->dof) : NAN;
    DARC_FREE(v, at);
}

void darc_comparing_join(darc_trajectory *x, darc_trajectory *whole)
{
    darc_match_clear(&x->match);
    darc_free(x->run);
    DARC_SAME(x, whole, run, runs, match);
}

void darc_comparing_clear(darc_comparing *c)
{
    darc_match_clear(&c->apart);
    DARC_FREE(c->differing, c->instead);
    *c = (darc_comparing){.differing = NULL};
}

bool darc_comparing_differs(const darc_comparing *c, const darc_trajectory *x,
                            int r)
{
    int p = x->flow.params;
    double sure = darc_stats_error_quantile(
        1 - x->question->alpha / 2 / fmax(1, p * x->runs), x->dof);
    for (int k = 0; k < p; k++) {
        const darc_differing *d = c->differing + r * p + k;
        if (d->known && fabs(d->change) > sure * d->change_sd)
            return true;
    }
    return false;
}
