#include "sample.h"
#include "tests.h"

#include "algebra/ranking.h"

#include <string.h>

enum { ORDERS = 4, ALL = SAMPLE_NAMES * ORDERS };

static darc_deriv nth(int i)
{
    return (darc_deriv){i % SAMPLE_NAMES, i / SAMPLE_NAMES};
}

/* A total order that derivation respects and raises in. */
static void check_axioms(const darc_ranking_t rk)
{
    for (int i = 0; i < ALL; i++) {
        darc_deriv a = nth(i), da = {a.unknown, a.order + 1};
        ck_assert_int_lt(darc_ranking_cmp(a, da, rk), 0);
        for (int j = 0; j < ALL; j++) {
            darc_deriv b = nth(j), db = {b.unknown, b.order + 1};
            int c = darc_ranking_cmp(a, b, rk);
            ck_assert_int_eq(c == 0, i == j);
            ck_assert_int_eq(darc_ranking_cmp(b, a, rk), -c);
            ck_assert_int_eq(darc_ranking_cmp(da, db, rk), c);
            for (int k = 0; k < ALL && c < 0; k++)
                if (darc_ranking_cmp(b, nth(k), rk) < 0)
                    ck_assert_int_lt(darc_ranking_cmp(a, nth(k), rk), 0);
        }
    }
}

START_TEST(axioms)
{
    static const char *const texts[] = {"x y >> k u", "u >> y >> x",
                                        "time, k y", "x k y u time", "u"};
    darc_names_t names;
    darc_ranking_t rk;
    test_sample_names(names);
    darc_ranking_init(rk, SAMPLE_NAMES);
    check_axioms(rk);
    darc_ranking_set_default(rk, names);
    check_axioms(rk);
    ck_assert_int_eq(darc_ranking_set_blocks(rk, (int[]){2, 0, 2, 4, 0}, NULL),
                     DARC_OK);
    check_axioms(rk);
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        ck_assert_int_eq(darc_ranking_set_text(rk, texts[i], names, NULL),
                         DARC_OK);
        check_axioms(rk);
    }
    darc_ranking_clear(rk);
    darc_names_clear(names);
}
END_TEST

/* Return whether (a, i) is higher than (b, j). */
static int above(const darc_ranking_t rk, int a, int i, int b, int j)
{
    return darc_ranking_cmp((darc_deriv){a, i}, (darc_deriv){b, j}, rk) > 0;
}

START_TEST(blocks_then_orders_then_positions)
{
    darc_names_t names;
    darc_ranking_t rk, other;
    test_sample_names(names);
    darc_ranking_init(rk, SAMPLE_NAMES);
    ck_assert(above(rk, SAMPLE_X, 0, SAMPLE_Y, 0));
    ck_assert(above(rk, SAMPLE_Y, 1, SAMPLE_X, 0));
    darc_ranking_set_default(rk, names);
    ck_assert(above(rk, SAMPLE_X, 0, SAMPLE_K, 0));
    ck_assert(above(rk, SAMPLE_K, 0, SAMPLE_Y, 9));
    ck_assert(above(rk, SAMPLE_Y, 0, SAMPLE_U, 9));
    ck_assert(above(rk, SAMPLE_U, 0, SAMPLE_TIME, 0));
    ck_assert_int_eq(darc_ranking_set_text(rk, "u y\n>> x", names, NULL),
                     DARC_OK);
    ck_assert(above(rk, SAMPLE_U, 1, SAMPLE_Y, 1));
    ck_assert(above(rk, SAMPLE_Y, 2, SAMPLE_U, 1));
    ck_assert(above(rk, SAMPLE_Y, 0, SAMPLE_X, 9));
    ck_assert(above(rk, SAMPLE_X, 0, SAMPLE_K, 0)); /* not named: below */
    ck_assert(above(rk, SAMPLE_K, 0, SAMPLE_TIME, 0));
    darc_ranking_init(other, SAMPLE_NAMES);
    darc_ranking_set(other, rk);
    darc_ranking_set(other, other);
    ck_assert_mem_eq(other->block, rk->block, SAMPLE_NAMES * sizeof(int));
    ck_assert_mem_eq(other->position, rk->position, SAMPLE_NAMES * sizeof(int));
    darc_ranking_clear(other);
    darc_ranking_clear(rk);
    darc_names_clear(names);
}
END_TEST

START_TEST(refusals_leave_the_ranking)
{
    static const struct {
        const char *text, *message;
    } row[] = {{"x >> q", "column 6: 'q' is not declared"},
               {"x y x", "column 5: 'x' stands twice"},
               {">> x", "column 1: a block is empty"},
               {"x >> >> y", "column 6: a block is empty"},
               {"x >>", "column 5: a block is empty"},
               {"", "column 1: a block is empty"},
               {"x > y", "column 3: expected a name or '>>' near '> y'"}};
    darc_names_t names;
    darc_ranking_t rk;
    darc_err err;
    test_sample_names(names);
    darc_ranking_init(rk, SAMPLE_NAMES);
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        darc_err_init(&err);
        ck_assert_int_eq(darc_ranking_set_text(rk, row[i].text, names, &err),
                         DARC_DOMAIN);
        ck_assert_str_eq(err.message, row[i].message);
        ck_assert(above(rk, SAMPLE_X, 0, SAMPLE_K, 0));
    }
    darc_err_init(&err);
    ck_assert_int_eq(darc_ranking_set_blocks(rk, (int[]){0, 0, 5, 0, 0}, &err),
                     DARC_DOMAIN);
    ck_assert_str_eq(err.message, "unknown 2: no block 5");
    ck_assert_int_eq(darc_ranking_set_blocks(rk, (int[]){0, -1, 0, 0, 0}, NULL),
                     DARC_DOMAIN);
    ck_assert_int_eq(rk->block[SAMPLE_Y], 0);
    darc_ranking_clear(rk);
    darc_names_clear(names);
}
END_TEST

Suite *suite_ranking(void)
{
    Suite *s = suite_create("ranking");
    TCase *c = tcase_create("ranking");
    tcase_add_test(c, axioms);
    tcase_add_test(c, blocks_then_orders_then_positions);
    tcase_add_test(c, refusals_leave_the_ranking);
    suite_add_tcase(s, c);
    return s;
}
