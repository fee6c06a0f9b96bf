#include "tests.h"

#include "program.h"

#include <string.h>

#define CAR "systems/quarter_car_chassis/model.darc"

/* What the program prints (a part of it), on which stream, and its code. */
static const struct {
    const char *arguments, *printed;
    int code;
} runs[] = {
    {"eliminate " CAR " --for structure",
     "# structure: order 3, 6 terms, degree 3\n", 0},
    {"eliminate " CAR " --for structure", "\na'*z - z'*a != 0\n", 0},
    {"eliminate " CAR " --for equal --form matrix",
     "    [ -aA'   zA'   zA'' ]\n= 0\n", 0},
    {"eliminate " CAR " --for changed --changed m --summary",
     "# changed: order 2, 8 terms, degree 4\n", 0},
    {"eliminate " CAR " --format json", "\"leader\": \"z'\"", 0},
    {"eliminate " CAR " --format json", "\"cpu_total_s\": ", 0},
    {"eliminate " CAR " --format json", "\"unit\": \"N\"", 0},
    {"eliminate " CAR, "; terms in N\n", 0},
    {"eliminate " CAR, "# units: m kg, c N/m, d N*s/m, ", 0},
    {"eliminate systems/low_pass/offset.darc", "b V", 0},
    {"eliminate " CAR " --form expanded", "# component 1 of 1, generic\n", 0},
    {"eliminate " CAR " --form io --format latex",
     "\\[ d \\dot{z} - m a + c z = 0 \\]", 0},
    {"eliminate " CAR " --keep a,z --summary", "# order 3, 6 terms, degree 3\n",
     0},
    {"eliminate systems/tanks_sqrt_lower/model.darc --form support",
     "\ny''*y'\ny''*sqrt_y\ny'*sqrt_y'\ny'\nu\nsqrt_y\n", 0},
    {"eliminate systems/clairaut/model.darc --all-components",
     "# component 2 of 2, singular\ny = 0\n", 0},
    {"eliminate " CAR " --for structure --format c",
     "double darc_residual_0(const double *x)\n{\n", 0},
    {"eliminate " CAR " --for structure --format python",
     "def darc_residual_0(x):\n", 0},
    {"eliminate " CAR " --for changed", "--for changed needs --changed", 3},
    {"eliminate " CAR " --changed m", "--changed needs --for changed", 3},
    {"eliminate " CAR " --for changed --changed q", "'q' is not declared", 3},
    {"eliminate " CAR " --for changed --changed z", "'z' is not a parameter",
     3},
    {"eliminate " CAR " --for structure --keep z",
     "--keep and --for exclude each other", 3},
    {"eliminate systems/quarter_car/unknown_road.darc",
     "\nd*z' - m*a + c*z = 0\n", 0},
    {"eliminate systems/no/model.darc", "systems/no/model.darc", 4},
    {"identify " CAR, "  m  no      a change is explained by {c, d}\n", 0},
    {"identify " CAR " --json -", "\"identifiable\": [\"c/m\", \"d/m\"]", 0},
    {"identify " CAR " --json /nowhere/x", "/nowhere/x", 4},
};

START_TEST(prints)
{
    darc_text_t out, err;
    darc_text_init(out);
    darc_text_init(err);
    int code = program_run(runs[_i].arguments, out, err);
    ck_assert_msg(code == runs[_i].code, "%s: code %d: %s", runs[_i].arguments,
                  code, err->s);
    const char *s = runs[_i].code == 0 ? out->s : err->s;
    ck_assert_msg(strstr(s, runs[_i].printed) != NULL, "%s: %s",
                  runs[_i].arguments, s);
    darc_text_clear(out);
    darc_text_clear(err);
}
END_TEST

Suite *suite_cmd_eliminate(void)
{
    Suite *s = suite_create("cmd_eliminate");
    TCase *c = tcase_create("eliminate");
    tcase_add_loop_test(c, prints, 0, sizeof runs / sizeof runs[0]);
    suite_add_tcase(s, c);
    return s;
}
