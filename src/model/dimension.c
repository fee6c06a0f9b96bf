#include "model/model_struct.h"

#include "base/mem.h"
#include "base/units.h"

#include <math.h>
#include <string.h>

/* Exponents are fractions of small numbers; so far may sums of them be off. */
#define ROUNDING 1e-9

/* A dimension: the powers of the SI's units, whether it may be anything, and
 * the powers of the dimensions of names that have no unit, by declaration.
 * Every unknown dimension is a vector of powers, and all its components obey
 * the same equations. */
enum { SECOND = 2, FREE = DARC_UNIT_SI, NAMES };

typedef struct {
    const darc_model *model;
    const darc_script *script;
    size_t width;    /* of a dimension: NAMES and the declarations */
    darc_unit *unit; /* of these; owned */
    bool *known;     /* owned */
    bool odd;        /* a unit holds a factor, as mg/l, h, mm do */
    size_t rows;
    double **row; /* each is 0; row[pivot] is 1, 0 in later rows; owned */
    int *pivot;   /* owned */
} checker;

static double *new_form(const checker *c)
{
    return darc_calloc(c->width, sizeof(double));
}

/* a += p b */
static void add_powers(double *a, const double *b, double p, const checker *c)
{
    bool is_free = a[FREE] != 0 || b[FREE] != 0;
    for (size_t i = 0; i < c->width; i++)
        a[i] += p * b[i];
    a[FREE] = is_free;
}

/* Put in what is known of the names. */
static void reduce_powers(double *f, const checker *c)
{
    for (size_t r = 0; r < c->rows; r++) {
        double p = f[c->pivot[r]];
        if (p == 0)
            continue;
        add_powers(f, c->row[r], -p, c);
        f[c->pivot[r]] = 0;
    }
}

/* The place of the name of the largest power, -1 if there is none. */
static int largest(const double *f, const checker *c)
{
    int best = -1;
    for (int i = NAMES; i < (int)c->width; i++)
        if (fabs(f[i]) > ROUNDING && (best < 0 || fabs(f[i]) > fabs(f[best])))
            best = i;
    return best;
}

/* Demand that f is of no dimension; false where it cannot be. */
static bool demand(double *f, checker *c)
{
    static const double none[DARC_UNIT_BASES];
    if (f[FREE] != 0)
        return true;
    reduce_powers(f, c);
    int best = largest(f, c);
    if (best < 0)
        return darc_unit_same(f, none);
    DARC_EACH_IN(DARC_ROOM, c->rows, c->row, c->pivot);
    c->row[c->rows] = new_form(c);
    add_powers(c->row[c->rows], f, 1 / f[best], c);
    c->pivot[c->rows++] = best;
    return true;
}

/* Append the unit of these powers of the SI's, as darc_unit_print of those that
 * are declared. */
static void print_unit(darc_text_t out, const darc_syntax *syntax,
                       const double *power)
{
    size_t n = syntax->declarations;
    const char **own = darc_calloc(n + 1, sizeof *own);
    for (size_t i = 0; i < n; i++)
        own[i] = syntax->declaration[i].unit;
    darc_unit_print(out, power, own, n);
    darc_free((void *)own);
}

static void print_form(darc_text_t out, const darc_expr *e, const double *f,
                       const checker *c)
{
    darc_expr_print(out, e->kind == DARC_EXPR_NEGATE ? e->child[0] : e);
    darc_text_puts(out, " is in ");
    print_unit(out, &c->model->syntax, f);
}

static darc_status fail_terms(const checker *c, const darc_expr *at,
                              const double *f, const darc_expr *other,
                              const double *g)
{
    darc_text_t text = DARC_TEXT;
    print_form(text, at, f, c);
    darc_text_puts(text, other != NULL ? ", " : ", but must be a number");
    if (other != NULL)
        print_form(text, other, g, c);
    darc_status status =
        DARC_FAIL_MODEL(c, at, "units do not match: %.600s%s", text->s,
                        other != NULL && (at->kind == DARC_EXPR_NUMBER)
                            ? " (a number has no unit; a constant may)"
                            : "");
    darc_text_clear(text);
    return status;
}

static bool is_known_power(const double *f, const checker *c)
{
    return f[FREE] == 0 && largest(f, c) < 0;
}

/* Return the term with whose dimension most agree, of those that are known. */
static int prevailing(double *const *f, int n, const checker *c)
{
    int best = 0, most = 0;
    for (int i = 0; i < n; i++) {
        int agree = 0;
        for (int k = 0; k < n && is_known_power(f[i], c); k++)
            agree += is_known_power(f[k], c) && darc_unit_same(f[i], f[k]);
        if (agree > most) {
            most = agree;
            best = i;
        }
    }
    for (int i = n - 1; most == 0 && i >= 0; i--)
        if (f[i][FREE] == 0)
            best = i;
    return best;
}

static darc_status form_of(double *f, const darc_expr *e, checker *c);

/* Set f to the dimension that all terms share. */
static darc_status unite(double *f, const darc_expr *const *term, int n,
                         checker *c)
{
    darc_status status = DARC_OK;
    double **of = darc_calloc((size_t)n + 1, sizeof *of), *gap = new_form(c);
    for (int i = 0; i < n; i++)
        of[i] = new_form(c);
    for (int i = 0; i < n; i++) {
        DARC_TRY(form_of(of[i], term[i], c));
        if (term[i]->kind == DARC_EXPR_NUMBER)
            of[i][FREE] = 1;
    }
    for (int i = 0; i < n; i++)
        reduce_powers(of[i], c);
    int best = prevailing(of, n, c);
    for (int i = 0; i < n; i++) {
        memset(gap, 0, c->width * sizeof *gap);
        add_powers(gap, of[i], 1, c);
        add_powers(gap, of[best], -1, c);
        bool fits = demand(gap, c);
        DARC_EACH_IN(reduce_powers, c, of[i], of[best]);
        if (!fits)
            DARC_TRY(fail_terms(c, term[i], of[i], term[best], of[best]));
    }
    add_powers(f, of[best], 1, c);
done:
    DARC_FREE_EACH(of, n);
    DARC_FREE(of, gap);
    return status;
}

/* Add p times the dimension of e. */
static darc_status add_power(double *f, const darc_expr *e, double p,
                             checker *c)
{
    double *own = new_form(c);
    darc_status status = form_of(own, e, c);
    add_powers(f, own, p, c);
    darc_free(own);
    return status;
}

static darc_status of_call(double *f, const darc_expr *e, checker *c)
{
    const darc_expr *const *child = (const darc_expr *const *)e->child;
    double *own = new_form(c);
    darc_status status = DARC_OK;
    switch (e->function) {
    case DARC_FUNCTION_SQRT:
        DARC_TRY(add_power(f, child[0], 0.5, c));
        break;
    case DARC_FUNCTION_DELAY:
    case DARC_FUNCTION_MEAN:
        if (!darc_expr_is_constant(child[1], NULL)) {
            DARC_TRY(form_of(own, child[1], c));
            own[SECOND] -= 1;
            if (!demand(own, c))
                DARC_TRY(DARC_FAIL_MODEL(
                    c, e, "the time of a delay must be a time, in s"));
        }
        DARC_TRY(form_of(f, child[0], c));
        break;
    case DARC_FUNCTION_ABS:
    case DARC_FUNCTION_INT:
        DARC_TRY(form_of(f, child[0], c));
        f[SECOND] += e->function == DARC_FUNCTION_INT;
        break;
    case DARC_FUNCTION_SIGN:
    case DARC_FUNCTION_TABLE:
        DARC_TRY(form_of(own, child[0], c));
        f[FREE] = e->function == DARC_FUNCTION_TABLE;
        break;
    case DARC_FUNCTION_MIN:
    case DARC_FUNCTION_MAX:
        DARC_TRY(unite(f, child, e->count, c));
        break;
    case DARC_FUNCTION_IF:
        DARC_TRY(unite(own, child, 2, c));
        DARC_TRY(unite(f, child + 2, 2, c));
        break;
    default:
        DARC_TRY(form_of(own, child[0], c));
        if (!demand(own, c))
            status = fail_terms(c, child[0], own, NULL, NULL);
    }
done:
    darc_free(own);
    return status;
}

static void of_name(double *f, const darc_expr *e, const checker *c)
{
    const darc_syntax *s = &c->model->syntax;
    const darc_declaration *d = darc_syntax_find(s, e->text);
    if (d == NULL) {
        f[SECOND] = 1; /* time */
        return;
    }
    size_t i = (size_t)(d - s->declaration);
    if (c->known[i])
        memcpy(f, c->unit[i].power, DARC_UNIT_SI * sizeof *f);
    else
        f[NAMES + i] = 1;
    f[SECOND] -= e->order;
}

/* Set f, which is of no dimension, to the dimension of e. */
static darc_status form_of(double *f, const darc_expr *e, checker *c)
{
    double p;
    switch (e->kind) {
    case DARC_EXPR_NUMBER:
        return DARC_OK;
    case DARC_EXPR_UNKNOWN:
        of_name(f, e, c);
        return DARC_OK;
    case DARC_EXPR_SUM:
        return unite(f, (const darc_expr *const *)e->child, e->count, c);
    case DARC_EXPR_NEGATE:
    case DARC_EXPR_PRODUCT:
    case DARC_EXPR_INVERT:
        p = e->kind == DARC_EXPR_INVERT ? -1 : 1;
        for (int i = 0; i < e->count; i++)
            DARC_NEED(add_power(f, e->child[i], p, c));
        return DARC_OK;
    case DARC_EXPR_POWER:
        if (darc_expr_is_constant(e->child[1], &p))
            return add_power(f, e->child[0], p, c);
        f[FREE] = 1;
        return add_power(f, e->child[0], 0, c);
    case DARC_EXPR_DERIVATIVE:
        DARC_NEED(form_of(f, e->child[0], c));
        f[SECOND] -= e->order;
        return DARC_OK;
    case DARC_EXPR_CALL:
        return of_call(f, e, c);
    }
    return DARC_OK;
}

/* The terms of both sides, so that most of them tell which one differs. */
static darc_status check_sides(checker *c, const darc_expr *left,
                               const darc_expr *right)
{
    const darc_expr *side[] = {left, right};
    int n = 0;
    size_t most = (size_t)left->count + (size_t)right->count + 2;
    const darc_expr **term = darc_calloc(most, sizeof(darc_expr *));
    for (int k = 0; k < 2; k++) {
        bool sum = side[k]->kind == DARC_EXPR_SUM;
        for (int i = 0; i < (sum ? side[k]->count : 1); i++)
            term[n++] = sum ? side[k]->child[i] : side[k];
    }
    double *f = new_form(c);
    darc_status status = unite(f, term, n, c);
    DARC_FREE(f, (void *)term);
    return status;
}

/* Derived signals. */
static darc_status check_values(checker *c)
{
    const darc_syntax *s = &c->model->syntax;
    for (size_t i = 0; i < s->declarations; i++) {
        const darc_declaration *d = s->declaration + i;
        if (d->value == NULL || d->section != DARC_SECTION_DERIVED)
            continue;
        darc_expr *name = darc_expr_new(DARC_EXPR_UNKNOWN, d->value->place,
                                        d->name, strlen(d->name));
        darc_status status = check_sides(c, name, d->value);
        darc_expr_free(name);
        if (status != DARC_OK)
            return status;
    }
    return DARC_OK;
}

/* Read the units of the declarations; return whether there are any. */
static bool read_units(checker *c)
{
    bool any = false;
    const darc_syntax *s = &c->model->syntax;
    for (size_t i = 0; i < s->declarations; i++) {
        const char *text = s->declaration[i].unit;
        c->known[i] = text[0] != '\0' && darc_unit_read(&c->unit[i], text);
        any |= c->known[i];
        c->odd |= c->known[i] && fabs(c->unit[i].scale - 1) > ROUNDING;
        c->unit[i].power[2] -= s->declaration[i].dose; /* it comes at once */
    }
    return any;
}

darc_status darc_check_dimensions(darc_model *model, const darc_script *script)
{
    darc_status status = DARC_OK;
    darc_syntax *s = &model->syntax;
    checker c = {
        .model = model, .script = script, .width = NAMES + s->declarations};
    DARC_CALLOC(s->declarations, c.unit, c.known);
    if (!read_units(&c))
        goto done;
    DARC_TRY(check_values(&c));
    for (size_t i = 0; i < s->equations.count; i++)
        DARC_TRY(check_sides(&c, s->equations.statement[i].left,
                             s->equations.statement[i].right));
    /* Keep what equations need of parameters and states without a unit, which
     * is known but for a factor where one of a unit is not 1. */
    for (size_t i = 0; i < s->declarations; i++) {
        darc_declaration *d = s->declaration + i;
        darc_text_t text = DARC_TEXT;
        if (d->unit[0] != '\0' || (d->section != DARC_SECTION_PARAMETERS &&
                                   d->section != DARC_SECTION_STATES))
            continue;
        double *f = new_form(&c);
        f[NAMES + i] = 1;
        reduce_powers(f, &c);
        if (largest(f, &c) < 0 && !c.odd) {
            print_unit(text, s, f);
            d->taken = darc_text_take(text);
        }
        darc_free(f);
    }
done:
    DARC_FREE_EACH(c.row, c.rows);
    DARC_FREE(c.row, c.pivot, c.unit, c.known);
    return status;
}

/* Append "N/m^2", or "(N/m)^2" for what is a quotient itself. */
static void print_power(darc_text_t out, const char *unit, double p)
{
    bool compound = strpbrk(unit, "*/^ ") != NULL;
    darc_text_puts(out, out->len == 0 ? (p < 0 ? "1/" : "")
                        : p < 0       ? "/"
                                      : "*");
    darc_text_printf(out, compound ? "(%s)" : "%s", unit);
    if (fabs(p) != 1)
        darc_text_printf(out, "^%g", fabs(p));
}

void darc_model_unit_of(darc_text_t out, const darc_model *model,
                        const double *power, double seconds)
{
    double si[DARC_UNIT_BASES] = {[SECOND] = seconds};
    bool known = true, pure = true;
    darc_text_t words = DARC_TEXT;
    for (int u = 0; u < model->names->count; u++) {
        darc_unit unit = {0};
        const darc_declaration *d = darc_model_declaration(model, u);
        const char *text = darc_model_unit(model, u);
        if (power[u] == 0 || (text[0] == '\0' && d->taken != NULL))
            continue;
        bool read = text[0] != '\0' && darc_unit_read(&unit, text);
        known = known && text[0] != '\0';
        pure = pure && read && unit.scale == 1 && unit.shift == 0;
        for (int k = 0; k < DARC_UNIT_SI && read; k++)
            si[k] += power[u] * unit.power[k];
        print_power(words, text, power[u]);
    }
    if (seconds != 0)
        print_power(words, "s", seconds);
    if (known && pure)
        print_unit(out, &model->syntax, si);
    else if (known)
        darc_text_puts(out, words->s);
    darc_text_clear(words);
}
