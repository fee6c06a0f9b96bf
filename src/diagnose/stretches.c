#include "diagnose/stretches.h"

#include "base/mem.h"
#include "decide/pair.h"
#include "diagnose/drift_compare.h"
#include "diagnose/thresholds.h"
#include "stats/columns.h"
#include "stats/course.h"
#include "terms/jumps.h"
#include "weak/system.h"

#include <math.h>

/* Stretches that are still thought of. */
typedef struct {
    const darc_question *x;
    const darc_table *table;
    darc_bindings bind;
    size_t guard; /* samples that a stretch keeps from the next */
    int count;
    size_t *begin;        /* of each, and the end of the last; owned */
    darc_estimates **fit; /* of each; NULL: not known; owned */
    darc_drift *pair;     /* as in darc_stretches; not those of fits that are
                             not known; owned */
} parting;

static void init_spans(darc_spans *r, const darc_weak *weak, int per)
{
    ptrdiff_t n = weak->coeffs;
    int reach = weak->support + weak->left + weak->right;
    *r = (darc_spans){
        .per = per, .overlap = reach / weak->step + 1, .coeffs = weak->coeffs};
    r->first = darc_calloc((size_t)weak->pieces + 1, sizeof *r->first);
    for (int p = 0; p < weak->pieces; p++) {
        r->first[p] = r->runs;
        r->runs += (weak->piece[p].functions + per - 1) / per;
    }
    r->first[weak->pieces] = r->runs;
    DARC_CARVE({&r->info, r->runs * n * n}, {&r->score, r->runs * n},
               {&r->q, r->runs});
}

static void clear_spans(darc_spans *r)
{
    DARC_FREE(r->first, r->info);
}

/* Return the sample between run i > 0 and the one before, in the middle between
 * the functions there. */
static size_t begin_of_span(const darc_spans *r, const darc_weak *weak, int i)
{
    int p = 0;
    while (r->first[p + 1] <= i)
        p++;
    double function = (i - r->first[p]) * r->per - 0.5;
    double sample = (double)weak->piece[p].begin + weak->margin +
                    function * weak->step + weak->support / 2.0;
    return (size_t)sample;
}

/* Set the arrays to what the runs say of the free coefficients, less what is
 * left over noise. */
static void tell_runs(double *info, double *score, const darc_spans *r,
                      const int *index, int p, double left)
{
    int n = r->coeffs;
    for (int i = 0; i < r->runs; i++)
        for (int k = 0; k < p; k++) {
            score[i * p + k] = r->score[i * n + index[k]] / left;
            for (int l = 0; l < p; l++)
                info[(i * p + k) * p + l] =
                    r->info[(i * n + index[k]) * n + index[l]] / left;
        }
}

/* Set c to the steps of the coefficients.  Where stretches leave more than
 * noise, so much less is known of them. */
static void find_course(darc_course *c, const darc_spans *r, const darc_gls *g,
                        double alpha)
{
    ptrdiff_t n = r->runs;
    int *index = darc_calloc((size_t)g->coeffs, sizeof *index), p = 0;
    double *time, *info, *score;
    for (int j = 0; j < g->coeffs; j++)
        if (g->free[j])
            index[p++] = j;
    DARC_CARVE({&time, n}, {&info, n * p * p}, {&score, n * p});
    double left = 1, next = 1, q = 0, dof = g->dof / r->overlap;
    darc_course_data d = {.n = r->runs,
                          .p = p,
                          .time = time,
                          .info = info,
                          .score = score,
                          .error_dof = HUGE_VAL,
                          .alpha = alpha};
    for (int i = 0; i < r->runs; i++) {
        time[i] = i;
        q += r->q[i];
    }
    *c = (darc_course){0};
    do {
        left = next;
        darc_course_clear(c);
        tell_runs(info, score, r, index, p, left);
        darc_course_find(c, &d);
        next = (q - c->gain * left) / fmax(1, dof - p * c->steps);
    } while (next > DARC_STRETCH_SETTLED * left);
    DARC_FREE(index, time);
}

/* Steps so near to each other that functions reach over both are one, in the
 * middle. */
static void gather_steps(darc_course *c, const darc_spans *r)
{
    int near = 1 + 2 * r->overlap / r->per, steps = 0;
    for (int k = 0, last; k < c->steps; k = last + 1) {
        last = k;
        while (last + 1 < c->steps && c->at[last + 1] - c->at[last] <= near)
            last++;
        c->at[steps++] = (c->at[k] + c->at[last] + 1) / 2;
    }
    c->steps = steps;
}

static int length_of_run(const darc_gls *g)
{
    double n = (double)g->coeffs;
    double most =
        fmin(DARC_STRETCH_RUNS, DARC_STRETCH_ENTRIES / fmax(1, n * n));
    return 1 + (int)((double)g->functions / most);
}

static darc_status propose(parting *s, darc_err *err)
{
    double alpha = s->x->by->alpha;
    darc_fit f;
    darc_sums sums = {0};
    darc_spans runs = {0};
    darc_course course = {0};
    darc_effort effort = {1, 0, 1, false};
    darc_status status;
    DARC_TRY(darc_fit_init(&f, s->x, s->table, alpha, err));
    init_spans(&runs, f.weak, length_of_run(&f.white));
    darc_sums_init(&sums, f.weak);
    darc_point at = {.weak = f.weak, .c = f.white.c, .runs = &runs};
    DARC_TRY(darc_sums_pass(&sums, &at, &effort, s->x->budget, err));
    find_course(&course, &runs, &f.white, alpha);
    gather_steps(&course, &runs);
    s->guard = (size_t)f.weak->support;
    s->count = course.steps + 1;
    s->begin = darc_calloc((size_t)s->count + 1, sizeof *s->begin);
    for (int k = 0; k < course.steps; k++)
        s->begin[k + 1] = begin_of_span(&runs, f.weak, course.at[k]);
    s->begin[s->count] = s->table->samples;
done:
    darc_course_clear(&course);
    darc_sums_clear(&sums);
    clear_spans(&runs);
    darc_fit_clear(&f);
    return status;
}

/* The table cut down to the samples begin .. end - 1; its segments are to be
 * freed. */
static darc_table view(const darc_table *table, size_t begin, size_t end)
{
    darc_table v = *table;
    v.segments = 0;
    v.segment = darc_calloc((size_t)table->segments, sizeof *v.segment);
    for (int g = 0; g < table->segments; g++) {
        darc_segment s = table->segment[g];
        s.begin = s.begin > begin ? s.begin : begin;
        s.end = s.end < end ? s.end : end;
        if (s.begin < s.end)
            v.segment[v.segments++] = s;
    }
    return v;
}

static void forget_fit(parting *s, int i)
{
    if (s->fit[i] == NULL)
        return;
    darc_estimates_clear(s->fit[i]);
    darc_free(s->fit[i]);
    s->fit[i] = NULL;
}

static darc_status fit_stretch(parting *s, int i, darc_err *err)
{
    size_t begin = s->begin[i] + (i > 0 ? s->guard : 0), end = s->begin[i + 1];
    end = i + 1 == s->count || end < s->guard ? end : end - s->guard;
    darc_table v = view(s->table, begin, end);
    darc_fit f = {.weak = NULL};
    s->fit[i] = darc_calloc(1, sizeof **s->fit);
    darc_status status =
        v.segments > 0
            ? darc_reading_take(s->fit[i], &f, s->x, &v, &s->bind, err)
            : darc_fail(err, DARC_DATA, "%s: a stretch without samples",
                        s->table->file);
    darc_fit_clear(&f);
    darc_free(v.segment);
    if (status != DARC_OK)
        forget_fit(s, i);
    return status;
}

/* Join stretch i with the one before. */
static void join_stretch(parting *s, int i)
{
    forget_fit(s, i - 1);
    forget_fit(s, i);
    for (int k = i; k < s->count; k++) {
        s->begin[k] = s->begin[k + 1];
        s->fit[k] = k + 1 < s->count ? s->fit[k + 1] : NULL;
    }
    s->count--;
}

/* Fit what is not known; what cannot be is joined with the stretch before. */
static darc_status fit_all(parting *s, darc_err *err)
{
    darc_status status = DARC_OK;
    for (int i = 0; i < s->count; i++) {
        darc_err own = {DARC_OK, ""};
        if (s->fit[i] != NULL)
            continue;
        status = fit_stretch(s, i, &own);
        if (status == DARC_OK)
            continue;
        if (status == DARC_LIMIT || s->count == 1)
            return darc_fail(err, status, "%s", own.message);
        join_stretch(s, i > 0 ? i : 1);
        i = -1;
    }
    return DARC_OK;
}

/* Hold all stretches against those before. */
static void compare_stretches(parting *s)
{
    static char *const sound[2] = {NULL, NULL};
    static const darc_status fault[2] = {DARC_OK, DARC_OK};
    for (int i = 0; i < s->count; i++) {
        const darc_estimates *fit[2] = {s->fit[i > 0 ? i - 1 : 0], s->fit[i]};
        darc_drift_comparison c = {.x = s->x,
                                   .recordings = i > 0 ? 2 : 1,
                                   .fit = fit,
                                   .error = sound,
                                   .fault = fault,
                                   .bind = &s->bind};
        darc_drift_clear(s->pair + i);
        darc_drift_compare(s->pair + i, &c);
    }
}

static const darc_drift_recording *last_of(const darc_drift *pair)
{
    return pair->recording + pair->recordings - 1;
}

/* Return the stretch that differs least from the one before, among those that
 * are not said to differ; 0: there is none. */
static int least_different(const parting *s)
{
    int least = 0;
    double most = -1;
    for (int i = 1; i < s->count; i++) {
        const darc_drift_recording *r = last_of(s->pair + i);
        double p = isnan(r->p_value) ? 1 : r->p_value;
        if (r->verdict == DARC_INCONSISTENT || !(p > most))
            continue;
        most = p;
        least = i;
    }
    return least;
}

static bool align(parting *s)
{
    for (int i = 1; i < s->count; i++)
        if (!darc_pair_align(s->fit[i - 1], s->fit[i])) {
            join_stretch(s, i);
            return false;
        }
    return true;
}

/* Judge the stretches, and join what does not differ. */
static darc_status settle_stretches(parting *s, darc_err *err)
{
    size_t n = (size_t)s->count;
    DARC_CALLOC(n, s->fit, s->pair);
    for (int least = 1; least > 0;) {
        DARC_NEED(fit_all(s, err));
        if (!align(s))
            continue;
        compare_stretches(s);
        least = least_different(s);
        if (least > 0) {
            DARC_ALL(darc_drift_clear, s->pair, s->count);
            join_stretch(s, least);
        }
    }
    return DARC_OK;
}

static void hand_over(darc_stretches *out, parting *s)
{
    size_t n = (size_t)s->count;
    out->count = s->count;
    DARC_CALLOC(n, out->from, out->to);
    for (int i = 0; i < s->count; i++) {
        size_t end = s->begin[i + 1];
        end = end < s->table->samples ? end : s->table->samples - 1;
        out->from[i] = darc_table_time(s->table, s->begin[i]);
        out->to[i] = darc_table_time(s->table, end);
    }
    out->pair = s->pair;
    s->pair = NULL;
}

darc_status darc_stretches_find(darc_stretches *out, const darc_question *x,
                                const darc_table *table, darc_err *err)
{
    parting s = {.x = x, .table = table};
    darc_status status;
    *out = (darc_stretches){0};
    DARC_TRY(darc_bindings_init(&s.bind, x, NULL, NULL, 0, err));
    DARC_TRY(propose(&s, err));
    DARC_TRY(settle_stretches(&s, err));
    hand_over(out, &s);
done:
    for (int i = 0; i < s.count && s.fit != NULL; i++)
        forget_fit(&s, i);
    for (int i = 0; i < s.count && s.pair != NULL; i++)
        darc_drift_clear(s.pair + i);
    DARC_FREE(s.pair, (void *)s.fit, s.begin);
    darc_bindings_clear(&s.bind);
    return status;
}

const darc_drift_recording *darc_stretches_at(const darc_stretches *s, int i)
{
    return last_of(s->pair + i);
}

void darc_stretches_clear(darc_stretches *s)
{
    DARC_ALL(darc_drift_clear, s->pair, s->count);
    DARC_FREE(s->from, s->to, s->pair);
    *s = (darc_stretches){0};
}
