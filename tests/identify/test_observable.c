#include "tests.h"

#include "models.h"

#include <darc.h>

#include <string.h>

/* Models and the statuses of functions of states and parameters as published
 * in the tests of StructuralIdentifiability.jl [DGHP23], test/identifiability:
 * functions, then g(lobal), l(ocal), n(o) for each. */
static const struct {
    const char *model, *functions, *expected;
} cases[] = {
    {"parameters a01 a21 a12\nstates x0 x1\noutputs y\nequations\n"
     "x0' = -(a01 + a21)*x0 + a12*x1\nx1' = a21*x0 - a12*x1\ny = x0\n",
     "a01,a21,a12,a01*a12,a01+a12+a21,(a01+a12+a21)/(a01*a12)", "nnnggg"},
    {"states x1 x2\noutputs y\nequations\nx1' = x1\nx2' = x2\ny = x1 + x2\n",
     "x1,x2,x1+x2", "nng"},
    {"parameters a b c d\nstates x0 x1\ninputs u\noutputs y\nequations\n"
     "x0' = a*x0 - b*x0*x1 + u\nx1' = c*x1 + d*x0*x1\ny = x0\n",
     "a,b,c,d,b*x1,x0,x1", "gnggggn"},
    {"parameters mu bi bw a xi gam k\nstates S I W R\noutputs y\nequations\n"
     "S' = mu - bi*S*I - bw*S*W - mu*S + a*R\n"
     "I' = bw*S*W + bi*S*I - (gam + mu)*I\nW' = xi*(I - W)\n"
     "R' = gam*I - (mu + a)*R\ny = k*I\n",
     "mu,bi,bw,a,xi,gam,gam+mu,k", "gggggggg"},
    {"parameters b c alpha beta delta gama sigma\nstates x1 x2 x3 x4\n"
     "outputs y\nequations\nx1' = -b*x1 + 1/(c + x4)\n"
     "x2' = alpha*x1 - beta*x2\nx3' = gama*x2 - delta*x3\n"
     "x4' = sigma*x4*(gama*x2 - delta*x3)/x3\ny = x1\n",
     "b,c,alpha,beta,delta,gama,beta+delta,beta*delta,x1,x2,x3,x4",
     "ggnllngggnng"},
    {"parameters b\nstates x1 x2\noutputs y1 y2\nequations\n"
     "x1' = (1 + x1^2)/2\nx2' = (1 - x1^2)/(1 + x1^2)\n"
     "y1 = 2*x1/(b*(1 + x1^2))\ny2 = x2\n",
     "b,x1,x2", "ggg"},
    {"parameters a1 a2 a21\nstates x1 x2\noutputs y1\nequations\n"
     "x1' = -a1*x1 + a21*x2\nx2' = -a2*x2 - a21*x2\ny1 = x1\n",
     "a1,a2,a21", "lnn"},
    {"parameters a1 a2 a21\nstates x1 x2\ninputs u\noutputs y1\nequations\n"
     "x1' = -a1*x1 + a21*x2\nx2' = -a2*x2 - a21*x2 + u\ny1 = x1\n",
     "a1,a2,a21,a2+a1,a2*(a1-a21)", "llggg"},
    {"parameters a21 a31 a01 a12 a13\nstates x1 x2 x3\ninputs u\noutputs y\n"
     "equations\nx1' = -(a21 + a31 + a01)*x1 + a12*x2 + a13*x3 + u\n"
     "x2' = a21*x1 - a12*x2\nx3' = a31*x1 - a13*x3\ny = x1\n",
     "x1,x2,x3,a31+a21,(a21-a31)/(a12-a13)", "gllgg"},
    {"parameters b nu a N\nstates S E In\noutputs y1 y2\nequations\n"
     "S' = -b*S*In/N\nE' = b*S*In/N - nu*E\nIn' = nu*E - a*In\ny1 = In\n"
     "y2 = N\n",
     "b,N,In,a,nu,S,E,a*nu,a+nu", "gggllllgg"},
    /* A state of functions at their values: exp(-E/y) is measured. */
    {"parameters k E\nstates w\ninputs q\noutputs y\nequations\n"
     "y' = q - k*w*exp(-E/y)\nw' = -w\n",
     "k*w,E,w", "ggn"},
    /* A state under a root is not measured because it is asked for. */
    {"parameters a b\nstates x z\noutputs y\nequations\n"
     "x' = 1/2 + a*z*x\nz' = -b*z - a*sqrt(x)\ny = z\n",
     "x,z,2*x,sqrt(x),a,b", "gggggg"},
    /* log(a*x) is measured: exp(y) = a*x, where b alone does not show. */
    {"parameters a b\nstates x\ninputs u\noutputs y\nequations\n"
     "x' = b*u - x\ny = log(a*x)\n",
     "a*b,a,x,a*x", "gnng"},
    /* Second order: y = z + b*v has v = z'. */
    {"parameters c b\nstates z\ninputs u\noutputs y\nequations\n"
     "z'' = -c*z + u\ny = z + b*z'\n",
     "z,z',b*z,c", "gggg"},
    /* No solved form.  A pendulum seen from above: the sign of the height goes
     * with that of g; by hand, as are the next ones. */
    {"parameters m l g\nstates x1 x2 lam\ninputs F\noutputs y\nequations\n"
     "m*x1'' = F - lam*x1\nm*x2'' = -lam*x2 - m*g\nx1^2 + x2^2 = l^2\n"
     "y = x1\n",
     "m,l,lam/m,x2,x2^2,g*x2,g*l,x1'", "glglgglg"},
    {"parameters a b\nstates x z\noutputs y\nequations\nx' = -a*z\n"
     "z^2 = x*b\ny = x\n",
     "a^2*b,z*a,z,b,z/b", "ggnnn"},
    /* Nobody sees x and z but their difference: the cubic equation with its
     * derivative has one root. */
    {"parameters k\nstates x z w\ninputs u\noutputs y\nequations\n"
     "x' - z' = u - k*(x - z)\n(x - z)^3 + x - z = w\ny = w\n",
     "x - z,x,w,k", "gngg"},
};

START_TEST(statuses_are_as_published)
{
    static const char *const word[] = {"no", "local", "global", "undecided"};
    darc_model *m = NULL;
    darc_options *o = NULL;
    darc_identified *found = NULL;
    const char *text = cases[_i].model;
    ck_assert_int_eq(darc_model_parse(&m, text, strlen(text), "test", NULL),
                     DARC_OK);
    ck_assert_int_eq(darc_options_new(&o, "identify", NULL), DARC_OK);
    ck_assert_int_eq(darc_options_set(o, "ask", cases[_i].functions, NULL),
                     DARC_OK);
    ck_assert_int_eq(darc_identify(&found, m, o, NULL, NULL), DARC_OK);
    ck_assert_int_eq(found->asked, (int)strlen(cases[_i].expected));
    for (int i = 0; i < found->asked; i++) {
        const darc_identified_function *f = found->asks + i;
        const char *status = word[f->identifiable];
        ck_assert_msg(status[0] == cases[_i].expected[i], "%s: %s", f->name,
                      status);
        ck_assert_msg(f->final, "%s is at least %s", f->name, status);
    }
    darc_identified_free(found);
    darc_options_free(o);
    darc_model_free(m);
}
END_TEST

/* Statuses of the parameters from known initial values, then of a function
 * asked for, by hand: `u` undecided.  Of the two with two animals the first is
 * in the manual of StructuralIdentifiability.jl (known_ic). */
static const struct {
    const char *model, *init, *ask, *expected;
} starts[] = {
    {"parameters a b c d\nstates x1 x2\noutputs y\nequations\n"
     "x1' = a*x1 - b*x1*x2\nx2' = -c*x2 + d*x1*x2\ny = x1\n",
     "x2", "x2", "ggggg"},
    {"parameters a b c d\nstates x1 x2\noutputs y\nequations\n"
     "x1' = a*x1 - b*x1*x2\nx2' = -c*x2 + d*x1*x2\ny = x1\n",
     "x2=3/2", "b*x2", "ggggg"},
    /* A dose of known size, of unknown size, by a volume. */
    {"parameters k V D\nstates x\noutputs y\nequations\nx' = -k*x\n"
     "y = x/V\n",
     "x=5", "x/V", "ggng"},
    {"parameters k V D\nstates x\noutputs y\nequations\nx' = -k*x\n"
     "y = x/V\n",
     "x=D", "D/V", "gnng"},
    {"parameters k V D\nstates x\noutputs y\nequations\nx' = -k*x\n"
     "y = x/V\n",
     "x=2*V", "x/V", "gnng"},
    /* From an equilibrium nothing is seen of what drives away from it. */
    {"parameters a b\nstates x1 x2\noutputs y\nequations\nx1' = a*x2\n"
     "x2' = b*x2*x1\ny = x1\n",
     "x2=0", "x1", "nng"},
    {"parameters a b\nstates x\noutputs y\nequations\n"
     "x' = -a*x + b*x^3\ny = x\n",
     "x=0", "x", "nng"},
    /* So where others move on; two that stay together; one that leaves. */
    {"parameters a b\nstates x z\ninputs u\noutputs y\nequations\n"
     "x' = -a*x\nz' = -b*z + x + u\ny = z\n",
     "x=0", "a*b", "ngn"},
    {"parameters a b c\nstates x1 x2 z\ninputs u\noutputs y\nequations\n"
     "x1' = a*x2\nx2' = b*x1^2\nz' = c*z + x1*z + u\ny = z\n",
     "x1=0,x2=0", "c", "nngg"},
    {"parameters a b\nstates x z\ninputs u\noutputs y\nequations\n"
     "x' = -a*x + u\nz' = -b*z + x\ny = z\n",
     "x=0,z=0", "a*b", "llg"},
    /* But an input drives away; S''' = 2*a at the start, and b is in the
     * seventh derivative. */
    {"parameters a b\nstates x\ninputs u\noutputs y\nequations\n"
     "x' = -a*x + b*x^3 + u\ny = x\n",
     "x=0", "b", "ggg"},
    {"parameters a b\noutputs S\nequations\nS' = 1 + a*S^2 + b*S^6\n", "S=0",
     "a*b", "ggg"},
    {"parameters a b\nstates x1 x2\noutputs y\nequations\nx1' = a*x2\n"
     "x2' = b*x2*x1\ny = x1\n",
     "x2=1", "a*b", "ggg"},
    /* One recording tells a + b*x, others with another x the rest; from 0 on
     * all of them tell a. */
    {"parameters a b\nstates x\noutputs y\nequations\nx' = 0\n"
     "y = a + b*x\n",
     "x", "a + b*x", "llg"},
    {"parameters a b\nstates x\noutputs y\nequations\nx' = 0\n"
     "y = a + b*x\n",
     "x=0", "a", "gng"},
    /* The square alone. */
    {"parameters k\nstates x\noutputs y\nequations\nx' = -x\n"
     "y = k^2*x\n",
     "x=1", "k^2", "lg"},
    /* A velocity. */
    {"parameters c F\nstates z\noutputs y\nequations\nz'' = -c*z\n"
     "y = F*z\n",
     "z,z'=1", "F", "ggg"},
    /* A function of what starts anywhere, and of what starts at 1. */
    {"parameters k E\nstates w\ninputs q\noutputs y\nequations\n"
     "y' = q - k*w*exp(-E/y)\nw' = -w\n",
     "w", "k", "ggg"},
    {"parameters k E\nstates w\noutputs y\nequations\n"
     "w' = -k*exp(-E*w)\ny = w^2\n",
     "w=1", "k", "lgl"},
    /* Hysteresis: the sign of z is a constant between its zeros. */
    {"parameters m k alpha A beta\nstates z\ninputs u\noutputs x\nequations\n"
     "m*x'' + k*x + alpha*z = u\nz' = A*x' - beta*x'*abs(z)\n",
     "x", "alpha*A", "ggnnlg"},
    /* Functions of parameters and numbers inside one that shows. */
    {"parameters k E\nstates x\ninputs u\noutputs y\nequations\n"
     "x' = u - k*exp(log(E)*x)\ny = x\n",
     "x", "E", "ggg"},
    {"parameters k E\nstates x\ninputs u\noutputs y\nequations\n"
     "x' = u - k*exp(sqrt(6)*E*x)\ny = x\n",
     "x=1", "E", "ggg"},
    /* A function of what starts somewhere known. */
    {"parameters k E\nstates z\noutputs y\nequations\n"
     "y' = k*exp(-E*z)\nz' = -z\n",
     "z", "E", "lgg"},
    /* A start that is a function of parameters. */
    {"parameters k E\nstates x\noutputs y\nequations\n"
     "x' = 2 - k*sqrt(x)\ny = 2*x\n",
     "x=E", "E", "ggg"},
    {"parameters k\nstates x\noutputs y\nequations\n"
     "x' = 2 - k*sqrt(x)\ny = k*x\n",
     "x", "k", "gg"},
    /* At rest, for what is computed from a signal rests with it. */
    {"parameters a b\nstates x\noutputs y\nequations\n"
     "x' = a*x - b*sin(x)\ny = x\n",
     "x=0", "a", "nnn"},
    {"parameters a b\nstates x\noutputs y\nequations\n"
     "x' = a*x - b*cos(x)\ny = x\n",
     "x=0", "a", "ggg"},
    {"parameters a b\noutputs y\nequations\ny' = a*y - b*sin(y)\n", "y=1", "a",
     "ggg"},
    {"parameters a b\nstates x\noutputs y\nequations\n"
     "x' = a*x - b*abs(x)\ny = x\n",
     "x=0", "a", "uuu"},
};

START_TEST(initial_values_make_parameters_known)
{
    static const char *const word[] = {"no", "local", "global", "undecided"};
    darc_model *m = NULL;
    darc_options *o = NULL;
    darc_identified *found = NULL;
    const char *text = starts[_i].model, *expected = starts[_i].expected;
    ck_assert_int_eq(darc_model_parse(&m, text, strlen(text), "test", NULL),
                     DARC_OK);
    ck_assert_int_eq(darc_options_new(&o, "identify", NULL), DARC_OK);
    ck_assert_int_eq(darc_options_set(o, "init", starts[_i].init, NULL),
                     DARC_OK);
    ck_assert_int_eq(darc_options_set(o, "ask", starts[_i].ask, NULL), DARC_OK);
    ck_assert_int_eq(darc_identify(&found, m, o, NULL, NULL), DARC_OK);
    ck_assert(found->from_start);
    for (int v = 0; v < found->parameters; v++) {
        const darc_identified_parameter *p = found->parameter + v;
        ck_assert_msg(word[p->identifiable][0] == expected[v], "%s: %s",
                      p->name, word[p->identifiable]);
        ck_assert(p->final == (p->identifiable == DARC_NOT_IDENTIFIABLE));
    }
    ck_assert_int_eq(word[found->asks->identifiable][0],
                     expected[found->parameters]);
    darc_identified_free(found);
    darc_options_free(o);
    darc_model_free(m);
}
END_TEST

/* What is wrong with --init is said. */
START_TEST(initial_values_are_checked)
{
    static const char text[] = "parameters k\nstates x z h\noutputs y w\n"
                               "equations\nx' = -k*x\nz = x + k\ny = z*x\n"
                               "h' = -k*sqrt(h)\nw = 2*h\n";
    static const char *const row[][2] = {
        {"q", "--init: 'q' is no state"},
        {"z=1", "--init: 'z' is no state"},
        {"x'=1", "--init: 'x'' is no state"},
        {"x=z", "--init: x: an initial value is a number"},
        {"x=1+", "--init: '1+'"},
        {"h=2", "--init: 'h' is no state that may start anywhere; where a "
                "root of it"},
    };
    darc_model *m = NULL;
    ck_assert_int_eq(darc_model_parse(&m, text, strlen(text), "test", NULL),
                     DARC_OK);
    for (size_t i = 0; i < sizeof row / sizeof row[0]; i++) {
        darc_options *o = NULL;
        darc_identified *found = NULL;
        darc_err err = {DARC_OK, ""};
        ck_assert_int_eq(darc_options_new(&o, "identify", NULL), DARC_OK);
        ck_assert_int_eq(darc_options_set(o, "init", row[i][0], NULL), DARC_OK);
        ck_assert_int_eq(darc_identify(&found, m, o, NULL, &err), DARC_USAGE);
        ck_assert_msg(strstr(err.message, row[i][1]) == err.message, "%s",
                      err.message);
        darc_options_free(o);
    }
    darc_model_free(m);
}
END_TEST

/* An unknown input that takes up all that the output shows leaves no relation:
 * ranks by hand, x1 = y and x2 = y'; a chain of tanks, of which the last one is
 * seen. */
START_TEST(unknown_inputs)
{
    static const struct {
        const char *equations, *parameters, *states;
    } of[] = {{"x1' = x2\n x2' = -a*x1 - b*x2 + w\n y = x1", "nn", "lln"},
              {"x1' = w - a*x1\n x2' = a*x1 - b*x2\n y = x2", "nn", "nln"},
              {"x1' = w - x1\n x2' = x1 - b*x2\n y = x2", "nn", "nln"}};
    static const char word[] = "nlgu";
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        darc_text_t text = DARC_TEXT;
        darc_text_printf(text,
                         "model m\nparameters\n a b\nstates\n x1 x2\ninputs\n "
                         "w unknown\noutputs\n y\nequations\n %s\n",
                         of[i].equations);
        darc_model *model = model_of(text->s);
        darc_identified *found = NULL;
        ck_assert_int_eq(darc_identify(&found, model, NULL, NULL, NULL),
                         DARC_OK);
        ck_assert_int_eq(found->states, 3);
        for (int v = 0; v < 2; v++)
            ck_assert_int_eq(word[found->parameter[v].identifiable],
                             of[i].parameters[v]);
        for (int v = 0; v < 3; v++)
            ck_assert_int_eq(word[found->state[v].identifiable],
                             of[i].states[v]);
        darc_identified_free(found);
        darc_model_free(model);
        darc_text_clear(text);
    }
}
END_TEST

/* The same where equations are there, but too long for what they show. */
START_TEST(unknown_inputs_of_long_equations)
{
    darc_model *model = model_of(
        "model m\nparameters\n p q r\ninputs\n u\n w unknown\nstates\n"
        " x1 x2 x3 x4 x5\noutputs\n y1 y2\nequations\n"
        " x1' = -r - q*x2^2 - r*x2\n x2' = -q*x2*x3 + p*x3\n"
        " x3' = p*q*x3 + u + p*u - r*x4 + w\n x4' = -r*x3 - u + r*x2*x1\n"
        " x5' = -r*x4*x5 + q*u\n y1 = x5\n y2 = r*x3 + p\n");
    darc_identified *found = NULL;
    ck_assert_int_eq(darc_identify(&found, model, NULL, NULL, NULL), DARC_OK);
    ck_assert_int_eq(found->states, 6);
    for (int v = 0; v < 3; v++)
        ck_assert_int_eq(found->parameter[v].identifiable, DARC_LOCALLY);
    for (int v = 0; v < 6; v++)
        ck_assert_int_eq(found->state[v].identifiable, DARC_LOCALLY);
    darc_identified_free(found);
    darc_model_free(model);
}
END_TEST

Suite *suite_observable(void)
{
    Suite *s = suite_create("observable");
    TCase *c = tcase_create("observable");
    tcase_add_loop_test(c, statuses_are_as_published, 0,
                        (int)(sizeof cases / sizeof cases[0]));
    tcase_add_loop_test(c, initial_values_make_parameters_known, 0,
                        (int)(sizeof starts / sizeof starts[0]));
    tcase_add_test(c, initial_values_are_checked);
    tcase_add_test(c, unknown_inputs);
    tcase_add_test(c, unknown_inputs_of_long_equations);
    suite_add_tcase(s, c);
    return s;
}
