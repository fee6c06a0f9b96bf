/* Straight-line programs, darc/program.h. */
#include "tests.h"

#include "relation/program.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define VARS 5
#define SAMPLES 601

/* A frame of signals y (order 2) and u (order 1): five variables. */
static void make_jet(darc_jet_t jet)
{
    darc_names_t names;
    darc_ranking_t ranking;
    const int bound[] = {2, 1};
    darc_names_init(names);
    darc_names_add(names, "y", DARC_OUTPUT);
    darc_names_add(names, "u", DARC_INPUT);
    darc_ranking_init(ranking, 2);
    darc_jet_init(jet, names, ranking, bound);
    darc_ranking_clear(ranking);
    darc_names_clear(names);
}

static void set_text(darc_dpoly_t p, const char *text, const darc_jet_t jet)
{
    const char *x[VARS] = {"x1", "x2", "x3", "x4", "x5"};
    ck_assert_int_eq(fmpz_mpoly_set_str_pretty(p, text, x, jet->ctx), 0);
}

/* Integer sample values, exact in double. */
static void random_samples(double (*x)[SAMPLES], flint_rand_t state)
{
    for (int v = 0; v < VARS; v++)
        for (int t = 0; t < SAMPLES; t++)
            x[v][t] = (double)n_randint(state, 2000003) - 1000001;
}

static double exact_value(const darc_dpoly_t p, double (*x)[SAMPLES], int t,
                          bool magnitude, const darc_jet_t jet, fmpz_t value)
{
    fmpz v[VARS];
    fmpz *at[VARS];
    darc_dpoly_t q;
    darc_dpoly_init(q, jet);
    fmpz_mpoly_set(q, p, jet->ctx);
    for (slong i = 0; magnitude && i < q->length; i++)
        fmpz_abs(q->coeffs + i, q->coeffs + i);
    for (int i = 0; i < VARS; i++) {
        fmpz_init(v + i);
        fmpz_set_d(v + i, magnitude ? fabs(x[i][t]) : x[i][t]);
        at[i] = v + i;
    }
    ck_assert(fmpz_mpoly_evaluate_all_fmpz(value, q, at, jet->ctx));
    for (int i = 0; i < VARS; i++)
        fmpz_clear(v + i);
    darc_dpoly_clear(q, jet);
    return fmpz_get_d(value);
}

/* Every output of the program lies within its bound of the integer value. */
static void check_outputs(const darc_program *program, const darc_dpolys_t p,
                          double (*x)[SAMPLES], double *const *out,
                          const darc_jet_t jet)
{
    fmpz_t exact, got;
    fmpz_init(exact);
    fmpz_init(got);
    for (int t = 0; t < SAMPLES; t += 50)
        for (slong j = 0; j < 2 * p->count; j++) {
            const darc_dpoly_struct *q = p->p + j % p->count;
            double size = exact_value(q, x, t, true, jet, exact);
            exact_value(q, x, t, j >= p->count, jet, exact);
            fmpz_set_d(got, out[j][t]);
            fmpz_sub(exact, exact, got);
            double u = 0x1p-53 * program->roundings[j];
            ck_assert_double_le(fabs(fmpz_get_d(exact)), u / (1 - u) * size);
        }
    fmpz_clear(got);
    fmpz_clear(exact);
}

static void run_and_check(const darc_dpolys_t p, const darc_jet_t jet,
                          double (*x)[SAMPLES])
{
    darc_program *program;
    darc_program_compile(&program, p, true, jet);
    const double *in[VARS];
    double *out[40];
    for (int i = 0; i < program->inputs; i++) {
        ck_assert_int_eq(jet->deriv[program->variable[i]].order,
                         program->deriv[i].order);
        in[i] = x[program->variable[i]];
    }
    ck_assert_int_eq(program->outputs, 2 * (int)p->count);
    for (slong j = 0; j < 2 * p->count; j++)
        out[j] = malloc(SAMPLES * sizeof *out[j]);
    darc_program_eval(program, in, out, SAMPLES);
    check_outputs(program, p, x, out, jet);
    for (slong j = 0; j < 2 * p->count; j++)
        free(out[j]);
    darc_program_free(program);
}

/* A program of these polynomials computes what integers do. */
static void check_texts(const char *const *text, size_t n)
{
    static double x[VARS][SAMPLES];
    darc_jet_t jet;
    darc_dpolys_t p;
    darc_dpoly_t q;
    flint_rand_t state;
    flint_randinit(state);
    make_jet(jet);
    random_samples(x, state);
    darc_dpolys_init(p);
    darc_dpoly_init(q, jet);
    for (size_t i = 0; i < n; i++) {
        set_text(q, text[i], jet);
        darc_dpolys_append(p, q, jet);
    }
    run_and_check(p, jet, x);
    darc_dpoly_clear(q, jet);
    darc_dpolys_clear(p, jet);
    darc_jet_clear(jet);
    flint_randclear(state);
}

START_TEST(numbers_alone)
{
    static const char *const text[] = {"-1", "1", "-7", "x1-3", "-x2", "0"};
    check_texts(text, sizeof text / sizeof text[0]);
}
END_TEST

START_TEST(agrees_with_integers)
{
    static double x[VARS][SAMPLES];
    darc_jet_t jet;
    flint_rand_t state;
    make_jet(jet);
    flint_randinit(state);
    random_samples(x, state);
    for (int round = 0; round < 30; round++) {
        darc_dpolys_t p;
        darc_dpoly_t q;
        darc_dpolys_init(p);
        darc_dpoly_init(q, jet);
        for (int j = 0; j < 1 + round % 4; j++) {
            fmpz_mpoly_randtest_bound(q, state, 1 + round, 70, 5, jet->ctx);
            darc_dpolys_append(p, q, jet);
        }
        run_and_check(p, jet, x);
        darc_dpoly_clear(q, jet);
        darc_dpolys_clear(p, jet);
    }
    flint_randclear(state);
    darc_jet_clear(jet);
}
END_TEST

/* Without the sum of absolute values beside it. */
static void check_alone(const darc_program *program, const darc_dpoly_t p,
                        double (*x)[SAMPLES], const darc_jet_t jet)
{
    static double value[SAMPLES];
    const double *in[VARS];
    double *out[] = {value};
    fmpz_t exact;
    fmpz_init(exact);
    for (int i = 0; i < program->inputs; i++)
        in[i] = x[program->variable[i]];
    darc_program_eval(program, in, out, SAMPLES);
    for (int t = 0; t < SAMPLES; t += 50) {
        double want = exact_value(p, x, t, false, jet, exact);
        double size = exact_value(p, x, t, true, jet, exact);
        ck_assert_double_le(fabs(value[t] - want), 1e-14 * size);
    }
    fmpz_clear(exact);
}

/* Each row: a polynomial, and how often a term is rounded at most. */
START_TEST(roundings_are_few)
{
    static const struct {
        const char *text;
        int roundings;
    } row[] = {
        {"0", 0},
        {"7", 0},
        {"-7", 0},
        {"x2", 0},
        {"-x2", 0},
        {"x1*x2 + x3*x4", 2},
        {"-x1*x2 - x3*x4", 2},
        {"x1^8", 7},
        {"x1*x2 + x1*x3", 2},
        {"3*x1 - 5", 2},
        {"x1^2*x2^2 - x1*x2", 5},
    };
    static double x[VARS][SAMPLES];
    darc_jet_t jet;
    flint_rand_t state;
    make_jet(jet);
    flint_randinit(state);
    random_samples(x, state);
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        darc_dpolys_t p;
        darc_dpoly_t q;
        darc_program *program;
        darc_dpolys_init(p);
        darc_dpoly_init(q, jet);
        set_text(q, row[i].text, jet);
        darc_dpolys_append(p, q, jet);
        run_and_check(p, jet, x);
        darc_program_compile(&program, p, false, jet);
        check_alone(program, q, x, jet);
        ck_assert_int_le(program->roundings[0], row[i].roundings);
        darc_program_free(program);
        darc_dpoly_clear(q, jet);
        darc_dpolys_clear(p, jet);
    }
    flint_randclear(state);
    darc_jet_clear(jet);
}
END_TEST

/* The same polynomial twice, an input and its double as outputs. */
START_TEST(outputs_may_coincide)
{
    static const char *const text[] = {"x1*x2 - x3", "x3 - x1*x2", "x3",
                                       "x1*x2 - x3", "x3"};
    check_texts(text, sizeof text / sizeof text[0]);
}
END_TEST

/* More registers than the stack of the evaluator holds. */
START_TEST(wide_programs)
{
    static double x[VARS][SAMPLES];
    darc_jet_t jet;
    flint_rand_t state;
    make_jet(jet);
    flint_randinit(state);
    random_samples(x, state);
    darc_dpolys_t p;
    darc_dpoly_t q;
    darc_dpolys_init(p);
    darc_dpoly_init(q, jet);
    for (int j = 0; j < 20; j++) {
        fmpz_mpoly_randtest_bound(q, state, 300, 20, 7, jet->ctx);
        darc_dpolys_append(p, q, jet);
    }
    run_and_check(p, jet, x);
    darc_dpoly_clear(q, jet);
    darc_dpolys_clear(p, jet);
    flint_randclear(state);
    darc_jet_clear(jet);
}
END_TEST

Suite *suite_code(void)
{
    Suite *s = suite_create("code");
    TCase *c = tcase_create("code");
    tcase_add_test(c, numbers_alone);
    tcase_add_test(c, agrees_with_integers);
    tcase_add_test(c, roundings_are_few);
    tcase_add_test(c, outputs_may_coincide);
    tcase_add_test(c, wide_programs);
    suite_add_tcase(s, c);
    return s;
}
