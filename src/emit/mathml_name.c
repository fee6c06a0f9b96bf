#include "emit/mathml_name.h"

#include "emit/html.h"

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

/* A name as base and index: k12 is k with 12, x_max is x with max. */
typedef struct {
    char base[80], index[80];
} parts;

static void split_name(parts *p, const char *name, size_t n,
                       const darc_mathml_names *names)
{
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
    snprintf(p->base, sizeof p->base, "%.*s", (int)letters, name);
    snprintf(p->index, sizeof p->index, "%.*s%s%.*s", (int)rest, tail,
             signal > 0 && rest > 0 ? "," : "", signal > 0 ? 1 : 0,
             name + plain);
}

/* Append the base with `order` dots, or primes behind a name of several
 * letters, over which a dot is lost; past two as an exponent.  With an exponent
 * the dots do not count for the height, or they would push it up. */
static void put_base(darc_text_t out, const char *base, int order, bool raised)
{
    static const char *const dots[] = {"\u02d9", "\u00a8"};
    static const char *const primes[] = {"\u2032", "\u2033"};
    if (order != 1 && order != 2) {
        darc_html_put(out, "<mi>%s</mi>", base);
        return;
    }
    if (strlen(base) > 1) {
        darc_html_put(out, "<mrow><mi>%s</mi><mo>%h</mo></mrow>", base,
                      primes[order - 1]);
        return;
    }
    bool tall = strcspn(base, "bdfhkltABCDEFGHIJKLMNOPQRSTUVWXYZ") == 0;
    if (raised)
        darc_html_put(out, "<mpadded height=\"%h\">", tall ? "0.7em" : "0.5em");
    darc_html_put(out, "<mover accent=\"true\"><mi>%s</mi><mo>%h</mo></mover>",
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
    darc_html_put(out, "<%h>", tag);
    put_base(out, p->base, order, power != NULL);
    if (index)
        darc_html_put(out, "<mi>%s</mi>", p->index);
    if (high)
        darc_html_put(out,
                      "<mrow><mo stretchy=\"false\">(</mo><mn>%d</mn><mo "
                      "stretchy=\"false\">)</mo></mrow>",
                      order);
    else if (power != NULL)
        darc_text_puts(out, power);
    darc_html_put(out, "</%h>", tag);
    if (high && power != NULL)
        darc_html_put(out,
                      "</mpadded><mo stretchy=\"false\">)</mo></mrow>%h</msup>",
                      power);
}

void darc_mathml_derivative(darc_text_t out, const darc_mathml_name *x,
                            const darc_mathml_names *names)
{
    parts p;
    split_name(&p, x->name, x->length, names);
    put_name(out, &p, x->order, x->power);
}
