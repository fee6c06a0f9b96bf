#include "trajectory/long.h"

#include "base/mem.h"
#include "decide/thresholds.h"
#include "stats/columns.h"
#include "stats/lanes.h"
#include "trajectory/thresholds.h"

#include <math.h>
#include <string.h>

/* Whether recording r has all samples, at even times. */
static bool is_even(const darc_trajectory *x, int r)
{
    const darc_record *run = x->run + r;
    double step = run->n > 1 ? run->time[1] - run->time[0] : 0;
    bool even = true;
    for (int j = 0; j < x->flow.outputs; j++)
        even = even && run->count[j] == run->n;
    for (size_t i = 1; i < run->n && even; i++)
        even = fabs(run->time[i] - run->time[i - 1] - step) <
               DARC_RECORD_EVEN * step;
    return even;
}

bool darc_long_ratio(darc_ratio *to, const darc_linear_match *l,
                     const darc_trajectory *x, int r)
{
    size_t first = l->first[r], n = l->first[r + 1] - first;
    *to = (darc_ratio){0};
    if (x->run[r].piece == 0 || !is_even(x, r))
        return false;
    double *base = darc_malloc(n * (size_t)(l->rank + 1) * sizeof *base);
    for (int k = 0; k < l->rank; k++)
        memcpy(base + (size_t)k * n, l->base + (size_t)k * l->rows + first,
               n * sizeof *base);
    bool good = darc_ratio_init(to, l->left + first, base, l->rank,
                                x->flow.outputs, x->run[r].n);
    darc_free(base);
    return good;
}

static void forget_colours(darc_trajectory *x)
{
    for (int r = 0; r < x->runs; r++) {
        darc_free(x->run[r].colour);
        x->run[r].colour = NULL;
    }
}

/* Set the colour of the noise of recording r; return its part of -2 log
 * likelihood, with the price of its order, HUGE_VAL: it is not known. */
static double take_colour(darc_trajectory *x, int r, const darc_linear_match *l)
{
    darc_record *run = x->run + r;
    darc_ratio of;
    double surprise = HUGE_VAL, n = (double)run->n;
    darc_free(run->colour);
    run->colour = NULL;
    if (darc_long_ratio(&of, l, x, r)) {
        surprise = -2 * of.likelihood + x->match.pieces[r].unknowns * log(n);
        for (int j = 0; j < x->flow.outputs; j++)
            surprise +=
                of.order[j] * log(n) + 2 * n * log(x->sought.level[j].level);
    }
    if (surprise < HUGE_VAL && of.coloured) {
        run->colour = darc_calloc((size_t)x->flow.outputs, sizeof *run->colour);
        for (int j = 0; j < x->flow.outputs; j++) {
            darc_autoregress *a = run->colour + j;
            a->order = of.order[j];
            a->variance = 1 / (of.scale[j] * of.scale[j]);
            memcpy(a->a, of.a + j * DARC_RATIO_ORDER,
                   (size_t)a->order * sizeof *a->a);
        }
    }
    darc_ratio_clear(&of);
    return surprise;
}

darc_status darc_long_colours(double *surprise, darc_trajectory *x,
                              darc_err *err)
{
    bool coloured = true;
    for (int turn = 0; turn < DARC_RATIO_PASSES && coloured; turn++) {
        darc_linear_match l;
        darc_match *m = &x->match;
        *surprise = m->square;
        m->plain = true;
        bool good = darc_linear_match_init(&l, m);
        m->plain = false;
        for (int r = 0; r < x->runs && good; r++)
            *surprise += take_colour(x, r, &l) - (r == 0 ? m->square : 0);
        darc_linear_match_clear(&l);
        coloured = false;
        for (int r = 0; r < x->runs; r++)
            coloured = coloured || x->run[r].colour != NULL;
        if (coloured)
            DARC_NEED(darc_match_run(m, DARC_SEEK_LAST, false, err));
    }
    return DARC_OK;
}

/* Return by how much what a piece begins with grows along it, at most. */
static double growth_of(darc_match *m, int r)
{
    const darc_pieces *x = m->pieces + r;
    size_t rows = darc_match_rows(m, r), q = (size_t)m->flow->outputs;
    int columns = x->unknowns + m->flow->params;
    double *left = darc_malloc((rows + 1) * sizeof *left), most = 0;
    double *slopes = darc_malloc((rows * (size_t)columns + 1) * sizeof *slopes);
    bool good = darc_match_left(m, r, left, slopes);
    for (int c = 0; c < x->unknowns && good; c++) {
        int k = x->unknown[c] / m->flow->n;
        size_t begin = x->node[k] * q;
        size_t end = k + 1 < x->nodes ? x->node[k + 1] * q : rows;
        size_t part = (end - begin) / 4;
        const double *own = slopes + (size_t)c * rows;
        double first = darc_lanes_dot(own + begin, own + begin, part);
        double last = darc_lanes_dot(own + end - part, own + end - part, part);
        most = fmax(most, last / first);
    }
    DARC_FREE(left, slopes);
    return good ? sqrt(most) : HUGE_VAL;
}

/* Let pieces be as long as they may: what a trajectory begins with is sought
 * where it fades or grows by little. */
static darc_status join_pieces(darc_trajectory *x, darc_err *err)
{
    darc_match *m = &x->match, parted;
    double growth = 0;
    for (int r = 0; r < x->runs; r++)
        growth = fmax(growth, growth_of(m, r));
    double many = growth > 1 ? log(DARC_LONG_GROWTH) / log(growth) : HUGE_VAL;
    if (many < 2)
        return DARC_OK;
    darc_match_init(&parted, m->flow, m->run, m->runs, NULL, m->budget);
    darc_match_set(&parted, m);
    parted.square = m->square;
    darc_match_join(m, (int)fmin(many, DARC_RECORD_PIECES));
    darc_status status = darc_match_run(m, DARC_SEEK_LAST, false, err);
    if (!(m->square < HUGE_VAL)) {
        darc_match_set(m, &parted);
        m->square = parted.square;
    }
    darc_match_clear(&parted);
    return status;
}

/* Return what levels add to rows * log(square), -2 log likelihood of white
 * noise. */
static double levels_of(double *rows, const darc_trajectory *x)
{
    double sum = 0;
    for (int r = 0; r < x->runs; r++)
        for (int j = 0; j < x->flow.outputs; j++) {
            double n = (double)x->run[r].count[j];
            sum += 2 * n * log(x->sought.level[j].level);
            *rows += n;
        }
    return sum;
}

/* Read inputs so, and go on from where the match is. */
static darc_status read_inputs(double *surprise, darc_trajectory *x,
                               darc_record_plan *plan,
                               darc_record_reading reading, double *least,
                               darc_err *err)
{
    darc_match *m = &x->match;
    double rows = 0, levels = levels_of(&rows, x);
    plan->reading = x->reading = reading;
    forget_colours(x);
    DARC_NEED(darc_records_drive(x->run, x->runs, plan, err));
    m->hope = exp((*least + DARC_LONG_WORSE - levels) / rows);
    darc_status status = darc_match_run(m, DARC_SEEK_LAST, false, err);
    bool worse = !(m->square < m->hope);
    m->hope = HUGE_VAL;
    if (worse)
        return status;
    *least = fmin(*least, rows * log(m->square) + levels);
    DARC_NEED(join_pieces(x, err));
    DARC_NEED(darc_seek_levels(&x->sought, m, err));
    return darc_long_colours(surprise, x, err);
}

/* Return by how many standard deviations what output j of recording r leaves
 * goes with what is new in input u at a sample, or the next. */
static double feedback_of(const darc_trajectory *x, const darc_linear_match *l,
                          int r, int j, int u)
{
    const darc_record *run = x->run + r;
    size_t n = run->n, q = (size_t)x->flow.outputs;
    double *v, *e, most = 0;
    darc_autoregress a;
    DARC_CARVE({&v, (ptrdiff_t)n}, {&e, (ptrdiff_t)n});
    for (size_t i = 0; i < n; i++) {
        darc_wave_eval(run->wave[u], run->time[i], 0, v + i);
        e[i] = l->left[l->first[r] + i * q + (size_t)j];
    }
    darc_autoregress_fit(&a, v, n, DARC_RATIO_ORDER, DARC_BY_MDL);
    for (size_t i = n; i-- > (size_t)a.order;)
        for (int k = 0; k < a.order; k++)
            v[i] -= a.a[k] * v[i - 1 - (size_t)k];
    memset(v, 0, (size_t)a.order * sizeof *v);
    double size = sqrt(darc_lanes_dot(v, v, n) * darc_lanes_dot(e, e, n));
    for (size_t lag = 0; lag < 2 && size > 0; lag++)
        most = fmax(most, fabs(darc_lanes_dot(v + lag, e, n - lag)) / size);
    darc_free(v);
    return most * sqrt((double)n);
}

/* Whether an input holds what the outputs leave at the same time, as what a
 * controller computes does: a reading by which it acts before it is recorded
 * predicts noise by itself. */
static bool is_fed_back(darc_trajectory *x)
{
    darc_linear_match l;
    double most = 0;
    bool good = darc_linear_match_init(&l, &x->match);
    for (int r = 0; r < x->runs && good; r++)
        for (int j = 0; j < x->flow.outputs && is_even(x, r); j++)
            for (int u = 0; u < x->flow.names->count; u++)
                if (x->flow.names->symbol[u].kind == DARC_INPUT)
                    most = fmax(most, feedback_of(x, &l, r, j, u));
    darc_linear_match_clear(&l);
    return most > DARC_LONG_FEEDBACK;
}

int darc_long_drifts(const darc_trajectory *x)
{
    for (int r = 0; r < x->runs; r++)
        for (int j = 0; j < x->flow.outputs; j++) {
            const darc_record *run = x->run + r;
            double level = x->sought.level[j].level;
            double moves = darc_record_moves(run, j, x->flow.outputs);
            if (run->colour != NULL && level > DARC_MEANING * moves &&
                run->colour[j].variance < 1 / (DARC_LONG_SLOW * DARC_LONG_SLOW))
                return j;
        }
    return -1;
}

darc_status darc_long_settle(darc_trajectory *x, darc_record_plan *plan,
                             darc_err *err)
{
    darc_match *m = &x->match, parted, best;
    darc_status status = DARC_OK;
    double least = HUGE_VAL, square = HUGE_VAL, now;
    int last = m->shooter.inputs ? DARC_READ_LATE : DARC_READ_SMOOTH;
    if (x->run->piece == 0)
        return DARC_OK;
    darc_record_reading chosen = plan->reading;
    darc_match_init(&best, m->flow, m->run, m->runs, NULL, m->budget);
    darc_match_init(&parted, m->flow, m->run, m->runs, NULL, m->budget);
    darc_match_set(&parted, m);
    for (int k = plan->reading; k <= last; k++) {
        now = HUGE_VAL;
        darc_match_set(m, &parted);
        DARC_TRY(
            read_inputs(&now, x, plan, (darc_record_reading)k, &square, err));
        if (!(now < least) ||
            (k == DARC_READ_SMOOTH && last > k && is_fed_back(x)))
            continue;
        least = now;
        chosen = (darc_record_reading)k;
        darc_match_set(&best, m);
    }
    if (x->reading != chosen) {
        square = HUGE_VAL; /* white, another may have been far likelier */
        darc_match_set(m, &parted);
        DARC_TRY(read_inputs(&now, x, plan, chosen, &square, err));
    }
done:
    DARC_EACH(darc_match_clear, &parted, &best);
    return status;
}
