#include "tests.h"

#include "darc/isolate.h"
#include "models.h"
#include "weakbench.h"

static darc_table *record(double m, double c, double d, uint64_t seed)
{
    case_options o = {
        .seconds = 8, .rate = 500, .noise = 0.01, .scale = {m, c, d, 1}};
    uint64_t exact = seed, state = seed * 77 + 5;
    darc_table *t = case_table(CASE_QUARTER, &o, &exact, &state);
    t->signal[0].name = strdup("a");
    t->signal[1].name = strdup("z");
    return t;
}

/* Isolate the change from (1, 1, 1) to scales m, c, d; "m|c" lists the
 * diagnosis, "/" before what is equivalent to the first. */
static void check(double m, double c, double d, const char *want)
{
    darc_model *model = model_of(model_quarter);
    darc_ioeqs_t io;
    ck_assert_int_eq(
        darc_ioeqs_init(io, model, NULL, DARC_ENGINE_AUTO, NULL, NULL),
        DARC_OK);
    darc_table *a = record(1, 1, 1, 3), *b = record(m, c, d, 4);
    darc_weakcheck_options o;
    darc_weakcheck_options_init(&o);
    darc_isolate out;
    ck_assert_int_eq(darc_isolate_run(&out, model, io, a, b, &o, 0, NULL, NULL),
                     DARC_OK);
    darc_text_t t;
    darc_text_init(t);
    for (int i = 0; i < out.diagnosis; i++) {
        darc_text_puts(t, i > 0 ? "|" : "");
        darc_parameter_set_print(t, &out.candidate[i].changed, io->jet->names);
        for (int k = 0; k < out.candidate[i].equivalents; k++) {
            darc_text_putc(t, '/');
            darc_parameter_set_print(t, out.candidate[i].equivalent + k,
                                     io->jet->names);
        }
    }
    ck_assert_str_eq(t->s, want);
    darc_text_clear(t);
    darc_isolate_clear(&out);
    weakbench_release(a);
    weakbench_release(b);
    darc_ioeqs_clear(io);
    darc_model_free(model);
}

START_TEST(nothing_changed)
{
    check(1, 1, 1, "");
}
END_TEST

/* What m does, c and d can do together, as well as pairs with m. */
START_TEST(a_mass_is_isolated)
{
    check(1.02, 1, 1, "{m}/{c, d}");
}
END_TEST

START_TEST(a_spring_is_isolated)
{
    check(1, 1.03, 1, "{c}/{m, d}");
}
END_TEST

/* Any pair of ratios is made by any two parameters. */
START_TEST(two_changes_are_ambiguous)
{
    darc_model *model = model_of(model_quarter);
    darc_ioeqs_t io;
    ck_assert_int_eq(
        darc_ioeqs_init(io, model, NULL, DARC_ENGINE_AUTO, NULL, NULL),
        DARC_OK);
    darc_table *a = record(1, 1, 1, 3), *b = record(1.05, 1, 1.1, 4);
    darc_weakcheck_options o;
    darc_weakcheck_options_init(&o);
    darc_isolate out;
    ck_assert_int_eq(darc_isolate_run(&out, model, io, a, b, &o, 0, NULL, NULL),
                     DARC_OK);
    ck_assert_int_eq(out.equal.verdict, DARC_INCONSISTENT);
    ck_assert_int_eq(out.diagnosis, 3);
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(out.candidate[i].changed.count, 2);
        ck_assert(out.candidate[i].free);
    }
    ck_assert_ptr_nonnull(strstr(out.equal.reason, "ambiguous"));
    darc_isolate_clear(&out);
    weakbench_release(a);
    weakbench_release(b);
    darc_ioeqs_clear(io);
    darc_model_free(model);
}
END_TEST

Suite *suite_isolate(void)
{
    Suite *s = suite_create("isolate");
    TCase *c = tcase_create("isolate");
    tcase_add_test(c, nothing_changed);
    tcase_add_test(c, a_mass_is_isolated);
    tcase_add_test(c, a_spring_is_isolated);
    tcase_add_test(c, two_changes_are_ambiguous);
    suite_add_tcase(s, c);
    return s;
}
