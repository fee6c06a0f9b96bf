#include "weakbench.h"

#include "eliminate/eliminate.h"
#include "models.h"

#include <check.h>

const case_options weakbench_usual = {
    .seconds = 10, .rate = 500, .noise = 0.01, .scale = {1, 1, 1, 1}};

void weakbench_open(weakbench *b, const char *model, uint64_t seed)
{
    *b = (weakbench){.exact = 71 + seed, .state = 29 + 101 * seed};
    b->model = model_of(model);
    ck_assert_int_eq(
        darc_ioeqs_init(b->io, b->model, NULL, DARC_ENGINE_AUTO, NULL, NULL),
        DARC_OK);
}

void weakbench_close(weakbench *b)
{
    darc_ioeqs_clear(b->io);
    darc_model_free(b->model);
}

darc_table *weakbench_record(weakbench *b, const case_options *o)
{
    darc_table *t = case_table(CASE_QUARTER, o, &b->exact, &b->state);
    t->signal[0].name = strdup("a");
    t->signal[1].name = strdup("z");
    return t;
}

void weakbench_release(darc_table *t)
{
    for (int i = 0; i < t->signals; i++)
        free(t->signal[i].name);
    case_free(t);
}

darc_weakcheck_options weakbench_tolerance(double tolerance)
{
    darc_weakcheck_options w;
    darc_weakcheck_options_init(&w);
    w.tolerance = tolerance;
    return w;
}

void weakbench_structure(darc_weakcheck *out, weakbench *b, const darc_table *t,
                         const darc_weakcheck_options *w)
{
    ck_assert_int_eq(
        darc_weakcheck_structure(out, b->model, b->io, 0, t, w, NULL, NULL),
        DARC_OK);
}

void weakbench_pair(darc_weakcheck *out, weakbench *b,
                    const darc_table *const pair[2], const char *changed,
                    double tolerance)
{
    darc_weakcheck_options w = weakbench_tolerance(tolerance);
    const darc_names_struct *names = darc_model_names(b->model);
    bool set[16] = {false};
    for (const char *s = changed; s != NULL && *s != '\0'; s++)
        set[darc_names_find(names, s, 1)] = true;
    ck_assert_int_eq(darc_weakcheck_pair(out, b->model, b->io, 0, pair[0],
                                         pair[1], changed == NULL ? NULL : set,
                                         &w, NULL, NULL),
                     DARC_OK);
}
