#include "simulate/overlay.h"

#include "base/mem.h"
#include "simulate/plant.h"
#include "simulate/run.h"
#include "simulate/thresholds.h"
#include "stats/columns.h"
#include "stats/dense.h"

#include <math.h>
#include <string.h>

typedef struct {
    const darc_overlay_question *q;
    darc_budget budget; /* of q, with so many steps */
    double steps;
    darc_plant *plant;
    const darc_adjoined_source *source;
    darc_overlay *x; /* of each output that is seen */
    int seen;
    int *place;            /* of these among the plant's outputs; owned */
    double *y;             /* then y', sums of y^2, local errors; owned */
    double *scale;         /* standard deviation of each output */
    double *out;           /* of one sample */
    int n;                 /* initial values that are sought */
    int *sought;           /* their places in y */
    size_t window, stride; /* every stride-th sample of a window is fitted */
    double *left;          /* what is left of these; owned by the caller */
    bool faded;            /* behind the window nothing tells of y */
} seeker;

static double *sums_of_squares(const seeker *s)
{
    return s->y + 2 * s->plant->layout.n;
}

static darc_status visit(void *user, size_t i, double t, const double *y,
                         darc_err *err)
{
    seeker *s = user;
    for (int k = 0; k < s->plant->layout.n; k++)
        sums_of_squares(s)[k] += y[k] * y[k];
    DARC_NEED(darc_plant_outputs(s->plant, t, y, s->out, err));
    for (int j = 0; j < s->seen; j++) {
        double made = s->out[s->place[j]];
        if (s->left == NULL)
            s->x[j].simulated[i] = made;
        else
            s->left[i * (size_t)s->seen + (size_t)j] =
                (made - s->x[j].measured[i * s->stride]) / s->scale[j];
    }
    return DARC_OK;
}

static size_t points(const seeker *s)
{
    return (s->window + s->stride - 1) / s->stride;
}

/* Simulate the window from y; `left` NULL: every sample of it is kept. */
static darc_status simulate(seeker *s, double *left, darc_err *err)
{
    darc_plant *p = s->plant;
    size_t n = (size_t)p->layout.n, count = points(s);
    double *time = darc_calloc(count, sizeof *time);
    darc_run r = {.plant = p,
                  .start = s->y,
                  .guess = s->y + n,
                  .rate = 1 / (s->x->time[1] - s->x->time[0]),
                  .method = DARC_BDF,
                  .rtol = DARC_OVERLAY_RTOL,
                  .atol = sums_of_squares(s) + n,
                  .time = time,
                  .samples = count,
                  .budget = &s->budget};
    for (size_t i = 0; i < count; i++)
        time[i] = s->x->time[i * s->stride] - s->x->time[0];
    s->left = left;
    memset(sums_of_squares(s), 0, n * sizeof(double));
    p->signals.known = false;
    darc_status status = darc_adjoined_states(s->y, p, s->source, err);
    DARC_THEN(darc_run_all(&r, "simulating", visit, s, err));
    darc_free(time);
    return status;
}

/* Return the sum of squares at y, infinite where there is no solution. */
static double square_at(seeker *s, double *left)
{
    double sum = 0;
    if (simulate(s, left, NULL) != DARC_OK)
        return HUGE_VAL;
    for (size_t i = 0; i < points(s) * (size_t)s->seen; i++)
        sum += left[i] * left[i];
    return isfinite(sum) ? sum : HUGE_VAL;
}

/* Whether the last quarter of the window tells nothing of what was moved. */
static bool has_faded(const seeker *s, const double *moved)
{
    size_t rows = points(s) * (size_t)s->seen;
    for (int k = 0; k < s->n; k++) {
        double sum = 0, last = 0;
        for (size_t i = 0; i < rows; i++) {
            double square = pow(moved[rows * (size_t)k + i], 2);
            sum += square;
            last += i >= rows - rows / 4 ? square : 0;
        }
        if (!(last <= DARC_OVERLAY_FADED * sum))
            return false;
    }
    return true;
}

/* Set the eigenvalues w and vectors of J'J, by columns scaled to 1, the sizes
 * of these, and the projections b of what is left. */
static bool linearise(seeker *s, const double *left, double *w, double *vector,
                      double *size, double *b)
{
    size_t rows = points(s) * (size_t)s->seen, n = (size_t)s->n;
    double *moved = darc_calloc(rows * n + 1, sizeof *moved);
    bool good = true;
    for (int k = 0; k < s->n && good; k++) {
        double *y = s->y + s->sought[k], before = *y;
        double *of = moved + rows * (size_t)k;
        double h = DARC_OVERLAY_STEP * fmax(fabs(before), 1);
        *y = before + h;
        good = isfinite(square_at(s, of));
        *y = before;
        for (size_t i = 0; i < rows; i++) {
            of[i] = (of[i] - left[i]) / h;
            size[k] += of[i] * of[i];
        }
        size[k] = size[k] > 0 ? sqrt(size[k]) : 1;
    }
    s->faded = good && has_faded(s, moved);
    for (int k = 0; k < s->n; k++)
        for (size_t i = 0; i < rows; i++) {
            b[k] -= moved[rows * (size_t)k + i] * left[i] / size[k];
            for (int l = 0; l < s->n; l++)
                vector[k * s->n + l] += moved[rows * (size_t)k + i] *
                                        moved[rows * (size_t)l + i] /
                                        (size[k] * size[l]);
        }
    darc_free(moved);
    return good && darc_dense_eigen(w, vector, s->n, 'V');
}

/* Step from y to less than `least`; return what is reached. */
static double step_search(seeker *s, double *left, double least)
{
    size_t n = (size_t)s->n;
    double *w = darc_calloc(n * n + 4 * n, sizeof *w), *vector = w + n;
    double *size = vector + n * n, *b = size + n, *from = b + n;
    double reached = HUGE_VAL;
    for (int k = 0; k < s->n; k++)
        from[k] = s->y[s->sought[k]];
    bool good = linearise(s, left, w, vector, size, b);
    for (double damp = DARC_OVERLAY_DAMP; good && damp < 1e3; damp *= 100) {
        for (int k = 0; k < s->n; k++) {
            double sum = 0;
            for (int e = 0; e < s->n; e++)
                for (int l = 0; l < s->n; l++)
                    sum += vector[e * s->n + k] * vector[e * s->n + l] * b[l] /
                           (w[e] + damp * w[s->n - 1]);
            s->y[s->sought[k]] = from[k] + sum / size[k];
        }
        reached = square_at(s, left);
        if (reached < least)
            break;
    }
    for (int k = 0; k < s->n && !(reached < least); k++)
        s->y[s->sought[k]] = from[k];
    darc_free(w);
    return reached < least ? reached : least;
}

/* Bring y to where the window is met best. */
static bool seek_in_window(seeker *s)
{
    size_t rows = points(s) * (size_t)s->seen;
    double *left = darc_calloc(rows, sizeof *left), before = HUGE_VAL;
    double now = square_at(s, left);
    size_t n = (size_t)s->plant->layout.n; /* local errors by sizes */
    double *sum = sums_of_squares(s), *atol = sum + n;
    for (size_t k = 0; k < n; k++) {
        double size = sqrt(sum[k] / (double)points(s));
        atol[k] = isfinite(size) && size > 0 ? DARC_OVERLAY_RTOL * size
                                             : DARC_OVERLAY_ATOL;
    }
    for (int i = 0; i < DARC_OVERLAY_ITERATIONS && now < HUGE_VAL &&
                    now < before * (1 - DARC_OVERLAY_SETTLED);
         i++) {
        before = now;
        now = step_search(s, left, before);
    }
    darc_free(left);
    return now < HUGE_VAL;
}

/* Guess y: outputs that are states begin as measured, others at x. */
static void guess(seeker *s, double x)
{
    for (int k = 0; k < s->n; k++)
        s->y[s->sought[k]] = x;
    for (int j = 0; j < s->seen; j++) {
        int u = s->plant->output[s->place[j]];
        if (s->plant->layout.count[u] > 0)
            s->y[s->plant->layout.first[u]] = s->x[j].measured[0];
    }
}

static void seek_start(seeker *s, size_t samples)
{
    size_t most = samples < DARC_OVERLAY_FITTED ? samples : DARC_OVERLAY_FITTED;
    guess(s, 0);
    if (s->n == 0)
        return;
    for (size_t part = 64; part >= 1 && !s->faded; part /= 4) {
        s->window = most / part > DARC_OVERLAY_FIRST ? most / part
                    : most > DARC_OVERLAY_FIRST      ? DARC_OVERLAY_FIRST
                                                     : most;
        s->stride = s->window / DARC_OVERLAY_POINTS + 1;
        if (!seek_in_window(s) && part == 64) {
            guess(s, 1);
            if (!seek_in_window(s))
                guess(s, 0);
        }
    }
}

/* Return the root of the sum of squares of what is measured, less its mean or
 * what is simulated. */
static double distance(const darc_overlay *x, bool simulated)
{
    double mean = 0, sum = 0;
    for (size_t i = 0; i < x->count; i++)
        mean += x->measured[i] / (double)x->count;
    for (size_t i = 0; i < x->count; i++)
        sum += pow(x->measured[i] - (simulated ? x->simulated[i] : mean), 2);
    return sqrt(sum);
}

static void add_output(seeker *s, int j)
{
    const darc_table *t = s->q->table;
    int u = s->plant->output[j];
    const char *name = s->plant->names->symbol[u].name;
    int column = darc_table_find(t, name);
    if (column < 0)
        return;
    size_t n = s->q->part.end - s->q->part.begin;
    darc_overlay *x = s->x + s->seen;
    *x = (darc_overlay){.file = t->file,
                        .output = darc_strdup(name),
                        .unit = darc_strdup(darc_model_unit(s->q->model, u)),
                        .count = n,
                        .measured = t->signal[column].value + s->q->part.begin};
    DARC_CALLOC(n, x->simulated, x->time);
    for (size_t i = 0; i < n; i++)
        x->time[i] = darc_table_time(t, s->q->part.begin + i);
    double spread = distance(x, false) / sqrt((double)n);
    s->scale[s->seen] = spread > 0 ? spread : 1;
    s->place[s->seen++] = j;
}

static bool is_input(const darc_model *model, int u)
{
    return darc_model_names(model)->symbol[u].kind == DARC_INPUT &&
           darc_derived_expr(model, u) == NULL;
}

/* Let the recording drive the plant, its time beginning at 0. */
static darc_status drive(darc_plant *p, const darc_overlay_question *q,
                         darc_err *err)
{
    const darc_table *t = q->table;
    size_t first = q->part.begin, n = q->part.end - first;
    double *time = darc_calloc(n, sizeof *time);
    darc_status status = DARC_OK;
    for (size_t i = 0; i < n; i++)
        time[i] = darc_table_time(t, first + i) - darc_table_time(t, first);
    for (int u = 0; u < p->names->count && status == DARC_OK; u++) {
        const char *name = p->names->symbol[u].name;
        if (!is_input(q->model, u))
            continue;
        const double *x = t->signal[darc_table_find(t, name)].value + first;
        p->signals.wave[u] = darc_wave_of(time, x, n, q->between[u]);
        if (darc_wave_order(p->signals.wave[u]) < p->signals.order[u])
            status =
                darc_fail(err, DARC_MODEL, "it needs derivative %d of '%s'",
                          p->signals.order[u], name);
    }
    darc_free(time);
    return status;
}

static darc_status make_plant(seeker *s, darc_err *err)
{
    size_t samples = s->q->part.end - s->q->part.begin;
    size_t outputs = (size_t)s->plant->outputs, n = (size_t)s->plant->layout.n;
    s->place = darc_calloc(outputs + n + 1, sizeof *s->place);
    s->sought = s->place + outputs;
    DARC_CARVE({&s->y, 4 * s->plant->layout.n}, {&s->scale, s->plant->outputs},
               {&s->out, s->plant->outputs});
    for (size_t k = 3 * n; k < 4 * n; k++)
        s->y[k] = DARC_OVERLAY_ATOL;
    for (int j = 0; j < s->plant->outputs; j++)
        add_output(s, j);
    if (s->seen == 0)
        return darc_fail(err, DARC_MODEL, "it has no output that was measured");
    /* Sought are states that no function or other equation gives. */
    const darc_plant *p = s->plant;
    for (int u = 0; u < p->names->count; u++)
        for (int k = 0; k < p->layout.count[u]; k++)
            if (darc_adjoined_find(s->q->model, u) < 0 &&
                (!p->implicit || p->differential[p->layout.first[u] + k]))
                s->sought[s->n++] = p->layout.first[u] + k;
    s->steps = DARC_OVERLAY_STEPS;
    s->budget = darc_budget_with(s->q->budget, &s->steps);
    seek_start(s, samples);
    s->steps = DARC_OVERLAY_STEPS;
    s->window = samples;
    s->stride = 1;
    DARC_NEED(simulate(s, NULL, err));
    for (int j = 0; j < s->seen; j++)
        s->x[j].fit_percent =
            100 * (1 - distance(s->x + j, true) / distance(s->x + j, false));
    return DARC_OK;
}

darc_status darc_overlay_append(darc_overlay *x, int *n,
                                const darc_overlay_question *q, darc_err *err)
{
    darc_status status;
    darc_plant plant;
    darc_settings none = {0};
    darc_adjoined_source source = {q->model, q->value, &none};
    seeker s = {.q = q, .plant = &plant, .source = &source, .x = x + *n};
    if (q->part.end < q->part.begin + DARC_OVERLAY_LEAST)
        return darc_fail(err, DARC_DATA, "it has too few samples");
    const darc_names_struct *names = darc_model_names(q->model);
    for (int u = 0; u < names->count; u++)
        if (is_input(q->model, u) &&
            darc_table_find(q->table, names->symbol[u].name) < 0)
            return darc_fail(err, DARC_MODEL, "input '%s' was not measured",
                             names->symbol[u].name);
    DARC_NEED(darc_adjoined_parameters(q->value, q->model, err));
    DARC_NEED(darc_plant_init(&plant, q->model, q->value, err));
    darc_adjoined_keep(&source, &plant);
    status = drive(&plant, q, err);
    darc_err why = {DARC_OK, ""};
    if (status == DARC_OK && make_plant(&s, &why) != DARC_OK)
        status = darc_fail(err, why.status, "%s",
                           darc_budget_is_short(&s.budget)
                               ? "a function jumps where the solution stays "
                                 "(derived signals are taken as recorded)"
                               : why.message);
    if (status == DARC_OK)
        *n += s.seen;
    for (int j = 0; j < s.seen && status != DARC_OK; j++)
        darc_overlay_clear(x + *n + j);
    darc_plant_clear(&plant);
    DARC_FREE(s.place, s.y);
    return status;
}

void darc_overlay_clear(darc_overlay *x)
{
    DARC_FREE(x->output, x->unit, x->time, x->simulated);
}
