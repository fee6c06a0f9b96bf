#include "tests.h"

#include "decompose.h"
#include "random_poly.h"

static const example duffing = {"x|d a b|y|u", "x >> y >> u >> d a b",
                                "x_2 + d*x_1 + a*x + b*x^3 - u; y - x", ""};
static const example square = {"||y", NULL, "y_1^2 - 4*y", ""};

/* Set p to the text in the frame of d. */
static darc_truth member(const char *text, const darc_decomposition_t d, int i,
                         const darc_budget *budget)
{
    darc_dpoly_t p;
    darc_dpoly_init(p, d->jet);
    ring_read(p, text, d->jet);
    darc_truth truth = darc_chain_member(p, d->component + i, d->jet, budget);
    darc_dpoly_clear(p, d->jet);
    return truth;
}

START_TEST(membership_tells_components_apart)
{
    ring r;
    darc_decomposition_t d;
    decompose(d, &r, &square, false);
    /* (y'' - 2) y' = 0 on both, y'' = 2 on the general component alone */
    ck_assert(member("y_2 - 2", d, 0, NULL) == DARC_TRUE);
    ck_assert(member("y_2 - 2", d, 1, NULL) == DARC_FALSE);
    ck_assert(member("y_1*y_2 - 2*y_1", d, 1, NULL) == DARC_TRUE);
    ck_assert(member("y_3 + y_2^2 - 4", d, 0, NULL) == DARC_TRUE);
    ck_assert(member("y_3 + y_2^2 - 5", d, 0, NULL) == DARC_FALSE);
    ck_assert(darc_chain_contains(d->component, d->component + 1, d->jet,
                                  NULL) == DARC_UNKNOWN);
    ck_assert(darc_chain_contains(d->component + 1, d->component, d->jet,
                                  NULL) == DARC_FALSE);
    ck_assert(darc_chain_contains(d->component, d->component, d->jet, NULL) ==
              DARC_TRUE);
    darc_budget b;
    darc_budget_init(&b);
    b.deadline = darc_now() - 1;
    ck_assert(member("y_2 - 2", d, 0, &b) == DARC_UNKNOWN);
    finish(d, &r);
}
END_TEST

/* h*f - r belongs to the ideal; r is its own normal form; members have 0. */
START_TEST(normal_forms)
{
    ring r;
    darc_decomposition_t d;
    decompose(d, &r, &duffing, true);
    const darc_component *c = d->component;
    darc_rng rng = {17};
    darc_dpoly_t f, g, h, nf;
    darc_dpoly_struct *all[] = {f, g, h, nf};
    for (int i = 0; i < 4; i++)
        darc_dpoly_init(all[i], d->jet);
    for (int i = 0; i < 12; i++) {
        random_poly(f, 3, 2, 2, &rng, d->jet);
        ck_assert(darc_chain_normal_form(nf, h, f, c, d->jet, NULL, NULL) ==
                  DARC_OK);
        fmpz_mpoly_mul(g, h, f, d->jet->ctx);
        fmpz_mpoly_sub(g, g, nf, d->jet->ctx);
        ck_assert(darc_chain_member(g, c, d->jet, NULL) == DARC_TRUE);
        ck_assert(darc_chain_normal_form(g, NULL, nf, c, d->jet, NULL, NULL) ==
                  DARC_OK);
        ck_assert(fmpz_mpoly_equal(g, nf, d->jet->ctx));
        ck_assert_int_le(darc_dpoly_order(nf, 4, d->jet), 1);
    }
    for (int i = 0; i < 4; i++)
        darc_dpoly_clear(all[i], d->jet);
    finish(d, &r);
}
END_TEST

START_TEST(a_remainder_outside_the_frame_is_refused)
{
    ring r; /* x = u': x'' has no place for u''' */
    ring_init(&r, "x||u", NULL, 2, "x - u_1; x_2", "");
    darc_component c = {.generic = true};
    darc_dpolys_init(c.equations);
    darc_dpolys_init(c.inequations);
    darc_dpolys_append(c.equations, r.eq->p, r.jet);
    darc_dpoly_t p;
    darc_dpoly_init(p, r.jet);
    darc_err err;
    darc_err_init(&err);
    ck_assert(darc_chain_normal_form(p, NULL, r.eq->p + 1, &c, r.jet, NULL,
                                     &err) == DARC_LIMIT);
    ck_assert_str_eq(err.message, "derivative 3 of 'u' lies outside the frame");
    /* The answer to the question of membership needs no such place. */
    ck_assert(darc_chain_member(r.eq->p + 1, &c, r.jet, NULL) == DARC_FALSE);
    darc_dpoly_clear(p, r.jet);
    darc_dpolys_clear(c.equations, r.jet);
    ring_clear(&r);
}
END_TEST

Suite *suite_chain(void)
{
    Suite *s = suite_create("chain");
    TCase *c = tcase_create("chain");
    tcase_add_test(c, membership_tells_components_apart);
    tcase_add_test(c, normal_forms);
    tcase_add_test(c, a_remainder_outside_the_frame_is_refused);
    suite_add_tcase(s, c);
    return s;
}
