#include "tests.h"

#include "decompose.h"
#include "series.h"

#include <string.h>

static const example prey = {
    "x1 x2|a b c d|y", "x1 x2 >> y >> a b c d",
    "x1_1 - a*x1 + b*x1*x2; x2_1 + c*x2 - d*x1*x2; y - x1", "a;b;c;d"};

static slong total_degree(const darc_dpoly_t p, const darc_jet_t jet)
{
    return fmpz_mpoly_total_degree_si(p, jet->ctx);
}

START_TEST(prey_observed_gives_the_published_equation)
{
    ring r;
    darc_decomposition_t d;
    decompose(d, &r, &prey, true);
    ck_assert_int_eq(d->count, 1);
    ck_assert(ring_is(equation(d, 0, 0),
                      "y*y_2 - y_1^2 - d*y^2*y_1 + c*y*y_1 + a*d*y^3 - "
                      "a*c*y^2",
                      d->jet));
    ck_assert(ring_is(equation(d, 0, 1), "b*y*x2 + y_1 - a*y", d->jet));
    ck_assert(ring_is(equation(d, 0, 2), "x1 - y", d->jet));
    finish(d, &r);
}
END_TEST

/* Models in solved form: prime ideals, one generic component. */
#define PREY                                                                   \
    "states\n x1 x2\nparameters\n a b c d\noutputs\n y\nequations\n"           \
    "x1' = a*x1 - b*x1*x2\nx2' = -c*x2 + d*x1*x2\ny = x1\n"
#define COMPARTMENTS                                                           \
    "states\n x1 x2\nparameters\n k01 k12 k21\ninputs\n u\noutputs\n y\n"      \
    "equations\nx1' = -(k01 + k21)*x1 + k12*x2 + u\nx2' = k21*x1 - k12*x2\n"   \
    "y = x1\n"
#define DUFFING                                                                \
    "states\n x\nparameters\n d a b\ninputs\n u\noutputs\n y\n"                \
    "equations\nx'' + d*x' + a*x + b*x^3 = u\ny = x\n"
#define QUARTER_CAR                                                            \
    "parameters\n m c d\noutputs\n y\nequations\nm*y'' = c*y + d*y'\n"
#define LORENZ                                                                 \
    "states\n x1 x2 x3\nparameters\n s r b\noutputs\n y\nequations\n"          \
    "x1' = s*(x2 - x1)\nx2' = x1*(r - x3) - x2\nx3' = x1*x2 - b*x3\ny = x1\n"
#define MICHAELIS                                                              \
    "states\n x\nparameters\n v k may be zero\noutputs\n y\nequations\n"       \
    "x' = -v*x/(k + x)\ny = x\n"
#define PENDULUM                                                               \
    "states\n s w\nparameters\n g m\noutputs\n x y l\nequations\n"             \
    "s' = w*(1 + s^2)/2\nw' = -2*g*s/(1 + s^2)\nx = 2*s/(1 + s^2)\n"           \
    "y = (1 - s^2)/(1 + s^2)\nl = -m*w^2 - m*g*y\n"

typedef struct {
    darc_model *model;
    darc_ranking_t ranking;
    darc_jet_t jet;
    darc_dpolys_t eq, ineq;
    darc_solved_t solved;
} system_of_model;

static void system_init(system_of_model *x, const char *text,
                        const char *ranking)
{
    darc_err err;
    darc_err_init(&err);
    ck_assert_msg(darc_model_parse(&x->model, text, strlen(text), "test",
                                   &err) == DARC_OK,
                  "%s", err.message);
    const darc_names_struct *names = darc_model_names(x->model);
    darc_ranking_init(x->ranking, names->count);
    darc_model_ranking(x->ranking, x->model);
    if (ranking != NULL)
        ck_assert(darc_ranking_set_text(x->ranking, ranking, names, NULL) ==
                  DARC_OK);
    int order[32];
    ck_assert_int_le(names->count, 32);
    darc_model_orders(x->model, order);
    darc_jet_init(x->jet, names, x->ranking, order);
    darc_dpolys_init(x->eq);
    darc_dpolys_init(x->ineq);
    ck_assert(darc_model_equations(x->eq, x->ineq, x->model, x->jet, &err) ==
              DARC_OK);
    ck_assert_msg(darc_solved_init(x->solved, x->model, &err) == DARC_OK, "%s",
                  err.message);
}

static void system_clear(system_of_model *x)
{
    darc_solved_clear(x->solved);
    darc_dpolys_clear(x->eq, x->jet);
    darc_dpolys_clear(x->ineq, x->jet);
    darc_jet_clear(x->jet);
    darc_ranking_clear(x->ranking);
    darc_model_free(x->model);
}

static int count_kind(const darc_names_struct *names, darc_kind kind)
{
    int n = 0;
    for (int u = 0; u < names->count; u++)
        n += names->symbol[u].kind == kind;
    return n;
}

/* The second route: a random power-series solution of the solved form
 * satisfies the equations of the generic component and none of its
 * inequations, and the dimensions agree. */
static void verify_on_series(const darc_decomposition_t d,
                             const system_of_model *x)
{
    ck_assert_int_ge(d->count, 1);
    const darc_component *c = d->component;
    ck_assert(c->generic && (d->count == 1 || !c[1].generic));
    flint_rand_t state;
    flint_randinit(state);
    series_solution s;
    ck_assert(series_init(&s, x->solved, 20, state));
    for (slong k = 0; k < c->equations->count; k++)
        ck_assert_uint_eq(series_value(c->equations->p + k, &s, d->jet), 0);
    for (slong k = 0; k < c->inequations->count; k++)
        ck_assert_uint_ne(series_value(c->inequations->p + k, &s, d->jet), 0);
    const darc_names_struct *names = darc_model_names(x->model);
    ck_assert_int_eq(c->free, count_kind(names, DARC_INPUT));
    if (c->free == 0) /* otherwise it depends on the ranking */
        ck_assert_int_eq(c->constants,
                         x->solved->states + count_kind(names, DARC_PARAMETER));
    series_clear(&s);
    flint_randclear(state);
}

static void solve(darc_decomposition_t d, system_of_model *x, const char *text,
                  const char *ranking, bool generic_only)
{
    system_init(x, text, ranking);
    darc_err err;
    darc_err_init(&err);
    ck_assert_msg(darc_elim(d, &(darc_system){x->eq, x->ineq, x->jet},
                            generic_only, NULL, &err) == DARC_OK,
                  "%s", err.message);
    verify_on_series(d, x);
}

static void solve_done(darc_decomposition_t d, system_of_model *x)
{
    darc_decomposition_clear(d);
    system_clear(x);
}

/* The parameter-free relations of simple models (Structural Identifiability
 * toolbox, parameters as constant states). */
static const struct {
    const char *model;
    int order;
    slong terms, degree;
} structure[] = {
    {QUARTER_CAR, 4, 5, 3},
    {DUFFING, 5, 38, 6},
    {COMPARTMENTS, 5, 45, 4},
    {PREY, 5, 106, 19},
};

START_TEST(structure_relations_have_the_published_size)
{
    system_of_model x;
    darc_decomposition_t d;
    solve(d, &x, structure[_i].model, NULL, true);
    const darc_dpoly_struct *p = equation(d, 0, 0);
    ck_assert_int_eq(p->length, structure[_i].terms);
    ck_assert_int_eq(total_degree(p, d->jet), structure[_i].degree);
    int y = darc_names_find(d->jet->names, "y", 1);
    ck_assert_int_eq(darc_dpoly_order(p, y, d->jet), structure[_i].order);
    solve_done(d, &x);
}
END_TEST

START_TEST(quarter_car_is_the_wronskian)
{
    system_of_model x;
    darc_decomposition_t d;
    solve(d, &x, QUARTER_CAR, NULL, true);
    ck_assert(ring_is(equation(d, 0, 0),
                      "y*y_2*y_4 - y*y_3^2 - y_1^2*y_4 + 2*y_1*y_2*y_3 - "
                      "y_2^3",
                      d->jet));
    solve_done(d, &x);
}
END_TEST

static const char *const prey_rankings[] = {
    "x1 x2 >> a b c d >> y",    "y >> x1 x2 >> a b c d",
    "x1 x2 y >> a b c d",       "x2 x1 >> y >> d c b a",
    "x1 >> x2 >> y >> a b c d", "a b c d >> x1 x2 >> y"};

START_TEST(prey_under_many_rankings)
{
    system_of_model x;
    darc_decomposition_t d;
    solve(d, &x, PREY, prey_rankings[_i], false);
    solve_done(d, &x);
}
END_TEST

static const struct {
    const char *model, *ranking, *lowest;
} published[] = {
    {DUFFING, "x >> y >> u >> d a b", "y_2 + d*y_1 + a*y + b*y^3 - u"},
    {DUFFING, "u >> x y >> d a b", "x - y"},
    {COMPARTMENTS, "x1 x2 >> y >> u >> k01 k12 k21",
     "y_2 + (k01 + k12 + k21)*y_1 + k01*k12*y - u_1 - k12*u"},
    {COMPARTMENTS, "x1 x2 y u >> k01 k12 k21", "x1 - y"},
    /* Lorenz, first coordinate observed */
    {LORENZ, "x1 x2 x3 >> y >> s r b",
     "y*y_3 - y_1*y_2 + (s + b + 1)*y*y_2 - (s + 1)*y_1^2 + y^3*y_1 + "
     "b*(s + 1)*y*y_1 + s*y^4 - b*s*(r - 1)*y^2"},
    {MICHAELIS, "x >> y >> v k", "y_1*y + k*y_1 + v*y"},
    {PENDULUM, "s w >> x >> l >> y >> g m",
     "y_2*y^2 - y_2 - y_1^2*y + g*y^4 - 2*g*y^2 + g"},
};

START_TEST(published_equations)
{
    system_of_model x;
    darc_decomposition_t d;
    solve(d, &x, published[_i].model, published[_i].ranking, true);
    darc_text_t t;
    darc_text_init(t);
    darc_dpoly_print(t, equation(d, 0, 0), d->jet);
    ck_assert_msg(ring_is(equation(d, 0, 0), published[_i].lowest, d->jet),
                  "%s", t->s);
    darc_text_clear(t);
    solve_done(d, &x);
}
END_TEST

/* The pendulum in Cartesian coordinates, a DAE of index 3, verified on
 * solutions of its angular form. */
static const char *const pendulum_rankings[] = {
    "l >> x >> y >> g m", "l x y >> g m", "y >> x >> l >> g m",
    "l >> x y >> g m"};

START_TEST(pendulum_in_cartesian_coordinates)
{
    const example dae = {"l x y|g m", pendulum_rankings[_i],
                         "m*x_2 - l*x; m*y_2 - l*y - m*g; x^2 + y^2 - 1",
                         "g;m"};
    ring r;
    darc_decomposition_t d;
    decompose(d, &r, &dae, _i != 2);
    const darc_component *c = d->component;
    ck_assert(c->generic);
    ck_assert_int_eq(c->free, 0);
    ck_assert_int_eq(c->constants, 4); /* angle, velocity, g, m */

    system_of_model x;
    system_init(&x, PENDULUM, NULL);
    int map[5];
    for (int u = 0; u < 5; u++)
        map[u] = darc_names_find(x.jet->names, r.names->symbol[u].name, 1);
    flint_rand_t state;
    flint_randinit(state);
    series_solution s;
    ck_assert(series_init(&s, x.solved, 20, state));
    int bound[7] = {8, 8, 8, 8, 8, 8, 8};
    darc_jet_t jet;
    darc_jet_init(jet, x.jet->names, x.ranking, bound);
    darc_dpoly_t p;
    darc_dpoly_init(p, jet);
    for (slong k = 0; k < c->equations->count; k++) {
        ck_assert(darc_dpoly_map(p, jet, c->equations->p + k, d->jet, map,
                                 NULL) == DARC_OK);
        ck_assert_uint_eq(series_value(p, &s, jet), 0);
    }
    darc_dpoly_clear(p, jet);
    darc_jet_clear(jet);
    series_clear(&s);
    flint_randclear(state);
    system_clear(&x);
    finish(d, &r);
}
END_TEST

Suite *suite_elim(void)
{
    Suite *s = suite_create("elim");
    TCase *c = tcase_create("elim");
    tcase_add_test(c, prey_observed_gives_the_published_equation);
    tcase_add_loop_test(c, structure_relations_have_the_published_size, 0,
                        sizeof structure / sizeof *structure);
    tcase_add_test(c, quarter_car_is_the_wronskian);
    tcase_add_loop_test(c, prey_under_many_rankings, 0,
                        sizeof prey_rankings / sizeof *prey_rankings);
    tcase_add_loop_test(c, published_equations, 0,
                        sizeof published / sizeof *published);
    tcase_add_loop_test(c, pendulum_in_cartesian_coordinates, 0,
                        sizeof pendulum_rankings / sizeof *pendulum_rankings);
    suite_add_tcase(s, c);
    return s;
}
