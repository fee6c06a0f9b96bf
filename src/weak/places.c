/* places.c - the values of terms at the places of a piece, with what steps make
 * of sums over them. */
#include "weak/piece.h"

#include "base/mem.h"
#include "data/table.h"
#include "stats/smoother.h"
#include "weak/stamps.h"
#include "weak/steps.h"

#include <math.h>
#include <string.h>

enum { NODES = DARC_STEP_NODES, LEFT = DARC_STEP_LEFT, POINTS = NODES + 1 };

enum { MOMENTS = NODES + DARC_STEP_POWERS - 1 };

/* B_1 .. B_15, B_1 = 1/2. */
static const double bernoulli[MOMENTS] = {
    1 / 2.0, 1 / 6.0,  0, -1 / 30.0,     0, 1 / 42.0, 0, -1 / 30.0,
    0,       5 / 66.0, 0, -691 / 2730.0, 0, 7 / 6.0,  0};

/* Set e[i] to the weights of (x - theta)^i behind a step at theta. */
static void weigh_step(double e[DARC_STEP_POWERS][NODES],
                       double power[NODES][NODES], double theta)
{
    double moment[MOMENTS], x = theta;
    for (int m = 0; m < MOMENTS; m++, x *= theta)
        moment[m] = (bernoulli[m] - x) / (m + 1);
    for (int j = 0; j < NODES; j++) {
        double p[MOMENTS] = {0};
        memcpy(p, power[j], sizeof power[j]);
        for (int i = 0; i < DARC_STEP_POWERS; i++) {
            e[i][j] = 0;
            for (int m = 0; m < NODES + i; m++)
                e[i][j] += p[m] * moment[m];
            for (int m = NODES + i; m >= 0 && i + 1 < DARC_STEP_POWERS; m--)
                p[m] = (m > 0 ? p[m - 1] : 0) - theta * p[m];
        }
    }
}

/* Return the first step whose row is at or behind that. */
static size_t first_from(const darc_steps *s, size_t row)
{
    size_t a = 0, b = s->count;
    while (a < b) {
        size_t m = a + (b - a) / 2;
        if (s->row[m] < row)
            a = m + 1;
        else
            b = m;
    }
    return a;
}

void darc_weak_steps_load(darc_weak_work *work)
{
    const darc_weak *weak = work->weak;
    const darc_steps *s = weak->steps;
    const darc_weak_piece *p = weak->piece + work->piece;
    work->steps = 0;
    if (s == NULL || s->count == 0)
        return;
    size_t first = first_from(s, p->begin + 1), end = first_from(s, p->end);
    double power[NODES][NODES], at_row[DARC_STEP_POWERS][NODES];
    double t0 = darc_table_time(weak->table, p->begin + (size_t)weak->margin);
    if (end - first > work->step_room) {
        darc_free(work->step);
        work->step = darc_malloc((end - first) * sizeof *work->step);
        work->step_room = end - first;
    }
    for (int j = 0; j < NODES; j++)
        darc_lagrange(power[j], j, -LEFT, NODES, 0);
    weigh_step(at_row, power, 0);
    for (size_t k = first; k < end; k++) {
        darc_weak_step *step = work->step + work->steps++;
        step->index = k;
        step->row = (int)(s->row[k] - p->begin);
        step->on = s->at[k] == darc_table_time(weak->table, s->row[k]);
        step->x = (s->at[k] - t0) / weak->dt;
        if (weak->stamps == NULL && step->on)
            step->x = step->row - weak->margin;
        step->place = (int)floor(step->x);
        if (step->x == step->place)
            memcpy(step->weight, at_row, sizeof at_row);
        else
            weigh_step(step->weight, power, step->x - step->place);
    }
}

/* Whether steps say something of a variable: of signals themselves alone. */
static bool is_known(const darc_weak *weak, int v)
{
    const darc_weak_var *var = weak->var + v;
    return var->deriv.order == 0 && var->value != NULL && var->sign == NULL &&
           var->deriv.unknown < weak->steps->unknowns;
}

static bool is_held(const darc_weak *weak, int v)
{
    const darc_deriv d = weak->var[v].deriv;
    return is_known(weak, v) && weak->steps->to[d.unknown] != NULL;
}

static bool bends(const darc_weak *weak, int v)
{
    const darc_deriv d = weak->var[v].deriv;
    return is_known(weak, v) && weak->steps->jump[d.unknown] != NULL;
}

static bool stands_in(const darc_laurent *g, int v)
{
    bool any = false;
    for (int i = 0; i < g->count; i++)
        any = any || g->m[i].e[v] != 0 || g->m[i].log == v;
    return any;
}

/* Return the variable of a monomial that is its multiple; -1: it is another. */
static int variable_of(const darc_laurent *g, int i)
{
    darc_monomial m = g->m[i];
    darc_laurent one = {g->vars, 1, &m};
    m.a = 1;
    return darc_laurent_is_variable(&one);
}

/* Whether a group is a sum of signals. */
static bool is_sum(const darc_laurent *g)
{
    bool sum = true;
    for (int i = 0; i < g->count && sum; i++)
        sum = variable_of(g, i) >= 0;
    return sum;
}

bool darc_weak_steps_touch(const darc_weak *weak, const darc_weak_group *group)
{
    bool any = false, sum = is_sum(&group->g);
    for (int v = 0; v < weak->vars && weak->steps != NULL; v++)
        any = any ||
              (stands_in(&group->g, v) &&
               (is_held(weak, v) ||
                (bends(weak, v) &&
                 (sum || !weak->steps->slight[weak->var[v].deriv.unknown]))));
    return any;
}

/* A term on either side of a step, continued to its nodes; last, at the step
 * itself. */
typedef struct {
    double minus[POINTS], plus[POINTS];
} sides;

/* Return the distance of node j from the step, s. */
static double distance(const darc_weak *weak, const darc_weak_step *s, int j)
{
    return j == NODES ? 0 : (s->place + j - LEFT - s->x) * weak->dt;
}

static int inside(const darc_weak_work *work, int row)
{
    row = row < 0 ? 0 : row;
    return row < work->samples ? row : work->samples - 1;
}

/* Return by how much output u differs at a distance behind step s from what it
 * would be without the step. */
static double behind(const darc_steps *all, int u, const darc_weak_step *s,
                     double d)
{
    return all->jump[u][s->index] + d * all->kink[u][s->index];
}

/* Set base to variable v as it would be without the step: an output that bends
 * on the side before. */
static void continue_output(double base[POINTS], const darc_weak_work *work,
                            const darc_weak_step *s, int v)
{
    const darc_weak *weak = work->weak;
    const darc_steps *all = weak->steps;
    int u = weak->var[v].deriv.unknown;
    bool bent = bends(weak, v);
    double jump = bent ? all->jump[u][s->index] : 0;
    bool before = bent && all->before[u];
    const double *x = work->x[v];
    bool even = weak->stamps == NULL;
    double here = x[inside(work, s->row)] - (s->on && before ? 0 : jump);
    double last = x[inside(work, s->row - 1)];
    size_t row = weak->piece[work->piece].begin + (size_t)s->row;
    double t = all->at[s->index], way = darc_table_time(weak->table, row) -
                                        darc_table_time(weak->table, row - 1);
    double slope = (here - last) / way;
    here -= slope * (darc_table_time(weak->table, row) - t);
    for (int j = 0; j < POINTS; j++) {
        double d = distance(weak, s, j);
        if (!even || j == NODES || (s->on && j == LEFT)) {
            base[j] = here + slope * d;
            continue;
        }
        int place = s->place + j - LEFT;
        base[j] = x[inside(work, place + weak->margin)] -
                  (bent && place > s->x ? behind(all, u, s, d) : 0);
    }
}

/* Set both sides of a group at a step. */
static void find_sides(sides *out, const darc_weak_work *work,
                       const darc_laurent *g, const darc_weak_step *s)
{
    const darc_weak *weak = work->weak;
    const darc_steps *all = weak->steps;
    double room[2 * DARC_LAURENT_VARS][POINTS];
    const double *minus[DARC_LAURENT_VARS] = {NULL},
                 *plus[DARC_LAURENT_VARS] = {NULL};
    for (int v = 0; v < weak->vars; v++) {
        int u = weak->var[v].deriv.unknown;
        double *a = room[2 * v], *b = room[2 * v + 1];
        minus[v] = a;
        plus[v] = b;
        if (!stands_in(g, v))
            continue;
        if (!is_held(weak, v))
            continue_output(a, work, s, v);
        for (int j = 0; j < POINTS; j++) {
            if (is_held(weak, v)) {
                a[j] = all->from[u][s->index];
                b[j] = all->to[u][s->index];
                continue;
            }
            b[j] = a[j];
            if (bends(weak, v))
                b[j] += behind(all, u, s, distance(weak, s, j));
        }
    }
    darc_laurent_eval(out->minus, g, minus, POINTS);
    darc_laurent_eval(out->plus, g, plus, POINTS);
}

/* Set difference to plus - minus; both sides are not needed of one signal. */
static void find_difference(double difference[POINTS],
                            const darc_weak_work *work, const darc_laurent *g,
                            const darc_weak_step *s)
{
    const darc_weak *weak = work->weak;
    const darc_steps *all = weak->steps;
    int v = darc_laurent_is_variable(g);
    sides both;
    if (v < 0)
        find_sides(&both, work, g, s);
    for (int j = 0; j < POINTS; j++) {
        int u = v < 0 ? 0 : weak->var[v].deriv.unknown;
        difference[j] = v < 0 ? both.plus[j] - both.minus[j]
                        : is_held(weak, v)
                            ? all->to[u][s->index] - all->from[u][s->index]
                            : behind(all, u, s, distance(weak, s, j));
    }
}

/* Whether samples at steps may be of before them. */
static bool lies_before(const darc_weak *weak, const darc_laurent *g)
{
    bool any = false;
    for (int v = 0; v < weak->vars; v++)
        any = any || (bends(weak, v) && stands_in(g, v) &&
                      weak->steps->before[weak->var[v].deriv.unknown]);
    return any;
}

/* Return f, samples of the piece, with those at steps as they are behind them.
 */
static const double *turn_behind(darc_weak_work *work, const darc_laurent *g,
                                 const double *f)
{
    if (!lies_before(work->weak, g))
        return f;
    if (f != work->behind)
        memcpy(work->behind, f, (size_t)work->samples * sizeof *f);
    for (int i = 0; i < work->steps; i++) {
        const darc_weak_step *s = work->step + i;
        sides both;
        if (!s->on)
            continue;
        find_sides(&both, work, g, s);
        work->behind[s->row] = both.plus[NODES];
    }
    return work->behind;
}

/* What jumps and bends at steps, from the first on: level + slope * place. */
typedef struct {
    double level, slope;
    int next; /* step */
} stairs;

/* Go on to place x; steps at x itself are behind. */
static void climb(stairs *at, const darc_weak_work *work,
                  const double (*part)[2], double x)
{
    for (; at->next < work->steps && work->step[at->next].x <= x; at->next++) {
        const double *p = part[at->next];
        at->level += p[0] - p[1] * work->step[at->next].x;
        at->slope += p[1];
    }
}

/* Set work->place to f read from the samples of a rate, with what jumps taken
 * off before and put on behind. */
static void read_stamps(darc_weak_work *work, int rate, const double *f,
                        const double (*part)[2])
{
    darc_uneven *l = work->lattice + rate;
    int places = (int)darc_weak_places(work->weak, work->functions);
    stairs down = {0, 0, 0}, up = {0, 0, 0};
    double *smooth = work->smooth;
    darc_weak_stamps_place(work);
    for (int i = 0; i < l->n; i++) {
        climb(&down, work, part, l->x[i]);
        smooth[l->row[i]] = f[l->row[i]] - down.level - down.slope * l->x[i];
    }
    darc_weak_stamps_even(work, rate, smooth);
    for (int i = 0; i < places; i++) {
        climb(&up, work, part, i);
        work->place[i] += up.level + up.slope * i;
    }
}

/* Add to out what a sum misses where the coefficients of (x - at)^i jump by so
 * many times size[i]. */
static void add_sizes(double out[NODES], const darc_weak_step *s,
                      const double size[DARC_STEP_POWERS], double times)
{
    for (int i = 0; i < DARC_STEP_POWERS; i++)
        for (int j = 0; j < NODES && size[i] != 0; j++)
            out[j] += times * size[i] * s->weight[i][j];
}

/* Add to out what the sum over so many times variable v misses around a step.
 */
static void add_variable(double out[NODES], const darc_weak *weak,
                         const darc_weak_step *s, int v, double times)
{
    const darc_steps *all = weak->steps;
    int u = weak->var[v].deriv.unknown;
    double size[DARC_STEP_POWERS] = {0}, scale = weak->dt;
    if (is_held(weak, v)) {
        size[0] = all->to[u][s->index] - all->from[u][s->index];
    } else if (bends(weak, v)) {
        const double *curve = all->curve[u] + s->index * DARC_STEP_CURVES;
        size[0] = all->jump[u][s->index];
        size[1] = all->kink[u][s->index] * scale;
        for (int i = 2; i < DARC_STEP_POWERS; i++) {
            scale *= weak->dt / i;
            size[i] = curve[i - 2] * scale;
        }
    }
    add_sizes(out, s, size, times);
}

/* Add to size[i] `sign` times the coefficient of (x - at)^i of the polynomial
 * through y[j] at first + j, j < count. */
static void add_powers(double size[DARC_STEP_POWERS], double sign,
                       const double *y, int first, int count, double at)
{
    double p[DARC_STEP_POWERS];
    for (int j = 0; j < count; j++) {
        darc_lagrange(p, j, first, count, at);
        for (int m = 0; m < count; m++)
            size[m] += sign * y[j] * p[m];
    }
}

/* Add to the places around a step what sums miss there. */
static void add_missed(darc_weak_work *work, const darc_weak_step *s,
                       const double missed[NODES])
{
    int places = (int)darc_weak_places(work->weak, work->functions);
    for (int j = 0; j < NODES; j++) {
        int place = s->place + j - LEFT;
        if (place >= 0 && place < places)
            work->place[place] += missed[j];
    }
}

/* Set size[i] to what the coefficients of (x - at)^i of a group jump by at a
 * step, each side by the samples f up to the next step; return false where a
 * side has none. */
static bool find_sizes(double size[DARC_STEP_POWERS],
                       const darc_weak_work *work, int i, const double *f,
                       double before)
{
    const darc_weak_step *s = work->step + i;
    int most = work->weak->side;
    double y[DARC_STEP_POWERS], x = s->x + work->weak->margin;
    int begin = i > 0 ? s[-1].row : 0;
    int end = i + 1 < work->steps ? s[1].row : work->samples;
    int behind = end - s->row < most ? end - s->row : most;
    int last = s->row - !s->on, first = last - most + 1;
    if (first < begin)
        first = begin;
    if (behind < 1 || s->row <= begin)
        return false;
    add_powers(size, 1, f + s->row, s->row, behind, x);
    for (int row = first; row <= last; row++)
        y[row - first] = row < s->row ? f[row] : before;
    add_powers(size, -1, y, first, last - first + 1, x);
    return true;
}

/* Whether what a sum of signals jumps by is known of all its derivatives. */
static bool is_exact(const darc_weak *weak, const darc_laurent *g)
{
    bool exact = is_sum(g);
    for (int v = 0; v < weak->vars && exact; v++)
        exact = !stands_in(g, v) || is_held(weak, v) || !bends(weak, v) ||
                weak->steps->curved[weak->var[v].deriv.unknown];
    return exact;
}

bool darc_weak_is_sided(const darc_weak *weak, const darc_weak_group *group)
{
    return weak->stamps == NULL && weak->steps->count > 0 &&
           darc_weak_steps_touch(weak, group) && !is_exact(weak, &group->g);
}

void darc_weak_steps_noise(darc_weak_work *work, const darc_weak_group *group,
                           double *f)
{
    const darc_weak *weak = work->weak;
    size_t places = darc_weak_places(weak, work->functions);
    if (work->steps == 0 || !darc_weak_is_sided(weak, group))
        return;
    memcpy(work->place, f + weak->margin, places * sizeof *work->place);
    for (int i = 0; i < work->steps; i++) {
        const darc_weak_step *s = work->step + i;
        double size[DARC_STEP_POWERS] = {0}, missed[NODES] = {0};
        if (!find_sizes(size, work, i, f, f[s->row]))
            continue;
        add_sizes(missed, s, size, 1);
        add_missed(work, s, missed);
    }
    memcpy(f + weak->margin, work->place, places * sizeof *work->place);
}

/* Add to the places around a step what the sum of a group misses. */
static void add_step(darc_weak_work *work, const darc_laurent *g, int i,
                     const double *f, const double difference[POINTS])
{
    const darc_weak *weak = work->weak;
    const darc_weak_step *s = work->step + i;
    double missed[NODES] = {0}, size[DARC_STEP_POWERS] = {0};
    bool sum = is_sum(g), sided = weak->stamps == NULL && !is_exact(weak, g);
    sides both = {{0}, {0}};
    if (sided && s->on)
        find_sides(&both, work, g, s);
    sided = sided && find_sizes(size, work, i, f, both.minus[NODES]);
    for (int k = 0; k < g->count && sum && !sided; k++)
        add_variable(missed, weak, s, variable_of(g, k), g->m[k].a);
    for (int j = 0; j < NODES && !sum && !sided; j++)
        missed[j] = s->weight[0][j] * difference[j];
    if (sided)
        add_sizes(missed, s, size, 1);
    if (s->x == s->place)
        missed[LEFT] -=
            sided ? f[s->row] - both.minus[NODES] : difference[LEFT];
    add_missed(work, s, missed);
}

const double *darc_weak_values(darc_weak_work *work,
                               const darc_weak_group *group, const double *f)
{
    const darc_weak *weak = work->weak;
    size_t places = darc_weak_places(weak, work->functions);
    if (work->steps == 0 || !darc_weak_steps_touch(weak, group))
        return weak->stamps == NULL
                   ? f + weak->margin
                   : darc_weak_stamps_even(work, group->rate, f);
    size_t n = (size_t)work->steps;
    double(*difference)[POINTS] = darc_malloc(n * sizeof *difference);
    double(*part)[2] = darc_malloc(n * sizeof *part);
    f = turn_behind(work, &group->g, f);
    for (size_t i = 0; i < n; i++) {
        double *d = difference[i];
        find_difference(d, work, &group->g, work->step + i);
        part[i][0] = d[NODES];
        part[i][1] = d[LEFT + 1] - d[LEFT];
    }
    if (weak->stamps == NULL)
        memcpy(work->place, f + weak->margin, places * sizeof *work->place);
    else
        read_stamps(work, group->rate, f, (const double(*)[2])part);
    for (size_t i = 0; i < n; i++)
        add_step(work, &group->g, (int)i, f, difference[i]);
    DARC_FREE(difference, part);
    return work->place;
}
