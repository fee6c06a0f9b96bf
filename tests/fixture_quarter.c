#include "fixture_quarter.h"

#include "base/mem.h"

#include <assert.h>
#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SINES 80
#define LOW 0.4   /* Hz */
#define HIGH 56.0 /* Hz */
#define STEPS 8   /* of the integrator a sample */

typedef struct {
    double omega[SINES];
    double complex amplitude[SINES]; /* u = Re sum amplitude e^(i omega t) */
} road;

double quarter_normal(unsigned long *state)
{
    double sum = 0;
    for (int j = 0; j < 12; j++) {
        *state = *state * 6364136223846793005UL + 1442695040888963407UL;
        sum += (double)(*state >> 11) * 0x1p-53 - 0.5;
    }
    return sum;
}

quarter_car quarter_car_default(void)
{
    return (quarter_car){300, 20000, 1500, 40, 180000, 0, 1};
}

/* Displacement with a density proportional to 1/f^2, as ISO 8608 has it. */
static void make_road(road *r, int number)
{
    unsigned long state = (unsigned long)number * 7919 + 17;
    for (int j = 0; j < SINES; j++) {
        double f = LOW * pow(HIGH / LOW, (j + 0.5) / SINES);
        f *= 1 + 0.01 * quarter_normal(&state);
        r->omega[j] = 2 * acos(-1) * f;
        double phase = 6.3 * quarter_normal(&state);
        r->amplitude[j] = 0.01 / sqrt(f) * cexp(I * phase);
    }
}

/* Amplitudes of z, chassis acceleration a by the transfer functions. */
static void respond(const quarter_car *p, const road *r, double complex *a,
                    double complex *z)
{
    for (int j = 0; j < SINES; j++) {
        double complex s = I * r->omega[j], k = p->c + p->d * s;
        double complex g = k / (p->m * s * s);
        z[j] =
            p->ct * r->amplitude[j] / ((p->mw * s * s + p->ct) * (1 + g) + k);
        a[j] = s * s * g * z[j];
    }
}

static double sum_at(const road *r, const double complex *amplitude, double t)
{
    double x = 0;
    for (int j = 0; j < SINES; j++)
        x += creal(amplitude[j] * cexp(I * r->omega[j] * t));
    return x;
}

/* Rotating phasors; renewed now and then against rounding. */
static void sample_linear(quarter *q, const quarter_car *car, const road *r,
                          double dt)
{
    double complex amplitude[2][SINES], turn[SINES], phase[SINES];
    respond(car, r, amplitude[0], amplitude[1]);
    for (int j = 0; j < SINES; j++)
        turn[j] = cexp(I * r->omega[j] * dt);
    for (size_t i = 0; i < q->table.samples; i++)
        for (int j = 0; j < SINES; j++) {
            double t = (double)i * dt;
            phase[j] =
                i % 32 == 0 ? cexp(I * r->omega[j] * t) : phase[j] * turn[j];
            for (int s = 0; s < 2; s++) {
                double complex x = amplitude[s][j] * phase[j];
                for (int k = 0; k < QUARTER_ORDERS; k++) {
                    q->exact[s][k][i] += creal(x);
                    x *= I * r->omega[j];
                }
            }
        }
}

/* y = x, x', xw, xw'. */
static void field(const quarter_car *p, double k3, double u, const double *y,
                  double *f)
{
    double z = y[2] - y[0], v = y[3] - y[1];
    double force = p->c * z + k3 * z * z * z + p->d * v;
    f[0] = y[1];
    f[1] = force / p->m;
    f[2] = y[3];
    f[3] = (p->ct * (u - y[2]) - force) / p->mw;
}

static void rk4(const quarter_car *p, double k3, const double *u, double h,
                double *y)
{
    double k[4][4], x[4];
    const double at[] = {0, 0.5, 0.5, 1};
    for (int s = 0; s < 4; s++) {
        for (int i = 0; i < 4; i++)
            x[i] = y[i] + (s == 0 ? 0 : h * at[s] * k[s - 1][i]);
        field(p, k3, u[s == 0 ? 0 : s == 3 ? 2 : 1], x, k[s]);
    }
    for (int i = 0; i < 4; i++)
        y[i] += h / 6 * (k[0][i] + 2 * k[1][i] + 2 * k[2][i] + k[3][i]);
}

static double rms(const double *x, size_t n, int power)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += pow(x[i], 2 * power);
    return sqrt(sum / (double)n);
}

/* With a cubic spring, from rest; a second is left to settle. */
static void sample_cubic(quarter *q, const quarter_car *car, const road *r,
                         double dt)
{
    size_t n = q->table.samples, settle = (size_t)(1 / dt);
    const double *z = q->exact[1][0];
    double k3 = car->cubic * car->c * rms(z, n, 1) / rms(z, n, 3);
    double y[4] = {0}, f[4], h = dt / STEPS;
    for (size_t i = 0; i < n + settle; i++) {
        double t = ((double)i - (double)settle) * dt;
        double u[3] = {sum_at(r, r->amplitude, t)};
        if (i >= settle) {
            field(car, k3, u[0], y, f);
            q->signal[0].value[i - settle] = f[1];
            q->signal[1].value[i - settle] = y[2] - y[0];
        }
        for (int s = 0; s < STEPS; s++) {
            u[1] = sum_at(r, r->amplitude, t + (s + 0.5) * h);
            u[2] = sum_at(r, r->amplitude, t + (s + 1) * h);
            rk4(car, k3, u, h, y);
            u[0] = u[2];
        }
    }
}

void quarter_drive(quarter *q, const quarter_car *car, size_t n, double dt)
{
    static char a[] = "a", z[] = "z", ua[] = "m/s^2", uz[] = "m",
                file[] = "quarter";
    road r;
    make_road(&r, car->road);
    *q = (quarter){.segment = {0, n}};
    q->signal[0] = (darc_signal){a, ua, darc_calloc(n, sizeof(double))};
    q->signal[1] = (darc_signal){z, uz, darc_calloc(n, sizeof(double))};
    for (int s = 0; s < 2; s++)
        for (int k = 0; k < QUARTER_ORDERS; k++)
            q->exact[s][k] = darc_calloc(n, sizeof(double));
    q->table = (darc_table){.file = file,
                            .samples = n,
                            .rows = n,
                            .dt = dt,
                            .signals = 2,
                            .signal = q->signal,
                            .segments = 1,
                            .segment = &q->segment};
    sample_linear(q, car, &r, dt);
    for (int s = 0; s < 2; s++)
        memcpy(q->signal[s].value, q->exact[s][0], n * sizeof(double));
    if (car->cubic > 0)
        sample_cubic(q, car, &r, dt);
}

void quarter_add_noise(quarter *q, double share, unsigned long seed)
{
    for (int s = 0; s < 2; s++) {
        double sd = share * rms(q->signal[s].value, q->table.samples, 1);
        for (size_t i = 0; i < q->table.samples; i++)
            q->signal[s].value[i] += sd * quarter_normal(&seed);
    }
}

void quarter_clear(quarter *q)
{
    for (int s = 0; s < 2; s++) {
        darc_free(q->signal[s].value);
        for (int k = 0; k < QUARTER_ORDERS; k++)
            darc_free(q->exact[s][k]);
    }
}

void fixture_append(darc_dpolys_t p, const char *text, const darc_jet_t jet)
{
    char label[64][16];
    const char *x[64];
    assert(jet->vars <= 64);
    for (slong v = 0; v < jet->vars; v++) {
        darc_deriv d = jet->deriv[v];
        snprintf(label[v], sizeof label[v], "%s_%d",
                 jet->names->symbol[d.unknown].name, d.order);
        x[v] = label[v];
    }
    darc_dpoly_t q;
    darc_dpoly_init(q, jet);
    int bad = fmpz_mpoly_set_str_pretty(q, text, x, jet->ctx);
    assert(bad == 0);
    (void)bad;
    darc_dpolys_append(p, q, jet);
    darc_dpoly_clear(q, jet);
}

/* Set p to the determinant of the n x n matrix m, along the first row. */
static void expand(darc_dpoly_t p, const darc_dpoly_struct *const *m, int n,
                   const darc_jet_t jet)
{
    if (n == 1) {
        fmpz_mpoly_set(p, m[0], jet->ctx);
        return;
    }
    const darc_dpoly_struct **minor = calloc((size_t)(n * n), sizeof *minor);
    darc_dpoly_t q, sum;
    darc_dpoly_init(q, jet);
    darc_dpoly_init(sum, jet);
    for (int j = 0; j < n; j++) {
        for (int i = 1; i < n; i++)
            for (int k = 0, to = 0; k < n; k++)
                if (k != j)
                    minor[(i - 1) * (n - 1) + to++] = m[i * n + k];
        expand(q, minor, n - 1, jet);
        fmpz_mpoly_mul(q, q, m[j], jet->ctx);
        if (j % 2 == 0)
            fmpz_mpoly_add(sum, sum, q, jet->ctx);
        else
            fmpz_mpoly_sub(sum, sum, q, jet->ctx);
    }
    fmpz_mpoly_set(p, sum, jet->ctx);
    darc_dpoly_clear(sum, jet);
    darc_dpoly_clear(q, jet);
    free(minor);
}

static void make_frame(darc_relation *r, int count, const char *const *name,
                       int order)
{
    darc_names_t names;
    darc_ranking_t ranking;
    int *bound = calloc((size_t)count, sizeof *bound);
    darc_names_init(names);
    for (int i = 0; i < count; i++) {
        darc_names_add(names, name[i], DARC_OUTPUT);
        bound[i] = order;
    }
    darc_ranking_init(ranking, count);
    darc_jet_init(r->jet, names, ranking, bound);
    darc_ranking_clear(ranking);
    darc_names_clear(names);
    free(bound);
}

void fixture_relation(darc_relation *r, int recordings, int names,
                      const char *const *name, int order, int columns,
                      const char *const *entry, bool expanded)
{
    *r = (darc_relation){.recordings = recordings, .order = order};
    make_frame(r, names, name, order);
    r->recording = calloc((size_t)names, sizeof *r->recording);
    r->unknown = calloc((size_t)names, sizeof *r->unknown);
    for (int i = 0; i < names; i++) {
        r->recording[i] = recordings == 2 && strchr(name[i], 'B') != NULL;
        r->unknown[i] = i;
        for (int k = 0; k < i; k++)
            if (r->recording[k] < r->recording[i] && name[k][0] == name[i][0])
                r->unknown[i] = k;
    }
    darc_dpolys_init(r->matrix);
    darc_dpolys_init(r->last);
    darc_dpolys_init(r->inequations);
    darc_dpoly_init(r->poly, r->jet);
    fmpz_mpoly_ctx_init(r->hctx, columns, ORD_LEX);
    fmpz_mpoly_init(r->h, r->hctx);
    r->columns = columns;
    int inner = columns * (columns - 1);
    for (int i = 0; i < columns * columns; i++)
        fixture_append(i < inner ? r->matrix : r->last, entry[i], r->jet);
    r->expanded = expanded;
    if (!expanded)
        return;
    const darc_dpoly_struct *m[64];
    for (int i = 0; i < columns * columns; i++)
        m[i] = i < columns ? r->last->p + i : r->matrix->p + i - columns;
    expand(r->poly, m, columns, r->jet);
}

void fixture_relation_clear(darc_relation *r)
{
    fmpz_mpoly_clear(r->h, r->hctx);
    fmpz_mpoly_ctx_clear(r->hctx);
    darc_dpoly_clear(r->poly, r->jet);
    darc_dpolys_clear(r->inequations, r->jet);
    darc_dpolys_clear(r->last, r->jet);
    darc_dpolys_clear(r->matrix, r->jet);
    free(r->recording);
    free(r->unknown);
    darc_jet_clear(r->jet);
}

void quarter_relation(darc_relation *r, darc_test test, bool expanded)
{
    static const char *const one[] = {"a", "z"};
    static const char *const two[] = {"aA", "zA", "aB", "zB"};
    static const char *const structure[] = {"a_0", "z_0", "z_1", "a_1", "z_1",
                                            "z_2", "a_2", "z_2", "z_3"};
    static const char *const equal[] = {"aA_0", "zA_0", "zA_1", "aB_0", "zB_0",
                                        "zB_1", "aA_1", "zA_1", "zA_2"};
    static const char *const changed[] = {
        "aA_0", "0", "zA_0", "zA_1", "0", "aB_0", "zB_0", "zB_1",
        "aA_1", "0", "zA_1", "zA_2", "0", "aB_1", "zB_1", "zB_2"};
    if (test == DARC_STRUCTURE) {
        fixture_relation(r, 1, 2, one, 3, 3, structure, expanded);
        fixture_append(r->inequations, "a_0*z_1-a_1*z_0", r->jet);
    } else if (test == DARC_EQUAL) {
        fixture_relation(r, 2, 4, two, 2, 3, equal, expanded);
        fixture_append(r->inequations, "aA_0*zB_0-aB_0*zA_0", r->jet);
    } else {
        fixture_relation(r, 2, 4, two, 2, 4, changed, expanded);
        fixture_append(r->inequations, "aA_0*zA_1-aA_1*zA_0", r->jet);
        fixture_append(r->inequations, "aB_0", r->jet);
        fixture_append(r->inequations, "aB_0*zB_1-aB_1*zB_0", r->jet);
    }
    r->test = test;
}

void quarter_relation_clear(darc_relation *r)
{
    fixture_relation_clear(r);
}
