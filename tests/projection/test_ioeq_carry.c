#include "tests.h"

#include "eliminate/eliminate.h"
#include "projection/ioeq.h"

#include <stdio.h>
#include <string.h>

static darc_ioeqs_t original;
static const darc_model *model;

static darc_status send(darc_answer *a, void *user, const darc_budget *b,
                        darc_err *err)
{
    (void)user, (void)b, (void)err;
    darc_ioeqs_carry(&(darc_carrier){.to = a}, original,
                     darc_model_names(model));
    return DARC_OK;
}

static void same_polys(const darc_dpolys_t a, const darc_dpolys_t b,
                       const darc_jet_t jet)
{
    ck_assert_int_eq(a->count, b->count);
    for (slong i = 0; i < a->count; i++)
        ck_assert(fmpz_mpoly_equal(a->p + i, b->p + i, jet->ctx));
}

static void same(const darc_ioeqs_t a, const darc_ioeqs_t b)
{
    const darc_jet_struct *jet = a->jet;
    ck_assert_int_eq(jet->vars, b->jet->vars);
    for (slong v = 0; v < jet->vars; v++)
        ck_assert(jet->deriv[v].unknown == b->jet->deriv[v].unknown &&
                  jet->deriv[v].order == b->jet->deriv[v].order);
    ck_assert(a->count == b->count && a->linked == b->linked);
    for (int i = 0; i < a->count; i++) {
        const darc_ioeq *x = a->eq + i, *y = b->eq + i;
        ck_assert(x->expanded == y->expanded && x->cpu_s == y->cpu_s);
        ck_assert(x->leader.unknown == y->leader.unknown &&
                  x->leader.order == y->leader.order);
        ck_assert_str_eq(x->engine, y->engine);
        ck_assert(fmpz_mpoly_equal(x->poly, y->poly, jet->ctx));
        ck_assert(fmpz_mpoly_is_canonical(y->poly, jet->ctx));
        same_polys(x->coeff, y->coeff, jet);
        same_polys(x->part, y->part, jet);
    }
    same_polys(a->inequations, b->inequations, jet);
}

static void check(bool support)
{
    darc_ioeqs_t copy;
    char *bytes;
    size_t n;
    darc_status status =
        support ? darc_ioeqs_init_support(original, model, NULL, NULL, NULL)
                : darc_ioeqs_init(original, model, NULL, DARC_ENGINE_AUTO, NULL,
                                  NULL);
    if (status != DARC_OK)
        return;
    for (int i = 0; i < original->count; i++) /* a coefficient of 200 digits */
        if (original->eq[i].poly->length > 0) {
            fmpz_t large;
            fmpz_init_set_si(large, -7);
            fmpz_pow_ui(large, large, 251);
            fmpz_mpoly_scalar_mul_fmpz(original->eq[i].poly,
                                       original->eq[i].poly, large,
                                       original->jet->ctx);
            fmpz_clear(large);
        }
    ck_assert_int_eq(darc_apart(&bytes, &n, send, NULL, NULL, NULL), DARC_OK);
    darc_ioeqs_carry(&(darc_carrier){.at = bytes}, copy,
                     darc_model_names(model));
    darc_apart_free(bytes);
    same(original, copy);
    darc_ioeqs_clear(original);
    darc_ioeqs_clear(copy);
}

START_TEST(equations_come_back_as_they_are)
{
    static const char *const name[] = {
        "quarter_car", "coil", "low_pass",       "van_der_pol",
        "tanks_sqrt",  "sir",  "friction_force", "two_compartments"};
    char file[80];
    darc_model *m;
    snprintf(file, sizeof file, "systems/%s/model.darc", name[_i]);
    ck_assert_int_eq(darc_model_read(&m, file, NULL), DARC_OK);
    model = m;
    check(false);
    check(true);
    darc_model_free(m);
}
END_TEST

Suite *suite_ioeq_carry(void)
{
    Suite *s = suite_create("ioeq_carry");
    TCase *c = tcase_create("ioeq_carry");
    tcase_add_loop_test(c, equations_come_back_as_they_are, 0, 8);
    suite_add_tcase(s, c);
    return s;
}
