/* Rows matched with columns, against all ways that there are. */
#include "tests.h"

#include "../bench/weak_cases.h"
#include "base/assignment.h"

enum { ROWS = 4, COLUMNS = 5 };

/* Of rows i and on, with columns that are not taken: how many are matched at
 * most, times 1000, and the largest sum of these. */
static int best_of(const int *value, int i, unsigned taken)
{
    if (i == ROWS)
        return 0;
    int best = best_of(value, i + 1, taken);
    for (int j = 0; j < COLUMNS; j++) {
        int v = value[i * COLUMNS + j];
        if (v < 0 || (taken & 1u << j) != 0)
            continue;
        int with = 1000 + v + best_of(value, i + 1, taken | 1u << j);
        best = with > best ? with : best;
    }
    return best;
}

START_TEST(the_sum_is_the_largest)
{
    uint64_t state = 7 + (uint64_t)_i;
    int value[ROWS * COLUMNS], column[ROWS], sum = 0, matched = 0;
    unsigned taken = 0;
    for (int k = 0; k < ROWS * COLUMNS; k++)
        value[k] = (int)(6 * case_uniform(&state)) - 3 < 0
                       ? -1
                       : (int)(5 * case_uniform(&state));
    bool all = darc_assign(column, value, ROWS, COLUMNS);
    for (int i = 0; i < ROWS; i++) {
        if (column[i] < 0)
            continue;
        ck_assert_int_ge(value[i * COLUMNS + column[i]], 0);
        ck_assert((taken & 1u << column[i]) == 0);
        taken |= 1u << column[i];
        matched++;
        sum += 1000 + value[i * COLUMNS + column[i]];
    }
    ck_assert(all == (matched == ROWS));
    ck_assert_int_eq(sum, best_of(value, 0, 0));
}
END_TEST

Suite *suite_assignment(void)
{
    Suite *s = suite_create("assignment");
    TCase *c = tcase_create("assignment");
    tcase_add_loop_test(c, the_sum_is_the_largest, 0, 200);
    suite_add_tcase(s, c);
    return s;
}
