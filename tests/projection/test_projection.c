/* The projection and linear engines: sizes of io-equations published with
 * StructuralIdentifiability.jl's benchmarks (see systems/), and that every
 * equation vanishes on fresh power-series solutions. */
#include "tests.h"

#include "eliminate/engine.h"
#include "model/model.h"
#include "models.h"
#include "projection/point.h"
#include "projection/projection.h"

#include <string.h>

typedef struct {
    const char *text;
    int outputs;
    int order[3], degree[3]; /* by output, ascending leaders */
    long terms[3];
} golden;

static const char seir[] =
    "model seir\nstates\nS E I R\nparameters\nb k g N\noutputs\ny\n"
    "equations\nS'=-b*S*I/N\nE'=b*S*I/N-k*E\nI'=k*E-g*I\nR'=g*I\ny=I\n";
static const char compartments[] =
    "model two\nstates\nx1 x2\nparameters\nk12 k21 k02\ninputs\nu\n"
    "outputs\ny\nequations\nx1'=-k21*x1+k12*x2+u\n"
    "x2'=k21*x1-(k12+k02)*x2\ny=x1\n";

static const golden table[] = {
    {model_lorenz, 1, {3}, {5}, {13}},
    {model_goodwin, 1, {4}, {21}, {281}},
    {model_crn, 2, {3, 3}, {10, 10}, {78, 126}},
    {compartments, 1, {2}, {3}, {8}},
};

/* Set io to the io-equations of model by the projection engine. */
static darc_status project(darc_ioeqs_t io, const darc_model *model,
                           const darc_budget *budget, darc_err *err)
{
    const darc_names_struct *names = darc_model_names(model);
    darc_ranking_t rk;
    int bound[64] = {0};
    ck_assert_int_lt(names->count, 64);
    darc_ranking_init(rk, names->count);
    darc_model_ranking(rk, model);
    darc_model_orders(model, bound);
    darc_ioeqs_init_frame(io, names, rk, bound);
    darc_status status = darc_engine_project(io, model, budget, err);
    darc_ranking_clear(rk);
    return status;
}

static void check_vanishes(const darc_ioeqs_t io, const darc_model *model)
{
    darc_solved_t s;
    darc_point_t pt;
    flint_rand_t rand;
    flint_randinit(rand);
    flint_randseed(rand, 2385, 7);
    ck_assert(darc_solved_init(s, model, NULL) == DARC_OK);
    darc_point_init(pt, s, 12, darc_finite_prime(40), rand);
    for (int i = 0; i < io->count; i++) {
        ck_assert(darc_point_eval(pt, io->eq[i].poly, io->jet) == 0);
        fmpz_mpoly_scalar_mul_si(io->eq[i].poly, io->eq[i].poly, 2,
                                 io->jet->ctx);
        fmpz_mpoly_sub_si(io->eq[i].poly, io->eq[i].poly, 1, io->jet->ctx);
        ck_assert(darc_point_eval(pt, io->eq[i].poly, io->jet) != 0);
    }
    darc_point_clear(pt);
    darc_solved_clear(s);
    flint_randclear(rand);
}

START_TEST(published_sizes)
{
    const golden *g = table + _i;
    darc_err err;
    darc_ioeqs_t io;
    darc_err_init(&err);
    darc_model *model = model_of(g->text);
    ck_assert_msg(project(io, model, NULL, &err) == DARC_OK, "%s", err.message);
    ck_assert_int_eq(io->count, g->outputs);
    for (int i = 0; i < io->count; i++) {
        fmpz_t degree;
        fmpz_init(degree);
        fmpz_mpoly_total_degree_fmpz(degree, io->eq[i].poly, io->jet->ctx);
        ck_assert_int_eq(io->eq[i].leader.order, g->order[i]);
        ck_assert_int_eq(io->eq[i].poly->length, g->terms[i]);
        ck_assert(fmpz_equal_si(degree, g->degree[i]));
        ck_assert_str_eq(io->eq[i].engine, "projection");
        fmpz_clear(degree);
    }
    check_vanishes(io, model);
    darc_ioeqs_clear(io);
    darc_model_free(model);
}
END_TEST

/* SlowFast of SIAN: four outputs of a model with five constants. */
static const char slow_fast[] =
    "model slow_fast\nstates\nxA xB xC eA eC\nparameters\nk1 k2 eB\n"
    "outputs\ny1 y2 y3 y4\nequations\nxA'=-k1*xA\nxB'=k1*xA-k2*xB\n"
    "xC'=k2*xB\neA'=0\neC'=0\ny1=xC\ny2=eA*xA+eB*xB+eC*xC\ny3=eA\n"
    "y4=eC\n";

/* The ranking decides which output binds which orders, their sum stays: by
 * order of derivation y1'' and y2'; y2 alone above all others, as
 * StructuralIdentifiability.jl has it, y1''' and y2. */
static const struct {
    const char *ranking; /* NULL: the default */
    int order[4];
    slong terms[4];
} splits[] = {
    {NULL, {2, 1, 1, 1}, {5, 9, 1, 1}},
    {"xA xB xC eA eC >> y2 >> y1 y3 y4", {3, 0, 1, 1}, {4, 5, 1, 1}},
};

START_TEST(the_ranking_splits_the_orders)
{
    darc_ioeqs_t io;
    darc_ranking_t rk;
    darc_model *model = model_of(slow_fast);
    const darc_names_struct *names = darc_model_names(model);
    darc_ranking_init(rk, names->count);
    darc_model_ranking(rk, model);
    if (splits[_i].ranking != NULL)
        ck_assert(darc_ranking_set_text(rk, splits[_i].ranking, names, NULL) ==
                  DARC_OK);
    ck_assert(darc_ioeqs_init(io, model, splits[_i].ranking == NULL ? NULL : rk,
                              DARC_ENGINE_PROJECT, NULL, NULL) == DARC_OK);
    ck_assert_int_eq(io->count, 4);
    for (int i = 0; i < 4; i++) {
        const char *name = names->symbol[io->eq[i].leader.unknown].name;
        int j = name[1] - '1';
        ck_assert_int_eq(io->eq[i].leader.order, splits[_i].order[j]);
        ck_assert_int_eq(io->eq[i].poly->length, splits[_i].terms[j]);
    }
    check_vanishes(io, model);
    darc_ioeqs_clear(io);
    darc_ranking_clear(rk);
    darc_model_free(model);
}
END_TEST

/* SIWR, StructuralIdentifiability.jl benchmarking/benchmarks.jl [siwr, Eq.
 * (3)]; 771 monomials against 209349 terms. */
static const char siwr[] =
    "model siwr\nstates\nS I W R\nparameters\nmu bi bw a gam xi k\n"
    "outputs\ny\nequations\nS'=mu-bi*S*I-bw*S*W-mu*S+a*R\n"
    "I'=bw*S*W+bi*S*I-(gam+mu)*I\nW'=xi*(I-W)\nR'=gam*I-(mu+a)*R\ny=k*I\n";

START_TEST(support_of_large_equations)
{
    darc_ioeqs_t io;
    darc_model *model = model_of(siwr);
    ck_assert(darc_ioeqs_init_support(io, model, NULL, NULL, NULL) == DARC_OK);
    ck_assert_int_eq(io->count, 1);
    ck_assert(!io->eq[0].expanded);
    ck_assert_int_eq(io->eq[0].part->count, 771);
    darc_ioeqs_clear(io);
    darc_model_free(model);
}
END_TEST

/* Return the number of monomials of the signals in p. */
static slong count_monomials(const darc_dpoly_t p, const darc_jet_t jet)
{
    ulong exp[64];
    darc_dpoly_t q;
    ck_assert_int_lt(jet->vars, 64);
    darc_dpoly_init(q, jet);
    for (slong t = 0; t < p->length; t++) {
        fmpz_mpoly_get_term_exp_ui(exp, p, t, jet->ctx);
        for (slong v = 0; v < jet->vars; v++)
            if (darc_jet_is_constant(jet, jet->deriv[v].unknown))
                exp[v] = 0;
        fmpz_mpoly_push_term_ui_ui(q, 1, exp, jet->ctx);
    }
    fmpz_mpoly_sort_terms(q, jet->ctx);
    fmpz_mpoly_combine_like_terms(q, jet->ctx);
    slong n = q->length;
    darc_dpoly_clear(q, jet);
    return n;
}

/* The support is the monomials of the signals in the expanded equation. */
START_TEST(support_against_expansion)
{
    const golden *g = table + _i;
    darc_ioeqs_t io, support;
    darc_model *model = model_of(g->text);
    ck_assert(darc_ioeqs_init_support(support, model, NULL, NULL, NULL) ==
              DARC_OK);
    ck_assert(darc_ioeqs_init(io, model, NULL, DARC_ENGINE_PROJECT, NULL,
                              NULL) == DARC_OK);
    ck_assert_int_eq(io->count, support->count);
    for (int i = 0; i < io->count; i++) {
        ck_assert_int_eq(io->eq[i].leader.unknown,
                         support->eq[i].leader.unknown);
        ck_assert_int_eq(count_monomials(io->eq[i].poly, io->jet),
                         support->eq[i].part->count);
    }
    darc_ioeqs_clear(io);
    darc_ioeqs_clear(support);
    darc_model_free(model);
}
END_TEST

static const char quarter_car[] =
    "model car\nstates\nxs vs xu vu\nparameters\nms mu ks cs kt\ninputs\nu\n"
    "outputs\ny\nequations\nxs'=vs\nvs'=(-ks*(xs-xu)-cs*(vs-vu))/ms\n"
    "xu'=vu\nvu'=(ks*(xs-xu)+cs*(vs-vu)-kt*(xu-u))/mu\ny=xs\n";
static const char two_outputs[] =
    "model two\nstates\na b c\nparameters\nk l m\noutputs\ny z\n"
    "equations\na'=k*b\nb'=l*c-a\nc'=m*a\ny=a\nz=b+c\n";

static const char *const linear_models[] = {compartments, quarter_car,
                                            two_outputs};

/* Print the equations of model found by engine. */
static void print_by(darc_text_t out, const darc_model *model,
                     darc_engine engine)
{
    darc_err err;
    darc_ioeqs_t io;
    darc_ranking_t rk;
    darc_err_init(&err);
    darc_ranking_init(rk, darc_model_names(model)->count);
    darc_model_ranking(rk, model);
    ck_assert_msg(darc_ioeqs_init(io, model, rk, engine, NULL, &err) == DARC_OK,
                  "%s", err.message);
    for (int i = 0; i < io->count; i++) {
        darc_dpoly_print(out, io->eq[i].poly, io->jet);
        darc_text_putc(out, '\n');
    }
    darc_ioeqs_clear(io);
    darc_ranking_clear(rk);
}

START_TEST(engines_agree)
{
    darc_text_t linear, project, general;
    darc_text_init(linear);
    darc_text_init(project);
    darc_text_init(general);
    darc_model *model = model_of(linear_models[_i]);
    /* operators are for one output */
    print_by(linear, model,
             _i < 2 ? DARC_ENGINE_LINEAR : DARC_ENGINE_CONSTRAINTS);
    print_by(project, model, DARC_ENGINE_PROJECT);
    print_by(general, model, DARC_ENGINE_GENERAL);
    ck_assert_str_eq(linear->s, project->s);
    ck_assert_str_eq(linear->s, general->s);
    darc_text_clear(linear);
    darc_text_clear(project);
    darc_text_clear(general);
    darc_model_free(model);
}
END_TEST

START_TEST(linear_engine_refuses_products)
{
    darc_ioeqs_t io;
    darc_err err;
    darc_err_init(&err);
    darc_model *model = model_of(model_lorenz);
    ck_assert(darc_ioeqs_init(io, model, NULL, DARC_ENGINE_LINEAR, NULL,
                              &err) == DARC_DOMAIN);
    ck_assert_ptr_nonnull(strstr(err.message, "not linear in its states"));
    darc_model_free(model);
}
END_TEST

START_TEST(orders_before_elimination)
{
    darc_problem_t p;
    darc_model *model = model_of(seir);
    darc_ranking_t rk;
    darc_ranking_init(rk, darc_model_names(model)->count);
    darc_model_ranking(rk, model);
    ck_assert(darc_problem_init(p, model, rk, NULL, NULL) == DARC_OK);
    ck_assert_int_eq(p->order[0], 3); /* R is not observable */
    darc_problem_clear(p);
    darc_ranking_clear(rk);
    darc_model_free(model);
}
END_TEST

START_TEST(implicit_model_is_refused)
{
    darc_ioeqs_t io;
    darc_model *model =
        model_of("model m\nstates\nx\nparameters\na\noutputs\ny\n"
                 "equations\nx'^2=a*x\ny=x\n");
    ck_assert(project(io, model, NULL, NULL) == DARC_DOMAIN);
    darc_ioeqs_clear(io);
    darc_model_free(model);
}
END_TEST

START_TEST(spent_budget_stops)
{
    darc_ioeqs_t io;
    darc_err err;
    darc_budget budget;
    darc_err_init(&err);
    darc_budget_init(&budget);
    budget.deadline = darc_now() - 1;
    darc_model *model = model_of(model_goodwin);
    ck_assert(project(io, model, &budget, &err) == DARC_LIMIT);
    ck_assert_ptr_nonnull(strstr(err.message, "--timeout"));
    darc_ioeqs_clear(io);
    darc_model_free(model);
}
END_TEST

Suite *suite_projection(void)
{
    Suite *s = suite_create("projection");
    TCase *t = tcase_create("projection");
    tcase_add_loop_test(t, published_sizes, 0,
                        (int)(sizeof table / sizeof table[0]));
    tcase_add_loop_test(t, support_against_expansion, 0,
                        (int)(sizeof table / sizeof table[0]));
    tcase_add_loop_test(t, engines_agree, 0,
                        (int)(sizeof linear_models / sizeof linear_models[0]));
    tcase_add_loop_test(t, the_ranking_splits_the_orders, 0,
                        (int)(sizeof splits / sizeof splits[0]));
    tcase_add_test(t, linear_engine_refuses_products);
    tcase_add_test(t, support_of_large_equations);
    tcase_add_test(t, orders_before_elimination);
    tcase_add_test(t, implicit_model_is_refused);
    tcase_add_test(t, spent_budget_stops);
    suite_add_tcase(s, t);
    return s;
}
