/* Elimination from differentiated equations: as other engines do it, and along
 * motions of a mechanism. */
#include "tests.h"

#include "eliminate/eliminate.h"
#include "models.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static char *equations_of(const darc_model *model, darc_engine engine)
{
    darc_ioeqs_t io;
    darc_err err = {DARC_OK, ""};
    darc_ranking_t rk;
    darc_ranking_init(rk, darc_model_names(model)->count);
    darc_model_ranking(rk, model); /* the outputs in one order for all */
    darc_status status = darc_ioeqs_init(io, model, rk, engine, NULL, &err);
    ck_assert_msg(status == DARC_OK, "%s", err.message);
    darc_text_t t = DARC_TEXT;
    for (int i = 0; i < io->count; i++) {
        darc_dpoly_print(t, io->eq[i].poly, io->jet);
        darc_text_putc(t, '\n');
    }
    darc_ioeqs_clear(io);
    darc_ranking_clear(rk);
    return darc_text_take(t);
}

static void check_as_by(const darc_model *model, darc_engine other)
{
    char *a = equations_of(model, DARC_ENGINE_CONSTRAINTS);
    char *b = equations_of(model, other);
    ck_assert_str_eq(a, b);
    free(a);
    free(b);
}

START_TEST(as_by_projection)
{
    static const char *const name[] = {"systems/sir/model.darc",
                                       "systems/two_compartments/model.darc",
                                       "systems/quarter_car/model.darc",
                                       "systems/van_der_pol/model.darc",
                                       "systems/dc_motor/model.darc",
                                       "systems/predator_prey/model.darc",
                                       "systems/michaelis_menten/model.darc"};
    darc_model *model;
    ck_assert_int_eq(darc_model_read(&model, name[_i], NULL), DARC_OK);
    check_as_by(model, DARC_ENGINE_PROJECT);
    darc_model_free(model);
}
END_TEST

#define PENDULUM                                                               \
    "model pendulum\nparameters\n m l d\nconstants\n g = 9.81\nstates\n"       \
    " x y lam\noutputs\n v\nequations\n m*x'' = -lam*x - d*x'\n"               \
    " m*y'' = -lam*y - m*g - d*y'\n x^2 + y^2 = l^2\n"
#define CRANK                                                                  \
    "model crank\nparameters\n J m r l\nstates\n th x lam\ninputs\n u\n"       \
    "outputs\n v\nequations\n J*th'' = u - lam*x*r*sin(th)\n"                  \
    " m*x'' = -lam*(x - r*cos(th))\n"                                          \
    " (x - r*cos(th))^2 + (r*sin(th))^2 = l^2\n"
/* The angle is measured, the torque is oblique: its cosine comes first, its
 * sine last, and that of a parameter stands alone. */
#define CRANK_SEEN                                                             \
    "model seen\nparameters\n J m r l e\nstates\n x lam\ninputs\n u\n"         \
    "outputs\n v\nequations\n (x - r*cos(v))^2 + (r*sin(v))^2 = l^2\n"         \
    " m*x'' = -lam*(x - r*cos(v))\n J*v'' = u*sin(e) - lam*x*r*sin(v)\n"
/* The same, by the rod's angle: two constraints. */
#define ROD                                                                    \
    "model rod\nparameters\n J m r l\nstates\n th ph x p q\ninputs\n u\n"      \
    "outputs\n v\nequations\n J*th'' = u - p*r*cos(th) - q*r*sin(th)\n"        \
    " p*l*cos(ph) = q*l*sin(ph)\n m*x'' = -q\n r*sin(th) = l*sin(ph)\n"        \
    " x = r*cos(th) + l*cos(ph)\n"

START_TEST(as_by_rosenfeld)
{
    static const char *const text[] = {PENDULUM " v = x\n", PENDULUM " v = y\n",
                                       CRANK " v = th\n", CRANK_SEEN};
    darc_model *model = model_of(text[_i]);
    check_as_by(model, DARC_ENGINE_GENERAL);
    darc_model_free(model);
}
END_TEST

static double value_of(const darc_dpoly_t p, const darc_jet_t jet,
                       const double *u, const double *v, double *size)
{
    static const double param[] = {1.3, .7, .4, 1.1}; /* J m r l */
    double sum = 0;
    ulong *e = malloc((size_t)jet->vars * sizeof *e);
    *size = 0;
    for (slong t = 0; t < p->length; t++) {
        double term = fmpz_get_d(p->coeffs + t);
        fmpz_mpoly_get_term_exp_ui(e, p, t, jet->ctx);
        for (slong k = 0; k < jet->vars; k++) {
            darc_deriv d = jet->deriv[k];
            const char *name = jet->names->symbol[d.unknown].name;
            double x = strcmp(name, "u") == 0   ? u[d.order]
                       : strcmp(name, "v") == 0 ? v[d.order]
                       : e[k] > 0 ? param[strchr("Jmrl", *name) - "Jmrl"]
                                  : 1;
            term *= pow(x, (double)e[k]);
        }
        sum += term;
        *size += fabs(term);
    }
    free(e);
    return sum;
}

/* The slider alone is seen.  By hand: x = r cos(th) + s, s the root of l^2 -
 * r^2 sin(th)^2, and (J + m x_th^2) th'' + m x_th x_thth th'^2 = u. */
START_TEST(along_motions)
{
    static const char *const text[] = {CRANK " v = x\n", ROD " v = x\n"};
    darc_model *model = model_of(text[_i]);
    darc_ioeqs_t io;
    ck_assert_int_eq(
        darc_ioeqs_init(io, model, NULL, DARC_ENGINE_AUTO, NULL, NULL),
        DARC_OK);
    ck_assert_int_eq(io->count, 1);
    ck_assert_str_eq(io->eq[0].engine, "constraints");
    ck_assert_int_eq(io->eq[0].leader.order, 2);
    const double J = 1.3, m = .7, r = .4, l = 1.1;
    for (double th = .3; th < 6; th += .7) {
        double u = sin(3 * th), w = 1.7 - th;
        double a = r * sin(th), b = r * cos(th), s = sqrt(l * l - a * a);
        double x1 = -a - a * b / s;
        double x2 = -b - (b * b - a * a) / s - a * a * b * b / (s * s * s);
        double acc = (u - m * x1 * x2 * w * w) / (J + m * x1 * x1);
        const double v[] = {b + s, x1 * w, x1 * acc + x2 * w * w};
        double size;
        double rest = value_of(io->eq[0].poly, io->jet, &u, v, &size);
        ck_assert_double_lt(fabs(rest), 1e-11 * size);
    }
    darc_ioeqs_clear(io);
    darc_model_free(model);
}
END_TEST

START_TEST(refusals)
{
    static const struct {
        const char *text, *message;
    } bad[] = {
        {"model split\nstates\n x\noutputs\n y\nequations\n x'^2 = x^2\n"
         " y = x\n",
         "the equations may have several components"},
        {"model two\nparameters\n p\nstates\n x z\noutputs\n y\nequations\n"
         " x^2 = p^2*z^2\n x' = z'' + x\n y = x\n",
         "the equations may have several components"},
        {"model few\nstates\n x z\noutputs\n y\nequations\n x' = z\n y = x\n",
         "2 equations for 3 unknowns"},
    };
    darc_ioeqs_t io;
    darc_err err = {DARC_OK, ""};
    darc_model *model = model_of(bad[_i].text);
    ck_assert_int_eq(
        darc_ioeqs_init(io, model, NULL, DARC_ENGINE_CONSTRAINTS, NULL, &err),
        DARC_DOMAIN);
    ck_assert_str_eq(err.message, bad[_i].message);
    darc_model_free(model);
}
END_TEST

Suite *suite_engine_dae(void)
{
    Suite *s = suite_create("engine_dae");
    TCase *c = tcase_create("engine_dae");
    tcase_add_loop_test(c, as_by_projection, 0, 7);
    tcase_add_loop_test(c, as_by_rosenfeld, 0, 4);
    tcase_add_loop_test(c, along_motions, 0, 2);
    tcase_add_loop_test(c, refusals, 0, 3);
    suite_add_tcase(s, c);
    return s;
}
