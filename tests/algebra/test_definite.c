#include "tests.h"

#include "algebra/definite.h"

#include <string.h>

enum { SIZE = 6, COUNT = 9 };

/* Entries from -9 to 9, times 2^shift. */
static void draw_form(fmpz_mat_struct *q, flint_rand_t state, int shift)
{
    for (int i = 0; i < SIZE; i++)
        for (int j = i; j < SIZE; j++) {
            fmpz *x = fmpz_mat_entry(q, i, j);
            fmpz_set_si(x, (slong)n_randint(state, 19) - 9);
            fmpz_mul_2exp(x, x, (ulong)shift);
            fmpz_set(fmpz_mat_entry(q, j, i), x);
        }
}

/* Set x to v' q v. */
static void evaluate(fmpz_t x, const fmpz_mat_struct *q, const slong *v)
{
    fmpz_t c;
    fmpz_init(c);
    fmpz_zero(x);
    for (int i = 0; i < SIZE; i++)
        for (int j = 0; j < SIZE; j++) {
            fmpz_mul_si(c, fmpz_mat_entry(q, i, j), v[i] * v[j]);
            fmpz_add(x, x, c);
        }
    fmpz_clear(c);
}

/* Where all forms are >= 0 at a point there is no proof that they are not. */
START_TEST(what_holds_somewhere_is_not_excluded)
{
    flint_rand_t state;
    flint_randinit(state);
    for (int k = 0; k < 300; k++) {
        darc_forms f = {.size = SIZE};
        bool used[COUNT];
        slong v[SIZE];
        fmpz_t x;
        fmpz_init(x);
        for (int i = 0; i < SIZE; i++)
            v[i] = (slong)n_randint(state, 5) - 2;
        v[0] += v[0] == 0;
        for (int i = 0; i < COUNT; i++) {
            fmpz_mat_struct *q = darc_forms_append(&f);
            draw_form(q, state, 7 * i);
            evaluate(x, q, v);
            if (fmpz_sgn(x) < 0)
                fmpz_mat_neg(q, q);
        }
        ck_assert(!darc_forms_exclude(used, &f, NULL));
        darc_forms_clear(&f);
        fmpz_clear(x);
    }
    flint_randclear(state);
}
END_TEST

/* Weights that are known are found: all but one form are any, and the last one
 * is what makes the weighted sum -I. */
START_TEST(what_adds_up_to_less_than_nothing_is_excluded)
{
    flint_rand_t state;
    flint_randinit(state);
    for (int k = 0; k < 100; k++) {
        darc_forms f = {.size = SIZE};
        bool used[COUNT];
        for (int i = 0; i < COUNT; i++)
            draw_form(darc_forms_append(&f), state, 0);
        fmpz_mat_struct *last = f.form + COUNT - 1;
        fmpz_mat_one(last);
        fmpz_mat_neg(last, last);
        for (int i = 0; i + 1 < COUNT; i++)
            fmpz_mat_scalar_submul_ui(last, f.form + i, n_randint(state, 4));
        ck_assert(darc_forms_exclude(used, &f, NULL));
        ck_assert(used[COUNT - 1]);
        darc_forms_clear(&f);
    }
    flint_randclear(state);
}
END_TEST

/* x^2 - 2 y^2, y^2 - 2 x^2 and forms that are nothing; without the second one
 * x = 1, y = 0 is left. */
START_TEST(what_is_not_needed_is_not_used)
{
    darc_forms f = {.size = 2};
    bool used[3];
    for (int i = 0; i < 3; i++) {
        fmpz_mat_struct *q = darc_forms_append(&f);
        fmpz_set_si(fmpz_mat_entry(q, 0, 0), i == 0 ? 1 : i == 1 ? 0 : -2);
        fmpz_set_si(fmpz_mat_entry(q, 1, 1), i == 0 ? -2 : i == 1 ? 0 : 1);
    }
    ck_assert(darc_forms_exclude(used, &f, NULL));
    ck_assert(used[0] && used[2]);
    fmpz_mat_zero(f.form + 2);
    ck_assert(!darc_forms_exclude(used, &f, NULL));
    darc_forms_clear(&f);
}
END_TEST

Suite *suite_definite(void)
{
    Suite *s = suite_create("definite");
    TCase *c = tcase_create("definite");
    tcase_add_test(c, what_holds_somewhere_is_not_excluded);
    tcase_add_test(c, what_adds_up_to_less_than_nothing_is_excluded);
    tcase_add_test(c, what_is_not_needed_is_not_used);
    suite_add_tcase(s, c);
    return s;
}
