#include "sample.h"
#include "tests.h"

#include "algebra/jet.h"

static void check_frame(const darc_jet_t jet)
{
    slong expected = 0;
    for (int u = 0; u < SAMPLE_NAMES; u++)
        expected += jet->bound[u] + 1;
    ck_assert_int_eq(jet->vars, expected);
    for (slong v = 0; v < jet->vars; v++) {
        ck_assert_int_eq(darc_jet_var(jet, jet->deriv[v]), v);
        if (v > 0)
            ck_assert_int_gt(darc_ranking_cmp(jet->deriv[v - 1], jet->deriv[v],
                                              jet->ranking),
                             0);
    }
}

START_TEST(variables_descend)
{
    static const char *const rankings[] = {"", "u >> x >> y k", "x k y u time"};
    for (size_t i = 0; i < 3; i++) {
        darc_jet_t jet;
        test_sample_init(jet, rankings[i], 5);
        check_frame(jet);
        darc_jet_clear(jet);
    }
}
END_TEST

START_TEST(the_frame_is_finite)
{
    darc_jet_t jet;
    test_sample_init(jet, "", 3);
    ck_assert_int_ge(darc_jet_var(jet, (darc_deriv){SAMPLE_X, 3}), 0);
    ck_assert_int_eq(darc_jet_var(jet, (darc_deriv){SAMPLE_X, 4}), -1);
    ck_assert_int_eq(darc_jet_var(jet, (darc_deriv){SAMPLE_K, 1}), -1);
    ck_assert_int_eq(darc_jet_var(jet, (darc_deriv){SAMPLE_TIME, 1}), -1);
    ck_assert(darc_jet_is_constant(jet, SAMPLE_K));
    ck_assert(!darc_jet_is_constant(jet, SAMPLE_TIME));
    ck_assert_int_eq(darc_jet_var(jet, (darc_deriv){SAMPLE_X, 3}), 0);
    ck_assert_int_eq(jet->deriv[jet->vars - 1].unknown, SAMPLE_TIME);
    darc_jet_clear(jet);
}
END_TEST

Suite *suite_jet(void)
{
    Suite *s = suite_create("jet");
    TCase *c = tcase_create("jet");
    tcase_add_test(c, variables_descend);
    tcase_add_test(c, the_frame_is_finite);
    suite_add_tcase(s, c);
    return s;
}
