#include "tests.h"

#include "base/text.h"

#include <darc.h>

#include <ctype.h>
#include <string.h>

/* Statuses by hand, of parameters, states, and functions that are asked for:
 * `L` is at least local.  Texts of a model: states, parameters, inputs,
 * outputs, equations; then known initial values and what is asked. */
static const struct {
    const char *states, *parameters, *inputs, *outputs, *equations, *init, *ask;
    const char *expected;
} cases[] = {
    /* A ring, one way: among the changes that are compared one has no points,
     * which a monomial in a basis says. */
    {"a b c d", "p q r s e f g h", "u", "y",
     "a' = -(p + e)*a + s*d + u\nb' = p*a - (q + f)*b\n"
     "c' = q*b - (r + g)*c\nd' = r*c - (s + h)*d\ny = a",
     "", "p+e,p*q*r*s", "nnnnnnnngnnngg"},
    {"x", "k c", "", "y", "x'=-k*x\ny=c*x", "", "c*x,c*k", "gnngn"},
    {"x", "k c", "", "y", "x'=-k*x\ny=c*x", "x", "", "ggg"},
    {"x", "k c", "", "y", "x'=-k*x\ny=c*x", "x=2", "", "ggg"},
    {"x", "k c", "u", "y", "x'=-k*x+u\ny=c*x", "", "", "ggg"},
    {"x", "a b", "u", "y", "x'=-a*b*x+u\ny=x", "", "a*b,a/b,x+a,x*a*b",
     "nnggnng"},
    {"x", "k", "", "y", "x'=-k*x\ny=x^2", "", "x^2,x^3", "glgl"},
    {"x", "k b", "", "y", "x'=-k*x+b\ny=x^2", "", "b*x,b^2,x/b,x+b", "gllgggl"},
    {"x", "a", "", "y", "x'=-a*x\ny=atan(x)", "", "", "gg"},
    {"x", "k", "", "y", "x'=-x\ny=exp(-k*x)", "", "", "nn"},
    {"x", "a k b", "u", "y", "x'=-a*x+u\ny=exp(k*x)+b", "", "", "gggg"},
    {"T", "k E", "q", "y", "T'=q-k*exp(-E/T)\ny=T", "", "", "ggg"},
    /* A four-bar linkage, crank and rocker measured: no signal shows its size,
     * nor what keeps it together. */
    {"q s1 s2", "J1 J2 J3 a b c d k", "tau", "p r",
     "J1*p''=tau-k*p'+a*(s1*sin(p)-s2*cos(p))\n"
     "J2*q''=b*(s1*sin(q)-s2*cos(q))\nJ3*r''=-c*(s1*sin(r)-s2*cos(r))\n"
     "a*cos(p)+b*cos(q)=d+c*cos(r)\na*sin(p)+b*sin(q)=c*sin(r)",
     "", "", "gggnnnngLnn"},
    /* not where the state is known but for its sign, or exchanged */
    {"x", "a k", "", "y z", "x'=-a*x\ny=x^2\nz=k*sinh(x)", "", "k^2", "gLLg"},
    {"p q", "a b k m", "", "y1 y2 z",
     "p'=-a*p\nq'=-b*q\ny1=p+q\ny2=p*q\nz=k*exp(p)+m*exp(q)", "", "", "LLLLLL"},
    {"x", "r K th", "", "y", "x'=r*x*(1-(x/K)^th)\ny=x", "x", "", "gLgg"},
    /* Semenov's explosion (1928): what is known of exp(-E/T) shows A. */
    {"", "A E q h", "u", "c T", "c'=-A*c*exp(-E/T)\nT'=q*A*c*exp(-E/T)-h*(T-u)",
     "", "", "gggg"},
    {"T", "A E q h", "u", "c", "c'=-A*c*exp(-E/T)\nT'=q*A*c*exp(-E/T)-h*(T-u)",
     "", "", "ggggg"},
    {"x", "a", "", "y", "x'=a\ny=sin(x)", "", "a^2", "LLg"},
    {"x", "a", "", "y1 y2", "x'=a\ny1=sin(x)\ny2=cos(x)", "", "", "gL"},
    {"x", "k", "u", "y", "x'=-x+u\ny=tanh(k*x)", "", "", "gg"},
    {"x", "k b", "u", "y", "x'=-k*sqrt(x)+b*u\ny=sqrt(x)", "", "", "ggg"},
    {"x", "k", "u", "y", "x'=-k*x+u\ny=x^(1/3)", "", "", "gg"},
    {"x1 x2", "a b", "u\nw unknown", "y1 y2",
     "x1'=-a*x1+w\nx2'=-b*x2+w+u\ny1=x1\ny2=x2", "", "", "ggggg"},
    {"x1 x2", "k k2", "u\nw unknown", "y1 y2",
     "x1'=w-k*(x1-x2)\nx2'=k2*(x1-x2)+u\ny1=x1\ny2=x2", "", "", "ngggn"},
    {"x1 x2", "k1 k2", "", "y", "x1'=-k1*x1\nx2'=k1*x1-k2*x2\ny=x2", "",
     "k1+k2,k1*k2,k1*x1,k1-k2,(k1-k2)^2", "lllgggllg"},
    {"x1 x2", "k1 k2", "", "y", "x1'=-k1*x1\nx2'=k1*x1-k2*x2\ny=x2", "x1", "",
     "gggg"},
    {"x1 x2", "k1 k2", "", "y", "x1'=-k1*x1\nx2'=k1*x1-k2*x2\ny=x2", "x1=1", "",
     "gggg"},
    {"x1 x2", "k1 k2", "", "y", "x1'=-k1*x1\nx2'=k1*x1-k2*x2\ny=x2",
     "x1=1,x2=0", "", "gggg"},
    {"x1 x2", "k1 k2", "", "y", "x1'=-k1*x1\nx2'=k1*x1-k2*x2\ny=x2", "x2=0", "",
     "LLLg"},
    {"x", "V K c", "", "y", "x'=-V*x/(K+x)\ny=c*x", "", "V*c,K*c,V/K,c*x,x/K",
     "nnnnggggg"},
    {"x z", "a b c d", "", "y", "x'=x*(a-b*z)\nz'=z*(-c+d*x)\ny=x", "", "b*z",
     "gngggng"},
    {"x1 x2 x3", "k", "", "y1 y2", "x1'=x2\nx2'=-k*x1\nx3'=-x3\ny1=x1\ny2=2*x1",
     "", "", "gggn"},
    {"x", "b", "", "y", "x'=0\ny=x+b", "", "x+b", "nng"},
    {"x", "a b c", "", "y", "x'=a*x+b\ny=x+c", "", "b-a*c,x+c", "gnnngg"},
    {"x", "a", "", "y", "x'=a^2*x\ny=x", "", "a^2,a^3,a^4", "lgglg"},
    {"x", "a b", "u", "y", "x'=-(a+b)*x+a*u\ny=x", "", "", "ggg"},
    {"x", "a b c", "", "y", "x'=-a*x-b*x^2\ny=c*x", "", "b/c,b*c", "gnnngn"},
    {"x z", "k", "", "y", "z=k*x\nx'=-z\ny=x", "", "", "ggg"},
    {"x", "k", "", "y", "x'*x'=k*x\ny=x", "", "", "gg"},
    {"x1 x2", "p1 p2", "", "y", "x1'=-p1*x1*x2\nx2'=p2*x1*x2\ny=x1", "",
     "p1*x2", "nggng"},
    {"x", "b1 b2 c", "u1\nu2", "y", "x'=-x+b1*u1+b2*u2\ny=c*x", "",
     "b1*c,b1/b2,x/b1,x*c", "nnnngggg"},
    {"x", "k", "", "y", "x'=-k*x+time\ny=x", "", "", "gg"},
    {"x", "k a b", "", "y1 y2", "x'=-k*x\ny1=a*x\ny2=b*x", "", "a/b,a*x",
     "gnnngg"},
    {"x", "k D V", "", "y", "x'=-k*x\ny=x/V", "x=D", "D/V,x/V", "gnnngg"},
    {"x1 x2", "k", "", "y", "x1'=x2\nx2'=-k*x1\ny=x1", "x2=0", "", "ggg"},
    {"x1 x2", "k", "", "y", "x1'=x2\nx2'=-k*x1\ny=x1", "x1=0,x2=0", "", "ngg"},
    {"x1 x2", "k1 k2", "", "y", "x1'=-k1*x1+k2*x2\nx2'=-x2\ny=x1", "x2=0", "",
     "gngg"},
    {"x1 x2", "k1 k2", "", "y", "x1'=-k1*x1+k2*x2\nx2'=-x2\ny=x1", "", "k2*x2",
     "gngng"},
    {"x1 x2", "a b", "", "y", "x1'=a*x2\nx2'=b*x1\ny=x1+x2", "",
     "a*b,x1+x2,a*x2+b*x1", "nnnnggg"},
    {"x1 x2", "a", "", "y", "x1'=a*x2\nx2'=a*x1\ny=x1", "", "a*x2,a^2,x2^2",
     "lglggg"},
    {"x1 x2", "a", "", "y", "x1'=x1*x2\nx2'=a*x1\ny=x1^2", "", "a*x1,a^2",
     "llggg"},
    {"x", "k", "", "y", "x'=-k*x\ny=x'", "", "", "gg"},
    {"x1 x2", "k1 k2", "", "y", "x1'=-k1*x1\nx2'=-k2*x2\ny=x1+x2", "",
     "x1*x2,k1*x1+k2*x2,k1*x1,k1+k2,k1*x2+k2*x1", "llllgglgg"},
    {"T", "k E", "u", "y", "T'=-k*exp(-E/T)*T+u\ny=T", "", "", "ggg"},
    {"x", "k", "u", "y", "x'=-k*x+u\ny=log(x)", "", "", "gg"},
    {"x", "a b", "u", "y", "x'=-a*ln(x)+u\ny=b*x", "", "", "ggg"},
    {"x", "a b", "u", "y", "x'=-a*log10(x)+u\ny=b*x", "", "", "ggg"},
    {"v", "m c", "u", "y", "m*v'=u-c*sgn(y)\ny=v", "", "", "ggg"},
    {"x", "a b", "u", "y", "x'=-a*asinh(x/b)+u\ny=x", "", "", "LLg"},
    {"x", "a b c", "u", "y", "x'=-a*x+b*u\ny=asin(c*x)", "", "b*c", "gnnng"},
    {"x", "a b", "u", "y", "x'=-a*x+u\ny=acos(b*x)", "", "", "ggg"},
    {"x", "a", "u", "y", "x'=-a*asin(x)+u\ny=2*x", "", "", "gg"},
    /* a tank whose level is seen as the speed that it gives (Torricelli) */
    {"h", "A k n", "q", "y", "A*h'=q-k*h^n\ny=sqrt(h)", "", "", "gggg"},
    /* Coulomb's friction, from the place alone */
    {"v", "m b c", "u", "y", "y'=v\nm*v'=u-b*v-c*sign(v)", "", "", "gggg"},
    {"x", "k a b", "u", "y", "x'=-k*x+u\ny=a*log(x)+b", "", "", "gggg"},
    {"p v", "g l", "", "y", "p'=v\nv'=-g/l*sin(p)\ny=p", "", "g/l", "nnggg"},
    {"p v", "m g l d", "M", "y", "p'=v\nm*l^2*v'=-m*g*l*sin(p)-d*v+M\ny=p", "",
     "m*l^2,g/l,m*g*l", "nnngggggg"},
    {"h1 h2", "k1 k2 A", "q", "y1 y2",
     "A*h1'=q-k1*sqrt(h1-h2)\nA*h2'=k1*sqrt(h1-h2)-k2*sqrt(h2)\ny1=h1\ny2=h2",
     "", "", "ggggg"},
    {"h", "k A", "q", "y", "A*h'=q-k*sqrt(h)\ny=h", "", "", "ggg"},
    {"h c", "k A c0", "q", "y", "A*h'=q-k*sqrt(h+c0)\nc'=-c\ny=h", "", "",
     "ggggn"},
    {"x", "a b", "u", "y", "x'=-a*tan(b*x)+u\ny=x", "", "", "LLg"},
    {"x", "a b", "u", "y", "x'=-a*exp(b*x)+u\ny=x", "", "", "ggg"},
    {"S I", "b g N", "", "y", "S'=-b*S*I/N\nI'=b*S*I/N-g*I\ny=I", "",
     "b/N,S*b/N", "ngngggg"},
    {"S I", "b g N K", "", "y", "S'=-b*S*I/N\nI'=b*S*I/N-g*I\ny=K*I", "",
     "b/N/K,K*I", "ngnnnngg"},
    {"h1 h2", "k1 k2", "q", "y",
     "h1'=q-k1*sqrt(h1)\nh2'=k1*sqrt(h1)-k2*sqrt(h2)\ny=h2", "", "", "gggg"},
    {"x", "k", "u", "y", "x'=-x+u\ny=k*sqrt(x)", "", "", "gg"},
    {"x", "k", "u", "y", "x'=-x+u\ny=k*x^(1/3)", "", "", "gg"},
    {"x", "k a", "u", "y", "x'=-x+u\ny=k*sqrt(x+a)", "", "", "ggg"},
    {"x", "k a", "u", "y", "x'=-x+a*u\ny=sqrt(k*x)", "", "k*x,a*k", "nnngg"},
    {"x", "k", "u", "y", "x'=-x+u\ny=k*exp(x)", "", "", "gg"},
    {"th w", "a b", "u", "y1 y2",
     "th'=w\nw'=-a*w+u\ny1=b*sin(th)\ny2=b*cos(th)", "", "b^2", "gLLgg"},
    {"x", "k", "", "y", "x'=-k*x\ny=x", "", "sqrt(x),k*sqrt(x)", "gggg"},
    {"x z", "k", "u", "y", "x'=-x+u\nz'=-k*z+sqrt(x)\ny=z", "", "sqrt(x)",
     "gggg"},
    {"x z", "k", "u", "y", "x'=-x+u\nz'=-k*z+x\ny=z", "",
     "sqrt(x),exp(-k),exp(x),sin(x)", "gggLgLL"},
    {"x z", "k", "u", "y", "x'=-x+u\nz'=-z+x\ny=k*z", "", "sqrt(k)", "gggg"},
    {"x", "k", "", "y", "x'=-x\ny=k*x", "", "sqrt(k),sqrt(x),sqrt(k*x),k*x",
     "nnnnLg"},
    {"x", "k", "u", "y", "x'=-x+u\ny=k^2*x", "", "sqrt(k)", "lgL"},
    {"x1 x2", "p1 p2 p3 p4", "", "y",
     "x1'=p1*sqrt(2*x2)*x2-sqrt(x1^2+1)*p1+p3*x2\n"
     "x2'=p4*(p3*x1)^(1/3)-p2*(p2*x2)^(1/3)\ny=x1",
     "", "", "gLLLgL"},
    /* Functions of states that begin at numbers: log(1) and sin(0) are 0,
     * sqrt(4) is 2, log(2/3) known, exp(-E/3) a function of E; z is in none. */
    {"s", "Q a b", "i", "y", "Q*s'=-i\ny=a+b*log(s)", "s=1", "", "gggg"},
    {"s", "Q a b", "i", "y", "Q*s'=-i\ny=a+b*log(s)", "s=2/3", "", "gLgg"},
    {"h", "a b", "u", "y", "h'=u-a*sqrt(h)\ny'=a*sqrt(h)-b*y", "h=4", "",
     "ggg"},
    {"z v", "k c m", "u", "y", "y'=v\nm*v'=u-z-exp(-c*v)\nz'=v-k*z", "z=0", "",
     "ggggg"},
    {"q", "a", "", "y", "q'=-a*sin(q)\ny=cos(q)", "q=0", "", "ng"},
    {"x", "k E", "u", "y", "x'=-k*exp(-E/x)+u\ny=x^2", "x=3", "", "Lgg"},
    /* no solved form, and a number under a root */
    {"x1 x2", "p1 p3 p4", "", "y",
     "x1'=-x1*p1-sqrt(x1^2+1)*p4\nx2'=-p4*sqrt(x2)*x2-sqrt(2)*p4*x2\ny=p3*x2",
     "", "", "nggng"},
    /* h = r*u, r one of two numbers: v' = (d*r + e)/(r + c), or r + q, is all
     * that recordings of one of them show */
    {"h", "p c d e", "u", "v w", "h^2=p*u^2\nw'=h\nv'*(w'+c*u)=d*w'+e*u", "",
     "", "Lnnng"},
    {"h", "p c d", "u", "v w", "h^2=p*u^2\nw'=h\nv'*(w'+c*u)=d*w'", "", "",
     "Luug"},
    {"h", "p q", "u", "w", "h^2=p*u^2\nw'=h+q*u", "", "", "uuu"},
    /* the last equation is (w' + c*u)*(v' - e*w') = 0, by the others */
    {"h", "p c e", "u", "v w", "h^2=p*u\nw'=h\nv'*(w'+c*u)=e*p*u+c*e*u*w'", "",
     "", "LnLg"},
    {"h", "p q", "u", "w", "h^2=p*u\nw'=h+q*u", "", "", "ggg"},
};

static char letter(darc_identifiability found, bool final)
{
    char c = darc_identifiability_text(found)[0];
    return found == DARC_LOCALLY && !final ? (char)toupper(c) : c;
}

static void put_section(darc_text_t text, const char *name, const char *body)
{
    if (body[0] != '\0')
        darc_text_printf(text, "%s\n%s\n", name, body);
}

START_TEST(statuses_by_hand)
{
    darc_model *model = NULL;
    darc_options *o = NULL;
    darc_identified *found = NULL;
    darc_text_t text = DARC_TEXT, got = DARC_TEXT;
    darc_text_puts(text, "model test\n");
    put_section(text, "states", cases[_i].states);
    put_section(text, "parameters", cases[_i].parameters);
    put_section(text, "inputs", cases[_i].inputs);
    put_section(text, "outputs", cases[_i].outputs);
    put_section(text, "equations", cases[_i].equations);
    ck_assert_int_eq(
        darc_model_parse(&model, text->s, strlen(text->s), "test", NULL),
        DARC_OK);
    ck_assert_int_eq(darc_options_new(&o, "identify", NULL), DARC_OK);
    if (cases[_i].init[0] != '\0')
        ck_assert_int_eq(darc_options_set(o, "init", cases[_i].init, NULL),
                         DARC_OK);
    if (cases[_i].ask[0] != '\0')
        ck_assert_int_eq(darc_options_set(o, "ask", cases[_i].ask, NULL),
                         DARC_OK);
    ck_assert_int_eq(darc_identify(&found, model, o, NULL, NULL), DARC_OK);
    for (int i = 0; i < found->parameters; i++)
        darc_text_putc(got, letter(found->parameter[i].identifiable,
                                   found->parameter[i].final));
    for (int i = 0; i < found->states; i++)
        darc_text_putc(
            got, letter(found->state[i].identifiable, found->state[i].final));
    for (int i = 0; i < found->asked; i++)
        darc_text_putc(
            got, letter(found->asks[i].identifiable, found->asks[i].final));
    ck_assert_msg(strcmp(got->s, cases[_i].expected) == 0, "%s: %s, not %s",
                  cases[_i].equations, got->s, cases[_i].expected);
    darc_identified_free(found);
    darc_options_free(o);
    darc_model_free(model);
    darc_text_clear(text);
    darc_text_clear(got);
}
END_TEST

Suite *suite_by_hand(void)
{
    Suite *s = suite_create("by_hand");
    TCase *c = tcase_create("by_hand");
    tcase_add_loop_test(c, statuses_by_hand, 0, sizeof cases / sizeof cases[0]);
    suite_add_tcase(s, c);
    return s;
}
