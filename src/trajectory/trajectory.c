#include "trajectory/trajectory.h"

#include "base/mem.h"
#include "stats/stats.h"
#include "trajectory/long.h"
#include "trajectory/staircase.h"

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

/* Return what in e switches by more than inputs, NULL: nothing does. */
static const darc_expr *switch_in(const darc_expr *e, const darc_model *model)
{
    bool switches =
        darc_expr_get_kind(e) == DARC_EXPR_CALL &&
        (e->function == DARC_FUNCTION_SIGN || e->function == DARC_FUNCTION_IF);
    if (switches && !is_input_only(e, model))
        return e;
    const darc_expr *found = NULL;
    for (int i = 0; i < e->count && found == NULL; i++)
        found = switch_in(e->child[i], model);
    return found;
}

/* Nothing is known of when a trajectory switches, and of what that does to
 * others nearby. */
static darc_status refuse_switches(const darc_model *model, darc_err *err)
{
    const darc_expr *found = NULL;
    for (int u = 0; u < darc_model_names(model)->count && found == NULL; u++)
        if (darc_derived_expr(model, u) != NULL)
            found = switch_in(darc_derived_expr(model, u), model);
    if (found == NULL)
        return DARC_OK;
    darc_text_t text = DARC_TEXT;
    darc_expr_print(text, found);
    darc_status status =
        darc_fail(err, DARC_DOMAIN,
                  "trajectories do not follow what switches with a signal: %s "
                  "(sign(x) is about tanh(x/w), w small beside x)",
                  text->s);
    darc_text_clear(text);
    return status;
}

/* Set *out to the model with derived signals of inputs as inputs: the recording
 * holds them. */
static darc_status drive(darc_model **out, const darc_model *model,
                         darc_err *err)
{
    darc_model *first;
    DARC_NEED(darc_model_refuse_late(model, "trajectories", err));
    DARC_NEED(refuse_switches(model, err));
    DARC_NEED(darc_model_driven(&first, model, NULL, err));
    int count = darc_model_names(first)->count;
    bool *drives = darc_calloc((size_t)count, sizeof *drives), any = false;
    darc_status status = DARC_OK;
    darc_err why = {DARC_OK, ""};
    int own = -1;
    for (int u = 0; u < count; u++) {
        const darc_expr *e = darc_derived_expr(first, u);
        any = any || e != NULL;
        drives[u] = e != NULL && is_input_only(e, first);
        own = e != NULL && !drives[u] ? u : own;
    }
    if (any)
        status = darc_model_driven(out, first, drives, &why);
    if (status != DARC_OK)
        status = darc_fail(err, DARC_DOMAIN,
                           "'%s' is derived from measured outputs in a way "
                           "that trajectories do not follow (%s)",
                           own >= 0 ? darc_model_names(first)->symbol[own].name
                                    : "a signal",
                           why.message);
    if (any)
        darc_model_free(first);
    else
        *out = first;
    darc_free(drives);
    return status;
}

static darc_status take_recordings(darc_trajectory *x, darc_record_plan *plan,
                                   darc_err *err)
{
    const darc_trajectory_question *q = x->question;
    x->run = darc_calloc((size_t)q->recordings, sizeof *x->run);
    for (; x->runs < q->recordings; x->runs++)
        DARC_NEED(
            darc_record_init(x->run + x->runs, plan, q->table[x->runs], err));
    return DARC_OK;
}

/* Outputs that are the same in all samples tell of no trajectory. */
static darc_status check_movement(const darc_trajectory *x, darc_err *err)
{
    for (int r = 0; r < x->runs; r++)
        for (int j = 0; j < x->flow.outputs; j++) {
            double least = HUGE_VAL, most = -HUGE_VAL;
            for (size_t i = 0; i < x->run[r].n; i++) {
                double y = x->run[r].y[i * (size_t)x->flow.outputs + (size_t)j];
                least = fmin(least, y);
                most = fmax(most, y);
            }
            if (least < most)
                return DARC_OK;
        }
    return darc_fail(err, DARC_DATA,
                     "%s: no output moves: all samples of each are the same",
                     x->run[0].file);
}

/* Say that there is no match, and which function may have no value. */
static darc_status refuse(const darc_trajectory *x, darc_err *err)
{
    const darc_flow *w = &x->flow;
    darc_text_t text = DARC_TEXT;
    int f = 0;
    while (f < w->n && w->function[f] < 0)
        f++;
    if (f < w->n)
        darc_expr_print(text, darc_adjoined_expr(w->model, w->function[f]));
    darc_status status = darc_fail(
        err, DARC_DOMAIN,
        "no parameters were found whose trajectories pass through the "
        "recording%s%s%s",
        x->runs > 1 ? "s" : "",
        f < w->n ? ", or not all of it has a value of " : "", text->s);
    darc_text_clear(text);
    return status;
}

/* Carry what is said of unknowns over to the model of the flow. */
static darc_status find_match(darc_trajectory *x, darc_err *err)
{
    const darc_trajectory_question *q = x->question;
    const darc_names_struct *own = darc_model_names(q->model);
    size_t names = (size_t)x->flow.names->count;
    bool *held = darc_calloc(names, sizeof *held);
    double *sd = darc_calloc((size_t)x->flow.outputs + 1, sizeof *sd);
    double *near = NULL;
    darc_status status;
    for (int u = 0; u < x->flow.names->count; u++) {
        const char *name = x->flow.names->symbol[u].name;
        int k = darc_names_find(own, name, strlen(name));
        held[u] = k >= 0 && q->held != NULL && q->held[k];
        for (int j = 0; j < x->flow.outputs; j++)
            if (x->flow.output[j] == u)
                sd[j] = k >= 0 && q->noise != NULL ? q->noise[k] : NAN;
    }
    if (q->near != NULL)
        near = darc_calloc((size_t)x->flow.params + 1, sizeof *near);
    for (int k = 0; k < x->flow.params && near != NULL; k++) {
        int u = darc_trajectory_unknown(x, k);
        near[k] = u >= 0 ? q->near[u] : NAN;
    }
    darc_record_plan plan = {.flow = &x->flow,
                             .recordings = q->recordings,
                             .table = q->table,
                             .held = held,
                             .starts = q->starts,
                             .start_name = q->start_name,
                             .start = q->start};
    DARC_TRY(take_recordings(x, &plan, err));
    DARC_TRY(check_movement(x, err));
    darc_match_init(&x->match, &x->flow, x->run, x->runs, NULL, q->budget);
    DARC_TRY(darc_seek(&x->sought, &x->match, sd, near, q->seed, err));
    if (!(x->match.square < HUGE_VAL))
        DARC_TRY(refuse(x, err));
    DARC_TRY(darc_staircase_seek(x, &plan, &(darc_match_near){sd, near}, err));
    DARC_TRY(darc_long_settle(x, &plan, err));
    DARC_TRY(darc_staircase_time(x, &plan, err));
done:
    DARC_FREE(held, sd, near);
    return status;
}

darc_status darc_trajectory_settle(darc_trajectory *x, darc_err *err)
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
    *x = (darc_trajectory){.question = question, .stepped = -1};
    DARC_TRY(drive(&x->model, question->model, err));
    DARC_TRY(darc_flow_init(&x->flow, x->model, err));
    DARC_TRY(find_match(x, err));
    DARC_TRY(darc_trajectory_settle(x, err));
done:
    if (status != DARC_OK)
        darc_trajectory_clear(x);
    return status;
}

bool darc_trajectory_moves(const darc_trajectory *x)
{
    size_t q = (size_t)x->flow.outputs;
    double square = 0, dof = 0;
    for (int r = 0; r < x->runs; r++)
        for (size_t j = 0; j < q; j++) {
            const darc_record *run = x->run + r;
            double weights = 0, sum = 0, own = 0;
            for (size_t i = j; i < run->n * q; i += q) {
                double w = isfinite(run->y[i]) ? pow(run->weight[i], 2) : 0;
                double y = w > 0 ? run->y[i] : 0;
                weights += w;
                sum += w * y;
                own += w * y * y;
            }
            square += weights > 0 ? own - sum * sum / weights : 0;
            dof += weights > 0 ? -1 : 0;
        }
    dof = fmax(dof + x->sought.taken, 1);
    return (square - x->match.square) / x->scale >
           darc_stats_squares_isf(x->question->alpha, dof, x->dof);
}

double darc_trajectory_surprise(const darc_trajectory *x)
{
    return darc_sought_surprise(&x->sought, x->flow.outputs);
}

darc_status darc_trajectory_regrow(double *surprise, darc_trajectory *x,
                                   double grows, double least, darc_err *err)
{
    for (int j = 0; j < x->flow.outputs; j++) {
        x->sought.level[j].grows = grows;
        x->sought.level[j].held = true;
        x->sought.level[j].least = DARC_LEVEL_SAME;
        x->sought.level[j].most = DARC_LEVEL_SHARES;
    }
    DARC_NEED(darc_seek_levels(&x->sought, &x->match, err));
    *surprise = darc_trajectory_surprise(x);
    if (*surprise - least > DARC_LEVEL_HOPELESS)
        return DARC_OK;
    DARC_NEED(darc_seek_draw(&x->sought, &x->match, x->question->seed, err));
    DARC_NEED(darc_seek_levels(&x->sought, &x->match, err));
    *surprise = darc_trajectory_surprise(x);
    return darc_trajectory_settle(x, err);
}

darc_status darc_trajectory_reweigh(darc_trajectory *x, darc_err *err)
{
    darc_match *m = &x->match;
    for (int j = 0; j < x->flow.outputs; j++)
        x->sought.level[j].least = x->sought.level[j].most = DARC_LEVEL_APART;
    darc_level_take(x->sought.level, m, &x->sought.taken);
    DARC_NEED(darc_match_run(m, DARC_SEEK_LAST, false, err));
    x->sought.taken = darc_match_rank(m);
    return darc_trajectory_settle(x, err);
}

void darc_trajectory_clear(darc_trajectory *x)
{
    darc_match_clear(&x->match);
    darc_sought_clear(&x->sought);
    DARC_ALL_IN(darc_record_clear, &x->flow, x->run, x->runs);
    darc_free(x->run);
    darc_flow_clear(&x->flow);
    darc_model_free(x->model);
    *x = (darc_trajectory){.question = NULL};
}

double darc_trajectory_quantile(const darc_trajectory *x, double alpha, int dof)
{
    return x->scale * darc_stats_squares_isf(alpha, dof, x->dof);
}

bool darc_trajectory_unsure(const darc_trajectory *x)
{
    return x->stepped >= 0 && !x->timed;
}

int darc_trajectory_unknown(const darc_trajectory *x, int k)
{
    const char *name = x->flow.names->symbol[x->flow.param[k]].name;
    return darc_names_find(darc_model_names(x->question->model), name,
                           strlen(name));
}
