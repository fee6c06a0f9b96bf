#include "session/monitor.h"

#include "base/mem.h"
#include "data/table.h"
#include "decide/reading.h"
#include "diagnose/thresholds.h"
#include "emit/json.h"
#include "fit/follow.h"
#include "stats/columns.h"
#include "stats/stats.h"
#include "weak/system.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct darc_monitor {
    darc_session *session;
    darc_criteria by; /* with the noise of the baseline */
    darc_question x;
    int *equation; /* of x; owned */
    double *noise; /* by unknown; owned */
    darc_fit fit;  /* of the baseline */
    darc_estimates e;
    darc_values v;
    darc_monitor_window window;
    int n, *index;  /* free coefficients; owned */
    double *calm;   /* information that noise makes, a function; owned */
    int *parameter; /* of each direction: a variable of v; owned */
    darc_watch watch;
    darc_watch_finding found;
};

static darc_status check_baseline(const darc_monitor *m, const char *file,
                                  darc_err *err)
{
    if (m->e.coloured)
        return darc_fail(err, DARC_DATA,
                         "%s: its noise is not shown to be white, so that no "
                         "rate of false alarms can be kept; --noise-from "
                         "measures it, --noise-colour white says it is",
                         file);
    if (m->e.misfit)
        return darc_fail(err, DARC_DATA,
                         "%s: the equations leave %s unexplained (darc "
                         "check structure)",
                         file, darc_percent_of(darc_reading_left(&m->e)).text);
    return DARC_OK;
}

/* From now on the noise is that of the baseline. */
static void know_noise(darc_monitor *m)
{
    int names = darc_model_names(m->session->model)->count;
    m->noise = darc_calloc((size_t)names, sizeof *m->noise);
    for (int u = 0; u < names; u++) {
        const darc_signalnoise *n = m->fit.r.noise + u;
        bool shown = n->taps > 0 && n->colour != DARC_COLOUR_MEASURED &&
                     n->colour != DARC_COLOUR_COMPUTED;
        m->noise[u] = shown ? n->sd : NAN;
    }
    m->by.noise_sd = m->noise;
    m->by.known = m->fit.r.noise;
    m->by.threads = 1;
}

static void take_matrix(double *to, const darc_monitor *m, const double *from,
                        double scale)
{
    int n = m->n, all = m->fit.fit.coeffs;
    for (int i = 0; i < n; i++)
        for (int k = 0; k < n; k++)
            to[i * n + k] = scale * from[m->index[i] * all + m->index[k]];
}

/* Set g to how the coefficients of the fit, ratios to others than those of the
 * estimates, move with parameter v.  Return whether they do. */
static bool find_direction(double *g, const darc_monitor *m, int v)
{
    const darc_gls *fit = &m->fit.fit;
    bool moves = false;
    double *all = darc_calloc((size_t)fit->coeffs, sizeof *all);
    for (int q = 0; q < m->e.equations; q++) {
        const darc_estimates_equation *eq = m->e.eq + q;
        int ref = fit->reference[q];
        double unit = m->e.c[ref], turn = m->v.direction[ref * m->v.vars + v];
        for (int j = eq->first; j < eq->first + eq->coeffs; j++)
            all[j] =
                (m->v.direction[j * m->v.vars + v] - m->e.c[j] / unit * turn) /
                unit;
    }
    for (int i = 0; i < m->n; i++) {
        g[i] = all[m->index[i]];
        moves = moves || g[i] != 0;
    }
    darc_free(all);
    return moves;
}

static void find_directions(darc_watch *to, darc_monitor *m)
{
    const darc_values *v = &m->v;
    m->parameter = darc_calloc((size_t)v->vars + 1, sizeof *m->parameter);
    for (int k = 0; k < v->vars; k++) {
        double *g = to->direction + to->directions * m->n;
        if (darc_adjoined_find(m->session->model, v->unknown[k]) < 0 &&
            find_direction(g, m, k))
            m->parameter[to->directions++] = k;
    }
}

static darc_status open_watch(darc_monitor *m, size_t samples, double per_day,
                              darc_err *err)
{
    darc_status status;
    const darc_gls *fit = &m->fit.fit;
    darc_watch *base = &m->watch;
    double *window = NULL, *cov;
    m->index = darc_calloc((size_t)fit->coeffs, sizeof *m->index);
    for (int j = 0; j < fit->coeffs; j++)
        if (fit->free[j])
            m->index[m->n++] = j;
    size_t support = (size_t)m->fit.weak->support;
    size_t fresh = ((DARC_WATCH_ROWS - 1) / support + 1) * support;
    ptrdiff_t size = m->n * m->n;
    base->n = m->n;
    DARC_CARVE({&base->direction, m->v.vars * m->n}, {&base->info, size},
               {&base->cov, size + 1});
    DARC_CARVE({&window, size}, {&cov, size + 1});
    m->calm = darc_calloc((size_t)size + 1, sizeof *m->calm);
    take_matrix(m->calm, m, fit->noise, 1 / (double)fit->functions);
    find_directions(base, m);
    if (base->directions == 0 || m->n > DARC_WATCH_COEFFS)
        DARC_TRY(darc_fail(err, DARC_DOMAIN,
                           "nothing to watch: no parameter moves %d "
                           "coefficients, or they are more than %d",
                           m->n, DARC_WATCH_COEFFS));
    m->window.overlap = DARC_WATCH_SUPPORTS * support;
    m->window.samples = m->window.overlap + fresh;
    size_t least = DARC_WATCH_BASELINE * support;
    if (samples < least)
        DARC_TRY(darc_fail(err, DARC_DATA,
                           "the baseline has %zu samples; %zu are needed",
                           samples, least));
    /* Look back upon a share of the baseline. */
    size_t most = samples / fresh / DARC_WATCH_BASELINE;
    for (base->room = 1;
         2 * (size_t)base->room <= most && base->room < DARC_WATCH_ROOM;)
        base->room *= 2;
    take_matrix(base->info, m, fit->info, 1);
    take_matrix(base->cov, m, fit->score_cov, 1);
    base->soon = DARC_WATCH_SOON * (double)support / (double)fresh;
    darc_watch_init_take(base);
    double share = (double)fresh / (double)(samples - support);
    take_matrix(window, m, fit->info, share);
    take_matrix(cov, m, fit->score_cov, share);
    double windows = 86400 / ((double)fresh * m->window.step);
    if (!(per_day < 0.1 * windows))
        DARC_TRY(darc_fail(err, DARC_USAGE,
                           "--false-alarms-per-day: a day has %.3g windows; "
                           "%g alarms are more than a tenth of them",
                           windows, per_day));
    DARC_TRY(
        darc_watch_set(base, window, cov, per_day / windows, m->x.budget, err));
    m->found.each = darc_calloc((size_t)base->directions, sizeof(double));
done:
    darc_free(window);
    return status;
}

darc_status darc_monitor_open(darc_monitor **out, darc_session *s,
                              const char *baseline, double per_day,
                              darc_err *err)
{
    darc_status status;
    DARC_NEED(darc_model_refuse_dead_times(s->model, "monitor", err));
    DARC_NEED(darc_session_needs_weak(s, err));
    darc_monitor *m = darc_calloc(1, sizeof *m);
    const darc_estimates *e = &m->e;
    m->session = s;
    m->equation = darc_session_ask(&m->x, s, &m->by);
    DARC_TRY(darc_session_read(s, baseline, err));
    m->window.step = s->table[0]->dt;
    DARC_TRY(darc_session_identify(s, err));
    DARC_TRY(darc_reading_take(&m->e, &m->fit, &m->x, s->table[0], NULL, err));
    DARC_TRY(check_baseline(m, baseline, err));
    DARC_TRY(darc_values_init(&m->v, &m->x, s->id, &e, 1, err));
    know_noise(m);
    DARC_TRY(open_watch(m, m->fit.used, per_day, err));
    *out = m;
done:
    if (status != DARC_OK)
        darc_monitor_free(m);
    return status;
}

void darc_monitor_free(darc_monitor *m)
{
    if (m == NULL)
        return;
    darc_watch_clear(&m->watch);
    darc_values_clear(&m->v);
    darc_estimates_clear(&m->e);
    darc_fit_clear(&m->fit);
    DARC_FREE(m->equation, m->noise, m->index, m->parameter, m->calm,
              m->found.each, m);
}

darc_monitor_window darc_monitor_windows(const darc_monitor *m)
{
    return m->window;
}

/* Set g to the score at the coefficients of the baseline, or to the fit: of the
 * window given what its first samples, so many, have told. */
static darc_status take_window(darc_gls *g, const darc_monitor *m,
                               const darc_table *table, bool fit, size_t told,
                               darc_err *err)
{
    darc_status status;
    darc_fit now = {.weak = NULL};
    darc_weak *weak = NULL;
    int n = m->x.equations;
    int *model = darc_calloc((size_t)n, sizeof *model);
    DARC_TRY(darc_regression_init(&now.r, &m->x, table, err));
    for (int q = 0; q < n; q++)
        model[q] = now.r.total[q].coeffs;
    now.r.steps = darc_follow_like(&m->fit, &now.r, table);
    darc_weak_data data = {.like = m->fit.weak, .margin = m->fit.weak->margin};
    DARC_TRY(darc_follow_open(&weak, &now, &m->x, table, data, err));
    size_t told_functions = 0;
    for (int p = 0; p < weak->pieces; p++)
        told_functions += darc_weak_told(weak, p, told);
    if (told_functions == weak->functions)
        DARC_TRY(darc_fail(err, DARC_DATA,
                           "%s: gaps leave nothing between them", table->file));
    darc_gls_task task = {.weak = weak,
                          .model = model,
                          .settled = now.r.settled,
                          .start = &m->fit.fit,
                          .stay = !fit,
                          .quiet = !fit,
                          .told = told,
                          .budget = m->x.budget};
    status = darc_gls_fit(g, &task, err);
done:
    darc_weak_free(weak);
    darc_regression_clear(&now.r);
    darc_free(model);
    return status;
}

static bool holds(const darc_monitor *m, const darc_gls *g)
{
    return darc_stats_squares_sf(g->q, g->dof, g->noise_dof) >= m->by.alpha;
}

/* Tell changes by the fit of the window instead of its score, which knows of
 * small ones only. */
static void look_closer(darc_monitor *m, const darc_gls *fit)
{
    int n = m->n;
    const darc_gls *base = &m->fit.fit;
    double *d, *cov, *own;
    DARC_CARVE({&d, n}, {&cov, n * n}, {&own, n * n});
    take_matrix(cov, m, base->cov, 1);
    take_matrix(own, m, fit->cov, 1);
    for (int i = 0; i < n * n; i++)
        cov[i] += own[i];
    for (int i = 0; i < n; i++)
        d[i] = fit->c[m->index[i]] - base->c[m->index[i]];
    darc_watch_explain(&m->found, &m->watch, d, cov);
    darc_free(d);
}

static bool is_large(const darc_monitor *m)
{
    return fabs(m->found.change) > DARC_SCORE_REACH * m->found.sd;
}

/* Where the score contradicts the equations, a large change may be the reason:
 * fit the window, and where it tells of one.  Return whether the equations hold
 * in the window. */
static bool hold_in(darc_monitor *m, const darc_table *table)
{
    darc_gls fit = {0};
    bool hold = take_window(&fit, m, table, false, 0, NULL) == DARC_OK &&
                holds(m, &fit);
    bool told = hold && !is_large(m);
    darc_gls_clear(&fit);
    if (told || take_window(&fit, m, table, true, 0, NULL) != DARC_OK)
        goto done;
    bool closer = holds(m, &fit);
    hold = hold || closer;
    for (int q = 0; q < m->x.equations; q++)
        if (fit.reference[q] != m->fit.fit.reference[q])
            closer = false;
    if (closer)
        look_closer(m, &fit);
done:
    darc_gls_clear(&fit);
    return hold;
}

/* Return whether the window is an alarm. */
static bool watch(darc_monitor *m, const darc_gls *g)
{
    int n = m->n;
    double *b, *info, *cov;
    DARC_CARVE({&b, n}, {&info, n * n}, {&cov, n * n});
    for (int i = 0; i < n; i++)
        b[i] = -g->score[m->index[i]];
    take_matrix(info, m, g->info, 1);
    for (int i = 0; i < n * n; i++)
        info[i] -= m->calm[i] * (double)g->functions;
    take_matrix(cov, m, g->score_cov, 1);
    bool alarm = darc_watch_take(&m->found, &m->watch, b, info, cov);
    darc_free(b);
    return alarm;
}

static const char *name_of(const darc_monitor *m, int direction)
{
    int u = m->v.unknown[m->parameter[direction]];
    return darc_model_names(m->session->model)->symbol[u].name;
}

/* Return a known function that the parameter of a direction moves: itself where
 * it is one; -1: none. */
static int function_of(const darc_monitor *m, int direction)
{
    int p = m->parameter[direction];
    for (int k = 0; k < m->v.functions; k++)
        if (m->v.value[k].known && m->v.slope[k * m->v.vars + p] != 0)
            return k;
    return -1;
}

/* Parameters whose change alone explains the windows, at level alpha: what it
 * leaves is noise.  None does where the equations do not hold in the window. */
static void put_changed(darc_text_t line, const darc_monitor *m, bool hold)
{
    const darc_watch_finding *f = &m->found;
    double most =
        m->n > 1 ? darc_stats_chi2_isf(m->by.alpha, m->n - 1) : HUGE_VAL;
    darc_text_puts(line, ", \"changed\": [");
    for (int k = 0, told = 0; k < m->watch.directions && hold; k++)
        if (f->all - f->each[k] <= most)
            darc_text_printf(line, "%s[\"%s\"]", told++ > 0 ? ", " : "",
                             name_of(m, k));
    darc_text_puts(line, "]");
    darc_text_puts(line, hold ? "" : ", \"structure\": \"inconsistent\"");
}

static void put_window_line(darc_text_t line, const darc_monitor *m, double at,
                            bool alarm, bool hold)
{
    const darc_watch_finding *f = &m->found;
    int k = function_of(m, f->direction);
    char *name = k >= 0 ? darc_session_function(m->session, k) : NULL;
    darc_text_printf(line, "{\"time\": %.15g", at);
    if (k >= 0 && isfinite(f->change)) {
        int p = m->parameter[f->direction];
        double slope = m->v.slope[k * m->v.vars + p];
        darc_text_printf(line,
                         ", \"function\": \"%s\", \"value\": %.9g, \"sd\": "
                         "%.3g",
                         name != NULL ? name : name_of(m, f->direction),
                         m->v.value[k].value + slope * f->change,
                         fabs(slope * f->sd));
    }
    darc_text_printf(line, ", \"statistic\": %.6g, \"alarm\": %s", f->statistic,
                     alarm ? "true" : "false");
    if (alarm)
        put_changed(line, m, hold);
    darc_text_puts(line, "}\n");
    darc_free(name);
}

static void put_skipped(darc_text_t line, double at, const char *why)
{
    darc_json j;
    darc_text_printf(line,
                     "{\"time\": %.15g, \"alarm\": false, \"skipped\": ", at);
    darc_json_init(&j, line);
    darc_json_put(&j, ":s", why);
    darc_text_puts(line, "}\n");
}

darc_status darc_monitor_take(darc_text_t line, darc_monitor *m,
                              const darc_samples *window, size_t told,
                              double at, darc_err *err)
{
    darc_table *table = NULL;
    darc_gls g = {0};
    darc_err why = {DARC_OK, ""};
    darc_status status = darc_table_from_samples(&table, window, &why);
    DARC_THEN(darc_session_complete(m->session, table, &why));
    DARC_THEN(take_window(&g, m, table, false, told, &why));
    if (status == DARC_OK) {
        bool alarm = watch(m, &g), sure = !alarm && !is_large(m);
        put_window_line(line, m, at, alarm, sure || hold_in(m, table));
    } else if (status == DARC_DATA || status == DARC_DOMAIN)
        put_skipped(line, at, why.message);
    else
        darc_fail_as(err, status, &why);
    darc_gls_clear(&g);
    darc_table_free(table);
    return status == DARC_DATA || status == DARC_DOMAIN ? DARC_OK : status;
}

static void put_numbers(darc_text_t out, const double *x, size_t n)
{
    for (size_t i = 0; i < n; i++)
        darc_text_printf(out, "%a\n", x[i]);
}

enum { STATE = 2 }; /* what kind of state this is */

void darc_monitor_save(darc_text_t out, const darc_monitor *m)
{
    const darc_watch *w = &m->watch;
    darc_text_printf(out, "darc monitor %d\n%d %d %d %d\n", STATE, w->n,
                     w->room, w->directions * w->sizes, w->blocks);
    put_numbers(out, w->info, (size_t)(w->n * w->n));
    for (int k = 0; k < w->blocks; k++)
        darc_text_printf(out, "%d\n", w->windows[k]);
    put_numbers(out, w->sum, (size_t)(w->blocks * darc_watch_sum_size(w)));
    put_numbers(out, w->odds, (size_t)(2 * w->directions * w->sizes));
}

/* Read so many numbers; return whether they are there. */
static bool take_numbers(double *x, int n, char **at)
{
    bool all = true;
    for (int i = 0; i < n && all; i++) {
        char *from = *at;
        x[i] = strtod(from, at);
        all = *at != from && isfinite(x[i]);
    }
    return all;
}

/* Read a state into w, empty; return whether it is one of this monitor. */
static bool take_state(darc_watch *w, const char *text)
{
    char *at = (char *)text;
    double head[4], *info = darc_calloc((size_t)(w->n * w->n), sizeof *info);
    char name[32];
    int all = 0;
    snprintf(name, sizeof name, "darc monitor %d\n", STATE);
    bool same = strncmp(at, name, strlen(name)) == 0;
    at += same ? strlen(name) : 0;
    same = same && take_numbers(head, 4, &at) && head[0] == w->n &&
           head[1] == w->room && head[2] == w->directions * w->sizes &&
           head[3] >= 0 && head[3] <= darc_watch_blocks(w) &&
           take_numbers(info, w->n * w->n, &at) &&
           memcmp(info, w->info, (size_t)(w->n * w->n) * sizeof *info) == 0;
    for (int k = 0; same && k < (int)head[3]; k++) {
        long windows = strtol(at, &at, 10);
        same = windows > 0 && windows <= w->room && (all += (int)windows) > 0;
        w->windows[k] = (int)windows;
    }
    darc_free(info);
    if (!same ||
        !take_numbers(w->sum, (int)head[3] * darc_watch_sum_size(w), &at) ||
        !take_numbers(w->odds, 2 * w->directions * w->sizes, &at))
        return false;
    w->blocks = (int)head[3];
    return true;
}

darc_status darc_monitor_restore(darc_monitor *m, const char *text,
                                 darc_err *err)
{
    if (take_state(&m->watch, text))
        return DARC_OK;
    darc_watch_forget(&m->watch);
    return darc_fail(err, DARC_DATA,
                     "--state: the file is not the state of a monitor with "
                     "this model, baseline and options; remove it to begin "
                     "anew");
}
