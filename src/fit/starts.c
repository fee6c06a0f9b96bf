#include "fit/starts.h"

#include "base/mem.h"
#include "base/random.h"
#include "fit/thresholds.h"

#include <math.h>

typedef struct {
    const darc_names_struct *names;
    double *column; /* of each unknown DARC_STARTS_SAMPLES, NAN where there are
                       none */
    int *place;     /* of each unknown: which parameter, or -1 */
    const double *theta;
    int sample;
} setting;

static double value_of(void *user, darc_deriv d)
{
    const setting *s = user;
    if (d.unknown < 0 || d.order > 0)
        return NAN;
    return s->place[d.unknown] >= 0
               ? s->theta[s->place[d.unknown]]
               : s->column[d.unknown * DARC_STARTS_SAMPLES + s->sample];
}

static bool holds_any(const setting *s, const darc_expr *e)
{
    bool holds = e->kind == DARC_EXPR_UNKNOWN && e->unknown >= 0 &&
                 s->place[e->unknown] >= 0;
    for (int i = 0; i < e->count && !holds; i++)
        holds = holds_any(s, e->child[i]);
    return holds;
}

/* Whether a function bends along samples of its argument: of a logarithm, by
 * the share that it moves; of tanh and its like, where it is not even. */
static bool bends_along(setting *s, const darc_expr *call)
{
    double sum = 0, square = 0;
    bool log_of = call->function == DARC_FUNCTION_LOG;
    bool free = log_of || call->function == DARC_FUNCTION_EXP;
    for (s->sample = 0; s->sample < DARC_STARTS_SAMPLES; s->sample++) {
        double a = darc_expr_eval(call->child[0], value_of, s);
        a = log_of ? log(a) : a;
        sum += a;
        square += a * a;
    }
    double mean = sum / DARC_STARTS_SAMPLES;
    double sd = sqrt(fmax(0, square / DARC_STARTS_SAMPLES - mean * mean));
    return sd >= DARC_BENDS_LEAST && sd <= DARC_BENDS_MOST &&
           fabs(mean) <= (free ? DARC_BENDS_FAR : 2 * (1 + sd));
}

static bool bends(setting *s, const darc_expr *e)
{
    bool all = e->kind != DARC_EXPR_CALL || e->function == DARC_FUNCTION_SQRT ||
               e->function >= DARC_FUNCTION_ABS || !holds_any(s, e) ||
               bends_along(s, e);
    for (int i = 0; i < e->count && all; i++)
        all = bends(s, e->child[i]);
    return all;
}

/* Of any size; or as a signal is, for it is often a place on its axis. */
static double draw(const setting *s, darc_random *r)
{
    size_t all = (size_t)s->names->count * DARC_STARTS_SAMPLES;
    double of = s->column[(size_t)(darc_random_uniform(r) * (double)all)];
    double sign = darc_random_uniform(r) < .5 ? -1 : 1;
    double size =
        pow(10, DARC_STARTS_DECADES * (2 * darc_random_uniform(r) - 1));
    return isnan(of) || darc_random_uniform(r) < .5 ? sign * size : of;
}

static void read_columns(setting *s, const darc_table *t)
{
    darc_segment at = darc_table_longest(t);
    size_t n = at.end - at.begin;
    for (int u = 0; u < s->names->count; u++) {
        int k = darc_table_find(t, s->names->symbol[u].name);
        for (size_t i = 0; i < DARC_STARTS_SAMPLES; i++)
            s->column[(size_t)u * DARC_STARTS_SAMPLES + i] =
                k < 0 || n == 0
                    ? NAN
                    : t->signal[k]
                          .value[at.begin + i * n / DARC_STARTS_SAMPLES];
    }
}

/* Whether row `at` of n numbers is within DARC_STARTS_ALIKE of itself of one
 * before. */
static bool is_repeated(const double *x, int at, int n)
{
    bool same = false;
    for (int i = 0; i < at && !same; i++) {
        same = true;
        for (int k = 0; k < n; k++)
            same = same && fabs(x[at * n + k] - x[i * n + k]) <=
                               DARC_STARTS_ALIKE * fabs(x[at * n + k]);
    }
    return same;
}

int darc_starts_find(double *x, int most, const darc_model *model,
                     const int *parameter, int n, const darc_table *table)
{
    darc_expr **call;
    darc_random r;
    int found = 0, drawn = 0, calls = darc_model_calls(&call, model);
    const darc_names_struct *names = darc_model_names(model);
    size_t unknowns = (size_t)names->count;
    setting s = {.names = names};
    s.column = darc_calloc(unknowns * DARC_STARTS_SAMPLES, sizeof *s.column);
    s.place = darc_calloc(unknowns, sizeof *s.place);
    for (size_t u = 0; u < unknowns; u++)
        s.place[u] = -1;
    for (int i = 0; i < n; i++)
        s.place[parameter[i]] = i;
    read_columns(&s, table);
    darc_random_init(&r, 1, 0);
    for (int i = 0; i < DARC_STARTS_DRAWS && drawn < most; i++) {
        bool all = calls > 0;
        double *theta = x + found * n;
        s.theta = theta;
        for (int k = 0; k < n; k++)
            theta[k] = draw(&s, &r);
        for (int k = 0; k < calls && all; k++)
            all = bends(&s, call[k]);
        drawn += all;
        found += all && !is_repeated(x, found, n);
    }
    while (calls > 0)
        darc_expr_free(call[--calls]);
    DARC_FREE((void *)call, s.column, s.place);
    return found;
}
