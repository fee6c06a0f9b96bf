#include "diagnose/profile.h"

#include "base/mem.h"
#include "trajectory/linear.h"
#include "trajectory/thresholds.h"

#include <math.h>
#include <string.h>

/* A parameter on its way from the best value. */
typedef struct {
    darc_trajectory *x;
    const darc_linear_match *l;
    int column;
    bool seen;               /* the slopes tell of it */
    double value, sd, limit; /* of what the square is more by */
    darc_match last, m;      /* inside the limit, and the next */
} profiling;

/* Return where an unknown moves to from where it was last, in the direction
 * that it came from: from the best match by the slopes. */
static double go_on(double last, double best, double slope, const double by[2])
{
    return last + (by[1] > 0 ? (last - best) * by[1] : slope * by[0]);
}

/* Set *more to what the sum of squares is more by where the parameter is `at`,
 * all others at their best. */
static darc_status fix_at(double *more, profiling *p, double at, darc_err *err)
{
    darc_match *m = &p->m;
    const darc_match *last = &p->last, *best = &p->x->match;
    const double *cov = p->l->inverse + p->column * p->l->columns;
    double from = last->theta[p->column];
    double by[2] = {p->seen ? (at - from) / cov[p->column] : 0,
                    from != p->value ? (at - from) / (from - p->value) : 0};
    darc_match_set(m, last);
    for (int c = 0; c < m->columns; c++) {
        double *to = m->theta + c, now = last->theta[c];
        *to = go_on(now, best->theta[c], cov[c], by);
        if (now != 0) /* slopes lead no farther */
            *to = now * fmin(fmax(*to / now, 1 / DARC_PROFILE_REACH),
                             DARC_PROFILE_REACH);
    }
    m->theta[p->column] = at;
    for (int r = 0, c = m->columns; r < m->runs; r++)
        for (int u = 0; u < m->pieces[r].unknowns; u++) {
            int i = m->pieces[r].unknown[u];
            darc_match_place(m, r, i,
                             go_on(last->pieces[r].x[i], best->pieces[r].x[i],
                                   cov[c++], by));
        }
    m->hope = p->x->match.square + 4 * p->limit;
    DARC_NEED(darc_match_run(m, DARC_PROFILE_STEPS, false, err));
    *more = m->square - p->x->match.square;
    return DARC_OK;
}

static void keep_point(darc_profile_curve *out, double value, double fall)
{
    if (out->points == DARC_PROFILE_POINTS || !isfinite(fall))
        return;
    int k = out->points++;
    for (; k > 0 && out->value[k - 1] > value; k--) {
        out->value[k] = out->value[k - 1];
        out->fall[k] = out->fall[k - 1];
    }
    out->value[k] = value;
    out->fall[k] = fall;
}

/* Begin at the best match. */
static void open_side(profiling *p)
{
    darc_trajectory *x = p->x;
    darc_match *both[] = {&p->last, &p->m};
    for (int i = 0; i < 2; i++) {
        darc_match_init(both[i], &x->flow, x->run, x->runs, NULL,
                        x->question->budget);
        darc_match_set(both[i], &x->match);
        both[i]->fixed[p->column] = true;
    }
}

/* Whether what a trial found counts: a smaller step may find less. */
static bool is_sure(const profiling *p, double root, double step, double at)
{
    double goal = sqrt(p->limit);
    return root < goal || (p->m.settled && root <= 2 * goal) ||
           step < DARC_PROFILE_FINE * at;
}

/* Find where the profile reaches its limit on one side, infinite where it does
 * not; or that it falls: *better. */
static darc_status find_end(double *end, bool *better, darc_profile *out,
                            profiling *p, int side, darc_err *err)
{
    darc_status status = DARC_OK;
    double goal = sqrt(p->limit), step = sqrt(p->limit / p->x->scale) * p->sd;
    double inner = 0, rise = 0, outer = HUGE_VAL, reached = HUGE_VAL, more = 0;
    open_side(p);
    step = fmin(step, fmax(DARC_PROFILE_FIRST * fabs(p->value),
                           step / DARC_PROFILE_LEAST));
    int tries = p->seen ? DARC_PROFILE_TRIES : DARC_PROFILE_TRIES / 3;
    for (int i = 0; i < tries && !*better; i++) {
        double at = inner + step;
        DARC_TRY(fix_at(&more, p, p->value + side * at, err));
        double root = sqrt(fmax(more, 0));
        bool inside = root < goal;
        *better = more < -DARC_PROFILE_NEAR * p->limit;
        if (!is_sure(p, root, step, at)) {
            step /= 3;
            continue;
        }
        keep_point(&out->curve, p->value + side * at, more / p->x->scale);
        bool flat = inside && at > DARC_PROFILE_WIDE * fabs(p->value) &&
                    root - rise < DARC_PROFILE_FLAT * (goal - root);
        *(inside ? &inner : &outer) = at;
        *(inside ? &rise : &reached) = root;
        if (inside)
            darc_match_set(&p->last, &p->m);
        if (fabs(root / goal - 1) < DARC_PROFILE_NEAR ||
            (outer == HUGE_VAL && flat))
            break;
        double part =
            reached < HUGE_VAL ? (goal - rise) / (reached - rise) : .5;
        step = outer < HUGE_VAL
                   ? (outer - inner) * fmin(.9, fmax(.1, part))
                   : at * (fmin(4, fmax(1.3, goal / fmax(root, 1e-9))) - 1);
    }
    *end = p->value +
           side * (fabs(rise / goal - 1) < DARC_PROFILE_NEAR ? inner : outer);
    if (*better) {
        darc_match_set(&p->x->match, &p->m);
        DARC_TRY(darc_match_run(&p->x->match, DARC_SEEK_LAST, false, err));
    }
done:
    DARC_EACH(darc_match_clear, &p->last, &p->m);
    return status;
}

/* Set v, but *better where a profile falls below the best match.  Where two
 * solutions meet the slopes do not tell of a parameter, or make its error too
 * large, but its profile does: it has both ends. */
static darc_status profile_one(darc_profile *v, bool *better,
                               darc_trajectory *x, const darc_linear_match *l,
                               int k, darc_err *err)
{
    double variance = l->inverse[k * l->columns + k];
    double limit = darc_trajectory_quantile(x, x->question->alpha, 1);
    profiling p = {.x = x,
                   .l = l,
                   .column = k,
                   .seen = variance > 0 && l->unseen[k] < DARC_LINEAR_UNSEEN,
                   .value = v->value,
                   .sd = sqrt(variance * x->scale),
                   .limit = limit};
    if (!p.seen)
        p.sd = DARC_PROFILE_FIRST * fabs(p.value);
    v->curve.limit = limit / x->scale;
    v->curve.name =
        darc_model_names(x->question->model)->symbol[v->unknown].name;
    keep_point(&v->curve, v->value, 0);
    DARC_NEED(find_end(&v->low, better, v, &p, -1, err));
    if (!*better && (p.seen || isfinite(v->low)))
        DARC_NEED(find_end(&v->high, better, v, &p, 1, err));
    v->known = p.seen ? isfinite(v->low) || isfinite(v->high)
                      : isfinite(v->low) && isfinite(v->high);
    double half = (v->high - v->low) / 2 / sqrt(v->curve.limit);
    v->sd = p.seen && p.sd < 2 * half ? p.sd : half;
    return DARC_OK;
}

/* Set all profiles, or *better where a profile falls below the best match,
 * which is the better one then. */
static darc_status profile_all(darc_profile *out, bool *better,
                               darc_trajectory *x, darc_err *err)
{
    darc_status status = DARC_OK;
    darc_linear_match l;
    bool good = darc_linear_match_init(&l, &x->match);
    *better = false;
    for (int k = 0; k < x->flow.params && !*better && status == DARC_OK; k++) {
        darc_profile *v = out + k;
        *v = (darc_profile){.unknown = darc_trajectory_unknown(x, k),
                            .value = x->match.theta[k]};
        if (good && v->unknown >= 0)
            status = profile_one(v, better, x, &l, k, err);
    }
    darc_linear_match_clear(&l);
    return status;
}

/* Bring what was found on the first recordings to all. */
static darc_status match_all(darc_match *m, const darc_trajectory *x,
                             darc_err *err)
{
    darc_match full;
    darc_match_init(&full, m->flow, x->match.run, x->runs, NULL, m->budget);
    darc_match_set(&full, &x->match);
    memcpy(full.theta, m->theta, (size_t)m->columns * sizeof *full.theta);
    for (int r = 0; r < m->runs; r++)
        memcpy(full.pieces[r].x, m->pieces[r].x,
               (size_t)m->flow->n * sizeof(double));
    darc_match_clear(m);
    *m = full;
    return darc_match_run(m, DARC_SEEK_LAST, false, err);
}

/* Let x->sought.other be those of all recordings that match as well, with the
 * levels of the best match, or that a test of a parameter allows, of what draws
 * came to; *better: x's match became one of them. */
static darc_status match_others(bool *better, darc_trajectory *x, darc_err *err)
{
    darc_sought *s = &x->sought;
    darc_status status = DARC_OK;
    double limit = darc_trajectory_quantile(x, x->question->alpha, 1);
    *better = false;
    darc_match *other = s->other;
    int others = s->others;
    s->other = NULL;
    s->others = 0;
    for (int i = 0; i < others; i++) {
        DARC_TRY(match_all(other + i, x, err));
        double more = other[i].square - x->match.square;
        if (more < -DARC_PROFILE_NEAR * limit) {
            *better = true;
            darc_match_set(&x->match, other + i);
            DARC_TRY(darc_match_run(&x->match, DARC_SEEK_LAST, false, err));
        }
        if (more < limit)
            darc_seek_keep(s, other + i);
    }
done:
    DARC_ALL(darc_match_clear, other, others);
    darc_free(other);
    return status;
}

/* Mark parameters whose other values lie outside their intervals, and drop
 * matches without any. */
static void mark_others(darc_profile *v, darc_sought *s, int params)
{
    for (int i = s->others - 1; i >= 0; i--) {
        bool any = false;
        for (int k = 0; k < params; k++) {
            double value = s->other[i].theta[k];
            bool own = v[k].known && (value < v[k].low || value > v[k].high);
            v[k].local |= own;
            any |= own;
        }
        if (any)
            continue;
        darc_match_clear(s->other + i);
        s->other[i] = s->other[--s->others];
    }
}

/* Let x be as it was matched, its noise even, or growing as it may. */
static darc_status grow_again(darc_trajectory *x, const darc_match *from,
                              double grows, double least, darc_err *err)
{
    darc_match_set(&x->match, from);
    DARC_NEED(darc_seek_grown(&x->sought, &x->match, NULL, grows, least, err));
    return darc_trajectory_settle(x, err);
}

/* Whether noise is taken for even where it may grow. */
static bool is_even(const darc_trajectory *x)
{
    bool even = x->run->piece == 0;
    for (int j = 0; j < x->flow.outputs; j++) {
        const darc_level *l = x->sought.level + j;
        even = even && !l->known && !l->exact && l->grows == 0;
    }
    return even;
}

/* Few samples do not tell that noise grows with its signal, and that gains more
 * than a parameter's worth before it is taken to: where it would be as likely,
 * intervals are those of both. */
static darc_status widen(darc_profile *out, darc_trajectory *x, darc_err *err)
{
    static const double grows[] = {1, 4, 30};
    int p = x->flow.params;
    darc_status status = DARC_OK;
    darc_match best;
    darc_profile *v = darc_calloc((size_t)p + 1, sizeof *v);
    double least = darc_trajectory_surprise(x), at = 0;
    darc_match_like(&best, &x->match);
    darc_match_set(&best, &x->match);
    for (int k = 0; k < 3; k++) {
        DARC_TRY(grow_again(x, &best, grows[k], least, err));
        double now = darc_trajectory_surprise(x);
        if (x->match.settled && now < least) {
            least = now;
            at = grows[k];
        }
    }
    bool better = at == 0;
    if (!better) {
        DARC_TRY(grow_again(x, &best, at, HUGE_VAL, err));
        DARC_TRY(profile_all(v, &better, x, err));
    }
    for (int k = 0; k < p && !better; k++)
        if (out[k].known && v[k].known) {
            out[k].low = fmin(out[k].low, v[k].low);
            out[k].high = fmax(out[k].high, v[k].high);
        }
    DARC_TRY(grow_again(x, &best, 0, HUGE_VAL, err));
done:
    darc_match_clear(&best);
    darc_free(v);
    return status;
}

darc_status darc_trajectory_profile(darc_profile *out, darc_trajectory *x,
                                    darc_err *err)
{
    bool better;
    DARC_NEED(match_others(&better, x, err));
    for (int turn = 0; turn < DARC_PROFILE_TURNS; turn++) {
        if (!better)
            DARC_NEED(profile_all(out, &better, x, err));
        if (!better) {
            mark_others(out, &x->sought, x->flow.params);
            return is_even(x) ? widen(out, x, err) : DARC_OK;
        }
        x->sought.met = 1;
        better = false;
        DARC_NEED(darc_seek_levels(&x->sought, &x->match, err));
        DARC_NEED(darc_trajectory_settle(x, err));
    }
    return darc_fail(err, DARC_DOMAIN,
                     "the parameters that match best were not found");
}
