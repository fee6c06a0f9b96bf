/* Relations that are not linear within the errors of the coefficients. */
#include "tests.h"

#include "fixture_io.h"
#include "models.h"
#include "simulation.h"

#include "base/random.h"
#include "decide/contrast.h"
#include "session/session.h"

#include <math.h>
#include <stdlib.h>

enum { MODEL = 3, RUNS = 400 };

static const char *const two_roots[] = {"y_2 + (p+q)*y_1 + p*q*y_0"};

/* Estimates of 1, p + q and p q, both with this standard deviation. */
typedef struct {
    darc_weakfit fit;
    double c[MODEL], cov[MODEL * MODEL], share[MODEL];
} estimates;

/* Return coefficient j: by its terms it is known. */
static double value(const darc_ioeqs_t io, int j, double p, double q)
{
    const fmpz_mpoly_struct *c = io->eq->coeff->p + j;
    if (fmpz_mpoly_is_fmpz(c, io->jet->ctx))
        return 1;
    return c->length == 2 ? p + q : p * q;
}

static void estimate(estimates *e, const darc_ioeqs_t io, double p, double q,
                     double sd, darc_random *random)
{
    *e = (estimates){.share = {1, 1, 1}};
    ck_assert_int_eq(io->eq->coeff->count, MODEL);
    for (int j = 0; j < MODEL; j++) {
        bool one = fmpz_mpoly_is_fmpz(io->eq->coeff->p + j, io->jet->ctx);
        e->c[j] =
            value(io, j, p, q) + (one ? 0 : sd * darc_random_normal(random));
        e->cov[j * MODEL + j] = one ? 0 : sd * sd;
        if (one)
            e->fit.fit.reference = j;
    }
    e->fit.fit.coeffs = e->fit.fit.model = MODEL;
    e->fit.fit.c = e->c;
    e->fit.fit.cov = e->cov;
    e->fit.share = e->share;
}

/* Return in how many runs the test rejects at level .01 that q is the same. */
static int rejected(double pa, double pb, double qb, double sd)
{
    darc_ioeqs_t io;
    fixture_io(io, "p q / y", two_roots, 1);
    bool changed[8] = {false}, vanishing[MODEL] = {false};
    for (int u = 0; u < io->jet->names->count; u++)
        changed[u] = io->jet->names->symbol[u].name[0] == 'p';
    darc_coeffrel_t r;
    ck_assert_int_eq(darc_coeffrel_init(r, io, 0, changed, NULL, NULL),
                     DARC_OK);
    ck_assert_int_eq(r->count, 1);
    ck_assert(r->decisive);
    darc_random random;
    darc_random_init(&random, 7, 0);
    int count = 0;
    for (int i = 0; i < RUNS; i++) {
        estimates a, b;
        darc_contrast c;
        double dof;
        estimate(&a, io, pa, 1, sd, &random);
        estimate(&b, io, pb, qb, sd, &random);
        darc_contrast_relations(&c, r, &a.fit, &b.fit, vanishing);
        double x = darc_contrast_statistic(&c, 0, &dof);
        count += darc_contrast_p(&c, x, dof) < 0.01;
        darc_contrast_clear(&c);
    }
    darc_coeffrel_clear(r);
    darc_ioeqs_clear(io);
    return count;
}

START_TEST(roots_that_noise_mixes_refute_nothing)
{
    ck_assert_int_le(rejected(1, 1, 1, 0.05), RUNS / 50);
    ck_assert_int_le(rejected(1.1, 1.2, 1, 0.05), RUNS / 50);
    ck_assert_int_le(rejected(1.1, 1.1, 1, 0.01), RUNS / 50);
}
END_TEST

/* Where roots lie apart the test is what it was. */
START_TEST(roots_apart_are_told_from_each_other)
{
    ck_assert_int_le(rejected(3, 4, 1, 0.002), RUNS / 50);
    ck_assert_int_ge(rejected(3, 4, 1.02, 0.002), RUNS * 9 / 10);
}
END_TEST

/* Three masses in a row; d2/k2 and d3/k3 are nearly the same within noise, and
 * six relations of what k2 leaves alone mix them in one way each: the linear
 * covariance makes their differences a rejection (p = 1e-52). */
static const char row[] =
    "model row\nstates\n x w\nparameters\n m1 k1 d1 m2 k2 d2 m3 k3 d3\n"
    "inputs\n u\noutputs\n y\nequations\n"
    " m1*x'' = -k1*x - d1*x' + k2*(w - x) + d2*(w' - x') + u\n"
    " m2*w'' = -k2*(w - x) - d2*(w' - x') + k3*(y - w) + d3*(y' - w')\n"
    " m3*y'' = -k3*(y - w) - d3*(y' - w')\n";

static darc_table *record(const char *param, unsigned seed)
{
    simulation j = {.model = row,
                    .param = param,
                    .init = "",
                    .input = "u=multisine:1,0.1,6",
                    .t_end = 60,
                    .rate = 100,
                    .noise = 0.002,
                    .rtol = 1e-11,
                    .seed = seed};
    return simulation_make(&j);
}

START_TEST(a_right_change_is_not_refuted)
{
    for (unsigned seed = 1; seed < 4; seed++) {
        darc_session_settings set;
        darc_session_settings_init(&set);
        set.changed = "k2";
        darc_model *model = model_of(row);
        darc_session *s;
        ck_assert_int_eq(darc_session_new(&s, model, &set, NULL, NULL),
                         DARC_OK);
        darc_table *a = record("m1=1 k1=100 d1=1 m2=.7 k2=150 d2=1.2 m3=1.5 "
                               "k3=140 d3=.7",
                               seed);
        darc_table *b = record("m1=1 k1=100 d1=1 m2=.7 k2=165 d2=1.2 m3=1.5 "
                               "k3=140 d3=.7",
                               seed + 10);
        ck_assert_int_eq(darc_session_add_take(s, a, NULL), DARC_OK);
        ck_assert_int_eq(darc_session_add_take(s, b, NULL), DARC_OK);
        ck_assert_int_eq(darc_session_check(s, DARC_CHANGED, NULL), DARC_OK);
        ck_assert_int_ne(darc_session_verdict(s), DARC_INCONSISTENT);
        darc_session_free(s);
        darc_model_free(model);
    }
}
END_TEST

Suite *suite_curvature(void)
{
    Suite *s = suite_create("curvature");
    TCase *c = tcase_create("curvature");
    tcase_add_test(c, roots_that_noise_mixes_refute_nothing);
    tcase_add_test(c, roots_apart_are_told_from_each_other);
    tcase_add_test(c, a_right_change_is_not_refuted);
    suite_add_tcase(s, c);
    return s;
}
