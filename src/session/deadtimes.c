/* deadtimes.c - where times of delays are, which are parameters.
 *
 * Around a time T0 a delayed signal is v - (T - T0) v', v = u(t - T0).  Along a
 * grid so fine that one place of it lies where that holds, the share that the
 * other terms leave of the leading one is compared; from the least on the model
 * is asked around what it tells (near.h).
 */
#include "session/near.h"

#include "base/mem.h"
#include "derive/derive.h"
#include "fit/regression.h"
#include "session/thresholds.h"

#include <math.h>
#include <string.h>

/* A model around delays of 0, and one recording. */
typedef struct {
    darc_linear near;
    darc_centre centre;
    darc_question x;
    darc_criteria by;
    int *equation; /* owned */
    darc_regression r;
    darc_table table; /* of it, with segments of its own */
    double *share;    /* [unknown * count + i]: of parameter i of the centre in
                         what it is late by; owned */
    double **late;    /* by unknown: its samples; NULL: it is not late; owned */
    double functions; /* of the last fit */
} scan;

/* What a derived signal is late by where parameter i of the centre is 1, the
 * others 0; 0 where it is nothing but late. */
static double share_of(const scan *s, int u, int i)
{
    const darc_expr *e = darc_derived_expr(s->near.model, u);
    double share = 0;
    if (e == NULL || e->kind != DARC_EXPR_CALL ||
        e->function != DARC_FUNCTION_DELAY)
        return 0;
    for (int k = 0; k < 2; k++) {
        darc_expr *time = darc_expr_copy(e->child[1]);
        for (int j = 0; j < s->centre.count; j++) {
            darc_expr *one = darc_expr_integer(time->place, k == 0 && j == i);
            darc_expr_substitute(&time, s->centre.item[j].near, one);
            darc_expr_free(one);
        }
        double at = 0;
        if (!darc_expr_is_constant(time, &at))
            at = 0;
        share = k == 0 ? at : share - at;
        darc_expr_free(time);
    }
    return share;
}

/* What is a staircase is held wherever the delay is sought. */
static void hold_staircases(const scan *s)
{
    const darc_names_struct *names = darc_model_names(s->near.model);
    const darc_session *of = s->near.of;
    for (int u = 0; u < s->r.unknowns; u++) {
        const char *name = names->symbol[u].name;
        int k =
            darc_names_find(darc_model_names(of->model), name, strlen(name));
        if (k >= 0 && s->r.held[u] == DARC_HELD_FOUND)
            of->hold[k] = true;
    }
}

static bool open_scan(scan *s, const darc_linear *l, const darc_centre *c,
                      int recording)
{
    s->near = (darc_linear){
        .of = l->of, .from = recording, .count = 1, .askings = l->askings};
    s->centre = (darc_centre){.count = c->count};
    s->centre.item = darc_calloc((size_t)c->count + 1, sizeof *s->centre.item);
    for (int i = 0; i < c->count; i++) {
        s->centre.item[i] = c->item[i];
        s->centre.item[i].own[0] = 0;
    }
    if (!darc_near_open(&s->near, &s->centre))
        return false;
    const darc_session *of = s->near.session;
    s->equation = darc_session_ask(&s->x, of, &s->by);
    const darc_table *t = of->table[0];
    if (darc_regression_init(&s->r, &s->x, t, NULL) != DARC_OK)
        return false;
    size_t n = (size_t)s->r.unknowns;
    s->table = *t;
    s->table.segment = darc_calloc((size_t)t->segments + 1, sizeof *t->segment);
    s->share = darc_calloc(n * (size_t)c->count + 1, sizeof *s->share);
    s->late = darc_calloc(n + 1, sizeof *s->late);
    for (int u = 0; u < s->r.unknowns; u++) {
        bool late = false;
        for (int i = 0; i < c->count && s->r.column[u] >= 0; i++) {
            s->share[u * c->count + i] = share_of(s, u, i);
            late = late || s->share[u * c->count + i] != 0;
        }
        if (late)
            s->late[u] = darc_calloc(t->samples, sizeof **s->late);
    }
    hold_staircases(s);
    return true;
}

static void close_scan(scan *s)
{
    for (int u = 0; u < s->r.unknowns && s->late != NULL; u++)
        darc_free(s->late[u]);
    darc_regression_clear(&s->r);
    darc_near_drop(&s->near);
    DARC_FREE(s->late, s->share, s->equation, s->centre.item, s->table.segment);
}

/* Let the signals be late by x; the recording is where all are known. */
static void delay_signals(scan *s, darc_weak_signal *signal, const double *x)
{
    const darc_table *t = s->near.session->table[0];
    double most = 0, least = 0;
    memcpy(signal, s->r.signal, (size_t)s->r.unknowns * sizeof *signal);
    for (int u = 0; u < s->r.unknowns; u++) {
        if (s->late[u] == NULL)
            continue;
        double by = 0;
        for (int i = 0; i < s->centre.count; i++)
            by += s->share[u * s->centre.count + i] * x[i];
        darc_derive_delayed(s->late[u], s->r.signal[u].value, by, t);
        signal[u].value = s->late[u];
        signal[u].late = by;
        signal[u].held = signal[u].held && by == 0;
        most = fmax(most, by);
        least = fmin(least, by);
    }
    s->table.segments = 0;
    for (int i = 0; i < t->segments; i++) {
        darc_segment g = t->segment[i];
        double begin = darc_table_time(t, g.begin) + most;
        while (g.begin < g.end && darc_table_time(t, g.begin) <= begin)
            g.begin++;
        double end =
            g.end > g.begin ? darc_table_time(t, g.end - 1) + least : 0;
        while (g.begin < g.end && darc_table_time(t, g.end - 1) > end)
            g.end--;
        if (g.begin < g.end)
            s->table.segment[s->table.segments++] = g;
    }
}

/* The share of column j that the others but `without` leave, of the Gram matrix
 * g, which is spoilt. */
static double left_of(double *g, int n, int j, int without)
{
    double all = g[j * (n + 1)];
    for (int k = 0; k < n; k++) {
        double pivot = g[k * (n + 1)];
        if (k == j || k == without || !(pivot > 0))
            continue;
        for (int i = 0; i < n; i++) {
            double by = g[i * n + k] / pivot;
            for (int m = 0; m < n && i != k; m++)
                g[i * n + m] -= by * g[k * n + m];
        }
    }
    return all > 0 ? fmax(g[j * (n + 1)] / all, 0) : 1;
}

/* The coefficient of the highest derivative, *most, of an unknown. */
static int highest(int *most, const darc_total_struct *total, int unknown)
{
    int best = 0;
    *most = -1;
    for (int i = 0; i < total->count; i++)
        for (int v = 0; v < total->vars; v++) {
            int order = total->term[i].order + total->var[v].order;
            if (total->var[v].unknown == unknown && order > *most &&
                darc_total_holds(total->term + i, v)) {
                *most = order;
                best = total->term[i].coeff;
            }
        }
    return best;
}

/* The coefficient of the highest derivative of what is late by a parameter,
 * which is there for steps of that alone; -1: none. */
static int tangent_of(const scan *s, const darc_total_struct *total,
                      int parameter)
{
    int best = -1;
    for (int u = 0, most = 0; u < s->r.unknowns && parameter >= 0; u++)
        if (s->share[u * s->centre.count + parameter] != 0) {
            int order, j = highest(&order, total, u);
            best = order > most ? j : best;
            most = order > most ? order : most;
        }
    return best;
}

/* What is left at x: the sum of the logarithms of the shares of all equations;
 * HUGE_VAL: not known.  Without steps of a parameter, -1: with all. */
static double left_at(scan *s, const double *x, int without)
{
    double sum = 0;
    darc_weak_signal *signal =
        darc_calloc((size_t)s->r.unknowns + 1, sizeof *signal);
    delay_signals(s, signal, x);
    for (int q = 0; q < s->r.equations && isfinite(sum); q++) {
        const darc_total_struct *total = s->r.total + q;
        darc_weak_data data = {.table = &s->table,
                               .signal = signal,
                               .channel = s->r.channel,
                               .channels = s->r.channels,
                               .moments = true};
        darc_weak *weak;
        int n = total->coeffs;
        if (darc_weak_new(&weak, &total, 1, &data, NULL) != DARC_OK) {
            sum = HUGE_VAL;
            break;
        }
        s->functions = (double)weak->functions;
        double *g = darc_calloc((size_t)(n * n), sizeof *g);
        double *w = darc_columns_all(weak);
        darc_columns_gram(g, 1, w, weak->functions, n);
        int order, leader = darc_question_equation(&s->x, q)->leader.unknown;
        int j = highest(&order, total, leader);
        sum += log(left_of(g, n, j, tangent_of(s, total, without)) +
                   DARC_LATE_SHARE);
        DARC_FREE(g, w);
        darc_weak_free(weak);
    }
    darc_free(signal);
    return sum;
}

/* Between places of the grid: a share of the shortest period that matters. */
static double spacing(const scan *s, int parameter)
{
    double band = 0;
    for (int u = 0; u < s->r.unknowns; u++)
        if (s->share[u * s->centre.count + parameter] != 0)
            band = fmax(band, s->r.signal[u].power_band);
    return band > 0 ? DARC_LATE_SPACING / band : darc_table_step(&s->table);
}

/* Move x[i] to the least within so much of it, by golden sections. */
static void refine(scan *s, double *x, int i, double width)
{
    const double golden = 0.6180339887498949;
    double a = x[i] - width, b = x[i] + width, at[2], left[2];
    for (int k = 0; k < DARC_LATE_SECTIONS; k++) {
        at[0] = b - golden * (b - a);
        at[1] = a + golden * (b - a);
        for (int m = 0; m < 2; m++) {
            x[i] = at[m];
            left[m] = left_at(s, x, i);
        }
        if (left[0] < left[1])
            b = at[1];
        else
            a = at[0];
    }
    x[i] = (a + b) / 2;
}

/* A place of the grid, and what is left there. */
typedef struct {
    double at, width, left;
} place;

/* Let p be the least near it; the others as they are. */
static void settle(scan *s, place *p, double *x, int i)
{
    x[i] = p->at;
    refine(s, x, i, p->width);
    p->at = x[i];
    p->left = left_at(s, x, i);
}

/* Set x[i] to the best, the others as they are: of several as good as each
 * other, as where signals repeat, the first. */
static void seek(scan *s, double *x, int i)
{
    const darc_table *t = s->near.session->table[0];
    darc_segment g = darc_table_longest(t);
    double span =
        (darc_table_time(t, g.end - 1) - darc_table_time(t, g.begin)) *
        DARC_LATE_MOST;
    double fine = spacing(s, i);
    place *p = NULL, best;
    int n = 0, least = 0, tried = 0;
    for (double at = 0; at <= span; at += p[n++].width) {
        DARC_ROOM(p, n);
        x[i] = at;
        p[n] =
            (place){at, fmax(fine, at / DARC_LATE_PLACES), left_at(s, x, -1)};
        least = p[n].left < p[least].left ? n : least;
    }
    best = p[least];
    double far = best.left + DARC_LATE_WORSE;
    settle(s, &best, x, i);
    double same = best.left + DARC_LATE_SAME / sqrt(s->functions);
    for (int k = 0; k < least && tried < DARC_LATE_TRIED; k++) {
        if (p[k].left > far || p[k].left > p[k + 1].left ||
            (k > 0 && p[k].left > p[k - 1].left))
            continue;
        settle(s, p + k, x, i);
        tried = p[k].left <= same ? DARC_LATE_TRIED : tried + 1;
        best = p[k].left <= same ? p[k] : best;
    }
    x[i] = best.at;
    darc_free(p);
}

/* Whether a delayed signal moves too fast to be read between the samples that
 * lie farthest apart. */
static bool is_coarse(const scan *s)
{
    const darc_table *t = s->near.session->table[0];
    double gap = 0, band = 0;
    for (int k = 0; k < t->segments; k++)
        for (size_t i = t->segment[k].begin + 1; i < t->segment[k].end; i++)
            gap = fmax(gap, darc_table_time(t, i) - darc_table_time(t, i - 1));
    for (int u = 0; u < s->r.unknowns; u++)
        if (s->late[u] != NULL && !s->r.signal[u].held)
            band = fmax(band, s->r.signal[u].power_band);
    return gap * band > DARC_LATE_BETWEEN;
}

bool darc_late_find(double *x, const darc_linear *l, darc_centre *c,
                    int recording)
{
    scan s = {.near = {.of = NULL}};
    bool found = open_scan(&s, l, c, recording);
    for (int i = 0; i < c->count && found; i++) {
        bool any = false;
        for (int u = 0; u < s.r.unknowns; u++)
            any = any || s.share[u * c->count + i] != 0;
        found = any;
    }
    for (int round = 0; round < (c->count > 1 ? 2 : 1) && found; round++)
        for (int i = 0; i < c->count; i++)
            seek(&s, x, i);
    c->coarse = c->coarse || (found && is_coarse(&s));
    close_scan(&s);
    return found;
}
