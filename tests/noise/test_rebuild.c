/* Signals rebuilt from inputs: they follow, and share no noise with their fold.
 */
#include "tests.h"

#include "base/mem.h"
#include "draw.h"
#include "noise/rebuild.h"
#include "stats/lanes.h"

enum { N = 1200 };

static double u[N], clean[N], noisy[N], rebuilt[N];

/* y' = 5 (u - y) - bend y^3 at 20 samples a second, u three sines. */
static void simulate(double bend, double noise)
{
    uint64_t state = 3;
    double y = 0, n = 0, dt = 0.05 / 50;
    for (int i = 0; i < 50 * N; i++) {
        double t = i * dt;
        double in = sin(3.1 * t) + 0.7 * sin(7.3 * t + 1) + 0.5 * sin(0.9 * t);
        if (i % 50 == 0) {
            n = 0.9 * n + noise * sqrt(0.19) * draw_normal(&state);
            u[i / 50] = in;
            clean[i / 50] = y;
            noisy[i / 50] = y + n;
        }
        y += dt * (5 * (in - y) - bend * y * y * y);
    }
}

static double error(darc_table *t)
{
    const double *signal[] = {noisy};
    double *out[] = {rebuilt}, sum = 0;
    darc_rebuild_source from = {.inputs = 1, .input = {u}, .period = 10};
    memset(rebuilt, 0, sizeof rebuilt);
    darc_rebuild(out, signal, 1, &from, t);
    for (int i = 0; i < N; i++)
        sum += pow(rebuilt[i] - clean[i], 2) / N;
    return sqrt(sum / darc_lanes_variance(clean, t));
}

static darc_table *table(void)
{
    static darc_segment all = {0, N};
    static darc_table t = {.samples = N, .dt = 0.05, .segments = 1};
    t.segment = &all;
    return &t;
}

/* But for how it began; squares and cubes follow what bends. */
START_TEST(it_follows_the_input)
{
    simulate(0, 0.01);
    ck_assert_double_lt(error(table()), 0.06);
    simulate(8, 0.01);
    ck_assert_double_lt(error(table()), 0.09);
}
END_TEST

/* What is measured in a fold moves what is rebuilt in the others alone. */
START_TEST(a_fold_does_not_see_itself)
{
    darc_table *t = table();
    size_t end = darc_rebuild_fold(t, 1);
    double before[N];
    simulate(0, 0.05);
    error(t);
    memcpy(before, rebuilt, sizeof before);
    noisy[end / 2] += 1e-3;
    error(t);
    for (size_t i = 0; i < end; i++)
        ck_assert(rebuilt[i] == before[i]);
    ck_assert(rebuilt[end + 10] != before[end + 10]);
}
END_TEST

START_TEST(folds_hold_all_samples)
{
    darc_table *t = table();
    ck_assert_uint_eq(darc_rebuild_fold(t, 0), 0);
    ck_assert_uint_eq(darc_rebuild_fold(t, DARC_REBUILD_FOLDS), N);
}
END_TEST

Suite *suite_rebuild(void)
{
    Suite *s = suite_create("rebuild");
    TCase *c = tcase_create("rebuild");
    tcase_add_test(c, it_follows_the_input);
    tcase_add_test(c, a_fold_does_not_see_itself);
    tcase_add_test(c, folds_hold_all_samples);
    suite_add_tcase(s, c);
    return s;
}
