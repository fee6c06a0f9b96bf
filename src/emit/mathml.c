#include "emit/html.h"

#include "syntax/expr.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Return the length of the signal that name[0 .. n) is, with an index A or B
 * (A_ where the model has that name too); 0 if it is none. */
static size_t signal_length(const darc_mathml_names *names, const char *name,
                            size_t n)
{
    size_t base = n > 1 && name[n - 1] == '_' ? n - 2 : n - 1;
    if (names == NULL || n < 2 || (name[base] != 'A' && name[base] != 'B'))
        return 0;
    for (int i = 0; i < names->signals; i++)
        if (strlen(names->signal[i]) == base &&
            strncmp(names->signal[i], name, base) == 0)
            return base;
    return 0;
}

/* A name as base and index: k12 is k with 12, x_max is x with max, omega0 the
 * letter with 0. */
typedef struct {
    char base[80], index[80];
} parts;

/* Write a Greek letter for its name: "omega", "Omega". */
static void set_greek(char *base, size_t size)
{
    static const char *const name[] = {
        "alpha",   "beta", "gamma", "delta",  "epsilon", "zeta", "eta",
        "theta",   "iota", "kappa", "lambda", "mu",      "nu",   "xi",
        "omicron", "pi",   "rho",   "",       "sigma",   "tau",  "upsilon",
        "phi",     "chi",  "psi",   "omega"};
    int first = isupper((unsigned char)base[0]) ? 0x391 : 0x3b1;
    for (int i = 0; i < (int)(sizeof name / sizeof name[0]); i++)
        if (strcmp(base + 1, name[i] + (name[i][0] != '\0')) == 0 &&
            tolower((unsigned char)base[0]) == name[i][0]) {
            snprintf(base, size, "%c%c", 0xc0 | (first + i) >> 6,
                     0x80 | ((first + i) & 0x3f));
            return;
        }
}

static parts split_name(const char *name, size_t n,
                        const darc_mathml_names *names)
{
    parts p;
    size_t letters = 0, signal = signal_length(names, name, n);
    size_t plain = signal > 0 ? signal : n;
    while (letters < plain && isalpha((unsigned char)name[letters]))
        letters++;
    if (letters == 0)
        letters = plain;
    const char *tail = name + letters;
    size_t rest = plain - letters;
    if (rest > 1 && *tail == '_') {
        tail++;
        rest--;
    }
    snprintf(p.base, sizeof p.base, "%.*s", (int)letters, name);
    set_greek(p.base, sizeof p.base);
    snprintf(p.index, sizeof p.index, "%.*s%s%.*s", (int)rest, tail,
             signal > 0 && rest > 0 ? "," : "", signal > 0 ? 1 : 0,
             name + plain);
    return p;
}

/* Append the base with `order` dots, or primes behind a name of several
 * letters, over which a dot is lost; past two as an exponent.  With an exponent
 * the dots do not count for the height, or they would push it up. */
static void put_base(darc_text_t out, const char *base, int order, bool raised)
{
    static const char *const dots[] = {"\u02d9", "\u00a8"};
    static const char *const primes[] = {"\u2032", "\u2033"};
    if (order != 1 && order != 2) {
        darc_text_printf(out, "<mi>%s</mi>", base);
        return;
    }
    if (strlen(base) > 1 && isalpha((unsigned char)base[0])) {
        darc_text_printf(out, "<mrow><mi>%s</mi><mo>%s</mo></mrow>", base,
                         primes[order - 1]);
        return;
    }
    bool tall = strcspn(base, "bdfhkltABCDEFGHIJKLMNOPQRSTUVWXYZ") == 0;
    if (raised)
        darc_text_printf(out, "<mpadded height=\"%s\">",
                         tall ? "0.7em" : "0.5em");
    darc_text_printf(out,
                     "<mover accent=\"true\"><mi>%s</mi><mo>%s</mo></mover>",
                     base, dots[order - 1]);
    if (raised)
        darc_text_puts(out, "</mpadded>");
}

/* Append a name with its order of derivation and, unless NULL, exponent. */
static void put_name(darc_text_t out, const parts *p, int order,
                     const char *power)
{
    bool index = p->index[0] != '\0', high = order > 2;
    if (high && power != NULL)
        darc_text_puts(out, "<msup><mrow><mo stretchy=\"false\">(</mo><mpadded "
                            "height=\"0.9em\">");
    const char *up = high ? "" : power;
    const char *tag = index && up != NULL ? "msubsup"
                      : index             ? "msub"
                      : up != NULL        ? "msup"
                                          : "mrow";
    darc_text_printf(out, "<%s>", tag);
    put_base(out, p->base, order, power != NULL);
    if (index)
        darc_text_printf(out, "<mi>%s</mi>", p->index);
    if (high)
        darc_text_printf(out,
                         "<mrow><mo stretchy=\"false\">(</mo><mn>%d</mn><mo "
                         "stretchy=\"false\">)</mo></mrow>",
                         order);
    else if (power != NULL)
        darc_text_puts(out, power);
    darc_text_printf(out, "</%s>", tag);
    if (high && power != NULL)
        darc_text_printf(
            out, "</mpadded><mo stretchy=\"false\">)</mo></mrow>%s</msup>",
            power);
}

/* Append e; but for a bare one in parentheses, where it is a sum or negative.
 */
static void put_expr(darc_text_t out, const darc_expr *e,
                     const darc_mathml_names *names, bool bare);

static void put_unknown(darc_text_t out, const darc_expr *e, const char *power,
                        const darc_mathml_names *names)
{
    const char *name = strcmp(e->text, "time") == 0 ? "t" : e->text;
    parts p = split_name(name, strlen(name), names);
    put_name(out, &p, e->order, power);
}

static void put_function(darc_text_t out, const darc_expr *e,
                         const darc_mathml_names *names)
{
    bool root = e->function == DARC_FUNCTION_SQRT;
    bool bars = e->function == DARC_FUNCTION_ABS;
    if (!root && !bars)
        darc_text_printf(out, "<mi>%s</mi><mo>&#x2061;</mo>",
                         darc_function_name(e->function));
    darc_text_puts(out, root ? "<msqrt>" : "<mrow>");
    darc_text_puts(out, root ? "" : bars ? "<mo>|</mo>" : "<mo>(</mo>");
    for (int i = 0; i < e->count; i++) {
        darc_text_puts(out, i > 0 ? "<mo>,</mo>" : "");
        put_expr(out, e->child[i], names, true);
    }
    darc_text_puts(out, root ? "" : bars ? "<mo>|</mo>" : "<mo>)</mo>");
    darc_text_puts(out, root ? "</msqrt>" : "</mrow>");
}

/* Append what binds tightest: (d/dt)^order of it, raised to what stands there,
 * NULL: nothing. */
static void put_power(darc_text_t out, const darc_expr *e,
                      const darc_expr *exponent, const darc_mathml_names *names)
{
    darc_text_t power = DARC_TEXT, base = DARC_TEXT;
    if (exponent != NULL && exponent->kind == DARC_EXPR_NUMBER) {
        darc_text_printf(power, "<mn>%s</mn>", exponent->text);
    } else if (exponent != NULL) {
        darc_text_puts(power, "<mrow>");
        put_expr(power, exponent, names, true);
        darc_text_puts(power, "</mrow>");
    }
    if (e->kind == DARC_EXPR_UNKNOWN) {
        put_unknown(out, e, exponent != NULL ? power->s : NULL, names);
        goto done;
    }
    if (exponent != NULL)
        darc_text_puts(out, "<msup><mrow>");
    if (e->order == 1)
        darc_text_puts(out, "<mfrac><mi>d</mi><mrow><mi>d</mi><mi>t</mi>"
                            "</mrow></mfrac>");
    else if (e->order > 1)
        darc_text_printf(out,
                         "<mfrac><msup><mi>d</mi><mn>%d</mn></msup><mrow>"
                         "<mi>d</mi><msup><mi>t</mi><mn>%d</mn></msup></mrow>"
                         "</mfrac>",
                         e->order, e->order);
    bool derived = e->kind == DARC_EXPR_DERIVATIVE;
    const darc_expr *of = derived ? e->child[0] : e;
    bool number = of->kind == DARC_EXPR_NUMBER;
    bool fence = derived || (exponent != NULL && !number) ||
                 of->kind == DARC_EXPR_SUM || of->kind == DARC_EXPR_NEGATE;
    if (number)
        darc_text_printf(base, "<mn>%s</mn>", of->text);
    else if (of->kind == DARC_EXPR_CALL)
        put_function(base, of, names);
    else
        put_expr(base, of, names, true);
    /* Parentheses grow with fractions, not with every index. */
    bool tall = strstr(base->s, "<mfrac") != NULL;
    darc_text_printf(out,
                     !fence ? "%s"
                     : tall ? "<mrow><mo>(</mo>%s<mo>)</mo></mrow>"
                            : "<mrow><mo stretchy=\"false\">(</mo>%s<mo "
                              "stretchy=\"false\">)</mo></mrow>",
                     base->s);
    if (exponent != NULL)
        darc_text_printf(out, "</mrow>%s</msup>", power->s);
done:
    DARC_EACH(darc_text_clear, power, base);
}

#define TIMES "<mo>&#x2062;</mo><mspace width=\"0.16em\"/>"

static void put_product(darc_text_t out, const darc_expr *e,
                        const darc_mathml_names *names)
{
    darc_text_t left = DARC_TEXT, below = DARC_TEXT;
    for (int i = 0; i < e->count; i++) {
        const darc_expr *part = e->child[i];
        bool divides = i > 0 && part->kind == DARC_EXPR_INVERT;
        darc_text_struct *to = divides ? below : left;
        if (i > 0 && part->kind == DARC_EXPR_NUMBER &&
            strcmp(part->text, "1") == 0)
            continue; /* as weak forms write a constant part */
        /* What stands above or below a line needs no parentheses. */
        bool above = i == 0 && (part->kind == DARC_EXPR_NEGATE ||
                                e->child[1]->kind == DARC_EXPR_INVERT);
        darc_text_puts(to, to->len > 0 ? TIMES : "");
        put_expr(to, divides ? part->child[0] : part, names, divides || above);
    }
    darc_text_printf(
        out,
        below->len > 0 ? "<mfrac><mrow>%s</mrow><mrow>%s</mrow></mfrac>" : "%s",
        left->s, below->s);
    DARC_EACH(darc_text_clear, left, below);
}

static void put_operator(darc_text_t out, const char *sign)
{
    darc_text_printf(out, "<mo form=\"infix\">%s</mo>", sign);
}

#define MINUS "\u2212"

/* Append part i of a sum, with the sign before it. */
static void put_term(darc_text_t out, const darc_expr *part, int i,
                     const darc_mathml_names *names)
{
    bool negative = part->kind == DARC_EXPR_NEGATE;
    if (i > 0)
        put_operator(out, negative ? MINUS : "+");
    if (i > 0 && negative)
        put_expr(out, part->child[0], names, false);
    else
        put_expr(out, part, names, negative);
}

static void put_expr(darc_text_t out, const darc_expr *e,
                     const darc_mathml_names *names, bool bare)
{
    if (e->kind == DARC_EXPR_PRODUCT)
        put_product(out, e, names);
    else if (e->kind == DARC_EXPR_POWER)
        put_power(out, e->child[0], e->child[1], names);
    else if (e->kind == DARC_EXPR_SUM && bare)
        for (int i = 0; i < e->count; i++)
            put_term(out, e->child[i], i, names);
    else if (e->kind == DARC_EXPR_NEGATE && bare) {
        darc_text_puts(out, "<mo>" MINUS "</mo>");
        put_expr(out, e->child[0], names, false);
    } else
        put_power(out, e, NULL, names);
}

/* Append a sum, or one side of an equation behind its operator, every term as
 * an element of its own. */
static bool put_side(darc_text_t out, const char *s, size_t n, const char *sign,
                     const darc_mathml_names *names)
{
    darc_expr *e = darc_expr_read(s, n);
    int terms = e == NULL ? 0 : e->kind == DARC_EXPR_SUM ? e->count : 1;
    for (int i = 0; i < terms; i++) {
        darc_text_puts(out, out->len > 0 ? "\u200b<math>" : "<math>");
        if (i == 0 && sign != NULL)
            put_operator(out, sign);
        put_term(out, e->kind == DARC_EXPR_SUM ? e->child[i] : e, i, names);
        darc_text_puts(out, "</math>");
    }
    darc_expr_free(e);
    return terms > 0;
}

/* Append what stands up to a comma or bracket outside of parentheses, and
 * return how long it is; 0: it is no cell. */
static size_t put_cell(darc_text_t out, const char *s,
                       const darc_mathml_names *names)
{
    size_t n = 0;
    for (int open = 0; s[n] != '\0' && s[n] != ']' && (s[n] != ',' || open > 0);
         n++)
        open += (s[n] == '(') - (s[n] == ')');
    darc_expr *e = darc_expr_read(s, n);
    if (e == NULL)
        return 0;
    darc_text_puts(out, "<mtd>");
    put_expr(out, e, names, true);
    darc_text_puts(out, "</mtd>");
    darc_expr_free(e);
    return n;
}

/* matrix -> 'det [' row { ',' row } ']';  row -> '[' cell { ',' cell } ']' */
static bool put_matrix(darc_text_t out, const char *s,
                       const darc_mathml_names *names)
{
    size_t n = 1;
    darc_text_puts(out, "<math><mi>det</mi><mo>&#x2061;</mo><mrow><mo>[</mo>"
                        "<mtable>");
    for (s += strlen("det ["); *s == '[' && n > 0; s += strspn(s, "], ")) {
        darc_text_puts(out, "<mtr>");
        do
            s += 1 + (n = put_cell(out, s + 1, names));
        while (n > 0 && *s == ',');
        darc_text_puts(out, "</mtr>");
    }
    darc_text_puts(out, "</mtable><mo>]</mo></mrow></math>");
    return n > 0;
}

bool darc_mathml(darc_text_t out, const char *s, const darc_mathml_names *names)
{
    static const char *const matrix = "det [";
    /* texts and choices are not typeset */
    if (strlen(s) > DARC_MATHML_LONGEST || strpbrk(s, "\";<>") != NULL)
        return false;
    darc_text_t t = DARC_TEXT;
    const char *sign = NULL;
    bool good, more;
    do {
        size_t n = strcspn(s, "=!");
        good = strncmp(s, matrix, strlen(matrix)) == 0
                   ? put_matrix(t, s, names)
                   : put_side(t, s, n, sign, names);
        s += n;
        more = *s != '\0';
        sign = *s == '!' ? "\u2260" : "=";
        good = good && (*s != '!' || s[1] == '=');
        s += *s == '!' ? 2 : 1;
    } while (good && more);
    if (good)
        darc_text_puts(out, t->s);
    darc_text_clear(t);
    return good;
}
