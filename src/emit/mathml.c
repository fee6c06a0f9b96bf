#include "emit/mathml.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#define NESTING 100
#define LONGEST_NAME 66 /* 64, and what tells two recordings apart */

/* The state of a recursive descent; what it reads goes to `out` at once. */
typedef struct {
    const char *s; /* what is left */
    int depth;
    bool failed;
    const darc_mathml_names *names;
} reader;

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

/* A name as base and index: k12 is k with 12, x_max is x with max. */
typedef struct {
    char base[80], index[80];
} parts;

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
    if (strlen(base) > 1) {
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

/* Append a sum; return the number of its terms. */
static int read_sum(darc_text_t out, reader *r);

static void skip_blanks(reader *r)
{
    while (*r->s == ' ')
        r->s++;
}

/* Skip blanks, then text if it stands there; return whether it did. */
static bool take(reader *r, const char *text)
{
    skip_blanks(r);
    size_t n = strlen(text);
    if (strncmp(r->s, text, n) != 0)
        return false;
    r->s += n;
    return true;
}

static void expect(reader *r, const char *text)
{
    if (!take(r, text))
        r->failed = true;
}

static bool is_name_char(char c)
{
    return isalnum((unsigned char)c) || c == '_';
}

static int read_primes(reader *r)
{
    size_t n = strspn(r->s, "'");
    r->s += n;
    return (int)n;
}

/* Return how long the name is that stands there, and pass over it. */
static size_t skip_name(reader *r)
{
    const char *name = r->s;
    while (is_name_char(*r->s))
        r->s++;
    return (size_t)(r->s - name);
}

/* Set power to the exponent that stands there, if any; return whether. */
static bool read_power(darc_text_t power, reader *r)
{
    if (!take(r, "^"))
        return false;
    skip_blanks(r);
    if (isdigit((unsigned char)*r->s)) {
        size_t n = strspn(r->s, "0123456789");
        darc_text_printf(power, "<mn>%.*s</mn>", (int)n, r->s);
        r->s += n;
    } else if (take(r, "(")) {
        darc_text_puts(power, "<mrow>");
        read_sum(power, r);
        darc_text_puts(power, "</mrow>");
        expect(r, ")");
    } else {
        r->failed = true;
    }
    return true;
}

/* name -> letters, then primes, then an exponent */
static void finish_name(darc_text_t out, reader *r, const char *name, size_t n,
                        int order)
{
    darc_text_t power = DARC_TEXT;
    bool clock = n == 4 && strncmp(name, "time", 4) == 0;
    r->failed |= n == 0 || n > LONGEST_NAME;
    if (r->failed)
        return;
    order += read_primes(r);
    bool raised = read_power(power, r);
    parts p = split_name(clock ? "t" : name, clock ? 1 : n, r->names);
    put_name(out, &p, order, raised ? power->s : NULL);
    darc_text_clear(power);
}

/* der(x, 4) */
static void read_der(darc_text_t out, reader *r)
{
    skip_blanks(r);
    const char *name = r->s;
    size_t n = skip_name(r);
    int order = 1, used = 0;
    if (take(r, ",")) {
        if (sscanf(r->s, "%d%n", &order, &used) != 1)
            r->failed = true;
        r->s += used;
    }
    expect(r, ")");
    finish_name(out, r, name, n, order);
}

/* Append base raised to what follows; order > 0: (d/dt)^order of it. */
static void finish_group(darc_text_t out, reader *r, const char *base,
                         bool fence)
{
    int order = read_primes(r);
    darc_text_t power = DARC_TEXT;
    bool raised = read_power(power, r);
    if (raised)
        darc_text_puts(out, "<msup><mrow>");
    if (order == 1)
        darc_text_puts(out, "<mfrac><mi>d</mi><mrow><mi>d</mi><mi>t</mi>"
                            "</mrow></mfrac>");
    else if (order > 1)
        darc_text_printf(out,
                         "<mfrac><msup><mi>d</mi><mn>%d</mn></msup><mrow>"
                         "<mi>d</mi><msup><mi>t</mi><mn>%d</mn></msup></mrow>"
                         "</mfrac>",
                         order, order);
    /* Parentheses grow with fractions, not with every index. */
    bool tall = strstr(base, "<mfrac") != NULL;
    darc_text_printf(out,
                     !fence ? "%s"
                     : tall ? "<mrow><mo>(</mo>%s<mo>)</mo></mrow>"
                            : "<mrow><mo stretchy=\"false\">(</mo>%s<mo "
                              "stretchy=\"false\">)</mo></mrow>",
                     base);
    if (raised)
        darc_text_printf(out, "</mrow>%s</msup>", power->s);
    darc_text_clear(power);
}

static void read_function(darc_text_t out, reader *r, const char *name,
                          size_t n)
{
    darc_text_t t = DARC_TEXT;
    bool root = n == 4 && strncmp(name, "sqrt", n) == 0;
    bool bars = n == 3 && strncmp(name, "abs", n) == 0;
    if (!root && !bars)
        darc_text_printf(t, "<mi>%.*s</mi><mo>&#x2061;</mo>", (int)n, name);
    darc_text_puts(t, root ? "<msqrt>" : "<mrow>");
    darc_text_puts(t, root ? "" : bars ? "<mo>|</mo>" : "<mo>(</mo>");
    read_sum(t, r);
    while (take(r, ",")) {
        darc_text_puts(t, "<mo>,</mo>");
        read_sum(t, r);
    }
    darc_text_puts(t, root ? "" : bars ? "<mo>|</mo>" : "<mo>)</mo>");
    darc_text_puts(t, root ? "</msqrt>" : "</mrow>");
    expect(r, ")");
    finish_group(out, r, t->s, *r->s == '\'' || *r->s == '^');
    darc_text_clear(t);
}

static void read_word(darc_text_t out, reader *r)
{
    const char *name = r->s;
    size_t n = skip_name(r);
    if (*r->s != '(')
        finish_name(out, r, name, n, 0);
    else if (take(r, "(") && n == 3 && strncmp(name, "der", n) == 0)
        read_der(out, r);
    else
        read_function(out, r, name, n);
}

static void read_number(darc_text_t out, reader *r)
{
    const char *s = r->s;
    r->s += strspn(r->s, "0123456789.");
    if ((*r->s == 'e' || *r->s == 'E') &&
        isdigit((unsigned char)r->s[1 + (r->s[1] == '-' || r->s[1] == '+')]))
        r->s += 2 + strspn(r->s + 2, "0123456789");
    darc_text_t t = DARC_TEXT;
    darc_text_printf(t, "<mn>%.*s</mn>", (int)(r->s - s), s);
    finish_group(out, r, t->s, false);
    darc_text_clear(t);
}

/* A parenthesis around one name or number is left out. */
static bool is_single(const char *s)
{
    size_t n = 0;
    while (is_name_char(s[n]))
        n++;
    return n > 0 && s[n] == ')';
}

static void read_group(darc_text_t out, reader *r)
{
    if (is_single(r->s) && isalpha((unsigned char)*r->s)) {
        const char *name = r->s;
        r->s = strchr(r->s, ')');
        size_t n = (size_t)(r->s++ - name);
        finish_name(out, r, name, n, 0);
        return;
    }
    darc_text_t t = DARC_TEXT;
    bool negative = *r->s == '-';
    bool sum = read_sum(t, r) > 1;
    expect(r, ")");
    finish_group(out, r, t->s,
                 sum || negative || *r->s == '^' || *r->s == '\'');
    darc_text_clear(t);
}

/* matrix -> '[' row { ',' row } ']';  row -> '[' sum { ',' sum } ']' */
static void read_matrix(darc_text_t out, reader *r)
{
    darc_text_puts(out, "<mrow><mo>[</mo><mtable>");
    do {
        expect(r, "[");
        darc_text_puts(out, "<mtr>");
        do {
            darc_text_puts(out, "<mtd>");
            read_sum(out, r);
            darc_text_puts(out, "</mtd>");
        } while (!r->failed && take(r, ","));
        darc_text_puts(out, "</mtr>");
        expect(r, "]");
    } while (!r->failed && take(r, ","));
    expect(r, "]");
    darc_text_puts(out, "</mtable><mo>]</mo></mrow>");
}

/* factor -> '-' factor | primary
 * primary -> number | word | '(' sum ')' | 'det' matrix */
static void read_factor(darc_text_t out, reader *r)
{
    if (take(r, "-"))
        darc_text_puts(out, "<mo>\u2212</mo>");
    skip_blanks(r);
    if (++r->depth > NESTING)
        r->failed = true;
    if (r->failed)
        return;
    if (take(r, "det [")) {
        darc_text_puts(out, "<mi>det</mi><mo>&#x2061;</mo>");
        read_matrix(out, r);
    } else if (take(r, "(")) {
        read_group(out, r);
    } else if (isdigit((unsigned char)*r->s)) {
        read_number(out, r);
    } else if (isalpha((unsigned char)*r->s) || *r->s == '_') {
        read_word(out, r);
    } else {
        r->failed = true;
    }
    r->depth--;
}

/* Return what follows the parenthesis that closes the one at s, NULL if
 * there is none. */
static const char *behind(const char *s)
{
    int open = 0;
    for (; *s != '\0'; s++) {
        open += *s == '(';
        open -= *s == ')';
        if (open == 0)
            return s + 1;
    }
    return NULL;
}

/* Read one side of a fraction, which needs no parenthesis around it: the
 * numerator if '/' follows. */
static void read_side(darc_text_t out, reader *r, bool numerator)
{
    skip_blanks(r);
    const char *next = *r->s == '(' ? behind(r->s) : NULL;
    bool bare = next != NULL &&
                (numerator ? *next == '/' : *next != '^' && *next != '\'');
    if (!bare || ++r->depth > NESTING) {
        read_factor(out, r);
        return;
    }
    expect(r, "(");
    read_sum(out, r);
    expect(r, ")");
    r->depth--;
}

#define TIMES "<mo>&#x2062;</mo><mspace width=\"0.16em\"/>"

/* term -> factor { ('*' | '/') factor } */
static void read_term(darc_text_t out, reader *r)
{
    darc_text_t left = DARC_TEXT, below = DARC_TEXT;
    read_side(left, r, true);
    bool fraction = false;
    while (!r->failed) {
        if (take(r, "*(1)")) {
            continue; /* as weak forms write a constant part */
        } else if (take(r, "*")) {
            darc_text_puts(left, TIMES);
            read_factor(left, r);
        } else if (take(r, "/")) {
            darc_text_puts(below, fraction ? TIMES : "");
            fraction = true;
            read_side(below, r, false);
        } else {
            break;
        }
    }
    darc_text_printf(
        out, fraction ? "<mfrac><mrow>%s</mrow><mrow>%s</mrow></mfrac>" : "%s",
        left->s, below->s);
    darc_text_clear(left);
    darc_text_clear(below);
}

/* Append the operator that stands there and return true. */
static bool read_operator(darc_text_t out, reader *r)
{
    static const char *const sign[][2] = {
        {"!=", "\u2260"}, {"+", "+"}, {"-", "\u2212"}, {"=", "="}};
    for (int i = 0; i < 4; i++)
        if (take(r, sign[i][0])) {
            darc_text_printf(out, "<mo form=\"infix\">%s</mo>", sign[i][1]);
            return true;
        }
    return false;
}

/* sum -> term { ('+' | '-') term } */
static int read_sum(darc_text_t out, reader *r)
{
    int terms = 0;
    do {
        skip_blanks(r);
        read_term(out, r);
        terms++;
    } while (!r->failed && read_operator(out, r));
    return terms;
}

bool darc_mathml(darc_text_t out, const char *s, const darc_mathml_names *names)
{
    reader r = {.s = s, .names = names};
    if (strlen(s) > DARC_MATHML_LONGEST)
        return false;
    darc_text_t t = DARC_TEXT;
    bool more = true;
    darc_text_puts(t, "<math>");
    while (more && !r.failed) {
        read_term(t, &r);
        darc_text_puts(t, "</math>");
        skip_blanks(&r);
        more = *r.s != '\0';
        darc_text_puts(t, more ? "\u200b<math>" : "");
        if (more && !read_operator(t, &r))
            r.failed = true;
    }
    if (!r.failed)
        darc_text_puts(out, t->s);
    darc_text_clear(t);
    return !r.failed;
}
