/* What a recording says of a structure: tests that share the level. */
#include "tests.h"

#include "decide/evidence.h"
#include "decide/thresholds.h"
#include "models.h"
#include "stats/stats.h"
#include "weakbench.h"

static const char bound[] = "model bound\nparameters\n p\noutputs\n a z\n"
                            "equations\n 3*a = 8*p^2*z + 3*p*z'\n";
static const char *const cube[] = {"z^3"};

static void open(darc_evidence *e, weakbench *b, const case_options *o)
{
    darc_table *t = weakbench_record(b, o);
    ck_assert_int_eq(darc_evidence_init(e, &b->x, t, NULL), DARC_OK);
    weakbench_release(t);
}

static double least(const darc_evidence *e)
{
    double p = 1;
    for (int i = 0; i < e->missing.count; i++)
        p = fmin(p, e->missing.term[i].p_value);
    return p;
}

/* Where noise is estimated with the equations terms, what no term stands for
 * and relations share the level, and the residual decides nothing. */
START_TEST(tests_share_the_level)
{
    static const struct {
        const char *model;
        int against;
        double residual, missing;
    } row[] = {{model_quarter, 0, 1 - DARC_SIDE_SHARE, 1 - DARC_SIDE_SHARE},
               {bound, 0, 1 - 2 * DARC_SIDE_SHARE, 1 - 2 * DARC_SIDE_SHARE},
               {model_quarter, 1, DARC_SIDE_SHARE, 1},
               {bound, 1, DARC_SIDE_SHARE, 1 - DARC_SIDE_SHARE}};
    for (int i = 0; i < 4; i++) {
        weakbench b;
        darc_evidence e;
        weakbench_open(&b, row[i].model, 2);
        b.by.against = row[i].against;
        b.by.against_term = cube;
        open(&e, &b, &weakbench_usual);
        double relations = e.bind.count > 0 ? e.bound.p_value : 1;
        ck_assert_int_eq(e.bind.count > 0, row[i].model == bound);
        ck_assert_double_eq_tol(e.level, row[i].residual, 1e-12);
        ck_assert_double_eq_tol(e.p_residual,
                                fmin(1, e.fit.white.p_value / row[i].residual),
                                1e-12);
        ck_assert_double_eq_tol(e.p_missing,
                                fmin(1, least(&e) / row[i].missing), 1e-12);
        ck_assert_double_eq_tol(e.p_relations,
                                fmin(1, relations / DARC_SIDE_SHARE), 1e-12);
        ck_assert(!e.sure);
        ck_assert_double_eq(e.p_value,
                            fmin(fmin(e.p_missing, e.p_past), e.p_relations));
        darc_evidence_clear(&e);
        weakbench_close(&b);
    }
}
END_TEST

/* What would be found with a probability of .9 is: twice of it in all of 8
 * recordings but one (P = 1e-5 for more), a third of it in half at most. */
START_TEST(a_detectable_defect_is_detected)
{
    static const double times[] = {2, 0.3};
    int found[2] = {0, 0};
    weakbench b;
    weakbench_open(&b, model_quarter, 4);
    case_options o = weakbench_usual;
    o.seconds = 4;
    o.rate = 250;
    darc_evidence e;
    open(&e, &b, &o);
    double detectable = darc_evidence_detectable(&e, 0);
    darc_evidence_clear(&e);
    o.noise = 1e-5; /* what is left of a cube of 1 %, and how much of it is */
    o.missing = 0.01;
    open(&e, &b, &o);
    double left = e.est.eq->defect.defect / o.missing;
    darc_evidence_clear(&e);
    o.noise = weakbench_usual.noise;
    for (int i = 0; i < 2; i++)
        for (int run = 0; run < 8; run++) {
            o.missing = times[i] * detectable / left;
            open(&e, &b, &o);
            found[i] += e.p_residual < 0.01;
            darc_evidence_clear(&e);
        }
    ck_assert_int_ge(found[0], 7);
    ck_assert_int_le(found[1], 4);
    weakbench_close(&b);
}
END_TEST

START_TEST(noise_hides_defects)
{
    double last = 0;
    weakbench b;
    weakbench_open(&b, model_quarter, 4);
    case_options o = weakbench_usual;
    for (o.noise = 0.001; o.noise < 0.2; o.noise *= 5) {
        darc_evidence e;
        open(&e, &b, &o);
        double now = darc_evidence_detectable(&e, 0);
        ck_assert_double_gt(now, 2 * last);
        last = now;
        darc_evidence_clear(&e);
        b.by.against = 1;
        b.by.against_term = cube;
        open(&e, &b, &o);
        ck_assert_double_lt(darc_evidence_detectable(&e, 0), now);
        darc_evidence_clear(&e);
        b.by.against = 0;
    }
    weakbench_close(&b);
}
END_TEST

/* What a term makes for certain is no more than what is left of it; where the
 * model holds within the tolerance none is looked for. */
START_TEST(a_term_makes_a_share_for_certain)
{
    weakbench b;
    darc_evidence e;
    case_options o = weakbench_usual;
    double low = 0;
    weakbench_open(&b, model_quarter, 4);
    o.missing = 0.05;
    open(&e, &b, &o);
    const darc_missing *m = darc_evidence_term(&e, 0, &low);
    ck_assert(m != NULL && m->p_value < 0.01);
    ck_assert(0 < low && low < e.est.eq->defect.defect);
    ck_assert_double_gt(low, 0.3 * e.est.eq->defect.defect);
    ck_assert(e.unsearched[0] == '\0');
    darc_evidence_clear(&e);
    b.by.tolerance = 0.2;
    open(&e, &b, &o);
    ck_assert(e.missing.tested == 0);
    ck_assert_ptr_null(darc_evidence_term(&e, 0, &low));
    darc_evidence_clear(&e);
    b.by.tolerance = 0;
    int named = 0;
    for (int run = 0; run < 5; run++) { /* of 5 at .01: P = .001 for two */
        open(&e, &b, &weakbench_usual);
        ck_assert(e.missing.tested > 10);
        named += darc_evidence_term(&e, 0, &low) != NULL;
        darc_evidence_clear(&e);
    }
    ck_assert_int_le(named, 1);
    weakbench_close(&b);
}
END_TEST

Suite *suite_evidence(void)
{
    Suite *s = suite_create("evidence");
    TCase *c = tcase_create("evidence");
    tcase_add_test(c, tests_share_the_level);
    tcase_add_test(c, a_detectable_defect_is_detected);
    tcase_add_test(c, noise_hides_defects);
    tcase_add_test(c, a_term_makes_a_share_for_certain);
    suite_add_tcase(s, c);
    return s;
}
