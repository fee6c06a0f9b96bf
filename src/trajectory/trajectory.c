#include "trajectory/trajectory.h"

#include "base/mem.h"
#include "stats/stats.h"
#include "trajectory/linear.h"

#include <math.h>
#include <string.h>

/* Whether e is made of inputs, time and numbers alone. */
static bool is_input_only(const darc_expr *e, const darc_model *model)
{
    if (darc_expr_get_kind(e) == DARC_EXPR_UNKNOWN) {
        darc_kind kind =
            darc_model_names(model)->symbol[darc_expr_deriv(e).unknown].kind;
        const darc_expr *of =
            darc_derived_expr(model, darc_expr_deriv(e).unknown);
        return kind == DARC_TIME ||
               (kind == DARC_INPUT && (of == NULL || is_input_only(of, model)));
    }
    for (int i = 0; i < e->count; i++)
        if (!is_input_only(e->child[i], model))
            return false;
    return true;
}

/* Set *out to the model with derived signals of inputs as inputs: the recording
 * holds them. */
static darc_status drive(darc_model **out, const darc_model *model,
                         darc_err *err)
{
    darc_model *first;
    DARC_NEED(darc_model_driven(&first, model, NULL, err));
    int count = darc_model_names(first)->count;
    bool *drives = darc_calloc((size_t)count, sizeof *drives), any = false;
    darc_status status = DARC_OK;
    for (int u = 0; u < count && status == DARC_OK; u++) {
        const darc_expr *e = darc_derived_expr(first, u);
        any |= drives[u] = e != NULL;
        if (e != NULL && !is_input_only(e, first))
            status = darc_fail(err, DARC_DOMAIN,
                               "'%s' is derived from measured outputs, which "
                               "trajectories do not follow",
                               darc_model_names(first)->symbol[u].name);
    }
    if (status == DARC_OK && any)
        status = darc_model_driven(out, first, drives, err);
    if (status == DARC_OK && !any)
        *out = first;
    else
        darc_model_free(first);
    darc_free(drives);
    return status;
}

static darc_status take_recordings(darc_trajectory *x, const bool *held,
                                   darc_err *err)
{
    const darc_trajectory_question *q = x->question;
    darc_record_plan plan = {.flow = &x->flow,
                             .held = held,
                             .starts = q->starts,
                             .start_name = q->start_name,
                             .start = q->start};
    x->run = darc_calloc((size_t)q->recordings, sizeof *x->run);
    for (; x->runs < q->recordings; x->runs++)
        DARC_NEED(
            darc_record_init(x->run + x->runs, &plan, q->table[x->runs], err));
    return DARC_OK;
}

/* Carry what is said of unknowns over to the model of the flow. */
static darc_status find_match(darc_trajectory *x, darc_err *err)
{
    const darc_trajectory_question *q = x->question;
    const darc_names_struct *own = darc_model_names(q->model);
    size_t names = (size_t)x->flow.names->count;
    bool *held = darc_calloc(names, sizeof *held);
    double *sd = darc_calloc((size_t)x->flow.outputs + 1, sizeof *sd);
    darc_status status;
    for (int u = 0; u < x->flow.names->count; u++) {
        const char *name = x->flow.names->symbol[u].name;
        int k = darc_names_find(own, name, strlen(name));
        held[u] = k >= 0 && q->held != NULL && q->held[k];
        for (int j = 0; j < x->flow.outputs; j++)
            if (x->flow.output[j] == u)
                sd[j] = k >= 0 && q->noise != NULL ? q->noise[k] : NAN;
    }
    DARC_TRY(take_recordings(x, held, err));
    darc_match_init(&x->match, &x->flow, x->run, x->runs, NULL, q->budget);
    DARC_TRY(darc_seek(&x->sought, &x->match, sd, q->seed, err));
done:
    DARC_FREE(held, sd);
    return status;
}

/* Set how well the level is known. */
static darc_status set_freedom(darc_trajectory *x, darc_err *err)
{
    double samples = 0, fitted = 0;
    for (int r = 0; r < x->runs; r++)
        for (int j = 0; j < x->flow.outputs; j++) {
            const darc_level *l = x->sought.level + j;
            double n = (double)x->run[r].count[j];
            samples += n;
            fitted += l->known || l->exact ? 0 : n;
        }
    x->dof = samples - x->sought.taken;
    if (x->dof < 1)
        return darc_fail(err, DARC_DOMAIN,
                         "%.0f samples determine %.0f unknowns, initial values "
                         "included, and leave nothing to judge by: more "
                         "samples or recordings, or known initial values "
                         "(--init) would",
                         samples, x->sought.taken);
    x->scale = fitted > 0 ? x->match.square / x->dof : 1;
    if (fitted == 0)
        x->dof = HUGE_VAL;
    return DARC_OK;
}

darc_status darc_trajectory_init(darc_trajectory *x,
                                 const darc_trajectory_question *question,
                                 darc_err *err)
{
    darc_status status;
    *x = (darc_trajectory){.question = question};
    DARC_TRY(drive(&x->model, question->model, err));
    DARC_TRY(darc_flow_init(&x->flow, x->model, err));
    DARC_TRY(find_match(x, err));
    DARC_TRY(set_freedom(x, err));
done:
    if (status != DARC_OK)
        darc_trajectory_clear(x);
    return status;
}

static double surprise_of(const darc_trajectory *x)
{
    double sum = 0;
    for (int j = 0; j < x->flow.outputs; j++)
        sum += x->sought.level[j].surprise;
    return sum;
}

darc_status darc_trajectory_regrow(darc_trajectory *x, double grows,
                                   double *surprise, darc_err *err)
{
    for (int j = 0; j < x->flow.outputs; j++) {
        x->sought.level[j].grows = grows;
        x->sought.level[j].held = true;
    }
    DARC_NEED(darc_seek_levels(&x->sought, &x->match, err));
    DARC_NEED(darc_seek_again(&x->sought, &x->match, x->question->seed, err));
    *surprise = surprise_of(x);
    return set_freedom(x, err);
}

darc_status darc_trajectory_reweigh(darc_trajectory *x, darc_err *err)
{
    darc_match *m = &x->match;
    for (int r = 0; r < x->runs; r++) {
        size_t rows = darc_match_rows(m, r), there = 0;
        double *left = darc_malloc((rows + 1) * sizeof *left), sum = 0;
        bool good = darc_match_left(m, r, left, NULL);
        for (size_t i = 0; i < rows && good; i++) {
            there += isfinite(x->run[r].y[i]);
            sum += left[i] * left[i];
        }
        for (size_t i = 0; i < rows && sum > 0; i++)
            x->run[r].weight[i] *= sqrt((double)there / sum);
        darc_free(left);
    }
    DARC_NEED(darc_match_run(m, DARC_SEEK_LAST, false, err));
    x->sought.taken = darc_match_rank(m);
    return set_freedom(x, err);
}

void darc_trajectory_clear(darc_trajectory *x)
{
    darc_match_clear(&x->match);
    darc_sought_clear(&x->sought);
    for (int r = 0; r < x->runs; r++)
        darc_record_clear(x->run + r, &x->flow);
    darc_free(x->run);
    darc_flow_clear(&x->flow);
    darc_model_free(x->model);
    *x = (darc_trajectory){.question = NULL};
}

double darc_trajectory_quantile(const darc_trajectory *x, double alpha, int dof)
{
    return x->scale * darc_stats_squares_isf(alpha, dof, x->dof);
}

double darc_trajectory_sf(const darc_trajectory *x, double more, int dof)
{
    return darc_stats_squares_sf(fmax(more, 0) / x->scale, dof, x->dof);
}

/* ---- profiles ------------------------------------------------------------ */

/* A parameter on its way from the best value. */
typedef struct {
    darc_trajectory *x;
    const darc_linear_match *l;
    int column;
    double value, sd, limit; /* of what the square is more by */
    darc_match last, m;      /* inside the limit, and the next */
} profiling;

/* Move an unknown of the match from where it was last, in the direction that it
 * came from: from the best match by the slopes. */
static void go_on(double *to, double last, double best, double slope,
                  const double by[2])
{
    *to = last + (by[1] > 0 ? (last - best) * by[1] : slope * by[0]);
}

/* Set *more to what the sum of squares is more by where the parameter is `at`,
 * all others at their best. */
static darc_status fix_at(double *more, profiling *p, double at, darc_err *err)
{
    darc_match *m = &p->m;
    const darc_match *last = &p->last, *best = &p->x->match;
    const double *cov = p->l->inverse + p->column * p->l->columns;
    double from = last->theta[p->column];
    double by[2] = {(at - from) / cov[p->column],
                    from != p->value ? (at - from) / (from - p->value) : 0};
    darc_match_set(m, last);
    for (int c = 0; c < m->columns; c++)
        go_on(m->theta + c, last->theta[c], best->theta[c], cov[c], by);
    m->theta[p->column] = at;
    for (int r = 0, c = m->columns; r < m->runs; r++)
        for (int u = 0; u < m->pieces[r].unknowns; u++) {
            int i = m->pieces[r].unknown[u];
            go_on(m->pieces[r].x + i, last->pieces[r].x[i],
                  best->pieces[r].x[i], cov[c++], by);
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

/* Let the match be where the profile led. */
static darc_status take_better(profiling *p, darc_err *err)
{
    darc_match *to = &p->x->match;
    darc_match_set(to, &p->m);
    return darc_match_run(to, DARC_SEEK_LAST, false, err);
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
    step = fmin(step, fmax(DARC_PROFILE_FIRST * fabs(p->value), step / 64));
    for (int i = 0; i < DARC_PROFILE_TRIES && !*better; i++) {
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
    if (*better)
        DARC_TRY(take_better(p, err));
done:
    darc_match_clear(&p->last);
    darc_match_clear(&p->m);
    return status;
}

int darc_trajectory_unknown(const darc_trajectory *x, int k)
{
    const char *name = x->flow.names->symbol[x->flow.param[k]].name;
    return darc_names_find(darc_model_names(x->question->model), name,
                           strlen(name));
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
    for (int k = 0; k < x->flow.params && !*better; k++) {
        darc_profile *v = out + k;
        *v = (darc_profile){.unknown = darc_trajectory_unknown(x, k),
                            .value = x->match.theta[k]};
        double variance = good ? l.inverse[k * l.columns + k] : 0;
        v->sd = sqrt(variance * x->scale);
        v->known = good && v->unknown >= 0 && variance > 0 &&
                   l.unseen[k] < DARC_LINEAR_UNSEEN;
        if (!v->known)
            continue;
        profiling p = {.x = x,
                       .l = &l,
                       .column = k,
                       .value = v->value,
                       .sd = v->sd,
                       .limit =
                           darc_trajectory_quantile(x, x->question->alpha, 1)};
        v->curve.limit = p.limit / x->scale;
        v->curve.name =
            darc_model_names(x->question->model)->symbol[v->unknown].name;
        keep_point(&v->curve, v->value, 0);
        DARC_TRY(find_end(&v->low, better, v, &p, -1, err));
        if (!*better)
            DARC_TRY(find_end(&v->high, better, v, &p, 1, err));
    }
done:
    darc_linear_match_clear(&l);
    return status;
}

darc_status darc_trajectory_profile(darc_profile *out, darc_trajectory *x,
                                    darc_err *err)
{
    bool better = true;
    for (int turn = 0; turn < DARC_PROFILE_TURNS && better; turn++) {
        DARC_NEED(profile_all(out, &better, x, err));
        if (!better)
            return DARC_OK;
        x->sought.met = 1;
        DARC_NEED(darc_seek_levels(&x->sought, &x->match, err));
        DARC_NEED(set_freedom(x, err));
    }
    return darc_fail(err, DARC_DOMAIN,
                     "the parameters that match best were not found");
}
