#include "fit/colour.h"

#include "base/budget.h"
#include "base/mem.h"
#include "base/random.h"
#include "fit/thresholds.h"
#include "stats/columns.h"
#include "stats/dense.h"
#include "stats/fft.h"
#include "stats/lanes.h"
#include "stats/sandwich.h"

#include <math.h>
#include <string.h>

enum { BANDS = 64, ROUNDS = 12, STEPS = 5 };

#define PI 3.14159265358979323846

/* A cell is a band of frequency of a channel. */
typedef struct {
    const darc_point *at;
    bool *any; /* by channel: of any colour */
    const darc_weak *weak;
    int channels, bands;
    int free, *index;       /* coefficients; owned */
    int width;              /* 1 + 2 free: z, b, and b as the fit weighs */
    double edge[BANDS + 1]; /* of bands, cycles a sample */
    double place[BANDS];    /* logarithm of a frequency inside */
    double *sum;     /* products of z, b and the weighed b, tapered, by cell */
    double *weighed; /* of the weighed b, as they are */
    double *power;   /* what a channel shows of white noise of another: by
                        channel, that other, and band */
    double *log_s;   /* by cell */
    double *hess;    /* of the likelihood of log_s, by channel */
    double *inverse; /* of the information; free x free */
    double *score, *cov; /* covariances, of all coefficients */
    darc_fft_plan plan;
    double *re, *im; /* `width` transforms; owned */
} colour;

typedef struct {
    darc_weak_work *work;
    darc_columns_room b;
    double *x, *reg, *keep;
    double **field; /* channels x width */
} room;

/* Bands of one frequency of the recording each, then of a fourth of it. */
static void set_bands(colour *c, int samples)
{
    double most = DARC_COLOUR_REACH / c->weak->step * samples, x = 0, next = 0;
    for (c->bands = 0; c->bands < BANDS - 1; c->bands++, x = next) {
        next = x < 1.5 ? x + 0.75 : x * 1.25;
        if (next >= most)
            break;
        c->edge[c->bands + 1] = next / samples;
        c->place[c->bands] = log(x > 0 ? (x + next) / 2 : 0.5);
    }
    c->edge[c->bands + 1] = 1;
    c->place[c->bands++] = log(fmax(1, 1.12 * x));
}

/* Transform a field of n values under a sine taper; 0: none. */
static void transform(const colour *c, int i, const double *z, size_t n,
                      int taper)
{
    size_t all = (size_t)c->plan.n;
    double *re = c->re + (size_t)i * all, *im = c->im + (size_t)i * all;
    double size = sqrt(2.0 / DARC_COLOUR_TAPERS);
    memset(im, 0, all * sizeof *im);
    for (size_t t = 0; t < all; t++) {
        double angle = PI * taper * ((double)t + 0.5) / (double)n;
        re[t] = t >= n ? 0 : taper == 0 ? z[t] : z[t] * size * sin(angle);
    }
    darc_fft_run(&c->plan, re, im);
}

/* Return the sum of products of two transforms over frequencies lo .. hi - 1,
 * and those that mirror them. */
static double multiply_transforms(const colour *c, int i, int j, int lo, int hi)
{
    size_t n = (size_t)c->plan.n, x = (size_t)i * n, y = (size_t)j * n;
    size_t from = (size_t)lo, count = (size_t)(hi - lo);
    double sum = darc_lanes_dot(c->re + x + from, c->re + y + from, count) +
                 darc_lanes_dot(c->im + x + from, c->im + y + from, count);
    sum *= 2;
    if (lo == 0) /* these are their own mirrors; both are real */
        sum -= c->re[x] * c->re[y];
    if (2 * (hi - 1) == c->plan.n)
        sum -= c->re[x + n / 2] * c->re[y + n / 2];
    return sum;
}

/* Add weight times the products of `count` transforms to a matrix a band. */
static void add_products(const colour *c, double *sum, int count, double weight)
{
    int n = c->plan.n, end = n / 2 + 1;
    for (int band = 0, lo = 0, hi; lo < end; band++, lo = hi) {
        hi = (int)fmin(end, ceil(c->edge[band + 1] * n));
        double *to = sum + band * count * count;
        for (int i = 0; i < count && hi > lo; i++)
            for (int j = 0; j <= i; j++) {
                double p = weight / n * multiply_transforms(c, i, j, lo, hi);
                to[i * count + j] += p;
                to[j * count + i] += j < i ? p : 0;
            }
    }
}

/* Set column i of the fields to A' V^-1 x. */
static void take_back(const colour *c, room *r, double *x, int i)
{
    size_t n = darc_weak_field(r->work);
    darc_columns_whiten(r->work, &r->b, x, 1, 'N');
    darc_columns_whiten(r->work, &r->b, x, 1, 'T');
    darc_weak_adjoint(r->work, x);
    for (int k = 0; k < c->channels; k++)
        memcpy(r->field[k * c->width + i], r->work->z[k], n * sizeof *x);
}

/* Add what fields show of white noise of a channel. */
static void add_draw(colour *c, room *r, int channel, darc_random *random,
                     double weight)
{
    darc_weak_work *work = r->work;
    size_t n = darc_weak_field(work);
    for (int k = 0; k < darc_weak_channels(c->weak); k++)
        memset(work->z[k], 0, n * sizeof **work->z);
    darc_random_signs(random, work->z[channel], n);
    darc_weak_forward(work, r->reg);
    darc_columns_combine(work, r->x, r->reg, c->at->c);
    take_back(c, r, r->x, 0);
    for (int k = 0; k < c->channels; k++)
        for (int t = 1; t <= DARC_COLOUR_TAPERS; t++) {
            transform(c, 0, r->field[k * c->width], n, t);
            add_products(c, c->power + (k * c->channels + channel) * c->bands,
                         1, weight);
        }
}

static darc_status factorise(room *r, const darc_point *at, darc_err *err)
{
    darc_weak_covariance(r->work);
    r->b.factor = r->work->ab;
    return darc_sums_factorise(r->work->ab, r->work->band, r->work->rows, at,
                               err);
}

/* Set the fields of the piece that is loaded; draw noise so many times. */
static darc_status take_fields(colour *c, room *r, int draws, double weight,
                               darc_err *err)
{
    darc_weak_work *work = r->work;
    size_t k = (size_t)work->rows, all = k * (size_t)c->weak->coeffs;
    darc_point noise = {.weak = c->weak, .c = c->at->c};
    darc_random random;
    darc_random_init(&random, 3, (uint64_t)work->piece);
    DARC_NEED(factorise(r, &noise, err));
    for (int i = 0; i < draws * c->channels; i++)
        add_draw(c, r, i % c->channels, &random, weight / draws);
    darc_columns_combine(work, r->x, work->w, c->at->c);
    take_back(c, r, r->x, 0);
    darc_weak_forward(work, r->reg);
    for (size_t i = 0; i < all; i++)
        r->keep[i] = r->reg[i] = work->w[i] - r->reg[i];
    for (int j = 0; j < c->free; j++)
        take_back(c, r, r->reg + (size_t)c->index[j] * k, 1 + j);
    DARC_NEED(factorise(r, c->at, err));
    for (int j = 0; j < c->free; j++)
        take_back(c, r, r->keep + (size_t)c->index[j] * k, 1 + c->free + j);
    return DARC_OK;
}

static darc_status add_colour_piece(colour *c, room *r, int p, int draws,
                                    double weight, darc_err *err)
{
    darc_weak_load(r->work, p);
    darc_weak_load_partials(r->work);
    darc_weak_at(r->work, c->at->c);
    DARC_NEED(take_fields(c, r, draws, weight, err));
    size_t n = darc_weak_field(r->work);
    int m = c->width, f = c->free;
    for (int k = 0; k < c->channels; k++) {
        double **field = r->field + k * m;
        for (int t = 1; t <= DARC_COLOUR_TAPERS; t++) {
            for (int i = 0; i < m; i++)
                transform(c, i, field[i], n, t);
            add_products(c, c->sum + k * c->bands * m * m, m, weight);
        }
        for (int i = 0; i < f; i++)
            transform(c, i, field[1 + f + i], n, 0);
        add_products(c, c->weighed + k * c->bands * f * f, f, weight);
    }
    return DARC_OK;
}

/* Of long recordings some pieces are enough. */
static darc_status gather_pieces(colour *c, const darc_budget *budget,
                                 darc_err *err)
{
    const darc_weak *weak = c->weak;
    darc_status status = DARC_OK;
    room r = {.work = darc_weak_work_new(weak)};
    ptrdiff_t k = darc_weak_most_functions(weak) * weak->equations;
    size_t field = r.work->capacity + (size_t)(weak->left + weak->right);
    int used = 0, every = darc_weak_stride(
                      weak, (int)ceil(weak->pieces / DARC_METRIC_PIECES));
    double all = 0, seen = 0;
    DARC_CARVE({&r.x, k}, {&r.reg, k * weak->coeffs},
               {&r.keep, k * weak->coeffs});
    r.field = darc_columns_new((size_t)(c->channels * c->width), field);
    for (int p = 0; p < weak->pieces; p++) {
        all += weak->piece[p].functions;
        seen += p % every == 0 ? weak->piece[p].functions : 0;
        used += p % every == 0;
    }
    int draws = 1 + (DARC_COLOUR_DRAWS - 1) / used;
    for (int p = 0; p < weak->pieces; p += every) {
        DARC_TRY(darc_budget_check(budget, err));
        DARC_TRY(add_colour_piece(c, &r, p, draws, all / seen, err));
    }
done:
    darc_columns_free(r.field);
    darc_free(r.x);
    darc_weak_work_free(r.work);
    return status;
}

/* What next to nothing is seen of need not be told from other noise. */
static void leave_faint(colour *c)
{
    double most = 0, *power = darc_calloc((size_t)c->channels, sizeof *power);
    for (int k = 0; k < c->channels; k++)
        for (int b = 0; b < c->bands; b++)
            power[k] += c->power[k * (c->channels + 1) * c->bands + b];
    for (int k = 0; k < c->channels; k++)
        most = fmax(most, power[k]);
    for (int k = 0; k < c->channels; k++)
        c->any[k] = c->any[k] && power[k] > DARC_COLOUR_FAINT * most;
    darc_free(power);
}

/* Where more signals have noise of any colour than there are equations, what
 * each adds cannot be told apart: all have one spectrum, over what the top of
 * theirs shows.  Return the first of those that share that of a channel; -1:
 * its noise is known. */
static int leader_of(const colour *c, int channel)
{
    int count = 0, first = channel;
    for (int k = c->channels - 1; k >= 0; k--)
        if (c->any[k]) {
            count++;
            first = k;
        }
    return !c->any[channel] ? -1 : count > c->weak->equations ? first : channel;
}

/* Add what a cell shows, and how many times S it should: of the noise of all
 * channels, and of b'd, d what the fit makes of the noise. */
static void add_shown(double *left, double *dof, const colour *c, int cell)
{
    int m = c->width, n = c->free, all = c->weak->coeffs, bands = c->bands;
    const double *s = c->sum + cell * m * m;
    double w = exp(-c->log_s[cell]), whole = 0;
    for (int k = 0; k < c->channels; k++)
        whole +=
            w * exp(c->log_s[k * bands + cell % bands]) *
            c->power[(cell / bands * c->channels + k) * bands + cell % bands];
    double is = whole;
    for (int j = 0; j < n; j++)
        for (int k = 0; k < n; k++) {
            const double *at = s + (j + 1) * m + k + 1;
            is += w * c->cov[c->index[j] * all + c->index[k]] * at[0] -
                  2 * c->inverse[j * n + k] * at[n];
        }
    *left += s[0];
    *dof += fmin(2 * whole, fmax(is, DARC_COLOUR_LEAST * whole));
}

/* Add what a bend of the logarithm of S at band b costs. */
static void add_bend(double *h, double *g, const colour *c, const double *log_s,
                     int b)
{
    double before = c->place[b] - c->place[b - 1];
    double after = c->place[b + 1] - c->place[b], bend = 0;
    double by[3] = {1 / before, -1 / before - 1 / after, 1 / after};
    double w = 2 / (DARC_COLOUR_BEND * DARC_COLOUR_BEND * (before + after));
    for (int j = 0; j < 3; j++)
        bend += by[j] * log_s[b - 1 + j];
    for (int j = 0; j < 3; j++) {
        g[b - 1 + j] -= w * bend * by[j];
        for (int k = 0; k < 3; k++)
            h[(b - 1 + j) * c->bands + b - 1 + k] += w * by[j] * by[k];
    }
}

/* Solve H x = g of a channel, H as it was left by `smooth`. */
static bool solve_bands(const colour *c, int channel, double *g)
{
    int index[BANDS];
    for (int b = 0; b < BANDS; b++)
        index[b] = b;
    return darc_solve_part(c->hess + channel * c->bands * c->bands, c->bands,
                           index, c->bands, g, 1);
}

/* Some of Fisher's steps to the likeliest smooth spectrum. */
static void smooth(colour *c, int channel, const double *left,
                   const double *dof)
{
    int n = c->bands;
    double *log_s = c->log_s + channel * n, *h = c->hess + channel * n * n;
    double g[BANDS];
    for (int step = 0; step < STEPS; step++) {
        memset(h, 0, (size_t)(n * n) * sizeof *h);
        for (int b = 0; b < n; b++) {
            g[b] = (left[b] * exp(-log_s[b]) - dof[b]) / 2;
            h[b * (n + 1)] = dof[b] / 2 + 1e-9;
        }
        for (int b = 1; b + 1 < n; b++)
            add_bend(h, g, c, log_s, b);
        if (!solve_bands(c, channel, g))
            return;
        for (int b = 0; b < n; b++)
            log_s[b] += fmax(-2, fmin(2, g[b]));
    }
}

/* Set the covariances of scores and coefficients to those under S. */
static void weigh_covariances(colour *c, const darc_gls *fit)
{
    int n = c->free, all = c->weak->coeffs;
    memset(c->score, 0, (size_t)(all * all) * sizeof *c->score);
    for (int cell = 0; cell < c->channels * c->bands; cell++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++)
                c->score[c->index[j] * all + c->index[k]] +=
                    exp(c->log_s[cell]) * c->weighed[(cell * n + j) * n + k];
    darc_sandwich(c->cov, fit->info, c->score, all, c->index, n);
}

/* S and the covariance of the coefficients depend on each other. */
static void find_spectra(colour *c, const darc_gls *fit)
{
    int bands = c->bands;
    for (int round = 0; round < ROUNDS; round++) {
        weigh_covariances(c, fit);
        for (int i = 0; i < c->channels; i++) {
            double left[BANDS] = {0}, dof[BANDS] = {0};
            if (leader_of(c, i) != i)
                continue;
            for (int k = 0; k < c->channels * bands; k++)
                if (leader_of(c, k / bands) == i)
                    add_shown(left + k % bands, dof + k % bands, c, k);
            smooth(c, i, left, dof);
            for (int k = 0; k < c->channels; k++)
                if (leader_of(c, k) == i && k != i)
                    memcpy(c->log_s + k * bands, c->log_s + i * bands,
                           (size_t)bands * sizeof *c->log_s);
        }
    }
    weigh_covariances(c, fit);
}

/* Return the degrees of freedom of the variance of a free coefficient: twice
 * one over the variance of its logarithm, and 1, as of a chi-square. */
static double dof_of(const colour *c, int coeff)
{
    int n = c->free, bands = c->bands;
    const double *a = c->inverse + coeff * n;
    double v = c->cov[c->index[coeff] * (c->weak->coeffs + 1)], doubt = 0;
    for (int i = 0; i < c->channels; i++) {
        double part[BANDS] = {0}, g[BANDS];
        if (leader_of(c, i) != i)
            continue;
        for (int k = 0; k < c->channels * bands; k++)
            if (leader_of(c, k / bands) == i)
                part[k % bands] +=
                    exp(c->log_s[k]) *
                    darc_dense_quadratic(c->weighed + k * n * n, a, n);
        memcpy(g, part, sizeof g);
        doubt += solve_bands(c, i, g) ? darc_lanes_dot(part, g, (size_t)bands)
                                      : HUGE_VAL;
    }
    return 2 * v * v / doubt + 1;
}

static void open_colour(colour *c, const darc_gls *fit)
{
    const darc_weak *weak = c->weak;
    size_t longest = 0, n = 1;
    int all = fit->coeffs;
    for (int p = 0; p < weak->pieces; p++) {
        size_t own = weak->piece[p].end - weak->piece[p].begin;
        longest = own > longest ? own : longest;
    }
    while (n < longest + (size_t)(weak->left + weak->right))
        n *= 2;
    darc_fft_plan_init(&c->plan, (int)n);
    set_bands(c, (int)longest);
    c->index = darc_calloc((size_t)all, sizeof *c->index);
    for (int j = 0; j < all; j++)
        if (fit->free[j])
            c->index[c->free++] = j;
    c->width = 1 + 2 * c->free;
    int cells = c->channels * c->bands;
    ptrdiff_t field = (ptrdiff_t)n * c->width;
    DARC_CARVE({&c->re, field}, {&c->im, field},
               {&c->sum, cells * c->width * c->width},
               {&c->weighed, cells * c->free * c->free},
               {&c->power, cells * c->channels}, {&c->log_s, cells},
               {&c->hess, cells * c->bands}, {&c->inverse, c->free * c->free},
               {&c->score, all * all}, {&c->cov, all * all});
    darc_sandwich(c->cov, fit->info, fit->info, all, c->index, c->free);
    for (int j = 0; j < c->free; j++)
        for (int k = 0; k < c->free; k++)
            c->inverse[j * c->free + k] =
                c->cov[c->index[j] * all + c->index[k]];
}

darc_status darc_colour_covariance(darc_gls *fit, const darc_point *at,
                                   bool *any, bool misfit,
                                   const darc_budget *budget, darc_err *err)
{
    darc_status status;
    colour c = {
        .at = at, .any = any, .weak = at->weak, .channels = at->weak->channels};
    open_colour(&c, fit);
    DARC_TRY(gather_pieces(&c, budget, err));
    leave_faint(&c);
    find_spectra(&c, fit);
    if (misfit || c.weak->folded >= DARC_COARSE) /* more is left than noise */
        darc_cover(fit->cov, c.cov, fit->coeffs, c.index, c.free);
    else
        memcpy(fit->cov, c.cov,
               (size_t)(fit->coeffs * fit->coeffs) * sizeof *c.cov);
    double doubt = 0;
    for (int j = 0; j < c.free; j++)
        doubt += 1 / dof_of(&c, j) / c.free;
    fit->error_dof = doubt > 0 ? 1 / doubt : HUGE_VAL;
done:
    darc_fft_plan_clear(&c.plan);
    DARC_FREE(c.re, c.index);
    return status;
}
