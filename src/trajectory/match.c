#include "trajectory/match.h"

#include "base/mem.h"
#include "stats/columns.h"
#include "trajectory/thresholds.h"

#include <math.h>
#include <string.h>

static void list_unknowns(darc_pieces *x, const darc_flow *w,
                          const darc_record *run)
{
    x->unknowns = 0;
    for (int k = 0; k < x->nodes; k++)
        for (int i = 0; i < w->n; i++)
            if (w->function[i] < 0 && (k > 0 || isnan(run->start[i])))
                x->unknown[x->unknowns++] = k * w->n + i;
    for (int k = 0; k < run->steps && run->timed && !run->still; k++)
        x->unknown[x->unknowns++] = (int)run->n * w->n + k;
}

/* Let pieces begin at each `every`-th row, 0: one does. */
static void part(darc_pieces *x, const darc_record *run, size_t every)
{
    x->nodes = 1;
    for (size_t i = every; every > 0 && i + every <= run->n; i += every)
        x->node[x->nodes++] = i;
}

static void init_pieces(darc_pieces *x, const darc_flow *w,
                        const darc_record *run)
{
    size_t most = run->n * (size_t)w->n + (size_t)run->steps + 1;
    x->node = darc_calloc(run->n + 1, sizeof *x->node);
    DARC_CALLOC(most, x->x, x->unknown);
    for (int i = 0; i < w->n; i++)
        x->x[i] = isnan(run->start[i]) ? 0 : run->start[i];
    DARC_FILL(x->x + run->n * (size_t)w->n, run->steps, .5);
    part(x, run, run->piece);
    list_unknowns(x, w, run);
}

void darc_match_init(darc_match *m, darc_flow *flow, darc_record *run, int runs,
                     const bool *differ, const darc_budget *budget)
{
    size_t p = (size_t)flow->params;
    *m = (darc_match){.flow = flow,
                      .budget = budget,
                      .runs = runs,
                      .run = run,
                      .gap = 1,
                      .ends =
                          run->piece > 0 ? DARC_MATCH_LONG : DARC_MATCH_SETTLED,
                      .hope = HUGE_VAL,
                      .square = HUGE_VAL};
    m->place = darc_calloc((size_t)runs * p + 1, sizeof *m->place);
    for (int k = 0; k < flow->params; k++)
        for (int r = 0; r < runs; r++)
            m->place[r * flow->params + k] =
                r == 0 || (differ != NULL && differ[k]) ? m->columns++
                                                        : m->place[k];
    DARC_CALLOC((size_t)m->columns + 1, m->theta, m->fixed);
    m->size = darc_calloc((size_t)flow->n + 1, sizeof *m->size);
    m->pieces = darc_calloc((size_t)runs, sizeof *m->pieces);
    for (int r = 0; r < runs; r++)
        init_pieces(m->pieces + r, flow, run + r);
    darc_shooter_init(&m->shooter, flow, budget);
}

void darc_match_like(darc_match *m, const darc_match *as)
{
    int p = as->flow->params;
    bool *differ = darc_calloc((size_t)p + 1, sizeof *differ);
    for (int k = 0; k < p && as->runs > 1; k++)
        differ[k] = as->place[p + k] != as->place[k];
    darc_match_init(m, as->flow, as->run, as->runs, differ, as->budget);
    darc_free(differ);
}

void darc_match_part(darc_match *m, int k, int first)
{
    size_t all = (size_t)++m->columns + 1;
    m->theta = darc_realloc(m->theta, all, sizeof *m->theta);
    m->fixed = darc_realloc(m->fixed, all, sizeof *m->fixed);
    m->fixed[m->columns - 1] = false;
    for (int r = first; r < m->runs; r++)
        m->place[r * m->flow->params + k] = m->columns - 1;
}

void darc_match_clear(darc_match *m)
{
    for (int r = 0; m->pieces != NULL && r < m->runs; r++)
        DARC_FREE(m->pieces[r].node, m->pieces[r].x, m->pieces[r].unknown);
    if (m->flow == NULL)
        return;
    DARC_FREE(m->pieces, m->place, m->theta, m->fixed, m->size);
    darc_shooter_clear(&m->shooter);
    *m = (darc_match){.flow = NULL};
}

void darc_match_swap(darc_match *a, darc_match *b)
{
    darc_match swap = *a;
    *a = *b;
    *b = swap;
}

void darc_match_state(darc_match *m, int r, const darc_pieces *from)
{
    darc_pieces *x = m->pieces + r;
    bool apart = m->run[r].piece > 0;
    size_t nodes = apart ? (size_t)from->nodes : 1;
    size_t moves = m->run[r].n * (size_t)m->flow->n;
    memcpy(x->x, from->x, nodes * (size_t)m->flow->n * sizeof *x->x);
    memcpy(x->x + moves, from->x + moves,
           (size_t)m->run[r].steps * sizeof *x->x);
    if (!apart)
        return;
    x->nodes = from->nodes;
    memcpy(x->node, from->node, nodes * sizeof *x->node);
    list_unknowns(x, m->flow, m->run + r);
}

void darc_match_set(darc_match *m, const darc_match *from)
{
    int p = m->flow->params;
    for (int i = 0; i < m->runs * p; i++)
        m->theta[m->place[i]] = from->theta[from->place[i]];
    for (int r = 0; r < m->runs; r++)
        darc_match_state(m, r, from->pieces + r);
    memcpy(m->size, from->size, (size_t)m->flow->n * sizeof *m->size);
    m->square = HUGE_VAL;
}

void darc_match_join(darc_match *m, int by)
{
    size_t n = (size_t)m->flow->n;
    for (int r = 0; r < m->runs; r++) {
        darc_pieces *x = m->pieces + r;
        int last = x->nodes - 1;
        for (int k = by; k <= last && m->run[r].piece > 0; k += by) {
            x->node[k / by] = x->node[k];
            memmove(x->x + (size_t)(k / by) * n, x->x + (size_t)k * n,
                    n * sizeof *x->x);
        }
        /* The last piece is as long as others at least. */
        if (m->run[r].piece > 0 && last > 0)
            x->nodes = (last + 1) / by > 1 ? (last + 1) / by : 1;
        list_unknowns(x, m->flow, m->run + r);
    }
    m->square = HUGE_VAL;
}

void darc_match_place(const darc_match *m, int r, int at, double value)
{
    bool step = at >= (int)m->run[r].n * m->flow->n;
    m->pieces[r].x[at] = step ? fmin(fmax(value, 0), 1) : value;
}

/* Return when step k of recording r comes. */
static double step_time(const darc_match *m, int r, int k)
{
    const darc_record *run = m->run + r;
    double early = m->pieces[r].x[run->n * (size_t)m->flow->n + (size_t)k];
    return run->step[k].time - early * run->step[k].since;
}

static void time_steps(const darc_match *m, int r)
{
    const darc_record *run = m->run + r;
    for (int k = 0; k < run->steps && run->timed; k++)
        for (int u = 0; u < m->flow->names->count; u++)
            if (run->stairs[u])
                darc_wave_move(run->wave[u], run->step[k].at,
                               step_time(m, r, k));
}

static bool begin_recording(darc_match *m, int r)
{
    int p = m->flow->params;
    time_steps(m, r);
    double *theta = darc_malloc((size_t)(p + 1) * sizeof *theta);
    for (int k = 0; k < p; k++)
        theta[k] = m->theta[m->place[r * p + k]];
    bool good = darc_flow_set(m->flow, theta);
    darc_flow_drive(m->flow, m->run[r].wave);
    darc_free(theta);
    return good;
}

/* A step that came later would leave the rates as they were before it. */
static bool kick(darc_match *m, int r, int k, double t, double *z)
{
    darc_flow *w = m->flow;
    int n = w->n, column = m->shooter.plan.free - m->moving + k;
    double *f = darc_malloc((size_t)(n + 1) * sizeof *f);
    double by = m->run[r].step[k].since;
    bool good = true;
    for (int turn = 0; turn < 2 && good; turn++, by = -by) {
        w->signals.until = turn == 0 ? HUGE_VAL : t;
        w->signals.known = false;
        good = darc_flow_rates(w, t, z, f, NULL, NULL);
        for (int i = 0; i < n; i++)
            z[n * (1 + column) + i] += by * f[i];
    }
    darc_free(f);
    return good;
}

/* Bring z, of so many columns, from row i to the next. */
static bool advance(darc_match *m, int r, size_t i, double *z)
{
    const darc_record *run = m->run + r;
    double t = run->time[i], end = run->time[i + 1];
    bool good = true;
    for (int k = 0; k < m->moving && good; k++) {
        double at = step_time(m, r, k);
        if (!((at > t || i == 0) && at <= end))
            continue;
        good = darc_shoot(&m->shooter, t, at, z) && kick(m, r, k, at, z);
        t = fmax(at, t);
    }
    return good && (t == end || darc_shoot(&m->shooter, t, end, z));
}

/* Begin piece k with the columns of a plan, those of its own unknowns at 1,
 * others at 0. */
static bool begin_at(darc_match *m, int r, int k, const darc_columns_plan *plan,
                     double *z)
{
    const darc_pieces *x = m->pieces + r;
    int n = m->flow->n, own = plan != NULL && plan->parameters;
    m->at = k;
    m->moving =
        own && m->run[r].timed && !m->run[r].still ? m->run[r].steps : 0;
    darc_shooter_begin(&m->shooter, plan);
    int columns = darc_shooter_columns(&m->shooter);
    memset(z, 0, (size_t)(n * (1 + columns)) * sizeof *z);
    memcpy(z, x->x + (size_t)(k * n), (size_t)n * sizeof *z);
    for (int u = 0, c = 0; u < x->unknowns && own; u++)
        if (x->unknown[u] / n == k)
            z[n * (1 + c++) + x->unknown[u] % n] = 1;
    m->flow->signals.until = HUGE_VAL;
    m->flow->signals.known = false;
    double t = m->run[r].time[x->node[k]];
    return darc_flow_complete(m->flow, t, z, z + n, own ? columns : 0) &&
           (k > 0 || darc_shoot_dose(&m->shooter, t, z));
}

/* Return the plan of slopes of piece k. */
static darc_columns_plan slopes_of(const darc_match *m, int r, int k)
{
    const darc_pieces *x = m->pieces + r;
    const darc_record *run = m->run + r;
    darc_columns_plan plan = {.parameters = true};
    for (int u = 0; u < x->unknowns; u++)
        plan.free += x->unknown[u] / m->flow->n == k ||
                     x->unknown[u] >= (int)run->n * m->flow->n;
    return plan;
}

/* Where rows and columns of a recording go. */
typedef struct {
    size_t rows;
    double *left, *slopes; /* slopes NULL: not wanted */
    int first;             /* unknown of the piece */
} sink;

/* Return the column that k of the shooter is. */
static int unknown_by(const darc_match *m, int r, const sink *to, int k)
{
    const darc_columns_plan *plan = &m->shooter.plan;
    int own = plan->free - m->moving, all = m->pieces[r].unknowns;
    return plan->parameters && k >= plan->free ? all + k - plan->free
           : k >= own && k < plan->free        ? all - m->moving + k - own
                                               : to->first + k;
}

/* Take the samples of row i, at z. */
static bool take_row(darc_match *m, int r, size_t i, const double *z,
                     const sink *to)
{
    darc_flow *w = m->flow;
    const darc_record *run = m->run + r;
    int n = w->n, q = w->outputs, columns = darc_shooter_columns(&m->shooter);
    double *g, *c, *d;
    DARC_CARVE({&g, q + 1}, {&c, q * n + 1}, {&d, q * w->params + 1});
    w->signals.until = HUGE_VAL;
    w->signals.known = false;
    bool good = darc_flow_results(w, run->time[i], z, g,
                                  to->slopes != NULL ? c : NULL, d);
    for (int j = 0; j < q && good; j++) {
        size_t at = i * (size_t)q + (size_t)j;
        bool there = isfinite(run->y[at]);
        to->left[at] = there ? (g[j] - run->y[at]) * run->weight[at] : 0;
        for (int k = 0; k < columns && there && to->slopes != NULL; k++) {
            const darc_columns_plan *plan = &m->shooter.plan;
            int p = plan->parameters ? k - plan->free : -1;
            double sum = p >= 0 ? d[p * q + j] : 0;
            for (int s = 0; s < n; s++)
                sum += c[s * q + j] * z[n * (1 + k) + s];
            size_t column = (size_t)unknown_by(m, r, to, k);
            to->slopes[column * to->rows + at] = sum * run->weight[at];
        }
    }
    darc_free(g);
    return good;
}

/* What the piece that ends before node k misses it by, at z. */
static void take_gap(darc_match *m, int r, int k, const double *z,
                     const sink *to)
{
    const darc_pieces *x = m->pieces + r;
    int n = m->flow->n, columns = darc_shooter_columns(&m->shooter);
    size_t row = m->run[r].n * (size_t)m->flow->outputs + (size_t)((k - 1) * n);
    for (int i = 0; i < n; i++, row++) {
        double by = 1 / (m->gap * m->size[i]);
        if (m->flow->function[i] >= 0)
            continue;
        to->left[row] = (z[i] - x->x[k * n + i]) * by;
        for (int c = 0; c < columns && to->slopes != NULL; c++) {
            size_t column = (size_t)unknown_by(m, r, to, c);
            to->slopes[column * to->rows + row] = z[n * (1 + c) + i] * by;
        }
        for (int u = 0; u < x->unknowns && to->slopes != NULL; u++)
            if (x->unknown[u] == k * n + i)
                to->slopes[(size_t)u * to->rows + row] = -by;
    }
}

/* Take the noise's past off the samples of a column. */
static void whiten(const darc_match *m, const darc_record *run, double *x)
{
    size_t q = (size_t)m->flow->outputs;
    for (size_t j = 0; j < q && run->colour != NULL && !m->plain; j++) {
        const darc_autoregress *a = run->colour + j;
        double sd = sqrt(a->variance);
        for (size_t i = run->n; i-- > 0;) {
            double *at = x + i * q + j;
            bool first = i < (size_t)a->order;
            for (size_t k = 0; k < (size_t)a->order && !first; k++)
                *at -= a->a[k] * at[-(ptrdiff_t)((k + 1) * q)];
            *at = first ? 0 : *at / sd;
        }
    }
}

size_t darc_match_all_rows(const darc_match *m, int r)
{
    return darc_match_rows(m, r) +
           (m->run[r].piece > 0
                ? 0
                : (size_t)((m->pieces[r].nodes - 1) * m->flow->n));
}

size_t darc_match_rows(const darc_match *m, int r)
{
    return m->run[r].n * (size_t)m->flow->outputs;
}

bool darc_match_left(darc_match *m, int r, double *left, double *slopes)
{
    const darc_record *run = m->run + r;
    const darc_pieces *x = m->pieces + r;
    int n = m->flow->n, p = m->flow->params;
    sink to = {darc_match_all_rows(m, r), left, slopes, 0};
    double *z =
        darc_malloc((size_t)(n * (1 + n + p + run->steps) + 1) * sizeof *z);
    bool good = begin_recording(m, r);
    memset(left, 0, to.rows * sizeof *left);
    if (slopes != NULL)
        memset(slopes, 0, to.rows * (size_t)(x->unknowns + p) * sizeof *slopes);
    for (int k = 0; k < x->nodes && good; k++) {
        size_t end = k + 1 < x->nodes ? x->node[k + 1] : run->n;
        darc_columns_plan plan = slopes_of(m, r, k);
        good = begin_at(m, r, k, slopes != NULL ? &plan : NULL, z);
        for (size_t i = x->node[k]; i < end && good; i++)
            good = take_row(m, r, i, z, &to) &&
                   (i + 1 == run->n || advance(m, r, i, z));
        if (good && k + 1 < x->nodes && run->piece == 0)
            take_gap(m, r, k + 1, z, &to);
        to.first += m->shooter.plan.free - m->moving;
    }
    for (size_t i = 0; i < to.rows && good; i++)
        good = isfinite(left[i]);
    for (int c = -1; c < (slopes != NULL ? x->unknowns + p : 0) && good; c++)
        whiten(m, run, c < 0 ? left : slopes + (size_t)c * to.rows);
    darc_free(z);
    return good;
}

bool darc_match_begin(darc_match *m, int r, const darc_columns_plan *plan,
                      double *z)
{
    return begin_recording(m, r) && begin_at(m, r, 0, plan, z);
}

bool darc_match_go_on(darc_match *m, int r, size_t i,
                      const darc_columns_plan *plan, double *z)
{
    const darc_pieces *x = m->pieces + r;
    int next = m->at + 1;
    if (i + 1 == m->run[r].n)
        return true;
    if (m->run[r].piece > 0 && next < x->nodes && x->node[next] == i + 1)
        return begin_at(m, r, next, plan, z);
    return advance(m, r, i, z);
}

bool darc_match_forced(darc_match *m, int r, const darc_columns_plan *plan,
                       double *slopes)
{
    const darc_record *run = m->run + r;
    size_t rows = darc_match_rows(m, r), n = (size_t)m->flow->n;
    double *left = darc_malloc((rows + 1) * sizeof *left);
    double *z = darc_calloc(n * (size_t)(1 + plan->forced) + 1, sizeof *z);
    sink to = {rows, left, slopes, 0};
    memset(slopes, 0, rows * (size_t)plan->forced * sizeof *slopes);
    bool good = darc_match_begin(m, r, plan, z);
    for (size_t i = 0; i < run->n && good; i++)
        good = take_row(m, r, i, z, &to) && darc_match_go_on(m, r, i, plan, z);
    for (int k = 0; k < plan->forced && good; k++)
        whiten(m, run, slopes + (size_t)k * rows);
    DARC_FREE(left, z);
    return good;
}

bool darc_match_cut(darc_match *m, size_t every, bool measured)
{
    darc_flow *w = m->flow;
    size_t n = (size_t)w->n;
    bool good = true;
    double *z = darc_malloc((n + 1) * sizeof *z);
    for (int r = 0; r < m->runs && good; r++) {
        darc_pieces *x = m->pieces + r;
        const darc_record *run = m->run + r;
        size_t by = run->piece > 0 ? run->piece : every;
        if (run->piece > 0 && !measured)
            continue;
        x->nodes = 1;
        good = darc_match_begin(m, r, NULL, z);
        for (size_t i = 1; i < run->n && by > 0 && good; i++) {
            good = advance(m, r, i - 1, z);
            for (int j = 0; j < w->outputs && measured && good; j++) {
                double y = run->y[i * (size_t)w->outputs + (size_t)j];
                if (w->shows[j] >= 0 && isfinite(y))
                    z[w->shows[j]] = y;
            }
            w->signals.until = HUGE_VAL;
            w->signals.known = false;
            good = good && (!measured ||
                            darc_flow_complete(w, run->time[i], z, NULL, 0));
            if (i % by != 0 || run->n - i < by)
                continue;
            x->node[x->nodes] = i;
            memcpy(x->x + (size_t)x->nodes++ * n, z, n * sizeof *z);
        }
        list_unknowns(x, w, run);
    }
    darc_free(z);
    return good;
}
