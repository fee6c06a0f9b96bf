/* Models in Modelica, read and written; in other languages, written. */
#include "files.h"
#include "tests.h"

#include "darc/identify.h"
#include "model/model.h"

#include <stdlib.h>
#include <string.h>

/* Modelica.Mechanics.Rotational.Examples.First of the Modelica Standard
 * Library (BSD-3-Clause), flattened by hand, its variables renamed: a shaft
 * driven by a torque, an ideal gear, a second shaft, a spring, a third with a
 * damper. */
static const char rotational[] =
    "model First \"simple drive train with grounded elements\"\n"
    "  parameter Real J1(unit=\"kg.m2\") = 1, J2(unit=\"kg.m2\") = 2;\n"
    "  parameter Real J3(final unit=\"kg.m2\", min=0) = 2;\n"
    "  parameter Real c(unit=\"N.m/rad\") = 1e4, d(unit=\"N.m.s/rad\") = 10;\n"
    "  constant Real ratio = 10 \"of the gear\";\n"
    "  input Real tau(unit=\"N.m\");\n"
    "  output Real phi1(unit=\"rad\"), phi3(unit=\"rad\");\n"
    "protected\n"
    "  Real phi2(unit=\"rad\", start=0, fixed=true);\n"
    "  Real w1(unit=\"rad/s\") = der(phi1), w2(unit=\"rad/s\") = der(phi2);\n"
    "  Real w3(unit=\"rad/s\") = der(phi3), gear(unit=\"N.m\");\n"
    "  Real spring(unit=\"N.m\") \"torque\"\n"
    "    annotation(Dialog(tab=\"x)\", group={1, 2}));\n"
    "  parameter Real f(unit=\"Hz\") = sqrt(c/J3) \"only shown\";\n"
    "initial equation\n"
    "  w1 = 0;\n"
    "equation /* of\n   motion */\n"
    "  J1*der(w1) = tau - gear/ratio; // first\n"
    "  phi1 = ratio*phi2;\n"
    "  J2*der(w2) = gear - spring - d*w2;\n"
    "  spring = c*(phi2 - phi3) \"Hooke\";\n"
    "  J3*der(w3) = spring;\n"
    "  annotation(Documentation(info=\"<html>\n a \\\" b </html>\"));\n"
    "end First;\n";

static darc_model *read_as(const char *text, const char *file, darc_err *err)
{
    darc_model *model = NULL;
    (void)!darc_model_parse(&model, text, strlen(text), file, err);
    return model;
}

/* Append what is identifiable of the model, and free it. */
static void print_known(darc_text_t out, darc_model *model)
{
    darc_identified *found = NULL;
    darc_err err = {DARC_OK, ""};
    darc_status status = darc_identify(&found, model, NULL, NULL, &err);
    ck_assert_msg(status == DARC_OK, "%s", err.message);
    for (int i = 0; i < found->parameters; i++)
        darc_text_printf(
            out, "%s %s\n", found->parameter[i].name,
            darc_identifiability_text(found->parameter[i].identifiable));
    darc_identified_free(found);
    darc_model_free(model);
}

START_TEST(modelica_is_read)
{
    darc_err err = {DARC_OK, ""};
    darc_model *model = read_as(rotational, "first.mo", &err);
    ck_assert_msg(model != NULL, "%s", err.message);
    ck_assert_str_eq(darc_model_name(model), "First");
    ck_assert_str_eq(darc_model_title(model),
                     "simple drive train with grounded elements");
    ck_assert_str_eq(darc_model_kind(model, 0), "parameter");
    ck_assert_str_eq(darc_model_unit(model, 0), "kg.m2");
    darc_text_t known = DARC_TEXT;
    print_known(known, model);
    /* both inertias of the stiff gear turn as one */
    ck_assert_str_eq(known->s, "J1 no\nJ2 no\nJ3 global\nc global\nd global\n");
    darc_text_clear(known);
}
END_TEST

START_TEST(modelica_says_what_a_parameter_is)
{
    darc_err err = {DARC_OK, ""};
    darc_model *model = read_as("model a\n"
                                " parameter Real k = 2, b = 0, w = 2*k;\n"
                                " input Real u; output Real x;\n"
                                " Real s = sign(x) + (if u > 1 then 1 elseif "
                                "u > -1 then u else -1);\n"
                                "equation\n"
                                " der(x) = -w*x + noEvent(b*u) + s;\n"
                                "end a;\n",
                                "a.mo", &err);
    ck_assert_msg(model != NULL, "%s", err.message);
    darc_text_t text = DARC_TEXT;
    darc_model_print(text, model);
    ck_assert_ptr_nonnull(strstr(text->s, "\n    b may be zero\n"));
    ck_assert_ptr_nonnull(strstr(text->s, "\nstates\n    w\n"));
    ck_assert_ptr_nonnull(strstr(text->s, "\n    w = 2*k\n"));
    ck_assert_ptr_nonnull(
        strstr(text->s, "\nderived\n    s = sign(x) + (if u > 1 then 1 else "
                        "if u > -1 then u else -1)\n"));
    darc_text_clear(text);
    darc_model_free(model);
}
END_TEST

/* As OpenModelica's instantiateModel writes a circuit. */
static const char flat[] =
    "class Circuit\n"
    "  parameter Real resistor1.R(quantity = \"Resistance\", unit = \"Ohm\", "
    "start = 1.0) = 100.0;\n"
    "  parameter Integer cells.n = 2;\n"
    "  parameter Boolean resistor1.useHeatPort = false \"=true, if heatPort is "
    "enabled\" annotation(Evaluate = true);\n"
    "  parameter Real 'a b'(unit = \"F\", fixed = true) = 0.001;\n"
    "  Real v[1](each unit = \"V\"), v[2](unit = \"V\", stateSelect = "
    "StateSelect.prefer);\n"
    "  input Real u(unit = \"V\");\n"
    "  output Real y(unit = \"V\");\n"
    "equation\n"
    "  v[1] = cells.n * resistor1.R * 'a b' * der(v[2]);\n"
    "  u = v[1] + v[2];\n"
    "  y = v[2];\n"
    "end Circuit;\n";

START_TEST(a_flattened_model_is_read)
{
    darc_err err = {DARC_OK, ""};
    darc_model *model = read_as(flat, "flat.mo", &err);
    ck_assert_msg(model != NULL, "%s", err.message);
    darc_text_t text = DARC_TEXT;
    darc_model_print(text, model);
    ck_assert_ptr_nonnull(strstr(text->s, "    resistor1_R [Ohm]\n"));
    ck_assert_ptr_nonnull(strstr(text->s, "    cells_n = 2\n"));
    ck_assert_ptr_nonnull(
        strstr(text->s, "    v_1 = cells_n*resistor1_R*a_b*v_2'\n"));
    ck_assert_ptr_null(strstr(text->s, "useHeatPort"));
    darc_text_clear(text);
    darc_model_free(model);
}
END_TEST

START_TEST(units_are_written_as_modelica_has_them)
{
    darc_err err = {DARC_OK, ""};
    darc_text_t text = DARC_TEXT;
    darc_model *model =
        read_as("model a\nparameters\n J [kg*m^2] d [N*m*s/rad]\n"
                "inputs\n u [N*m]\n q [W/m^2/K]\noutputs\n y [rad]\n z\n"
                "equations\n J*y'' + d*y' = u\n z' = q\n",
                "a.darc", &err);
    ck_assert_msg(model != NULL, "%s", err.message);
    ck_assert_int_eq(darc_model_translate(text, model, DARC_TO_MODELICA, NULL),
                     DARC_OK);
    ck_assert_ptr_nonnull(strstr(text->s, "Real J(unit=\"kg.m2\")"));
    ck_assert_ptr_nonnull(strstr(text->s, "Real d(unit=\"N.m.s/rad\")"));
    ck_assert_ptr_nonnull(strstr(text->s, "Real q(unit=\"W/(m2.K)\")"));
    darc_text_clear(text);
    darc_model_free(model);
}
END_TEST

START_TEST(what_is_no_flat_class_has_its_place)
{
    static const struct {
        const char *body, *place;
    } bad[] = {
        {"model a\n Real x[3];\nend a;\n", "b.mo:2:8: error: '['"},
        {"model a\n Integer n = 3;\nend a;\n", "b.mo:2:2: error: 'Integer'"},
        {"model a\n R.Mass m;\nend a;\n", "b.mo:2:2: error: 'R_Mass'"},
        {"model a\n Real 'x y;\nend a;\n", "b.mo:2:7: error: '''"},
        {"model a\n output Real x;\nequation\n when x > 1 then\n",
         "b.mo:4:2: error: 'when'"},
        {"model a\n output Real x;\nequation\n x = 1\nend a;\n",
         "b.mo:5:1: error: expected an operator or ';'"},
        {"model a\n output Real x;\nequation\n der(x) = -k*x;\nend a;\n",
         "b.mo:4:12: error: 'k' is not declared"},
        {"model a\n output Real x;\nequation\n x = 1;\nend b;\n",
         "b.mo:5:5: error: expected the name of the class"},
        {"model a\n output Real x;\nequation\n x = 1;\n",
         "b.mo:5:1: error: expected 'end'"},
        {"model a /* x\n", "b.mo:1:9: error: the comment"},
        {"model a annotation(x=\"\n", "b.mo:1:22: error: the text"},
        {"model a annotation(x=(1)\n", "b.mo:1:9: error: the annotation"},
        {"package P end P;", "b.mo:1:1: error: expected 'model'"},
        {"model a\n input Real u = 1;\nend a;\n",
         "b.mo:2:13: error: the input 'u'"},
        {"model a\n constant Real g;\nend a;\n", "b.mo:2:17: error: expected"},
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        darc_err err = {DARC_OK, ""};
        ck_assert_ptr_null(read_as(bad[i].body, "b.mo", &err));
        ck_assert_msg(
            strncmp(err.message, bad[i].place, strlen(bad[i].place)) == 0,
            "%s\nwanted %s", err.message, bad[i].place);
    }
}
END_TEST

/* Written in Modelica and read again, the parameters are what they were. */
static void go_round(const char *path)
{
    darc_text_t text = DARC_TEXT, there = DARC_TEXT, back = DARC_TEXT;
    darc_model *model = NULL;
    darc_err err = {DARC_OK, ""};
    ck_assert_msg(darc_model_read(&model, path, &err) == DARC_OK, "%s",
                  err.message);
    ck_assert_int_eq(darc_model_translate(text, model, DARC_TO_MODELICA, &err),
                     DARC_OK);
    print_known(there, model);
    model = read_as(text->s, "again.mo", &err);
    ck_assert_msg(model != NULL, "%s\n%s", err.message, text->s);
    print_known(back, model);
    ck_assert_str_eq(there->s, back->s);
    darc_text_clear(text);
    darc_text_clear(there);
    darc_text_clear(back);
}

/* Initial values of states are written, as darc and as Modelica. */
START_TEST(initial_values_are_written)
{
    static const char tank[] = "model tank\nparameters\n    k\nstates\n"
                               "    x [m] = 2*half, z = -1e-3\n    w\n"
                               "constants\n    half = 0.5\noutputs\n    y\n"
                               "equations\n    x' = -k*x\n    z' = x\n"
                               "    w' = z\n    y = w\n";
    darc_text_t text = DARC_TEXT;
    darc_err err = {DARC_OK, ""};
    darc_model *model = read_as(tank, "tank.darc", &err), *again = NULL;
    ck_assert_msg(model != NULL, "%s", err.message);
    const darc_names_struct *names = darc_model_names(model);
    ck_assert_double_eq(darc_model_start(model, darc_names_find(names, "x", 1)),
                        1);
    ck_assert_double_eq(darc_model_start(model, darc_names_find(names, "z", 1)),
                        -1e-3);
    ck_assert_double_nan(
        darc_model_start(model, darc_names_find(names, "w", 1)));
    darc_model_print(text, model);
    again = read_as(text->s, "again.darc", &err);
    ck_assert_msg(again != NULL, "%s", err.message);
    ck_assert_double_eq(darc_model_start(again, darc_names_find(names, "z", 1)),
                        -1e-3);
    darc_text_reset(text);
    ck_assert_int_eq(darc_model_translate(text, model, DARC_TO_MODELICA, &err),
                     DARC_OK);
    ck_assert_ptr_nonnull(
        strstr(text->s, "Real x(unit=\"m\", start=2*half, fixed=true)"));
    ck_assert_ptr_nonnull(strstr(text->s, "Real w;"));
    darc_text_clear(text);
    darc_model_free(model);
    darc_model_free(again);
}
END_TEST

START_TEST(modelica_round_trips)
{
    static const char *const names[] = {
        "air_track",     "carriage",       "coil",      "dc_motor",
        "duffing",       "low_pass",       "clairaut",  "pendulum",
        "linear_axis",   "friction_force", "sir",       "two_tanks",
        "predator_prey", "quarter_car",    "tanks_sqrt"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char path[200];
        snprintf(path, sizeof path, "systems/%s/model.darc", names[i]);
        go_round(path);
    }
}
END_TEST

static void translated(darc_text_t out, const char *text, darc_translation to)
{
    darc_err err = {DARC_OK, ""};
    darc_model *model = read_as(text, "m.darc", &err);
    ck_assert_msg(model != NULL, "%s", err.message);
    darc_text_reset(out);
    ck_assert_msg(darc_model_translate(out, model, to, &err) == DARC_OK, "%s",
                  err.message);
    darc_model_free(model);
}

START_TEST(other_languages_are_written)
{
    static const char model[] = "model a\nparameters\n m k lambda\n"
                                "constants\n g = 9.81\ninputs u\noutputs y\n"
                                "equations\n m*y'' + k*y^2/3 - lambda*y' = "
                                "g*u\n";
    darc_text_t text = DARC_TEXT;
    translated(text, model, DARC_TO_SYMPY);
    ck_assert_ptr_nonnull(
        strstr(text->s, "sp.Eq(m*y(t).diff(t, 2) + k*y(t)**2/sp.Integer(3) - "
                        "lambda_*y(t).diff(t, 1), g*u(t)),"));
    ck_assert_ptr_nonnull(strstr(text->s, "g = sp.Rational('9.81')\n"));
    translated(text, model, DARC_TO_JULIA);
    ck_assert_ptr_nonnull(strstr(text->s, "    y'(t) = (y_der1(t)),\n"));
    ck_assert_ptr_nonnull(strstr(text->s, "    y_measured(t) = (y(t))\n"));
    translated(text, model, DARC_TO_MODELICA);
    ck_assert_ptr_nonnull(strstr(text->s, "  Real y_der1 = der(y);\n"));
    ck_assert_ptr_nonnull(
        strstr(text->s, "  m*der(y_der1) + k*y^2/3 - lambda*der(y) = g*u;\n"));
    translated(text, model, DARC_TO_DARC);
    darc_text_t again = DARC_TEXT;
    translated(again, text->s, DARC_TO_DARC);
    ck_assert_str_eq(again->s, text->s);
    darc_text_clear(again);
    darc_text_clear(text);
}
END_TEST

START_TEST(what_a_language_lacks_is_refused)
{
    static const struct {
        const char *body;
        darc_translation to;
    } lacking[] = {
        {"parameters k\ninputs u\noutputs y\nequations\n y' = k*u'\n",
         DARC_TO_JULIA},
        {"parameters k\noutputs y z\nequations\n y' = k*z\n", DARC_TO_JULIA},
        {"parameters k\ninputs u\noutputs y\nderived\n s = int(u)\n"
         "equations\n y' = k*s\n",
         DARC_TO_MODELICA},
        {"parameters k\ninputs u\noutputs y\nderived\n s = delay(u, 1)\n"
         "equations\n y' = k*s\n",
         DARC_TO_SYMPY},
    };
    for (size_t i = 0; i < sizeof lacking / sizeof *lacking; i++) {
        darc_err err = {DARC_OK, ""};
        darc_text_t text = DARC_TEXT;
        darc_model *model = read_as(lacking[i].body, "m.darc", &err);
        ck_assert_msg(model != NULL, "%s", err.message);
        ck_assert_int_eq(darc_model_translate(text, model, lacking[i].to, &err),
                         DARC_DOMAIN);
        darc_text_clear(text);
        darc_model_free(model);
    }
}
END_TEST

Suite *suite_translate(void)
{
    Suite *s = suite_create("translate");
    TCase *c = tcase_create("translate");
    tcase_add_test(c, modelica_is_read);
    tcase_add_test(c, initial_values_are_written);
    tcase_add_test(c, modelica_says_what_a_parameter_is);
    tcase_add_test(c, a_flattened_model_is_read);
    tcase_add_test(c, units_are_written_as_modelica_has_them);
    tcase_add_test(c, what_is_no_flat_class_has_its_place);
    tcase_add_test(c, modelica_round_trips);
    tcase_add_test(c, other_languages_are_written);
    tcase_add_test(c, what_a_language_lacks_is_refused);
    suite_add_tcase(s, c);
    return s;
}
