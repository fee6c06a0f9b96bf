#include "tests.h"

#include "models.h"
#include "weakbench.h"

#include "fit/weakfit.h"

static void structure(darc_weakcheck *out, weakbench *b, const case_options *o,
                      const darc_weakcheck_options *w)
{
    darc_table *t = weakbench_record(b, o);
    weakbench_structure(out, b, t, w);
    weakbench_release(t);
}

static darc_verdict pair(weakbench *b, const case_options *oa,
                         const case_options *ob, const char *changed,
                         double tolerance)
{
    darc_weakcheck out;
    darc_table *ta = weakbench_record(b, oa), *tb = weakbench_record(b, ob);
    weakbench_pair(&out, b, (const darc_table *[]){ta, tb}, changed, tolerance);
    darc_verdict v = out.decision.verdict;
    ck_assert_uint_gt(strlen(out.decision.reason), 10);
    ck_assert_int_eq(out.estimates, 2);
    darc_weakcheck_clear(&out);
    weakbench_release(ta);
    weakbench_release(tb);
    return v;
}

START_TEST(a_right_structure_is_consistent)
{
    weakbench b;
    weakbench_open(&b, model_quarter, 0);
    darc_weakcheck out;
    darc_weakcheck_options w = weakbench_tolerance(0);
    structure(&out, &b, &weakbench_usual, &w);
    ck_assert_int_eq(out.decision.verdict, DARC_CONSISTENT);
    ck_assert_double_gt(out.decision.p_value, 0.01);
    ck_assert_double_lt(out.decision.detectable, 0.02);
    ck_assert_int_eq(out.estimates, 2);
    for (int i = 0; i < 2; i++) {
        const darc_estimate *e = out.estimate + i;
        double want = strcmp(e->function, "c/m") == 0 ? 20000 / 300.0 : 5;
        ck_assert_double_eq_tol(e->value_a, want, 4.5 * e->sd_a);
        ck_assert_double_lt(e->sd_a, 0.01 * want);
    }
    ck_assert_int_eq(out.missing, 0);
    darc_weakcheck_clear(&out);
    weakbench_close(&b);
}
END_TEST

/* How the note on the noise of z begins, behind its name. */
static bool noise_is(const darc_weakcheck *out, const char *text)
{
    static const char begin[] = "noise of z: ";
    for (int i = 0; i < out->notes; i++)
        if (strncmp(out->note[i], begin, strlen(begin)) == 0)
            return strncmp(out->note[i] + strlen(begin), text, strlen(text)) ==
                   0;
    return false;
}

START_TEST(noise_says_where_it_is_from)
{
    weakbench b;
    weakbench_open(&b, model_quarter, 0);
    darc_weakcheck out;
    darc_weakcheck_options w = weakbench_tolerance(0);
    case_options exact = weakbench_usual;
    exact.noise = 0;
    double sd[] = {NAN, NAN, NAN, NAN, 0.02};
    structure(&out, &b, &weakbench_usual, &w);
    ck_assert(noise_is(&out, "white, sd 0.01"));
    darc_weakcheck_clear(&out);
    structure(&out, &b, &exact, &w);
    ck_assert(noise_is(&out, "floor, sd "));
    darc_weakcheck_clear(&out);
    ck_assert_int_eq(darc_names_find(darc_model_names(b.model), "z", 1), 4);
    w.noise_sd = sd;
    structure(&out, &b, &weakbench_usual, &w);
    ck_assert(noise_is(&out, "given, sd 0.02"));
    darc_weakcheck_clear(&out);
    weakbench_close(&b);
}
END_TEST

/* Low-pass noise is no defect, and hides none. */
START_TEST(low_pass_noise_is_told_from_a_defect)
{
    weakbench b;
    weakbench_open(&b,
                   "model duffing\nparameters\n m d k k3\noutputs\n a\n"
                   "inputs\n z\nequations\n"
                   "m*a'' + d*a' + k*a + k3*a^3 = z\n",
                   0);
    for (int i = 0; i < 2; i++) {
        case_options o = {.seconds = 40,
                          .rate = 250,
                          .noise = 0.01,
                          .kind = NOISE_LOWPASS,
                          .scale = {1, 1, 1, 1}};
        darc_weakcheck out;
        darc_weakcheck_options w = weakbench_tolerance(0);
        darc_table *t = case_table(CASE_DUFFING, &o, &b.exact, &b.state);
        t->signal[0].name = strdup("a");
        t->signal[1].name = strdup("z");
        if (i == 1) /* a fifth power that the model does not have */
            for (size_t k = 0; k < t->samples; k++)
                t->signal[1].value[k] += pow(t->signal[0].value[k], 5);
        weakbench_structure(&out, &b, t, &w);
        ck_assert_int_eq(out.decision.verdict,
                         i == 0 ? DARC_CONSISTENT : DARC_INCONSISTENT);
        if (i == 0)
            ck_assert_ptr_nonnull(strstr(out.decision.reason, "spectrum"));
        darc_weakcheck_clear(&out);
        weakbench_release(t);
    }
    weakbench_close(&b);
}
END_TEST

START_TEST(a_missing_cube_is_named)
{
    weakbench b;
    weakbench_open(&b, model_quarter, 0);
    darc_weakcheck out;
    darc_weakcheck_options w = weakbench_tolerance(0);
    case_options o = weakbench_usual;
    o.missing = 0.05;
    structure(&out, &b, &o, &w);
    ck_assert_int_eq(out.decision.verdict, DARC_INCONSISTENT);
    ck_assert_int_ge(out.missing, 1);
    ck_assert_str_eq(out.missing_term[0].term, "z^3");
    ck_assert_double_gt(out.missing_term[0].explains, 0.8);
    ck_assert_double_lt(out.missing_term[0].p_value, 1e-4);
    darc_weakcheck_clear(&out);

    w.tolerance = 0.2; /* which the user does not mind */
    structure(&out, &b, &o, &w);
    ck_assert_int_eq(out.decision.verdict, DARC_CONSISTENT);
    darc_weakcheck_clear(&out);
    weakbench_close(&b);
}
END_TEST

/* A directed test finds what the omnibus test does not. */
START_TEST(a_directed_test_is_sharper)
{
    weakbench b;
    weakbench_open(&b, model_quarter, 0);
    darc_weakcheck out;
    darc_weakcheck_options w = weakbench_tolerance(0);
    case_options o = weakbench_usual;
    o.missing = 0.0025;
    structure(&out, &b, &o, &w);
    ck_assert_int_eq(out.decision.verdict, DARC_CONSISTENT);
    darc_weakcheck_clear(&out);
    w.against = 1;
    w.against_term = (const char *const[]){"z^3"};
    structure(&out, &b, &o, &w);
    ck_assert_int_eq(out.decision.verdict, DARC_INCONSISTENT);
    darc_weakcheck_clear(&out);
    structure(&out, &b, &weakbench_usual, &w);
    ck_assert_int_eq(out.decision.verdict, DARC_CONSISTENT);
    darc_weakcheck_clear(&out);
    weakbench_close(&b);
}
END_TEST

START_TEST(the_seven_examples_with_noise)
{
    weakbench b;
    weakbench_open(&b, model_quarter, 0);
    case_options heavy = weakbench_usual, damped = weakbench_usual,
                 common = weakbench_usual;
    heavy.scale[0] = damped.scale[0] = common.scale[0] = 305.0 / 300;
    damped.scale[2] = common.scale[2] = 1.1;
    common.scale[1] = 1.1;
    ck_assert_int_eq(pair(&b, &weakbench_usual, &weakbench_usual, NULL, 0),
                     DARC_CONSISTENT);
    ck_assert_int_eq(pair(&b, &weakbench_usual, &heavy, NULL, 0),
                     DARC_INCONSISTENT);
    ck_assert_int_eq(pair(&b, &weakbench_usual, &heavy, "m", 0),
                     DARC_CONSISTENT);
    ck_assert_int_eq(pair(&b, &weakbench_usual, &damped, "m", 0),
                     DARC_INCONSISTENT);
    ck_assert_int_eq(pair(&b, &weakbench_usual, &common, "m", 0),
                     DARC_CONSISTENT);
    weakbench_close(&b);
}
END_TEST

START_TEST(a_tolerance_has_three_answers)
{
    weakbench b;
    weakbench_open(&b, model_quarter, 0);
    case_options a = weakbench_usual;
    a.scale[0] = 1.01;
    ck_assert_int_eq(pair(&b, &weakbench_usual, &a, NULL, 0.02),
                     DARC_CONSISTENT);
    a.scale[0] = 1.02;
    ck_assert_int_eq(pair(&b, &weakbench_usual, &a, NULL, 0.02),
                     DARC_UNDECIDED);
    a.scale[0] = 1.03;
    ck_assert_int_eq(pair(&b, &weakbench_usual, &a, NULL, 0.02),
                     DARC_INCONSISTENT);
    weakbench_close(&b);
}
END_TEST

/* One slow sine moves the spring alone. */
START_TEST(poor_excitation_is_undecided)
{
    weakbench b;
    weakbench_open(&b, model_quarter, 0);
    darc_table *t = weakbench_record(&b, &weakbench_usual);
    for (size_t i = 0; i < t->samples; i++) {
        double x = sin(2 * (double)i * t->dt + 0.3);
        t->signal[1].value[i] = x + 0.2 * case_normal(&b.state);
        t->signal[0].value[i] = 66.7 * x + 15 * case_normal(&b.state);
    }
    darc_weakcheck out;
    darc_weakcheck_options w = weakbench_tolerance(0);
    weakbench_structure(&out, &b, t, &w);
    ck_assert_int_eq(out.decision.verdict, DARC_UNDECIDED);
    darc_weakcheck_clear(&out);
    weakbench_release(t);
    weakbench_close(&b);
}
END_TEST

/* A sensor is dead, both are, or nothing moves: no verdict, neither alone nor
 * against another recording. */
START_TEST(what_is_not_excited_is_undecided)
{
    static const struct {
        double a, z;
        bool moves[2];
        const char *reason;
    } at[] = {{0, 0, {true, false}, "the signal 'z': it is 0"},
              {0, 0, {false, true}, "the signal 'a': it is 0"},
              {0, 0, {false, false}, "no signal moves"},
              {9.81, 0.1, {false, false}, "no signal moves"}};
    weakbench b;
    weakbench_open(&b, model_quarter, 0);
    darc_weakcheck out;
    darc_weakcheck_options w = weakbench_tolerance(0);
    case_options o = weakbench_usual;
    darc_table *other = weakbench_record(&b, &o);
    for (size_t i = 0; i < sizeof at / sizeof at[0]; i++) {
        darc_table *t = weakbench_record(&b, &o);
        for (size_t k = 0; k < 2 * t->samples; k++)
            if (!at[i].moves[k % 2])
                t->signal[k % 2].value[k / 2] = k % 2 == 0 ? at[i].a : at[i].z;
        weakbench_structure(&out, &b, t, &w);
        ck_assert_int_eq(out.decision.verdict, DARC_UNDECIDED);
        ck_assert_msg(strstr(out.decision.reason, at[i].reason) != NULL, "%s",
                      out.decision.reason);
        ck_assert(isnan(out.decision.p_value) && isnan(out.decision.dof));
        ck_assert_ptr_nonnull(out.form);
        darc_weakcheck_clear(&out);
        weakbench_pair(&out, &b, (const darc_table *[]){other, t}, NULL, 0);
        ck_assert_int_eq(out.decision.verdict, DARC_UNDECIDED);
        ck_assert_ptr_nonnull(strstr(out.decision.reason, at[i].reason));
        darc_weakcheck_clear(&out);
        weakbench_release(t);
    }
    weakbench_release(other);
    weakbench_close(&b);
}
END_TEST

/* Two signals of noise alone: a share of the leading term is unknown, not
 * impossible. */
START_TEST(noise_alone_is_undecided)
{
    weakbench b;
    weakbench_open(&b, model_quarter, 0);
    darc_weakcheck out;
    darc_weakcheck_options w = weakbench_tolerance(0);
    for (int i = 0; i < 20; i++) {
        darc_table *t = weakbench_record(&b, &weakbench_usual);
        for (size_t k = 0; k < 2 * t->samples; k++)
            t->signal[k % 2].value[k / 2] = case_normal(&b.state);
        weakbench_structure(&out, &b, t, &w);
        ck_assert_int_eq(out.decision.verdict, DARC_UNDECIDED);
        ck_assert(out.decision.defect >= 0);
        ck_assert(out.decision.defect_low >= 0);
        ck_assert(out.decision.defect_high >= out.decision.defect);
        ck_assert(out.decision.detectable > 0.1);
        darc_weakcheck_clear(&out);
        weakbench_release(t);
    }
    weakbench_close(&b);
}
END_TEST

/* Two columns of one signal: the coefficient of its derivative is 0, and with
 * it the one that ratios refer to. */
START_TEST(copies_of_a_signal_are_undecided)
{
    weakbench b;
    weakbench_open(&b,
                   "model copies\nparameters\n d m c\noutputs\n a\n"
                   "inputs\n z\nequations\n d*z' = m*a + c*z\n",
                   0);
    darc_weakcheck out;
    darc_weakcheck_options w = weakbench_tolerance(0);
    case_options o = weakbench_usual;
    darc_table *t = weakbench_record(&b, &o), *u = weakbench_record(&b, &o);
    memcpy(t->signal[0].value, t->signal[1].value,
           t->samples * sizeof *t->signal[0].value);
    weakbench_structure(&out, &b, t, &w);
    ck_assert_int_eq(out.decision.verdict, DARC_UNDECIDED);
    for (int i = 0; i < out.estimates; i++)
        ck_assert(out.estimate[i].sd_a >= 0);
    darc_weakcheck_clear(&out);
    weakbench_pair(&out, &b, (const darc_table *[]){u, t}, NULL, 0);
    ck_assert_int_eq(out.decision.verdict, DARC_UNDECIDED);
    darc_weakcheck_clear(&out);
    weakbench_release(t);
    weakbench_release(u);
    weakbench_close(&b);
}
END_TEST

/* a of 1e150 and z of 1e-150. */
START_TEST(an_overflow_is_an_error)
{
    weakbench b;
    weakbench_open(&b, model_quarter, 0);
    darc_weakcheck out;
    darc_weakcheck_options w = weakbench_tolerance(0);
    darc_err err;
    darc_err_init(&err);
    darc_table *t = weakbench_record(&b, &weakbench_usual);
    for (size_t k = 0; k < t->samples; k++) {
        t->signal[0].value[k] *= 1e150;
        t->signal[1].value[k] *= 1e-150;
    }
    ck_assert_int_eq(
        darc_weakcheck_structure(&out, b.model, b.io, 0, t, &w, NULL, &err),
        DARC_DATA);
    ck_assert_ptr_nonnull(strstr(err.message, "--scale"));
    weakbench_release(t);
    weakbench_close(&b);
    /* a constant that no double holds */
    weakbench_open(&b,
                   "model far\nparameters\n m c\noutputs\n a z\nequations\n"
                   " 1e300*m*a + 1e-300*m*z = c*z'\n",
                   0);
    t = weakbench_record(&b, &weakbench_usual);
    darc_err_init(&err);
    ck_assert_int_eq(
        darc_weakcheck_structure(&out, b.model, b.io, 0, t, &w, NULL, &err),
        DARC_DOMAIN);
    ck_assert_ptr_nonnull(strstr(err.message, "double precision"));
    weakbench_release(t);
    weakbench_close(&b);
}
END_TEST

START_TEST(failures_name_what_is_wrong)
{
    weakbench b;
    weakbench_open(&b, model_quarter, 0);
    darc_weakcheck out;
    darc_weakcheck_options w = weakbench_tolerance(0);
    darc_err err;
    darc_table *t = weakbench_record(&b, &weakbench_usual);
    static const char *const wrong[] = {"q^3", "z^", "z*a*z*a*z", "sign(z",
                                        "sign(m)"};
    w.against = 1;
    for (int i = 0; i < 5; i++) {
        darc_err_init(&err);
        w.against_term = wrong + i;
        ck_assert_int_eq(
            darc_weakcheck_structure(&out, b.model, b.io, 0, t, &w, NULL, &err),
            DARC_DOMAIN);
        ck_assert_ptr_nonnull(strstr(err.message, wrong[i]));
    }
    darc_err_init(&err);
    strcpy(t->signal[1].name, "y");
    ck_assert_int_eq(
        darc_weakcheck_structure(&out, b.model, b.io, 0, t, &w, NULL, &err),
        DARC_DOMAIN);
    ck_assert_ptr_nonnull(strstr(err.message, "no signal 'z'"));
    weakbench_release(t);
    weakbench_close(&b);
}
END_TEST

/* Sums stand in parentheses, below a slash products too, of numbers as well. */
START_TEST(ratios_read_as_they_are_meant)
{
    static const char *const wanted[] = {"c/(2*m^2)", "(c + d)/(2*m^2)",
                                         "3*c*d/(2*m^2)"};
    weakbench b;
    weakbench_open(&b,
                   "model r\nparameters\n    m c d\noutputs\n    a z\n"
                   "equations\n    2*m^2*a = c*z + (c + d)*z' + "
                   "3*c*d*z^2\n",
                   0);
    int found = 0, leading = -1;
    for (int j = 0; j < (int)b.io->eq[0].coeff->count; j++) {
        darc_text_t text;
        darc_text_init(text);
        darc_dpoly_print(text, b.io->eq[0].coeff->p + j, b.io->jet);
        if (strcmp(text->s, "2*m^2") == 0)
            leading = j;
        darc_text_clear(text);
    }
    ck_assert_int_ge(leading, 0);
    for (int j = 0; j < (int)b.io->eq[0].coeff->count; j++) {
        darc_text_t text;
        darc_text_init(text);
        darc_weakfit_ratio(text, b.io, 0, j, leading, NULL);
        for (int k = 0; k < 3; k++)
            found += strcmp(text->s, wanted[k]) == 0;
        ck_assert_ptr_null(strstr(text->s, "/2"));
        darc_text_clear(text);
        double factor;
        darc_weakfit_ratio(text, b.io, 0, j, leading, &factor);
        ck_assert_ptr_null(strstr(text->s, "2*"));
        if (strcmp(text->s, "c*d/m^2") == 0)
            ck_assert_double_eq(fabs(factor), 1.5);
        darc_text_clear(text);
    }
    ck_assert_int_ge(found, 1);
    weakbench_close(&b);
}
END_TEST

Suite *suite_weakcheck(void)
{
    Suite *s = suite_create("weakcheck");
    TCase *c = tcase_create("weakcheck");
    tcase_add_test(c, a_right_structure_is_consistent);
    tcase_add_test(c, noise_says_where_it_is_from);
    tcase_add_test(c, low_pass_noise_is_told_from_a_defect);
    tcase_add_test(c, a_missing_cube_is_named);
    tcase_add_test(c, a_directed_test_is_sharper);
    tcase_add_test(c, the_seven_examples_with_noise);
    tcase_add_test(c, a_tolerance_has_three_answers);
    tcase_add_test(c, poor_excitation_is_undecided);
    tcase_add_test(c, what_is_not_excited_is_undecided);
    tcase_add_test(c, noise_alone_is_undecided);
    tcase_add_test(c, copies_of_a_signal_are_undecided);
    tcase_add_test(c, an_overflow_is_an_error);
    tcase_add_test(c, failures_name_what_is_wrong);
    tcase_add_test(c, ratios_read_as_they_are_meant);
    suite_add_tcase(s, c);
    return s;
}
