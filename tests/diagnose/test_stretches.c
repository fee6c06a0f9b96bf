#include "tests.h"

#include "../bench/weak_cases.h"
#include "base/mem.h"
#include "diagnose/stretches.h"
#include "eliminate/eliminate.h"
#include "models.h"

/* Two recordings of a quarter car, the second with its mass times `factor`, as
 * one with a gap. */
static darc_table *two_in_one(double factor, double missing)
{
    darc_table *part[2];
    for (int i = 0; i < 2; i++) {
        case_options o = {.seconds = 5 + i,
                          .rate = 400,
                          .noise = 0.01,
                          .missing = missing,
                          .scale = {i == 1 ? factor : 1, 1, 1, 1}};
        uint64_t exact = (uint64_t)i * 31 + 7, state = (uint64_t)i * 77 + 5;
        part[i] = case_table(CASE_QUARTER, &o, &exact, &state);
    }
    size_t n = part[0]->samples, m = part[1]->samples;
    darc_table *t = part[0];
    for (int k = 0; k < t->signals; k++) {
        darc_signal *s = t->signal + k;
        s->name = darc_strdup(k == 0 ? "a" : "z");
        s->unit = darc_strdup("");
        s->value = darc_realloc(s->value, n + m, sizeof *s->value);
        memcpy(s->value + n, part[1]->signal[k].value, m * sizeof *s->value);
    }
    t->segment = darc_realloc(t->segment, 2, sizeof *t->segment);
    t->segment[t->segments++] = (darc_segment){n, n + m};
    t->samples = t->rows = n + m;
    darc_table_free(part[1]);
    return t;
}

static void find(darc_stretches *out, double factor, double missing)
{
    darc_model *model = model_of(model_quarter);
    darc_ioeqs_t io;
    darc_criteria by;
    int equation = 0;
    darc_criteria_init(&by);
    ck_assert_int_eq(
        darc_ioeqs_init(io, model, NULL, DARC_ENGINE_AUTO, NULL, NULL),
        DARC_OK);
    darc_question x = {.model = model,
                       .io = io,
                       .equations = 1,
                       .equation = &equation,
                       .by = &by};
    darc_table *t = two_in_one(factor, missing);
    ck_assert_int_eq(darc_stretches_find(out, &x, t, NULL), DARC_OK);
    darc_table_free(t);
    darc_ioeqs_clear(io);
    darc_model_free(model);
}

START_TEST(a_jump_is_dated_and_sized)
{
    darc_stretches s;
    find(&s, 1.02, 0);
    ck_assert_int_eq(s.count, 2);
    ck_assert_double_eq(s.from[1], s.to[0]);
    ck_assert_double_eq_tol(s.from[1], 5, 0.2);
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(darc_stretches_at(&s, i)->structure, DARC_CONSISTENT);
    const darc_drift_recording *r = darc_stretches_at(&s, 1);
    ck_assert_int_eq(r->verdict, DARC_INCONSISTENT);
    for (int k = 0; k < s.pair[1].functions; k++) {
        ck_assert(r->change[k].moved);
        ck_assert_double_eq_tol(r->change[k].relative, 1 / 1.02 - 1,
                                4 * r->change[k].relative_sd);
    }
    darc_stretches_clear(&s);
}
END_TEST

/* Nor is what a term that the model lacks makes of coefficients a jump. */
START_TEST(one_set_holds_all_along)
{
    for (int i = 0; i < 2; i++) {
        darc_stretches s;
        find(&s, 1, i == 0 ? 0 : 0.1);
        ck_assert_int_eq(s.count, 1);
        ck_assert_int_eq(darc_stretches_at(&s, 0)->structure,
                         i == 0 ? DARC_CONSISTENT : DARC_INCONSISTENT);
        darc_stretches_clear(&s);
    }
}
END_TEST

Suite *suite_stretches(void)
{
    Suite *s = suite_create("stretches");
    TCase *c = tcase_create("stretches");
    tcase_add_test(c, a_jump_is_dated_and_sized);
    tcase_add_test(c, one_set_holds_all_along);
    suite_add_tcase(s, c);
    return s;
}
