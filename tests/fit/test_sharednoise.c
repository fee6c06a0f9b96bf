/* Noise that measured signals and those derived from them share. */
#include "tests.h"

#include "models.h"
#include "simulation.h"

#include "base/mem.h"
#include "fit/sharednoise.h"
#include "session/session.h"

#include <string.h>

static const char tanks[] =
    "model tanks\nstates\n h1 h2\nparameters\n A1 A2 a1 a2\ninputs\n q\n"
    "outputs\n y1 y2\nequations\n A1*h1' = q - a1*sqrt(h1 - h2)\n"
    " A2*h2' = a1*sqrt(h1 - h2) - a2*sqrt(h2)\n y1 = h1\n y2 = h2\n";

/* ---- which noises are shared ----------------------------------------------
 */

START_TEST(signals_with_a_common_source_are_counted)
{
    static const char text[] =
        "model m\nparameters\n a b c\ninputs\n u\noutputs\n y z\n"
        "derived\n r = sqrt(y - z)\n s = r^2\n t = sin(u)\n"
        "equations\n y' = a*r + b*s + c*t\n z' = u\n";
    static const struct {
        const char *held, *noisy;
        int times[6]; /* u y z r s t */
    } row[] = {{"uyzrst", "uyzrst", {2, 3, 3, 3, 3, 2}},
               {"uyrt", "uyrt", {2, 2, 1, 2, 1, 2}},
               {"yrs", "yr", {1, 2, 1, 2, 1, 1}},
               {"uz", "uz", {1, 1, 1, 1, 1, 1}}};
    static const char names[] = "uyzrst";
    darc_model *model = model_of(text);
    const darc_names_struct *all = darc_model_names(model);
    darc_weakfit f = {.unknowns = all->count};
    int column[16], at[6];
    f.noise = darc_calloc((size_t)all->count, sizeof *f.noise);
    for (int u = 0; u < all->count; u++)
        column[u] = -1;
    for (int k = 0; k < 6; k++) {
        at[k] = darc_names_find(all, names + k, 1);
        column[at[k]] = strchr(row[_i].held, names[k]) != NULL ? k : -1;
        if (strchr(row[_i].noisy, names[k]) != NULL)
            darc_noisemodel_init(f.noise + at[k], 0.1);
    }
    darc_sharednoise_count(&f, model, column);
    for (int k = 0; k < 6; k++)
        ck_assert_int_eq(f.times[at[k]], row[_i].times[k]);
    darc_weakfit_clear(&f);
    darc_model_free(model);
}
END_TEST

/* ---- verdicts -------------------------------------------------------------
 */

static darc_table *record(unsigned seed, const char *param)
{
    simulation j = {.model = tanks,
                    .param = param,
                    .init = "h1=2 h2=1",
                    .input = "q=constant:1+multisine:0.2,0.01,0.3",
                    .t_end = 100,
                    .rate = 20,
                    .noise = 0.005,
                    .rtol = 1e-10,
                    .seed = seed};
    return simulation_make(&j);
}

static darc_verdict verdict(const char *text, unsigned seed)
{
    darc_session *s;
    darc_model *model = model_of(text);
    ck_assert_int_eq(darc_session_new(&s, model, NULL, NULL, NULL), DARC_OK);
    darc_table *t = record(seed, "A1=1 A2=1.5 a1=1 a2=1");
    ck_assert_int_eq(darc_session_add_take(s, t, NULL), DARC_OK);
    ck_assert_int_eq(darc_session_check(s, DARC_STRUCTURE, NULL), DARC_OK);
    darc_verdict v = darc_session_verdict(s);
    darc_session_free(s);
    darc_model_free(model);
    return v;
}

/* sqrt(y1 - y2), sqrt(y2) and y2 carry the noise of y2: taken as independent
 * it is a third too small. */
START_TEST(a_right_model_is_not_refused)
{
    ck_assert_int_ne(verdict(tanks, 1 + 2 * (unsigned)_i), DARC_INCONSISTENT);
}
END_TEST

START_TEST(a_wrong_model_is_refused)
{
    static const char wrong[] =
        "model wrong\nstates\n h1 h2\nparameters\n A1 A2 a1 a2\ninputs\n q\n"
        "outputs\n y1 y2\nequations\n A1*h1' = q - a1*sqrt(h1 - h2)\n"
        " A2*h2' = a1*sqrt(h1 - h2) - a2*h2\n y1 = h1\n y2 = h2\n";
    ck_assert_int_eq(verdict(wrong, 1), DARC_INCONSISTENT);
}
END_TEST

Suite *suite_sharednoise(void)
{
    Suite *s = suite_create("sharednoise");
    TCase *t = tcase_create("sharednoise");
    tcase_add_loop_test(t, signals_with_a_common_source_are_counted, 0, 4);
    tcase_add_loop_test(t, a_right_model_is_not_refused, 0, 4);
    tcase_add_test(t, a_wrong_model_is_refused);
    suite_add_tcase(s, t);
    return s;
}
