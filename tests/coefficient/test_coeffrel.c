#include "tests.h"

#include "fixture_io.h"
#include "models.h"
#include "projection/coeffs.h"

#include "coefficient/coeffrel.h"
#include "eliminate/eliminate.h"

#include <stdlib.h>
#include <string.h>

static const char *const predprey[] = {
    "y_0*y_2 - y_1^2 - d*y_0^2*y_1 + c*y_0*y_1 + a*d*y_0^3 - a*c*y_0^2"};
static const char *const car[] = {"m*a_0 - c*z_0 - d*z_1"};
static const char *const cubic[] = {"p^3*y_0 + q^3*y_1 + p*q*r*y_2 + r^3*y_3"};
static const char *const large[] = {"p^2*y_0 + p*q*y_1 + 40000003*q^2*y_2"};
static const char *const two[] = {"y_1 - p*y_0 - q*z_0", "z_1 - p*q*z_0"};

/* "c3", "cA3", "c3_1", "cA3_1" for column 3 of equation 1. */
static char *column_text(const darc_coeffrel_t r, slong v)
{
    int i = 0;
    while (r->first[i + 1] <= v)
        i++;
    int recordings = 1, equations = 1;
    for (int k = 0; k < r->vectors; k++) {
        recordings = r->recording[k] > 0 ? 2 : recordings;
        equations = r->equation[k] != r->equation[0] ? 2 : equations;
    }
    darc_text_t t;
    darc_text_init(t);
    darc_text_putc(t, 'c');
    if (recordings > 1)
        darc_text_putc(t, r->recording[i] == 0 ? 'A' : 'B');
    darc_text_printf(t, "%ld", (long)(v - r->first[i]));
    if (equations > 1)
        darc_text_printf(t, "_%d", r->equation[i]);
    return darc_text_take(t);
}

/* Append h[i]. */
static void print_relation(darc_text_t out, const darc_coeffrel_t r, slong i)
{
    char **name = calloc((size_t)r->vars, sizeof *name);
    for (slong v = 0; v < r->vars; v++)
        name[v] = column_text(r, v);
    char *s = fmpz_mpoly_get_str_pretty(r->h + i, (const char **)name, r->ctx);
    darc_text_puts(out, s);
    flint_free(s);
    for (slong v = 0; v < r->vars; v++)
        free(name[v]);
    free(name);
}

/* Return h[0], h[1], ... separated by "; ". */
static char *all(const darc_coeffrel_t r)
{
    darc_text_t t;
    darc_text_init(t);
    for (slong i = 0; i < r->count; i++) {
        darc_text_puts(t, i > 0 ? "; " : "");
        print_relation(t, r, i);
    }
    return darc_text_take(t);
}

/* Every h vanishes exactly when the coefficients are put in. */
static void check_exact(const darc_coeffrel_t r, const darc_ioeqs_t io,
                        int equation, const bool *changed)
{
    darc_coeffs_t c;
    darc_coeffs_init(c, io, equation, changed);
    fmpz_mpoly_struct **b = calloc((size_t)r->vars, sizeof(*b));
    for (slong j = 0; j < r->vars; j++)
        b[j] = c->b + j;
    fmpz_mpoly_t p;
    fmpz_mpoly_init(p, c->ctx);
    for (slong i = 0; i < r->count; i++) {
        ck_assert(
            fmpz_mpoly_compose_fmpz_mpoly(p, r->h + i, b, r->ctx, c->ctx));
        ck_assert(fmpz_mpoly_is_zero(p, c->ctx));
    }
    fmpz_mpoly_clear(p, c->ctx);
    free(b);
    darc_coeffs_clear(c);
}

typedef struct {
    const char *names, *const *equation;
    int equations, which;
    const char *changed; /* names; NULL: one recording */
    const char *expected;
    slong dimension;
} relation_case;

static const relation_case cases[] = {
    {"m c d / a z", car, 1, 0, NULL, "", 2},
    {"m c d / a z", car, 1, 0, "m", "cA2*cB1-cA1*cB2", 3},
    {"m c d / a z", car, 1, 0, "c", "cA2*cB0-cA0*cB2", 3},
    {"m c d / a z", car, 1, 0, "cd", "", 4},
    {"m c d / a z", car, 1, 0, "", "cA1*cB0-cA0*cB1; cA2*cB0-cA0*cB2", 2},
    {"a c d / y", predprey, 1, 0, NULL, "c2*c3-c1*c4", 3},
    {"p q r / y", cubic, 1, 0, NULL, "c1^3-c0*c2*c3", 2},
    {"p q / y", large, 1, 0, NULL, "40000003*c1^2-c0*c2", 1},
    {"p q / y z", two, 2, -1, NULL, "c1_0*c0_1^2-c0_0*c1_1*c2_1", 2},
};

static void run_case(const relation_case *k)
{
    darc_ioeqs_t io;
    fixture_io(io, k->names, k->equation, k->equations);
    bool changed[8] = {false};
    for (int u = 0; k->changed != NULL && u < io->jet->names->count; u++)
        changed[u] =
            strchr(k->changed, io->jet->names->symbol[u].name[0]) != NULL;
    const bool *c = k->changed != NULL ? changed : NULL;
    darc_coeffrel_t r;
    ck_assert_int_eq(darc_coeffrel_init(r, io, k->which, c, NULL, NULL),
                     DARC_OK);
    char *s = all(r);
    ck_assert_str_eq(s, k->expected);
    free(s);
    ck_assert_int_eq(r->dimension, k->dimension);
    ck_assert(r->complete);
    ck_assert_int_eq(r->count, r->codimension);
    check_exact(r, io, k->which, c);
    darc_coeffrel_clear(r);
    darc_ioeqs_clear(io);
}

START_TEST(hand_worked)
{
    run_case(cases + _i);
}
END_TEST

START_TEST(mixed_says_which)
{
    darc_ioeqs_t io;
    fixture_io(io, "a c d / y", predprey, 1);
    bool changed[8] = {true}; /* a */
    darc_coeffrel_t r;
    ck_assert_int_eq(darc_coeffrel_init(r, io, 0, changed, NULL, NULL),
                     DARC_OK);
    ck_assert_int_eq(r->dimension, 4);
    ck_assert_int_eq(r->count, 4);
    slong mixed = 0;
    for (slong i = 0; i < r->count; i++)
        mixed += r->mixed[i];
    ck_assert_int_eq(mixed, 2);
    check_exact(r, io, 0, changed);
    darc_coeffrel_clear(r);
    darc_ioeqs_clear(io);
}
END_TEST

/* All 35 monomials of degree <= 4 in three parameters, one or two
 * recordings: too many columns for higher degrees. */
START_TEST(many_columns)
{
    darc_ioeqs_t io;
    const char *e = "((1+p+q+r)^4)*y_0";
    darc_text_t t;
    darc_text_init(t);
    darc_text_puts(t, e);
    for (int i = 0; i < 5; i++)
        for (int j = 0; i + j < 5; j++)
            for (int k = 0; i + j + k < 5; k++)
                darc_text_printf(t, "+p^%d*q^%d*r^%d*y_1^%d*z_0^%d*z_1^%d", i,
                                 j, k, i, j, k);
    const char *s = t->s;
    fixture_io(io, "p q r / y z", &s, 1);
    darc_coeffrel_t r;
    ck_assert_int_eq(darc_coeffrel_init(r, io, 0, NULL, NULL, NULL), DARC_OK);
    ck_assert_int_eq(r->vars, 35);
    ck_assert_int_eq(r->dimension, 3);
    ck_assert(r->complete);
    check_exact(r, io, 0, NULL);
    darc_coeffrel_clear(r);
    darc_ioeqs_clear(io);
    darc_text_clear(t);
}
END_TEST

/* Set r to the relations of the first equation of the model in text; changed:
 * the name of a parameter, NULL for one recording. */
static void relations_of(darc_coeffrel_t r, darc_ioeqs_t io, const char *text,
                         const char *changed)
{
    darc_model *model = model_of(text);
    bool of[16] = {false};
    ck_assert_int_eq(
        darc_ioeqs_init(io, model, NULL, DARC_ENGINE_AUTO, NULL, NULL),
        DARC_OK);
    for (int u = 0; u < io->jet->names->count && changed != NULL; u++)
        of[u] = strcmp(io->jet->names->symbol[u].name, changed) == 0;
    ck_assert_int_eq(
        darc_coeffrel_init(r, io, 0, changed != NULL ? of : NULL, NULL, NULL),
        DARC_OK);
    check_exact(r, io, 0, changed != NULL ? of : NULL);
    darc_model_free(model);
}

/* Two masses in a row, one parameter changed: of five relations the last are
 * of degree three and four in few coefficients of either recording; among all
 * coefficients there are more than 7000 monomials as high. */
START_TEST(relations_of_few_terms)
{
    static const char *const parameter[] = {"m1", "m2", "k1", "k2", "d1", "d2"};
    darc_ioeqs_t io;
    darc_coeffrel_t r;
    relations_of(
        r, io,
        "model row\nstates\n x\nparameters\n m1 m2 k1 k2 d1 d2\ninputs\n u\n"
        "outputs\n y\nequations\n"
        " m1*x'' = -k1*x - d1*x' + k2*(y - x) + d2*(y' - x') + u\n"
        " m2*y'' = -k2*(y - x) - d2*(y' - x')\n",
        parameter[_i]);
    ck_assert_int_eq(r->codimension, 5);
    ck_assert(r->complete);
    darc_coeffrel_clear(r);
    darc_ioeqs_clear(io);
}
END_TEST

/* Competing species: the one relation is of degree eight in seven
 * coefficients, found among the monomials of one weight. */
START_TEST(relations_of_one_weight)
{
    darc_ioeqs_t io;
    darc_coeffrel_t r;
    relations_of(r, io,
                 "model competing\nstates\n x w\nparameters\n a b c p q r\n"
                 "outputs\n y\nequations\n x' = a*x + b*x^2 + c*x*w\n"
                 " w' = p*w + q*x*w + r*w^2\n y = x\n",
                 NULL);
    ck_assert_int_eq(r->codimension, 1);
    ck_assert(r->complete);
    ck_assert_int_ge(fmpz_mpoly_total_degree_si(r->h, r->ctx), 8);
    darc_coeffrel_clear(r);
    darc_ioeqs_clear(io);
}
END_TEST

START_TEST(needs_polynomials)
{
    darc_ioeqs_t io;
    fixture_io(io, "m c d / a z", car, 1);
    io->eq->expanded = false;
    darc_coeffrel_t r;
    darc_err err;
    darc_err_init(&err);
    ck_assert_int_eq(darc_coeffrel_init(r, io, 0, NULL, NULL, &err),
                     DARC_DOMAIN);
    ck_assert_str_eq(err.message, "the coefficients of the io-equation of 'z' "
                                  "are not known as polynomials");
    io->eq->expanded = true;
    darc_budget spent;
    darc_budget_init(&spent);
    spent.deadline = 0;
    bool changed[8] = {true};
    ck_assert_int_eq(darc_coeffrel_init(r, io, 0, changed, &spent, NULL),
                     DARC_LIMIT);
    darc_ioeqs_clear(io);
}
END_TEST

Suite *suite_coeffrel(void)
{
    Suite *s = suite_create("coeffrel");
    TCase *c = tcase_create("coeffrel");
    tcase_add_loop_test(c, hand_worked, 0, sizeof cases / sizeof cases[0]);
    tcase_add_test(c, mixed_says_which);
    tcase_add_test(c, many_columns);
    tcase_add_loop_test(c, relations_of_few_terms, 0, 6);
    tcase_add_test(c, relations_of_one_weight);
    tcase_add_test(c, needs_polynomials);
    suite_add_tcase(s, c);
    return s;
}
