/* SBML, read: against the same models in darc's language, and what is refused.
 */
#include "program.h"
#include "tests.h"

#include "base/mem.h"
#include "model/model.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Formulas and lists, in few letters. */
#define NAME(x) "<ci> " x " </ci>"
#define IS(x) "<cn>" x "</cn>"
#define APPLY(op, of) "<apply><" op "/>" of "</apply>"
#define CALL(f, of) "<apply>" NAME(f) of "</apply>"
#define MATH(of)                                                               \
    "<math xmlns='http://www.w3.org/1998/Math/MathML'>" of "</math>"
#define LIST(of, what) "<listOf" of ">" what "</listOf" of ">"
#define REF(s, n) "<speciesReference species='" s "' stoichiometry='" n "'/>"
#define CELL LIST("Compartments", "<compartment id='cell' size='1'/>")
#define SPECIES(id, more)                                                      \
    "<species id='" id "' compartment='cell' initialAmount='3' " more "/>"
#define PARAMETER(id, more) "<parameter id='" id "' " more "/>"
#define REACTION(id, in, out, law, locals)                                     \
    "<reaction id='" id "'>" LIST("Reactants", in)                             \
        LIST("Products", out) "<kineticLaw>" MATH(law) locals                  \
        "</kineticLaw></reaction>"
#define MODEL(of)                                                              \
    "<?xml version='1.0'?>\n<sbml level='3' version='1' "                      \
    "xmlns='http://www.sbml.org/sbml/level3/version1/core'>"                   \
    "<model id='m' name='of tests'>\n" of "</model></sbml>\n"

/* E + S <-> C -> E + P, with parameters of the reactions. */
static const char michaelis[] = MODEL(
    CELL LIST("Species", SPECIES("E", "") SPECIES("S", "") SPECIES("C", "")
                             SPECIES("P", "name='product'"))
        LIST(
            "Reactions",
            REACTION(
                "on", REF("E", "1") REF("S", "1"), REF("C", "1"),
                APPLY("minus", APPLY("times", NAME("k") NAME("E") NAME("S"))
                                   APPLY("times", NAME("r") NAME("C"))),
                LIST("LocalParameters", "<localParameter id='k' value='2'/>"
                                        "<localParameter id='r' value='1'/>"))
                REACTION("off", REF("C", "1"), REF("E", "1") REF("P", "1"),
                         APPLY("times", NAME("k") NAME("C")),
                         LIST("LocalParameters", "<localParameter id='k'/>"))));

static const char same_michaelis[] =
    "model m\nstates\n E S C\noutputs\n P\nparameters\n on_k on_r off_k\n"
    "equations\n E' = -on_k*E*S + on_r*C + off_k*C\n S' = -on_k*E*S + on_r*C\n"
    " C' = on_k*E*S - on_r*C - off_k*C\n P' = off_k*C\n";

/* Amounts beside concentrations in two volumes, one not given; a boundary, an
 * observable, a number of others, a parameter of none. */
static const char drug[] = MODEL(
    LIST("Compartments",
         "<compartment id='cell'/><compartment id='V' size='2.5'/>")
        LIST("Species", SPECIES("gut", "hasOnlySubstanceUnits='true'") SPECIES(
                            "c", "") "<species id='d' compartment='V' "
                                     "initialConcentration='0'/>" SPECIES(
                                         "B", "boundaryCondition='true'"))
            LIST("Parameters",
                 PARAMETER("ka", "value='1'") PARAMETER("ke", "value='0'")
                     PARAMETER("q", "value='1'")
                         PARAMETER("y", "constant='false'")
                             PARAMETER("shown", "constant='false'")
                                 PARAMETER("none", "value='2'"))
                LIST("Rules",
                     "<assignmentRule variable='y'>" MATH(APPLY(
                         "divide",
                         NAME("c") IS(
                             "4"))) "</assignmentRule>"
                                    "<assignmentRule variable='shown'>" MATH(
                                        APPLY("divide",
                                              NAME("ka") NAME(
                                                  "ke"))) "</assignmentRule>")
                    LIST("Reactions",
                         REACTION("in", REF("gut", "1"), REF("c", "1"),
                                  APPLY("times", NAME("ka") NAME("gut")), "")
                             REACTION(
                                 "out", REF("c", "1"), "",
                                 APPLY("times", NAME("ke") NAME("c") NAME("B")),
                                 "")
                                 REACTION("over", REF("c", "1") REF("B", "1"),
                                          REF("d", "2"),
                                          APPLY("times",
                                                NAME("q")
                                                    APPLY("minus",
                                                          NAME("c") NAME("d"))),
                                          "")));

static const char same_drug[] =
    "model m\nstates\n gut c d\noutputs\n y\nparameters\n cell B ka\n"
    " ke may be zero\n q\nequations\n gut' = -ka*gut\n"
    " cell*c' = ka*gut - ke*c*B - q*(c - d)\n 2.5*d' = 2*q*(c - d)\n y = c/4\n";

/* A function of functions, a rate as a name, a growing volume. */
static const char growing[] = MODEL(LIST(
    "FunctionDefinitions",
    "<functionDefinition id='f'>" MATH(
        "<lambda><bvar>" NAME("x") "</bvar><bvar>" NAME("y") "</bvar>" APPLY(
            "divide",
            NAME("x") APPLY(
                "plus", NAME("x") NAME(
                            "y"))) "</lambda>") "</functionDefinition>"
                                                "<functionDefinition "
                                                "id='g'>" MATH(
                                                    "<lambda><bvar>" NAME("y") "</bvar>" CALL(
                                                        "f",
                                                        APPLY("power",
                                                              NAME("y") IS("2"))
                                                            IS("3")) "</"
                                                                     "lambda"
                                                                     ">") "</"
                                                                          "fu"
                                                                          "nc"
                                                                          "ti"
                                                                          "on"
                                                                          "De"
                                                                          "fi"
                                                                          "ni"
                                                                          "ti"
                                                                          "on"
                                                                          ">")
                                        LIST("Compartments",
                                             "<compartment "
                                             "id='cell' "
                                             "size='1' "
                                             "constant='false'/"
                                             ">") LIST("Species",
                                                       SPECIES("A", "")
                                                           SPECIES("N", ""))
                                            LIST("Parameters",
                                                 PARAMETER("k", "value='1'")
                                                     PARAMETER("mu",
                                                               "value='1'"))
                                                LIST(
                                                    "Rules",
                                                    "<rateRule "
                                                    "variable='cell'>" MATH(
                                                        APPLY(
                                                            "times",
                                                            NAME("mu") NAME(
                                                                "cell"))) "</"
                                                                          "rate"
                                                                          "Rule"
                                                                          ">")
                                                    LIST(
                                                        "Reactions",
                                                        REACTION(
                                                            "eat",
                                                            REF("A", "1"), "",
                                                            APPLY(
                                                                "times",
                                                                NAME("k") CALL(
                                                                    "g",
                                                                    NAME("A"))),
                                                            "")
                                                            REACTION(
                                                                "grow", "",
                                                                REF("N", "0.5"),
                                                                APPLY(
                                                                    "times",
                                                                    NAME("eat")
                                                                        NAME(
                                                                            "ea"
                                                                            "t")),
                                                                "")));

static const char same_growing[] =
    "model m\nstates\n cell\noutputs\n A N\nparameters\n k mu\nequations\n"
    " cell' = mu*cell\n (A*cell)' = -k*A^2/(A^2 + 3)\n"
    " (N*cell)' = (k*A^2/(A^2 + 3))^2/2\n";

/* Run the command on a file of that name and text. */
static int run(darc_text_t out, const char *command, const char *name,
               const char *text, const char *options)
{
    darc_text_t err = DARC_TEXT;
    char *line = darc_text_of("%s %s %s --quiet", command,
                              program_write(name, text), options);
    darc_text_reset(out);
    int code = program_run(line, out, err);
    if (code != 0)
        darc_text_puts(out, err->s);
    darc_free(line);
    darc_text_clear(err);
    return code;
}

/* What is told of a model; equations' times are left out. */
static void compare(const char *command, const char *text, const char *measured,
                    const char *same)
{
    darc_text_t one = DARC_TEXT, two = DARC_TEXT;
    ck_assert_msg(run(one, command, "m.xml", text, measured) == 0, "%s",
                  one->s);
    ck_assert_msg(run(two, command, "m.darc", same, "") == 0, "%s", two->s);
    for (char *s = one->s, *t = two->s; *s != '\0';) {
        size_t n = strcspn(s, "\n"), k = strcspn(t, "\n");
        s[n] = t[k] = '\0';
        char *clock[2] = {strstr(s, ", engine"), strstr(t, ", engine")};
        for (int i = 0; i < 2; i++)
            if (clock[i] != NULL)
                *clock[i] = '\0';
        ck_assert_str_eq(s, t);
        s += n + 1;
        t += k + 1;
    }
    darc_text_clear(one);
    darc_text_clear(two);
}

START_TEST(networks)
{
    static const char *const of[][3] = {
        {michaelis, "--measured P", same_michaelis},
        {drug, "", same_drug},
        {growing, "", same_growing}};
    compare("eliminate", of[_i][0], of[_i][1], of[_i][2]);
    compare("identify", of[_i][0], of[_i][1], of[_i][2]);
}
END_TEST

START_TEST(level_2_and_formulas)
{
    static const char text[] =
        "<sbml xmlns='http://www.sbml.org/sbml/level2/version4' level='2' "
        "version='4'>\n<annotation><x xmlns='urn:x'><y/></x></annotation>"
        "<model id='a'><notes>none</notes>" LIST(
            "Parameters",
            PARAMETER("x", "constant='false' value='1'") PARAMETER("u", "")
                PARAMETER("time", "") PARAMETER("k", "")
                    PARAMETER("w", "constant='false'")
                        PARAMETER("K", "constant='false'"))
            LIST("InitialAssignments",
                 "<initialAssignment symbol='k'>" MATH(
                     APPLY("root", NAME("u"))) "</initialAssignment>")
                LIST(
                    "Rules",
                    "<rateRule variable='x'>" MATH(APPLY(
                        "plus",
                        APPLY("log", NAME("x")) APPLY(
                            "root", "<degree>" IS("3") "</degree>" NAME("x"))
                            APPLY(
                                "times",
                                NAME("k") NAME("time") NAME(
                                    "w") "<csymbol encoding='text' "
                                         "definitionURL='"
                                         "http://www.sbml.org/sbml/symbols/"
                                         "time'>t</csymbol>") "<cn "
                                                              "type='e-"
                                                              "notation'> 12 "
                                                              "<sep/> -1 </cn>"
                                                              "<cn "
                                                              "type='rational'"
                                                              ">1<sep/>3</"
                                                              "cn>")) "</"
                                                                      "rateRul"
                                                                      "e>"
                                                                      "<assign"
                                                                      "mentRul"
                                                                      "e "
                                                                      "variabl"
                                                                      "e='w'"
                                                                      ">" MATH(
                                                                          "<pi"
                                                                          "ece"
                                                                          "wis"
                                                                          "e><"
                                                                          "pie"
                                                                          "ce"
                                                                          ">" APPLY(
                                                                              "arcsin",
                                                                              NAME(
                                                                                  "x"))
                                                                              APPLY("leq", NAME("x") IS("0.5")) "</piece><otherwise>" APPLY(
                                                                                  "max",
                                                                                  NAME("x") IS(
                                                                                      ".5")
                                                                                      IS("1")) "</otherwise>"
                                                                                               "</piecewise>") "</assignmentRule>") "</model></sbml>";
    darc_text_t out = DARC_TEXT;
    ck_assert_msg(run(out, "model", "a.sbml", text, "") == 0, "%s", out->s);
    ck_assert_str_eq(
        out->s, "model a\n\noutputs\n    x\n\nparameters\n    u\n    time_\n\n"
                "states\n    k\n\nderived\n"
                "    w = if x <= 0.5 then asin(x) else max(x, .5, 1)\n"
                "\nequations\n"
                "    x' = log(x)/log(10) + x^(1/3) + k*time_*w*time + "
                "12e-1 + 1/3\n    k = sqrt(u)\n");
    ck_assert_int_eq(run(out, "model", "a.xml", text, "--measured u,x"), 0);
    ck_assert_ptr_nonnull(strstr(out->s, "inputs\n    u\n"));
    ck_assert_ptr_nonnull(strstr(out->s, "outputs\n    x\n"));
    ck_assert_int_eq(run(out, "model", "a.xml", text, "--measured xx"), 3);
    ck_assert_ptr_nonnull(
        strstr(out->s, "--measured: 'xx' is not declared in "));
    darc_text_clear(out);
}
END_TEST

/* c in V = 2.5, begun with 3 in amounts: 1.2 exp(-t/2.5). */
START_TEST(simulations_begin_with_the_numbers_of_the_file)
{
    static const char text[] = MODEL(
        LIST("Compartments", "<compartment id='cell' size='2.5'/>")
            LIST("Species", SPECIES("c", ""))
                LIST("Parameters", PARAMETER("k", "value='1'"))
                    LIST("Reactions",
                         REACTION("out", REF("c", "1"), "",
                                  APPLY("times", NAME("k") NAME("c")), "")));
    darc_text_t out = DARC_TEXT;
    for (int twice = 0; twice < 2; twice++) {
        ck_assert_int_eq(run(out, "simulate", "c.xml", text,
                             twice ? "--t-end 3 --rate 1 --param k=2"
                                   : "--t-end 3 --rate 1"),
                         0);
        const char *row = strstr(out->s, "\n2,");
        ck_assert_ptr_nonnull(row);
        ck_assert_double_eq_tol(strtod(row + 3, NULL),
                                1.2 * exp(-2 * (1 + twice) / 2.5), 1e-9);
    }
    darc_text_clear(out);
}
END_TEST

#define LAW(of)                                                                \
    MODEL(CELL LIST("Species", SPECIES("S", ""))                               \
              LIST("Parameters", PARAMETER("k", "")) "\n" LIST(                \
                  "Reactions", REACTION("r", REF("S", "1"), "", "\n" of, "")))

static const char *const refusals[][2] = {
    {"<sbml", "m.xml:1:1: error: no XML: unclosed token"},
    {"<!DOCTYPE sbml [<!ENTITY a 'b'>]>\n<sbml/>",
     "error: a document type is not read"},
    {"<sbml level='1'><model/></sbml>",
     "m.xml:1:1: error: expected SBML of level 2 or 3, not '1'"},
    {"<sbml xmlns='urn:other'/>",
     "m.xml:1:1: error: expected SBML: <sbml> with"},
    {"<html/>", "m.xml:1:1: error: expected SBML: <sbml> with a <model>"},
    {"<sbml level='3' xmlns:c='http://www.sbml.org/sbml/level3/version1/comp/"
     "version1' c:required='true'><model/></sbml>",
     "m.xml:1:1: error: the model requires an extension of SBML"},
    {MODEL(CELL LIST("Events", "<event id='e'/>")), ": error: an event is not"},
    {MODEL(CELL LIST("Rules", "<algebraicRule/>")),
     ": error: an algebraic rule is not read: solve it"},
    {MODEL(CELL LIST("Species", SPECIES("S", "")) "\n" LIST(
         "Reactions", "<reaction id='r'/>")),
     "m.xml:4:18: error: the reaction 'r' has no kinetic"},
    {MODEL(CELL "\n" LIST("Reactions", "<reaction id='r' fast='true'/>")),
     "m.xml:4:18: error: a fast reaction is not read"},
    {MODEL(CELL "\n" LIST("Reactions",
                          REACTION("r", REF("S", "1"), "", IS("1"), ""))),
     "expected the id of a species as 'species' in <speciesReference>"},
    {MODEL("\n" LIST("Parameters", PARAMETER("1k", ""))),
     "m.xml:4:19: error: expected an id of at most 64 letters"},
    {MODEL("\n" LIST("Parameters", "<parameter/>")),
     "m.xml:4:19: error: expected an attribute 'id' in <parameter>"},
    {LAW(NAME("kk")),
     "m.xml:5:1: error: 'kk' is not declared (did you mean 'k'"},
    {LAW(APPLY("factorial", NAME("k"))),
     "m.xml:5:8: error: darc has no form for <factorial>"},
    {LAW(APPLY("power", NAME("k"))),
     "error: darc has no form for <power> here"},
    {LAW(CALL("f", NAME("k"))),
     "m.xml:5:8: error: expected a function that is"},
    {LAW(IS("two")), "m.xml:5:1: error: expected a number, not 'two'"},
    {LAW("<csymbol "
         "definitionURL='http://www.sbml.org/sbml/symbols/avogadro'/>"),
     "error: of SBML's symbols darc takes the time alone, not 'avogadro'"},
    {LAW("<piecewise><piece>" NAME("S") "<true/></piece></piecewise>"),
     "error: expected <otherwise> with one value"},
    {LAW("<piecewise><piece>" NAME("S") "<true/></piece><otherwise>" NAME(
         "k") "</otherwise></piecewise>"),
     "error: darc has no form for <true> here"},
    {LAW(NAME("r")), "error: the rate of 'r' is computed from itself"},
    {LAW(NAME("S") NAME("S")), "error: expected one formula in <math>"}};

START_TEST(refused)
{
    darc_err err = {DARC_OK, ""};
    darc_model *model = NULL;
    const char *text = refusals[_i][0];
    ck_assert_int_ne(
        darc_model_parse(&model, text, strlen(text), "m.xml", &err), DARC_OK);
    ck_assert_msg(strstr(err.message, refusals[_i][1]) != NULL, "%s",
                  err.message);
}
END_TEST

/* f0 of x is x + x, fn of x f(n-1) of itself twice: 2^40 of them. */
START_TEST(definitions_do_not_explode)
{
    darc_text_t t = DARC_TEXT;
    darc_err err = {DARC_OK, ""};
    darc_model *model = NULL;
    darc_text_puts(t, "<sbml level='3'><model><listOfFunctionDefinitions>");
    for (int i = 0; i < 40; i++)
        darc_text_printf(
            t,
            "<functionDefinition id='f%d'>" MATH(
                "<lambda><bvar>" NAME("x") "</bvar>" APPLY(
                    "plus",
                    CALL("f%d", NAME("x")) CALL(
                        "f%d", NAME("x"))) "</lambda>") "</functionDefinition>",
            i + 1, i, i);
    darc_text_puts(
        t,
        "<functionDefinition id='f0'>" MATH(
            "<lambda><bvar>" NAME("x") "</bvar>" NAME(
                "x") "</lambda>") "</functionDefinition></"
                                  "listOfFunctionDefinitions>" LIST(
                                      "Parameter"
                                      "s",
                                      PARAMETER("x", ""))
                                      LIST("Rules",
                                           "<rateRule variable='x'>" MATH(CALL(
                                               "f40",
                                               NAME("x"))) "</rateRule>") "</"
                                                                          "mode"
                                                                          "l></"
                                                                          "sbml"
                                                                          ">");
    ck_assert_int_eq(darc_model_parse(&model, t->s, t->len, "m.xml", &err),
                     DARC_LIMIT);
    ck_assert_ptr_nonnull(strstr(err.message, "laws, written out, are longer"));
    darc_text_reset(t);
    for (int i = 0; i < 300; i++)
        darc_text_puts(t, "<a>");
    err = (darc_err){DARC_OK, ""};
    ck_assert_int_eq(darc_model_parse(&model, t->s, t->len, "m.xml", &err),
                     DARC_LIMIT);
    darc_text_clear(t);
}
END_TEST

Suite *suite_sbml(void)
{
    Suite *s = suite_create("sbml");
    TCase *c = tcase_create("sbml");
    tcase_add_loop_test(c, networks, 0, 3);
    tcase_add_test(c, level_2_and_formulas);
    tcase_add_test(c, simulations_begin_with_the_numbers_of_the_file);
    tcase_add_loop_test(c, refused, 0, sizeof refusals / sizeof *refusals);
    tcase_add_test(c, definitions_do_not_explode);
    suite_add_tcase(s, c);
    return s;
}
