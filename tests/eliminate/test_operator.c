#include "tests.h"

#include "eliminate/eliminate.h"
#include "eliminate/engine.h"
#include "models.h"

#include <stdlib.h>
#include <string.h>

/* ---- kernels ---------------------------------------------------------------
 */

enum { VARS = 4, ROWS = 6 };

/* About half of the entries are 0, and two columns share a factor. */
static void fill(darc_polymat *m, const fmpz_mpoly_ctx_t ctx,
                 flint_rand_t state)
{
    for (slong i = 0; i < m->rows; i++)
        for (slong k = 0; k < m->columns; k++)
            if ((i + 2 * k) % 3 != 0 || i == k || i == k + 1)
                fmpz_mpoly_randtest_bound(darc_polymat_entry(m, i, k), state, 3,
                                          3, 3, ctx);
}

START_TEST(kernels_annihilate_and_have_no_common_factor)
{
    fmpz_mpoly_ctx_t ctx;
    flint_rand_t state;
    darc_polymat m;
    fmpz_mpoly_struct w[ROWS];
    fmpz_mpoly_t sum, t;
    flint_randinit(state);
    fmpz_mpoly_ctx_init(ctx, VARS, ORD_LEX);
    fmpz_mpoly_init(sum, ctx);
    fmpz_mpoly_init(t, ctx);
    for (slong i = 0; i < ROWS; i++)
        fmpz_mpoly_init(w + i, ctx);
    int found = 0;
    for (int run = 0; run < 20; run++) {
        darc_polymat_init(&m, ROWS, ROWS - 1, ctx);
        fill(&m, ctx, state);
        if (darc_polymat_kernel(w, &m, ctx, NULL, NULL) == DARC_OK) {
            found++;
            for (slong k = 0; k < m.columns; k++) {
                fmpz_mpoly_zero(sum, ctx);
                for (slong i = 0; i < ROWS; i++) {
                    fmpz_mpoly_mul(t, w + i, darc_polymat_entry(&m, i, k), ctx);
                    fmpz_mpoly_add(sum, sum, t, ctx);
                }
                ck_assert(fmpz_mpoly_is_zero(sum, ctx));
            }
            for (slong i = 0; i < ROWS; i++)
                ck_assert(fmpz_mpoly_gcd(sum, sum, w + i, ctx));
            ck_assert(fmpz_mpoly_is_one(sum, ctx));
        }
        darc_polymat_clear(&m, ctx);
    }
    ck_assert_int_gt(found, 10);
    for (slong i = 0; i < ROWS; i++)
        fmpz_mpoly_clear(w + i, ctx);
    fmpz_mpoly_clear(sum, ctx);
    fmpz_mpoly_clear(t, ctx);
    fmpz_mpoly_ctx_clear(ctx);
    flint_randclear(state);
}
END_TEST

START_TEST(dependent_columns_have_no_kernel)
{
    fmpz_mpoly_ctx_t ctx;
    darc_polymat m;
    fmpz_mpoly_struct w[3];
    fmpz_mpoly_ctx_init(ctx, 1, ORD_LEX);
    darc_polymat_init(&m, 3, 2, ctx);
    for (slong i = 0; i < 3; i++) {
        fmpz_mpoly_init(w + i, ctx);
        fmpz_mpoly_set_si(darc_polymat_entry(&m, i, 0), i + 1, ctx);
        fmpz_mpoly_set_si(darc_polymat_entry(&m, i, 1), 2 * i + 2, ctx);
    }
    ck_assert_int_eq(darc_polymat_kernel(w, &m, ctx, NULL, NULL), DARC_DOMAIN);
    for (slong i = 0; i < 3; i++)
        fmpz_mpoly_clear(w + i, ctx);
    darc_polymat_clear(&m, ctx);
    fmpz_mpoly_ctx_clear(ctx);
}
END_TEST

/* ---- models ----------------------------------------------------------------
 */

/* n masses between springs and dampers, a force on the first, the position
 * of the last measured. */
static darc_model *chain(int n)
{
    darc_text_t t;
    darc_text_init(t);
    darc_text_puts(t, "model chain\nstates\n");
    for (int i = 1; i <= n; i++)
        darc_text_printf(t, " x%d", i);
    darc_text_puts(t, "\nparameters\n");
    for (int i = 1; i <= n; i++)
        darc_text_printf(t, " m%d k%d d%d", i, i, i);
    darc_text_puts(t, "\ninputs\n u\noutputs\n y\nequations\n");
    for (int i = 1; i <= n; i++) {
        darc_text_printf(t, " m%d*x%d'' = -k%d*(x%d", i, i, i, i);
        darc_text_printf(t, i > 1 ? " - x%d)" : ")", i - 1);
        darc_text_printf(t, " - d%d*(x%d'", i, i);
        darc_text_printf(t, i > 1 ? " - x%d')" : " - 0*x1')", i - 1);
        if (i < n)
            darc_text_printf(t, " + k%d*(x%d - x%d) + d%d*(x%d' - x%d')", i + 1,
                             i + 1, i, i + 1, i + 1, i);
        darc_text_puts(t, i == 1 ? " + u\n" : "\n");
    }
    darc_text_printf(t, " y = x%d\n", n);
    darc_model *model = model_of(t->s);
    darc_text_clear(t);
    return model;
}

/* The equation of model is that of another engine. */
static void agrees(darc_model *model, darc_engine engine)
{
    darc_ioeqs_t a, b;
    ck_assert_int_eq(
        darc_ioeqs_init(a, model, NULL, DARC_ENGINE_LINEAR, NULL, NULL),
        DARC_OK);
    ck_assert_int_eq(darc_ioeqs_init(b, model, NULL, engine, NULL, NULL),
                     DARC_OK);
    ck_assert_str_ne(a->eq->engine, b->eq->engine);
    darc_dpoly_t p;
    darc_dpoly_init(p, a->jet);
    ck_assert_int_eq(darc_dpoly_move(p, a->jet, b->eq->poly, b->jet, NULL),
                     DARC_OK);
    ck_assert(fmpz_mpoly_equal(p, a->eq->poly, a->jet->ctx));
    darc_dpoly_clear(p, a->jet);
    darc_ioeqs_clear(a);
    darc_ioeqs_clear(b);
    darc_model_free(model);
}

START_TEST(chains_of_masses)
{
    agrees(chain(2), DARC_ENGINE_PROJECT);
    agrees(chain(3), DARC_ENGINE_GENERAL);
    darc_ioeqs_t io;
    darc_model *model = chain(7);
    ck_assert_int_eq(
        darc_ioeqs_init(io, model, NULL, DARC_ENGINE_AUTO, NULL, NULL),
        DARC_OK);
    ck_assert_str_eq(io->eq->engine, "linear");
    ck_assert_int_eq(io->eq->leader.order, 14);
    ck_assert_int_eq(io->eq->part->count, 22);
    ck_assert_int_eq(io->eq->poly->length, 10987);
    darc_ioeqs_clear(io);
    darc_model_free(model);
}
END_TEST

START_TEST(signals_may_enter_in_any_way)
{
    agrees(model_of("model hammerstein\nstates\n x v\nparameters\n a b c d\n"
                    "inputs\n u\noutputs\n y\nequations\n"
                    " x' = v + c*u^3\n v' = -a*x - b*v + u\n"
                    " y = x + d*u^2\n"),
           DARC_ENGINE_PROJECT);
    agrees(model_of("model injection\nstates\n x v\nparameters\n a b c\n"
                    "inputs\n u\noutputs\n y\nequations\n"
                    " x' = v - a*y^2\n v' = -b*v + c*y*u\n"
                    " y = x\n"),
           DARC_ENGINE_PROJECT);
}
END_TEST

static void least(const char *text, const char *expected)
{
    darc_model *model = model_of(text);
    darc_ioeqs_t io;
    darc_text_t t;
    darc_text_init(t);
    ck_assert_int_eq(
        darc_ioeqs_init(io, model, NULL, DARC_ENGINE_LINEAR, NULL, NULL),
        DARC_OK);
    darc_dpoly_print(t, io->eq->poly, io->jet);
    ck_assert_str_eq(t->s, expected);
    darc_text_clear(t);
    darc_ioeqs_clear(io);
    darc_model_free(model);
}

START_TEST(the_order_is_the_least)
{
    /* two equal parts that nobody can tell apart */
    least("model parallel\nstates\n p q\nparameters\n a b c\ninputs\n u\n"
          "outputs\n y\nequations\n p' = -a*p + b*u\n q' = -a*q + c*u\n"
          " y = p + q\n",
          "y' + a*y - b*u - c*u");
    /* a state that does not show */
    least("model hidden\nstates\n p q\nparameters\n a b\ninputs\n u\n"
          "outputs\n y\nequations\n p' = -a*p + u\n q' = -b*q + p\n"
          " y = p\n",
          "y' + a*y - u");
    /* one that no input moves, but that may start anywhere */
    least("model free\nstates\n p q\nparameters\n a b\ninputs\n u\n"
          "outputs\n y\nequations\n p' = -a*p + u\n q' = -b*q\n"
          " y = p + q\n",
          "y'' + a*y' + b*y' + a*b*y - u' - b*u");
    /* factors that all coefficients share */
    least("model gain\nstates\n p\nparameters\n a k\ninputs\n u\n"
          "outputs\n y\nequations\n k*p' = -k*a*p + k*u\n k*y = k*p\n",
          "y' + a*y - u");
}
END_TEST

START_TEST(other_models_are_refused)
{
    static const char *const text[] = {
        "model prey\nstates\n x w\nparameters\n a b c d\noutputs\n y\n"
        "equations\n x' = a*x - b*x*w\n w' = -c*w + d*x*w\n y = x\n",
        "model varying\nstates\n x\nparameters\n a\ninputs\n u\noutputs\n y\n"
        "equations\n x' = a*u*x\n y = x\n",
        "model two\nstates\n x\nparameters\n a\noutputs\n y z\n"
        "equations\n x' = -a*x\n y = x\n z = a*x\n"};
    for (size_t i = 0; i < sizeof text / sizeof text[0]; i++) {
        darc_model *model = model_of(text[i]);
        const darc_names_struct *names = darc_model_names(model);
        int *order = calloc((size_t)names->count, sizeof *order);
        bool certain;
        darc_ranking_t rk;
        darc_jet_t jet;
        darc_dpoly_t q;
        darc_ranking_init(rk, names->count);
        darc_model_ranking(rk, model);
        darc_model_orders(model, order);
        darc_jet_init(jet, names, rk, order);
        darc_dpoly_init(q, jet);
        ck_assert_int_eq(
            darc_operator_relation(q, &certain, jet, model, NULL, NULL),
            DARC_DOMAIN);
        darc_dpoly_clear(q, jet);
        darc_jet_clear(jet);
        darc_ranking_clear(rk);
        darc_model_free(model);
        free(order);
    }
}
END_TEST

Suite *suite_operator(void)
{
    Suite *s = suite_create("operator");
    TCase *c = tcase_create("operator");
    tcase_add_test(c, kernels_annihilate_and_have_no_common_factor);
    tcase_add_test(c, dependent_columns_have_no_kernel);
    tcase_add_test(c, chains_of_masses);
    tcase_add_test(c, signals_may_enter_in_any_way);
    tcase_add_test(c, the_order_is_the_least);
    tcase_add_test(c, other_models_are_refused);
    suite_add_tcase(s, c);
    return s;
}
