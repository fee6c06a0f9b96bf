/* Elimination from differentiated equations: as other engines do it, and along
 * motions of mechanisms. */
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

/* Several outputs: of a cart with its pendulum, where the sum of forces says
 * what one acceleration is by the other, of a crane that winds its rope, where
 * two are given by the third; and where a relation that few equations
 * make has too much of the other's leader, or holds it before its own. */
#define CART                                                                   \
    "model cart\nparameters\n M m l\nconstants\n g = 9.81\nstates\n lam y\n"   \
    "inputs\n u\noutputs\n s v\nequations\n m*v'' = -lam*(v - s)\n"            \
    " m*y'' = -lam*y - m*g\n M*s'' = u + lam*(v - s)\n"                        \
    " (v - s)^2 + y^2 = l^2\n"
#define CRANE                                                                  \
    "model crane\nparameters\n M J\nstates\n y s\ninputs\n u w\noutputs\n"     \
    " x v l\nequations\n v'' = -s*(v - x)\n y'' = -s*y + 9.81\n"               \
    " M*x'' = u + s*(v - x)\n J*l'' = w - s*l\n (v - x)^2 + y^2 = l^2\n"
#define ROOT                                                                   \
    "model root\nparameters\n a b\nstates\n h\ninputs\n u\noutputs\n v w\n"    \
    "equations\n h^2 = u\n"

START_TEST(as_by_rosenfeld)
{
    static const char *const text[] = {PENDULUM " v = x\n",
                                       PENDULUM " v = y\n",
                                       CART,
                                       CRANE,
                                       CRANE
                                       "ranking\n y s >> M J >> x v l >> u w\n",
                                       ROOT " v' = a*h\n w' = b*v'^2\n",
                                       ROOT " w' = a*h\n v' = b*w'^2\n",
                                       ROOT " v' = a*h\n w'*v' = b\n",
                                       ROOT " w' = a*h\n v'*w' = b\n"};
    darc_model *model = model_of(text[_i]);
    check_as_by(model, DARC_ENGINE_GENERAL);
    darc_model_free(model);
}
END_TEST

/* Functions: of what is hidden, exact where they are turned round, roots, one
 * without its twin, one that is differentiated, hyperbolic ones. */
START_TEST(functions_as_by_others)
{
    static const char *const text[] = {
        "model m\nparameters\n p\nstates\n x\ninputs\n u\noutputs\n y\n"
        "equations\n x' = u - p*x + y\n y = atan(x)\n",
        "model m\nparameters\n p k\nstates\n h\ninputs\n u\noutputs\n y\n"
        "equations\n h' = u - k*sqrt(h)\n y = p*h^2\n",
        "model m\nparameters\n p k\nstates\n x w\ninputs\n u\noutputs\n y\n"
        "equations\n y' = x + k*sin(y)\n x' = u - p*x - w\n w' = x\n",
        "model m\nparameters\n p k\nstates\n w x\ninputs\n u\noutputs\n y\n"
        "equations\n w' = -p*w + sin(y) + x*cos(y)\n"
        " x' = u*sin(y)'\n w = y\n",
        "model m\nparameters\n p\nstates\n w x\ninputs\n u\noutputs\n y\n"
        "equations\n w' = u - p*w - sinh(x)\n x' = w\n y = w\n",
        "model m\nparameters\n p k\nstates\n w x\ninputs\n u\noutputs\n y\n"
        "equations\n w' = u - p*w - k*sin(x)\n x' = w\n y = w\n",
        "model m\nparameters\n p k\nstates\n w x\ninputs\n u\noutputs\n y\n"
        "equations\n w' = -k*sin(x + 1) - sin(p + 2)*w + u*sign(y)\n"
        " x' = w\n y = w\n"};
    darc_model *model = model_of(text[_i]);
    check_as_by(model, _i == 0 ? DARC_ENGINE_GENERAL : DARC_ENGINE_PROJECT);
    darc_model_free(model);
}
END_TEST

/* Free signals would tell more: exp_y' beside y'*exp_y. */
START_TEST(laws_leave_no_derivative)
{
    darc_model *model =
        model_of("model m\nparameters\n p k\nstates\n x w\ninputs\n u\n"
                 "outputs\n y\nequations\n x' = w\n w' = u - p*x - k*w\n"
                 " y' = x + exp(y)\n");
    char *found = equations_of(model, DARC_ENGINE_CONSTRAINTS);
    ck_assert_str_eq(found, "y''' - y''*exp_y + k*y'' - y'^2*exp_y - "
                            "k*y'*exp_y + p*y' - u - p*exp_y\n");
    free(found);
    darc_ioeqs_t io;
    ck_assert_int_eq(
        darc_ioeqs_init(io, model, NULL, DARC_ENGINE_CONSTRAINTS, NULL, NULL),
        DARC_OK);
    ck_assert(io->bound);
    darc_ioeqs_clear(io);
    darc_model_free(model);
}
END_TEST

static const double param[] = {1.3, .7, .4, 1.1, .6, .3}; /* J m r l d e */

/* Of sin_v, cos_v, sin_th, sin_e; functions are not differentiated. */
static double function_value(const char *name, darc_deriv d, const double *v)
{
    ck_assert_int_eq(d.order, 0);
    double a = name[4] == 'e' ? param[5] : *v;
    return *name == 's' ? sin(a) : cos(a);
}

static double value_of(const darc_dpoly_t p, const darc_jet_t jet,
                       const double *u, const double *v, double *size)
{
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
                       : e[k] == 0              ? 1
                       : name[1] != '\0'
                           ? function_value(name, d, v)
                           : param[strchr("Jmrlde", *name) - "Jmrlde"];
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

/* Set b, c to the angles of a four-bar linkage of lengths 1, 3, 2.5, 3.5 at the
 * crank's, 0 to 6, with their first and second derivatives; which: of two. */
static void close_loop(double *b, double *c, const double *a, int which)
{
    const double r2 = 3, r3 = 2.5;
    double x = 3.5 - cos(*a), y = -sin(*a), R = hypot(x, y);
    double turn = acos((r2 * r2 - R * R - r3 * r3) / (2 * R * r3));
    *c = atan2(y, x) + (which ? turn : -turn);
    *b = atan2(y + r3 * sin(*c), x + r3 * cos(*c));
    /* sum r e^(i q) = 3.5, differentiated once and twice */
    double p = 0, q = 0;
    for (int k = 1; k < 3; k++) {
        p += a[k] * -sin(*a);
        q += a[k] * cos(*a);
        double det = r2 * r3 * sin(*b - *c);
        b[k] = r3 * (p * cos(*c) + q * sin(*c)) / det;
        c[k] = r2 * (p * cos(*b) + q * sin(*b)) / det;
        p = -cos(*a) * a[1] * a[1] - r2 * cos(*b) * b[1] * b[1] +
            r3 * cos(*c) * c[1] * c[1];
        q = -sin(*a) * a[1] * a[1] - r2 * sin(*b) * b[1] * b[1] +
            r3 * sin(*c) * c[1] * c[1];
    }
}

/* The crank of a four-bar linkage is seen, in both ways that it closes.  By
 * hand: a' u is the power of the three inertias, J, m and r. */
START_TEST(along_a_linkage)
{
    darc_ioeqs_t io;
    darc_model *model = model_of(
        "model bars\nparameters\n J m r\nstates\n b c p q\ninputs\n u\n"
        "outputs\n v\nequations\n J*v'' = u + p*sin(v) - q*cos(v)\n"
        " m*b'' = 3*p*sin(b) - 3*q*cos(b)\n"
        " r*c'' = -2.5*p*sin(c) + 2.5*q*cos(c)\n"
        " cos(v) + 3*cos(b) = 3.5 + 2.5*cos(c)\n"
        " sin(v) + 3*sin(b) = 2.5*sin(c)\n");
    ck_assert_int_eq(
        darc_ioeqs_init(io, model, NULL, DARC_ENGINE_AUTO, NULL, NULL),
        DARC_OK);
    ck_assert_int_eq(io->count, 1);
    ck_assert_int_eq(io->eq[0].leader.order, 2);
    for (int i = 0; i < 12; i++) {
        const double a[] = {.3 + .5 * i, 1.7 - .4 * i, sin(3 * i + 1)};
        double b[3], c[3], size;
        close_loop(b, c, a, i % 2);
        double u = param[0] * a[2] +
                   (param[1] * b[1] * b[2] + param[2] * c[1] * c[2]) / a[1];
        double rest = value_of(io->eq[0].poly, io->jet, &u, a, &size);
        ck_assert_double_lt(fabs(rest), 1e-11 * size);
        u *= 1.01;
        rest = value_of(io->eq[0].poly, io->jet, &u, a, &size);
        ck_assert_double_gt(fabs(rest), 1e-9 * size);
    }
    darc_ioeqs_clear(io);
    darc_model_free(model);
}
END_TEST

/* The crank's angle is seen: the functions of it are not differentiated.  By
 * hand as above; the oblique torque is u*sin(e). */
START_TEST(along_seen_angles)
{
    static const char *const text[] = {CRANK " v = th\n", CRANK_SEEN};
    darc_model *model = model_of(text[_i]);
    darc_ioeqs_t io;
    ck_assert_int_eq(
        darc_ioeqs_init(io, model, NULL, DARC_ENGINE_AUTO, NULL, NULL),
        DARC_OK);
    ck_assert_str_eq(io->eq[0].engine, "constraints");
    ck_assert(io->bound);
    for (double th = .3; th < 6; th += .7) {
        const double r = param[2], l = param[3], w = 1.7 - th;
        const double v[] = {th, w, cos(2 * th)};
        double a = r * sin(th), b = r * cos(th);
        double s = (th > 3 ? -1 : 1) * sqrt(l * l - a * a);
        double x1 = -a - a * b / s;
        double x2 = -b - (b * b - a * a) / s - a * a * b * b / (s * s * s);
        double u = param[0] * v[2] + param[1] * x1 * (x1 * v[2] + x2 * w * w);
        u /= _i == 1 ? sin(param[5]) : 1;
        double size, rest = value_of(io->eq[0].poly, io->jet, &u, v, &size);
        ck_assert_double_lt(fabs(rest), 1e-11 * size);
    }
    darc_ioeqs_clear(io);
    darc_model_free(model);
}
END_TEST

/* The horizontal speed of a pendulum, which projection does not reach: v = l
 * cos(th) w, w' = -g/l sin(th) - d/m w. */
START_TEST(along_speeds)
{
    darc_model *model = model_of(PENDULUM " v = x'\n");
    darc_ioeqs_t io;
    ck_assert_int_eq(
        darc_ioeqs_init(io, model, NULL, DARC_ENGINE_AUTO, NULL, NULL),
        DARC_OK);
    ck_assert_str_eq(io->eq[0].engine, "constraints");
    ck_assert_int_eq(io->eq[0].leader.order, 2);
    for (double th = .3; th < 6; th += .7) {
        const double l = param[3], f = param[4] / param[1], w = 1.7 - th;
        double s = sin(th), c = cos(th), a = -9.81 / l * s - f * w;
        double rate = -9.81 / l * c * w - f * a;
        const double v[] = {l * c * w, l * (c * a - s * w * w),
                            l * (c * rate - 3 * s * w * a - c * w * w * w)};
        double size, rest = value_of(io->eq[0].poly, io->jet, NULL, v, &size);
        ck_assert_double_lt(fabs(rest), 1e-11 * size);
    }
    darc_ioeqs_clear(io);
    darc_model_free(model);
}
END_TEST

/* The tip of a double pendulum of lengths 1, 2, masses m, 1, in u and v: the
 * upper point is one of two, and with it both accelerations. */
START_TEST(along_linked_leaders)
{
    darc_ioeqs_t io;
    darc_model *model =
        model_of("model tip\nparameters\n m\nconstants\n g = 9.81\nstates\n"
                 " x y p q\noutputs\n u v\nequations\n"
                 " m*x'' = -p*x + q*(u - x)\n m*y'' = -p*y + q*(v - y) - m*g\n"
                 " u'' = -q*(u - x)\n v'' = -q*(v - y) - g\n"
                 " x^2 + y^2 = 1\n (u - x)^2 + (v - y)^2 = 4\n");
    ck_assert_int_eq(
        darc_ioeqs_init(io, model, NULL, DARC_ENGINE_CONSTRAINTS, NULL, NULL),
        DARC_DOMAIN);
    ck_assert_int_eq(
        darc_ioeqs_init(io, model, NULL, DARC_ENGINE_AUTO, NULL, NULL),
        DARC_OK);
    ck_assert(io->linked);
    ck_assert_int_eq(io->count, 2);
    const double m = param[1], g = 9.81;
    for (double a = .3; a < 6; a += .7) {
        double b = 2 * a + 1, w = 1.7 - a, z = a * a - 3, c = cos(a - b);
        double s = sin(a - b), det = (m + 1) * 2 - 2 * c * c;
        double f = -2 * s * z * z - (m + 1) * g * sin(a);
        double h = s * w * w - g * sin(b);
        double e = (2 * f - 2 * c * h) / det, k = ((m + 1) * h - c * f) / det;
        const double u[] = {sin(a) + 2 * sin(b), cos(a) * w + 2 * cos(b) * z,
                            cos(a) * e - sin(a) * w * w + 2 * cos(b) * k -
                                2 * sin(b) * z * z};
        const double v[] = {-cos(a) - 2 * cos(b), sin(a) * w + 2 * sin(b) * z,
                            sin(a) * e + cos(a) * w * w + 2 * sin(b) * k +
                                2 * cos(b) * z * z};
        for (int i = 0; i < 2; i++) {
            double size, rest = value_of(io->eq[i].poly, io->jet, u, v, &size);
            ck_assert_double_lt(fabs(rest), 1e-10 * size);
        }
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
    tcase_add_loop_test(c, as_by_rosenfeld, 0, 9);
    tcase_add_loop_test(c, functions_as_by_others, 0, 7);
    tcase_add_test(c, laws_leave_no_derivative);
    tcase_add_loop_test(c, along_motions, 0, 2);
    tcase_add_test(c, along_a_linkage);
    tcase_add_loop_test(c, along_seen_angles, 0, 2);
    tcase_add_test(c, along_speeds);
    tcase_add_test(c, along_linked_leaders);
    tcase_add_loop_test(c, refusals, 0, 3);
    suite_add_tcase(s, c);
    return s;
}
