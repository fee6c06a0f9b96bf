/* unitname.c - how a unit is printed. */
#include "base/units.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* Derived units, those first that go with others. */
static const char *const derived[] = {"N",   "Pa", "W", "V", "J",
                                      "ohm", "Wb", "H", "F"};

enum { MASS = 1, DERIVED = sizeof derived / sizeof derived[0], NONE = -1 };

/* A derived unit to some power, and what is left. */
typedef struct {
    int unit; /* NONE: no derived one */
    double power, rest[DARC_UNIT_BASES];
    double length;
} spelling;

/* A power counts as the unit that often, and a little more. */
static double length_of(double power)
{
    double p = fabs(power);
    return p < 1e-9 ? 0 : 1 + 1.1 * fmax(p - 1, 0);
}

static bool stands_in(const char *unit, const char *text)
{
    size_t n = strlen(unit);
    for (const char *s = strstr(text, unit); s != NULL; s = strstr(s + 1, unit))
        if ((s == text || !isalpha((unsigned char)s[-1])) &&
            !isalpha((unsigned char)s[n]))
            return true;
    return false;
}

/* Set s to the powers with a derived unit that has all of their mass; return
 * whether it can have.  One that nobody uses stands alone or with one other. */
static bool spell(spelling *s, const double *power, int unit,
                  const char *const *own, size_t n)
{
    darc_unit u;
    if (!darc_unit_read(&u, derived[unit]) || power[MASS] == 0)
        return false;
    *s = (spelling){unit, power[MASS] / u.power[MASS], {0}, 0.05};
    bool used = false;
    for (size_t i = 0; i < n && !used; i++)
        used = stands_in(derived[unit], own[i]);
    s->length += length_of(s->power) + (used ? 0 : 1);
    int others = 0;
    for (int k = 0; k < DARC_UNIT_SI; k++) {
        s->rest[k] = power[k] - s->power * u.power[k];
        s->length += length_of(s->rest[k]);
        others += length_of(s->rest[k]) > 0;
    }
    return used || others < 2;
}

static void put_power(darc_text_t out, const char *symbol, double power,
                      double sign)
{
    double p = sign * power;
    if (p < 1e-9)
        return;
    if (sign < 0)
        darc_text_puts(out, out->len > 0 ? "/" : "1/");
    else
        darc_text_puts(out, out->len > 0 ? "*" : "");
    darc_text_puts(out, symbol);
    if (fabs(p - 1) < 1e-9)
        return;
    if (fabs(p - round(p)) < 1e-9)
        darc_text_printf(out, "^%.0f", p);
    else if (fabs(2 * p - round(2 * p)) < 1e-9)
        darc_text_printf(out, "^(%.0f/2)", 2 * p);
    else
        darc_text_printf(out, "^%.4g", p);
}

void darc_unit_print(darc_text_t out, const double *power,
                     const char *const *own, size_t n)
{
    static const int order[] = {1, 0, 2, 3, 4, 5, 6}; /* kg before m */
    darc_text_t text = DARC_TEXT;
    spelling best = {NONE, 0, {0}, 0}, other;
    darc_unit u;
    for (size_t i = 0; i < n && fabs(power[MASS]) > 1e-9; i++)
        if (own[i][0] != '\0' && darc_unit_read(&u, own[i]) && u.scale == 1 &&
            u.shift == 0 && u.power[DARC_UNIT_SI] == 0 &&
            darc_unit_same(u.power, power)) {
            darc_text_puts(out, own[i]);
            return;
        }
    for (int k = 0; k < DARC_UNIT_SI; k++) {
        best.rest[k] = power[k];
        best.length += length_of(power[k]);
    }
    for (int d = 0; d < DERIVED; d++)
        if (spell(&other, power, d, own, n) && other.length < best.length)
            best = other;
    for (int sign = 1; sign >= -1; sign -= 2) {
        if (best.unit != NONE)
            put_power(text, derived[best.unit], best.power, sign);
        for (int i = 0; i < DARC_UNIT_SI; i++)
            put_power(text, darc_unit_symbol[order[i]], best.rest[order[i]],
                      sign);
    }
    darc_text_puts(out, text->len > 0 ? text->s : "1");
    darc_text_clear(text);
}
