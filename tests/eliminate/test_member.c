/* Membership: against power series of solutions, and by hand. */
#include "models.h"
#include "program.h"
#include "series.h"
#include "tests.h"

#include "base/mem.h"
#include "eliminate/eliminate.h"
#include "eliminate/member.h"

#include <string.h>

static void ask(darc_membership *m, const darc_model *model, const char *e)
{
    darc_err err = {DARC_OK, ""};
    ck_assert_msg(darc_membership_init(m, model, e, NULL, NULL, &err) ==
                      DARC_OK,
                  "%s", err.message);
}

/* Set p to a polynomial in the first derivatives of what is measured, of few
 * terms. */
static void draw(darc_dpoly_t p, const darc_jet_t jet, flint_rand_t state)
{
    darc_dpoly_t x;
    darc_dpoly_init(x, jet);
    fmpz_mpoly_zero(p, jet->ctx);
    for (int term = 0; term < 3; term++) {
        darc_dpoly_t t;
        darc_dpoly_init(t, jet);
        fmpz_mpoly_set_si(t, 1 + (slong)n_randint(state, 9), jet->ctx);
        for (int factor = 0; factor < 2; factor++) {
            slong v = (slong)n_randint(state, (ulong)jet->vars);
            if (jet->deriv[v].order > 2)
                continue;
            darc_dpoly_set_deriv(x, jet->deriv[v], jet);
            fmpz_mpoly_mul(t, t, x, jet->ctx);
        }
        fmpz_mpoly_add(p, p, t, jet->ctx);
        darc_dpoly_clear(t, jet);
    }
    darc_dpoly_clear(x, jet);
}

/* Hold p against the series, and with it what is told of it. */
static void hold(const darc_dpoly_t p, const darc_jet_t jet,
                 const darc_model *model, const series_solution *x)
{
    darc_membership m;
    darc_text_t text = DARC_TEXT;
    darc_dpoly_print(text, p, jet);
    ask(&m, model, text->s);
    bool zero = series_value(p, x, jet) == 0;
    ck_assert_msg((m.vanishes == DARC_TRUE) == zero, "%s: %s*() = %s", text->s,
                  m.factor->s, m.rest->s);
    /* factor*p - rest vanishes, and is found to. */
    char *difference =
        darc_text_of("%s*(%s) - (%s)", m.factor->s, text->s, m.rest->s);
    darc_membership_clear(&m);
    ask(&m, model, difference);
    ck_assert_int_eq(m.vanishes, DARC_TRUE);
    ck_assert_str_eq(m.rest->s, "0");
    darc_membership_clear(&m);
    darc_free(difference);
    darc_text_clear(text);
}

/* Equations that another engine finds, what is made of them, and what is not.
 */
START_TEST(series_agree)
{
    const char *const of[] = {model_lorenz, model_goodwin, model_compartments,
                              model_prey};
    darc_model *model = model_of(of[_i]);
    darc_ioeqs_t io;
    darc_solved_t s;
    series_solution x;
    darc_dpoly_t p, q;
    flint_rand_t state;
    flint_randinit(state);
    ck_assert_int_eq(
        darc_ioeqs_init(io, model, NULL, DARC_ENGINE_AUTO, NULL, NULL),
        DARC_OK);
    ck_assert_int_eq(darc_solved_init(s, model, NULL), DARC_OK);
    while (!series_init(&x, s, 12, state))
        continue;
    darc_dpoly_init(p, io->jet);
    darc_dpoly_init(q, io->jet);
    for (int k = 0; k < 3; k++) {
        draw(q, io->jet, state);
        hold(q, io->jet, model, &x);
        fmpz_mpoly_mul(p, q, io->eq->poly, io->jet->ctx);
        hold(io->eq->poly, io->jet, model, &x);
        hold(p, io->jet, model, &x);
        fmpz_mpoly_add(p, p, q, io->jet->ctx);
        hold(p, io->jet, model, &x);
    }
    darc_dpoly_clear(p, io->jet);
    darc_dpoly_clear(q, io->jet);
    series_clear(&x);
    darc_solved_clear(s);
    darc_ioeqs_clear(io);
    darc_model_free(model);
    flint_randclear(state);
}
END_TEST

static const char tank[] =
    "model tank\nstates\n h\nparameters\n A k\ninputs\n u\n"
    "outputs\n y\nequations\n A*h' = u - k*sqrt(h)\n"
    " y = h\n";

static const char carriage[] =
    "model c\nstates\n x v\nparameters\n m d\ninputs\n"
    " F\noutputs\n y\nequations\n x' = v\n"
    " m*v' = F - d*v\n y = x\n";

/* The normal form of y'' is F/m - d*v/m; whoever asks for another ranking gets
 * it in other signals. */
START_TEST(normal_forms)
{
    darc_membership m;
    darc_model *model = model_of(carriage);
    ask(&m, model, "y''");
    ck_assert_int_eq(m.vanishes, DARC_FALSE);
    ck_assert_str_eq(m.factor->s, "(m)");
    ck_assert_str_eq(m.rest->s, "-d*v + F");
    darc_membership_clear(&m);
    ask(&m, model, "(v^2)'/2 - y'*y''");
    ck_assert_int_eq(m.vanishes, DARC_TRUE);
    darc_membership_clear(&m);
    ck_assert_int_eq(
        darc_membership_init(&m, model, "v'", "x v >> y >> F", NULL, NULL),
        DARC_OK);
    ck_assert_str_eq(m.rest->s, "-d*y' + F");
    darc_membership_clear(&m);
    darc_model_free(model);
}
END_TEST

/* sqrt(h) obeys s^2 = h, which a chain need not know: no is not said. */
START_TEST(functions_and_refusals)
{
    static const char *const wrong[][2] = {
        {"y'' - z", "--member: 'y'' - z': 'z' is not declared"},
        {"sin(y)", "--member: 'sin(y)': expected + - * / ^ and derivatives"},
        {"y = 2", "--member: 'y = 2': expected"},
        {"", "--member: '': expected"}};
    darc_membership m;
    darc_err err;
    darc_model *model = model_of(tank);
    ask(&m, model, "A*y' - u + k*sqrt(y)");
    ck_assert_int_eq(m.vanishes, DARC_TRUE);
    darc_membership_clear(&m);
    ask(&m, model, "A*y' - u + 2*k*sqrt(y)");
    ck_assert_int_eq(m.vanishes, DARC_UNKNOWN);
    darc_membership_clear(&m);
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        darc_err_init(&err);
        ck_assert_int_eq(
            darc_membership_init(&m, model, wrong[i][0], NULL, NULL, &err),
            DARC_USAGE);
        ck_assert_msg(strncmp(err.message, wrong[i][1], strlen(wrong[i][1])) ==
                          0,
                      "%s", err.message);
        darc_membership_clear(&m);
    }
    darc_model_free(model);
}
END_TEST

/* The program's answers and codes. */
START_TEST(program)
{
    static const struct {
        const char *arguments, *says;
        int code;
    } run[] = {{"--member \"m*y''+d*y'-F\"",
                "# it vanishes on all solutions, where\n", 0},
               {"--member y\\'", "(y') = v\n", 1},
               {"--member y\\' --format json", "\"vanishes\": false", 1},
               {"--member y\\' --keep y",
                "--member excludes --for, --form and --keep", 3},
               {"--member z", "'z' is not declared", 3}};
    darc_text_t out = DARC_TEXT, err = DARC_TEXT;
    for (size_t i = 0; i < sizeof run / sizeof *run; i++) {
        char *line =
            darc_text_of("eliminate %s %s", program_write("c.darc", carriage),
                         run[i].arguments);
        darc_text_reset(out);
        darc_text_reset(err);
        ck_assert_int_eq(program_run(line, out, err), run[i].code);
        darc_text_puts(out, err->s);
        ck_assert_msg(strstr(out->s, run[i].says) != NULL, "%s", out->s);
        darc_free(line);
    }
    darc_text_clear(out);
    darc_text_clear(err);
}
END_TEST

Suite *suite_member(void)
{
    Suite *s = suite_create("member");
    TCase *c = tcase_create("member");
    tcase_add_loop_test(c, series_agree, 0, 4);
    tcase_add_test(c, normal_forms);
    tcase_add_test(c, functions_and_refusals);
    tcase_add_test(c, program);
    suite_add_tcase(s, c);
    return s;
}
