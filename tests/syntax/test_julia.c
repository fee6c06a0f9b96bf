/* @ODEmodel of Julia, read; and what darc writes, read again. */
#include "files.h"
#include "models.h"
#include "tests.h"

#include "base/mem.h"

#include <string.h>

static const char sir[] =
    "using StructuralIdentifiability # as published\n"
    "\n"
    "ode = @ODEmodel(\n"
    "    S'(t) = -b * S(t) * I(t) // N, # a comment (with t)\n"
    "    I'(t) = b * S(t) * I(t) // N\n"
    "        - g * I(t) + u(t),\n"
    "    y(t) = k * I(t)\n"
    ")\n"
    "println(assess_identifiability(ode))\n";

static const char same[] = "model sir\nstates\n S I\nparameters\n b N g k\n"
                           "inputs\n u\noutputs\n y\nequations\n"
                           " S' = -b*S*I/N\n I' = b*S*I/N - g*I + u\n"
                           " y = k*I\n";

static darc_model *read_as(const char *text, const char *file, darc_err *err)
{
    darc_model *model = NULL;
    (void)!darc_model_parse(&model, text, strlen(text), file, err);
    return model;
}

/* Return the model as an @ODEmodel, which names differ in no way. */
static char *julia_of(darc_model *model)
{
    darc_text_t out = DARC_TEXT;
    ck_assert_ptr_nonnull(model);
    ck_assert_int_eq(darc_model_translate(out, model, DARC_TO_JULIA, NULL),
                     DARC_OK);
    darc_model_free(model);
    return darc_text_take(out);
}

START_TEST(macro)
{
    darc_model *model = read_as(sir, "sir.jl", NULL);
    ck_assert_ptr_nonnull(model);
    ck_assert_str_eq(darc_model_name(model), "sir");
    const darc_names_struct *names = darc_model_names(model);
    for (int u = 0; u < names->count; u++) {
        const char *name = names->symbol[u].name;
        darc_kind kind = *name == 'S' || *name == 'I' ? DARC_STATE
                         : *name == 'y'               ? DARC_OUTPUT
                         : *name == 'u'               ? DARC_INPUT
                                                      : DARC_PARAMETER;
        ck_assert_int_eq(names->symbol[u].kind, kind);
    }
    ck_assert_int_eq(names->count, 8);
    char *one = julia_of(model), *two = julia_of(model_of(same));
    ck_assert_str_eq(one, two);
    darc_model *again = read_as(one, "again.jl", NULL);
    ck_assert_ptr_nonnull(again);
    darc_model_free(again);
    darc_free(one);
    darc_free(two);
}
END_TEST

START_TEST(refused)
{
    static const char *const of[][2] = {
        {"x = 3\n", "m.jl:1:1: error: a file in Julia holds a model as "},
        {"@ODEmodel(\n x'(t) = -a*x(t)\n y(t) = x(t))\n",
         "m.jl:3:2: error: expected ',' or ')' after an equation"},
        {"@ODEmodel(x'(t) = -a*x(t), a*y(t) = x(t))\n",
         "m.jl:1:28: error: expected x'(t) of a state"},
        {"@ODEmodel(x'(t) = -a*x(t), y(t) = x(t)\n",
         "m.jl:2:1: error: expected ',' or ')' after an equation"}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        darc_err err = {DARC_OK, ""};
        ck_assert_ptr_null(read_as(of[i][0], "m.jl", &err));
        ck_assert_msg(strncmp(err.message, of[i][1], strlen(of[i][1])) == 0,
                      "%s", err.message);
    }
}
END_TEST

Suite *suite_julia(void)
{
    Suite *s = suite_create("julia");
    TCase *c = tcase_create("julia");
    tcase_add_test(c, macro);
    tcase_add_test(c, refused);
    suite_add_tcase(s, c);
    return s;
}
