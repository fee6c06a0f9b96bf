#include "tests.h"

#include "fixture_io.h"
#include "projection/coeffs.h"
#include "relation/plan.h"

#include "relation/relation.h"

#include <stdlib.h>
#include <string.h>

static const char car[] = "m*a_0 - c*z_0 - d*z_1";
static const char predprey[] =
    "y_0*y_2 - y_1^2 - d*y_0^2*y_1 + c*y_0*y_1 + a*d*y_0^3 - a*c*y_0^2";

static char *text(const darc_dpoly_t p, const darc_jet_t jet)
{
    darc_text_t t;
    darc_text_init(t);
    darc_dpoly_print(t, p, jet);
    return darc_text_take(t);
}

static char *texts(const darc_dpolys_t p, const darc_jet_t jet)
{
    darc_text_t t;
    darc_text_init(t);
    for (slong i = 0; i < p->count; i++) {
        darc_text_puts(t, i > 0 ? "; " : "");
        darc_dpoly_print(t, p->p + i, jet);
    }
    return darc_text_take(t);
}

static void check_text(char *s, const char *expected)
{
    ck_assert_str_eq(s, expected);
    free(s);
}

static void make(darc_relations_t out, darc_ioeqs_t io, const char *names,
                 const char *equation, darc_test test, const char *changed,
                 darc_form form)
{
    fixture_io(io, names, &equation, 1);
    bool c[8] = {false};
    for (int u = 0; u < io->jet->names->count; u++)
        c[u] = strchr(changed, io->jet->names->symbol[u].name[0]) != NULL &&
               io->jet->names->symbol[u].kind == DARC_PARAMETER;
    darc_err err;
    darc_err_init(&err);
    darc_status status = darc_relations_init(
        out, io,
        &(darc_relation_task){.test = test, .changed = c, .form = form}, &err);
    ck_assert_msg(status == DARC_OK, "%s", err.message);
}

/* [HMMS15], example 1: an equation and an inequality. */
START_TEST(car_structure)
{
    darc_ioeqs_t io;
    darc_relations_t r;
    make(r, io, "m c d / a z", car, DARC_STRUCTURE, "", DARC_FORM_EXPANDED);
    ck_assert_int_eq(r->count, 1);
    const darc_relation *x = r->relation;
    ck_assert_int_eq(x->recordings, 1);
    ck_assert_int_eq(x->columns, 3);
    ck_assert_int_eq(x->order, 3);
    ck_assert_int_eq(x->poly->length, 6);
    ck_assert(!x->necessary);
    check_text(text(x->poly, x->jet),
               "z'''*a'*z - z'''*z'*a - a''*z''*z + a''*z'^2 + z''^2*a - "
               "z''*a'*z'");
    check_text(texts(x->inequations, x->jet), "a'*z - z'*a");
    check_text(texts(x->matrix, x->jet), "-a; z; z'; -a'; z'; z''");
    check_text(texts(x->last, x->jet), "-a''; z''; z'''");
    ck_assert_str_eq(x->column_name[0], "m");
    darc_relations_clear(r);
    darc_ioeqs_clear(io);
}
END_TEST

/* Rows of A and B alternate: (19) of [HMMS15]. */
START_TEST(car_equal)
{
    darc_ioeqs_t io;
    darc_relations_t r;
    make(r, io, "m c d / a z", car, DARC_EQUAL, "", DARC_FORM_EXPANDED);
    ck_assert_int_eq(r->count, 1);
    const darc_relation *x = r->relation;
    ck_assert_int_eq(x->recordings, 2);
    ck_assert_int_eq(x->order, 2);
    check_text(texts(x->matrix, x->jet), "-aA; zA; zA'; -aB; zB; zB'");
    check_text(texts(x->last, x->jet), "-aA'; zA'; zA''");
    check_text(texts(x->inequations, x->jet), "aA*zB - aB*zA");
    ck_assert_int_eq(x->poly->length, 6);
    darc_relations_clear(r);
    darc_ioeqs_clear(io);
}
END_TEST

/* [HMMS15], example 5: one equation and three inequalities. */
START_TEST(car_mass_changed)
{
    darc_ioeqs_t io;
    darc_relations_t r;
    make(r, io, "m c d / a z", car, DARC_CHANGED, "m", DARC_FORM_EXPANDED);
    ck_assert_int_eq(r->count, 1);
    const darc_relation *x = r->relation;
    ck_assert_int_eq(x->columns, 4);
    ck_assert_str_eq(x->column_name[0], "mA");
    ck_assert_str_eq(x->column_name[1], "mB");
    check_text(texts(x->matrix, x->jet),
               "-aA; 0; zA; zA'; 0; -aB; zB; zB'; -aA'; 0; zA'; zA''");
    check_text(texts(x->last, x->jet), "0; -aB'; zB'; zB''");
    check_text(texts(x->inequations, x->jet), "aA; aB'*zB - zB'*aB; aB");
    darc_relations_clear(r);
    darc_ioeqs_clear(io);
}
END_TEST

/* No relation binds the ratios: both structures are tested. */
START_TEST(car_all_changed)
{
    darc_ioeqs_t io;
    darc_relations_t r;
    make(r, io, "m c d / a z", car, DARC_CHANGED, "cd", DARC_FORM_MATRIX);
    ck_assert_int_eq(r->count, 2);
    ck_assert_int_eq(r->relation[1].columns, 3);
    ck_assert_int_eq(r->relation[1].recording[0], 1);
    ck_assert(r->relation[1].note[0] != '\0');
    darc_relations_clear(r);
    darc_ioeqs_clear(io);
}
END_TEST

/* Set s to random solutions of io whose parameters are shared but for those
 * in `changed`. */
static void solve(darc_solution_struct *s, const darc_ioeqs_t io,
                  const char *changed, flint_rand_t state)
{
    int n = io->jet->names->count;
    ulong prime = darc_finite_random_prime(state);
    nmod_t mod;
    nmod_init(&mod, prime);
    ulong *param = calloc((size_t)n, sizeof *param);
    darc_finite_random_point(param, n, mod, state);
    for (int i = 0; i < 2; i++) {
        for (int u = 0; u < n && i > 0; u++)
            if (strchr(changed, io->jet->names->symbol[u].name[0]) != NULL)
                darc_finite_random_point(param + u, 1, mod, state);
        darc_solution_init(s + i, io->jet->names, 12, prime, param, state);
        ck_assert_int_eq(darc_ioeqs_solve(s + i, io, state, NULL), DARC_OK);
    }
    free(param);
}

/* Whether relation x vanishes on such solutions. */
static bool vanishes(const darc_relation *x, const darc_ioeqs_t io,
                     const char *changed, flint_rand_t state)
{
    darc_solution_struct s[2];
    solve(s, io, changed, state);
    ulong v = darc_relation_value(x->poly, x, 0, s);
    for (int i = 0; i < 2; i++)
        darc_solution_clear(s + i);
    return v == 0;
}

static const struct {
    const char *names, *equation;
    darc_test test;
    const char *changed, *other; /* what changes; what else would show */
} tests[] = {
    {"m c d / a z", car, DARC_STRUCTURE, "mcd", ""},
    {"m c d / a z", car, DARC_EQUAL, "", "m"},
    {"m c d / a z", car, DARC_EQUAL, "", "d"},
    {"m c d / a z", car, DARC_CHANGED, "m", "mc"},
    {"m c d / a z", car, DARC_CHANGED, "d", "md"},
    {"p q r / y", "y_1 + p*y_0 + q*y_0^2", DARC_EQUAL, "", "q"},
    {"p q r / y / u", "p*r*y_1 + p*q*y_0 + q*u_0", DARC_CHANGED, "q", "pq"},
    {"a c d / y", predprey, DARC_STRUCTURE, "acd", ""},
    {"p q / y", "y_1 - p*q*y_0 - p^2*y_0^2 - q^2", DARC_STRUCTURE, "pq", ""},
    {"p q r / y / u", "p*y_1 + p*q*y_0 + r*u_0", DARC_CHANGED, "p", "pq"},
    {"p q / y / u", "y_1 + p*y_0 + p*q", DARC_CHANGED, "q", "pq"},
};

START_TEST(hold_on_solutions)
{
    darc_ioeqs_t io;
    darc_relations_t r;
    flint_rand_t state;
    flint_randinit(state);
    make(r, io, tests[_i].names, tests[_i].equation, tests[_i].test,
         tests[_i].test == DARC_CHANGED ? tests[_i].changed : "",
         DARC_FORM_EXPANDED);
    for (int i = 0; i < r->count; i++) {
        ck_assert(vanishes(r->relation + i, io, tests[_i].changed, state));
        ck_assert(vanishes(r->relation + i, io, tests[_i].changed, state));
    }
    if (tests[_i].other[0] != '\0')
        ck_assert(!vanishes(r->relation, io, tests[_i].other, state));
    flint_randclear(state);
    darc_relations_clear(r);
    darc_ioeqs_clear(io);
}
END_TEST

/* Return the residual of the matrix form on solutions s. */
static ulong residual(const darc_relation *x, const darc_solution_struct *s)
{
    slong n = x->columns;
    nmod_mat_t m;
    nmod_mat_init(m, n - 1, n - 1, s->mod.n);
    ulong sum = 0, *c = calloc((size_t)n, sizeof *c);
    for (slong j = 0; j < n; j++) {
        for (slong i = 0; i + 1 < n; i++)
            for (slong k = 0; k + 1 < n; k++)
                nmod_mat_entry(m, i, k) = darc_relation_value(
                    x->matrix->p + i * n + k + (k >= j), x, 0, s);
        c[j] = nmod_mat_det(m);
        c[j] = j % 2 != 0 ? nmod_neg(c[j], s->mod) : c[j];
        if (x->last->count == 0)
            continue;
        ulong last = darc_relation_value(x->last->p + j, x, 0, s);
        sum = nmod_add(sum, nmod_mul(last, c[j], s->mod), s->mod);
    }
    ck_assert_uint_ne(c[0], 0); /* the coefficients are determined */
    if (x->last->count == 0)
        sum = darc_finite_eval(x->h, c, s->mod, x->hctx);
    nmod_mat_clear(m);
    free(c);
    return sum;
}

/* The matrix form, with its signs, closes on solutions and not elsewhere. */
START_TEST(matrices_close_on_solutions)
{
    darc_ioeqs_t io;
    darc_relations_t r;
    flint_rand_t state;
    flint_randinit(state);
    make(r, io, tests[_i].names, tests[_i].equation, tests[_i].test,
         tests[_i].test == DARC_CHANGED ? tests[_i].changed : "",
         DARC_FORM_MATRIX);
    for (int i = 0; i < r->count; i++) {
        darc_solution_struct s[2];
        solve(s, io, tests[_i].changed, state);
        ck_assert_uint_eq(residual(r->relation + i, s), 0);
        s[0].value[io->eq->leader.unknown * s[0].stride + 1]++;
        ck_assert_uint_ne(residual(r->relation + i, s), 0);
        darc_solution_clear(s);
        darc_solution_clear(s + 1);
    }
    flint_randclear(state);
    darc_relations_clear(r);
    darc_ioeqs_clear(io);
}
END_TEST

/* z is constant by the second equation: y, z*u and u are proportional. */
START_TEST(constant_signals)
{
    static const char *const e[] = {"y_0 - p*z_0*u_0 - q*u_0", "z_1"};
    for (int test = DARC_STRUCTURE; test <= DARC_EQUAL; test++) {
        darc_ioeqs_t io;
        darc_relations_t r;
        flint_rand_t state;
        flint_randinit(state);
        fixture_io(io, "p q / y z / u", e, 2);
        darc_err err;
        darc_err_init(&err);
        darc_status status = darc_relations_init(
            r, io,
            &(darc_relation_task){.test = (darc_test)test,
                                  .form = DARC_FORM_EXPANDED},
            &err);
        ck_assert_msg(status == DARC_OK, "%s", err.message);
        bool any = false;
        for (int i = 0; i < r->count; i++) {
            any = any || r->relation[i].necessary;
            ck_assert(vanishes(r->relation + i, io, "", state));
        }
        /* two recordings have two constants: those determine p and q */
        ck_assert_int_eq(any, test == DARC_STRUCTURE);
        flint_randclear(state);
        darc_relations_clear(r);
        darc_ioeqs_clear(io);
    }
}
END_TEST

/* Without parameters the equation itself is the relation; two recordings
 * share nothing but it. */
START_TEST(no_parameters)
{
    for (int test = 0; test < 2; test++) {
        darc_ioeqs_t io;
        darc_relations_t r;
        make(r, io, "/ y", "y_1^2 - 4*y_0",
             test == 0 ? DARC_STRUCTURE : DARC_EQUAL, "", DARC_FORM_EXPANDED);
        ck_assert_int_eq(r->count, test + 1);
        const darc_relation *x = r->relation + test;
        ck_assert_int_eq(x->columns, 1);
        ck_assert_str_eq(x->column_name[0], "1");
        check_text(text(x->poly, x->jet),
                   test == 0 ? "y'^2 - 4*y" : "yB'^2 - 4*yB");
        check_text(texts(x->inequations, x->jet), test == 0 ? "y'" : "yB'");
        darc_relations_clear(r);
        darc_ioeqs_clear(io);
    }
}
END_TEST

START_TEST(refusals)
{
    darc_ioeqs_t io;
    darc_relations_t r;
    darc_err err;
    const char *e = predprey;
    fixture_io(io, "a c d b / y", &e, 1);
    darc_err_init(&err);
    ck_assert_int_eq(
        darc_relations_init(r, io,
                            &(darc_relation_task){.test = DARC_STRUCTURE,
                                                  .form = DARC_FORM_EXPANDED,
                                                  .max_terms = 100},
                            &err),
        DARC_LIMIT);
    ck_assert_str_eq(err.message,
                     "the expanded relation (determinant of 5 columns) passes "
                     "the bound of 100 terms; use --form matrix");
    bool changed[8] = {false, false, false, true};
    darc_err_init(&err);
    ck_assert_int_eq(
        darc_relations_init(r, io,
                            &(darc_relation_task){.test = DARC_CHANGED,
                                                  .changed = changed,
                                                  .form = DARC_FORM_MATRIX},
                            &err),
        DARC_DOMAIN);
    ck_assert_str_eq(err.message, "'b' is no parameter of the io-equations: "
                                  "the signals do not show its change");
    darc_budget spent;
    darc_budget_init(&spent);
    spent.deadline = 0;
    ck_assert_int_eq(
        darc_relations_init(r, io,
                            &(darc_relation_task){.test = DARC_STRUCTURE,
                                                  .form = DARC_FORM_MATRIX,
                                                  .budget = &spent},
                            NULL),
        DARC_LIMIT);
    io->count = 0;
    darc_err_init(&err);
    ck_assert_int_eq(
        darc_relations_init(r, io,
                            &(darc_relation_task){.test = DARC_STRUCTURE,
                                                  .form = DARC_FORM_MATRIX},
                            &err),
        DARC_DOMAIN);
    ck_assert_str_eq(err.message, "there is no io-equation to test");
    io->count = 1;
    darc_ioeqs_clear(io);
}
END_TEST

/* Sizes found by StructuralIdentifiability.jl 0.3.1 with the parameters as
 * constant states. */
static const struct {
    const char *names, *equation;
    int order;
    slong terms, degree;
} sizes[] = {
    {"m c d / y", "m*y_2 - c*y_0 - d*y_1", 4, 5, 3},
    {"p q r / y", "y_2 + (p+q+r)*y_1 + p*r*y_0", 4, 5, 3},
    {"b g k / y", "k*y_2*y_0 - k*y_1^2 + b*y_0^2*y_1 + b*g*y_0^3", 4, 9, 6},
    {"m w / y / u", "y_2 - m*(1-y_0^2)*y_1 + w*y_0 - u_0", 4, 28, 5},
    {"p q r / y / u", "y_2 + r*y_1 + p*y_0 + q*y_0^3 - u_0", 5, 38, 6},
    {"p q r / y / u", "y_2 + (p+q+r)*y_1 + p*r*y_0 - r*u_0 - u_1", 5, 45, 4},
    {"a c d / y", predprey, 5, 106, 19},
};

START_TEST(published_sizes)
{
    darc_ioeqs_t io;
    darc_relations_t r;
    make(r, io, sizes[_i].names, sizes[_i].equation, DARC_STRUCTURE, "",
         DARC_FORM_EXPANDED);
    ck_assert_int_eq(r->count, 1);
    const darc_relation *x = r->relation;
    ck_assert_int_eq(x->order, sizes[_i].order);
    ck_assert_int_eq(x->poly->length, sizes[_i].terms);
    ck_assert_int_eq(fmpz_mpoly_total_degree_si(x->poly, x->jet->ctx),
                     sizes[_i].degree);
    darc_relations_clear(r);
    darc_ioeqs_clear(io);
}
END_TEST

Suite *suite_relation(void)
{
    Suite *s = suite_create("relation");
    TCase *c = tcase_create("relation");
    tcase_add_test(c, car_structure);
    tcase_add_test(c, car_equal);
    tcase_add_test(c, car_mass_changed);
    tcase_add_test(c, car_all_changed);
    tcase_add_loop_test(c, hold_on_solutions, 0,
                        sizeof tests / sizeof tests[0]);
    tcase_add_loop_test(c, matrices_close_on_solutions, 0,
                        sizeof tests / sizeof tests[0]);
    tcase_add_test(c, constant_signals);
    tcase_add_test(c, no_parameters);
    tcase_add_test(c, refusals);
    tcase_add_loop_test(c, published_sizes, 0, sizeof sizes / sizeof sizes[0]);
    suite_add_tcase(s, c);
    return s;
}
