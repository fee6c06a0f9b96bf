#include "model/model_struct.h"

#include "base/mem.h"
#include "base/units.h"

#include <math.h>
#include <string.h>

/* Exponents are fractions of small numbers; so far may sums of them be off. */
#define ROUNDING 1e-9

enum { SECOND = 2 };

/* Powers of the SI's units, and of the dimensions of names that have no unit.
 * Every unknown dimension is a vector of powers, and all its components obey
 * the same equations. */
typedef struct {
    bool free; /* may be anything */
    double power[DARC_UNIT_BASES];
    double *name; /* by declaration; owned */
} form;

typedef struct {
    const darc_model *model;
    const darc_script *script;
    size_t names;
    darc_unit *unit; /* of the declarations; owned */
    bool *known;     /* owned */
    size_t rows, alloc;
    form *row;  /* each is 0; name[pivot] is 1, 0 in later rows; owned */
    int *pivot; /* owned */
} checker;

static void form_init(form *f, const checker *c)
{
    *f = (form){.name = darc_calloc(c->names + 1, sizeof *f->name)};
}

static void form_clear(form *f)
{
    darc_free(f->name);
    f->name = NULL;
}

/* a += p b */
static void add(form *a, const form *b, double p, const checker *c)
{
    a->free |= b->free;
    for (int k = 0; k < DARC_UNIT_SI; k++)
        a->power[k] += p * b->power[k];
    for (size_t i = 0; i < c->names; i++)
        a->name[i] += p * b->name[i];
}

/* Put in what is known of the names. */
static void reduce(form *f, const checker *c)
{
    for (size_t r = 0; r < c->rows; r++) {
        double p = f->name[c->pivot[r]];
        if (p == 0)
            continue;
        add(f, &c->row[r], -p, c);
        f->name[c->pivot[r]] = 0;
    }
}

/* The name of the largest power, -1 if there is none. */
static int largest(const form *f, const checker *c)
{
    int best = -1;
    for (size_t i = 0; i < c->names; i++)
        if (fabs(f->name[i]) > ROUNDING &&
            (best < 0 || fabs(f->name[i]) > fabs(f->name[best])))
            best = (int)i;
    return best;
}

/* Demand that f is of no dimension; false where it cannot be. */
static bool demand(form *f, checker *c)
{
    static const double none[DARC_UNIT_BASES];
    if (f->free)
        return true;
    reduce(f, c);
    int best = largest(f, c);
    if (best < 0)
        return darc_unit_same(f->power, none);
    size_t alloc = c->alloc;
    c->row = darc_grow(c->row, c->rows, &alloc, sizeof *c->row);
    c->pivot = darc_grow(c->pivot, c->rows, &c->alloc, sizeof *c->pivot);
    form *row = &c->row[c->rows];
    form_init(row, c);
    add(row, f, 1 / f->name[best], c);
    c->pivot[c->rows++] = best;
    return true;
}

static void print_form(darc_text_t out, const darc_expr *e, const form *f)
{
    darc_expr_print(out, e->kind == DARC_EXPR_NEGATE ? e->child[0] : e);
    darc_text_puts(out, " is in ");
    darc_unit_print(out, f->power);
}

static darc_status fail_terms(const checker *c, const darc_expr *at,
                              const form *f, const darc_expr *other,
                              const form *g)
{
    darc_text_t text = DARC_TEXT;
    print_form(text, at, f);
    if (other != NULL) {
        darc_text_puts(text, ", ");
        print_form(text, other, g);
    } else {
        darc_text_puts(text, ", but must be a number");
    }
    darc_status status =
        darc_script_fail(c->script, at->place, DARC_MODEL,
                         "units do not match: %.600s%s", text->s,
                         other != NULL && (at->kind == DARC_EXPR_NUMBER)
                             ? " (a number has no unit; a constant may)"
                             : "");
    darc_text_clear(text);
    return status;
}

/* Return the term with whose dimension most agree, of those that are known. */
static int prevailing(const form *f, int n, const checker *c)
{
    int best = 0, most = -1;
    for (int i = 0; i < n; i++) {
        int agree = 0;
        if (f[i].free || largest(&f[i], c) >= 0)
            continue;
        for (int k = 0; k < n; k++)
            agree += !f[k].free && largest(&f[k], c) < 0 &&
                     darc_unit_same(f[i].power, f[k].power);
        if (agree > most) {
            most = agree;
            best = i;
        }
    }
    for (int i = 0; most < 0 && i < n; i++)
        if (f[n - 1 - i].free == false)
            best = n - 1 - i;
    return best;
}

static darc_status form_of(form *f, const darc_expr *e, checker *c);

/* Set f to the dimension that all terms share. */
static darc_status unite(form *f, const darc_expr *const *term, int n,
                         checker *c)
{
    darc_status status = DARC_OK;
    form *of = darc_calloc((size_t)n, sizeof *of);
    for (int i = 0; i < n; i++)
        form_init(&of[i], c);
    for (int i = 0; i < n; i++) {
        DARC_TRY(form_of(&of[i], term[i], c));
        of[i].free |= term[i]->kind == DARC_EXPR_NUMBER;
    }
    for (int i = 0; i < n; i++)
        reduce(&of[i], c);
    int best = prevailing(of, n, c);
    for (int i = 0; i < n; i++) {
        form gap;
        form_init(&gap, c);
        add(&gap, &of[i], 1, c);
        add(&gap, &of[best], -1, c);
        bool fits = demand(&gap, c);
        form_clear(&gap);
        reduce(&of[i], c);
        reduce(&of[best], c);
        if (!fits) {
            status = fail_terms(c, term[i], &of[i], term[best], &of[best]);
            goto done;
        }
    }
    add(f, &of[best], 1, c);
done:
    for (int i = 0; i < n; i++)
        form_clear(&of[i]);
    darc_free(of);
    return status;
}

static darc_status of_call(form *f, const darc_expr *e, checker *c)
{
    const darc_expr *const *child = (const darc_expr *const *)e->child;
    form own;
    darc_status status = DARC_OK;
    form_init(&own, c);
    switch (e->function) {
    case DARC_FUNCTION_SQRT:
        DARC_TRY(form_of(&own, child[0], c));
        add(f, &own, 0.5, c);
        break;
    case DARC_FUNCTION_ABS:
    case DARC_FUNCTION_DELAY:
        DARC_TRY(form_of(f, child[0], c));
        break;
    case DARC_FUNCTION_INT:
        DARC_TRY(form_of(f, child[0], c));
        f->power[SECOND] += 1;
        break;
    case DARC_FUNCTION_SIGN:
        DARC_TRY(form_of(&own, child[0], c));
        break;
    case DARC_FUNCTION_MIN:
    case DARC_FUNCTION_MAX:
        DARC_TRY(unite(f, child, e->count, c));
        break;
    case DARC_FUNCTION_IF:
        DARC_TRY(unite(&own, child, 2, c));
        DARC_TRY(unite(f, child + 2, 2, c));
        break;
    case DARC_FUNCTION_TABLE:
        DARC_TRY(form_of(&own, child[0], c));
        f->free = true;
        break;
    default:
        DARC_TRY(form_of(&own, child[0], c));
        if (!demand(&own, c))
            status = fail_terms(c, child[0], &own, NULL, NULL);
    }
done:
    form_clear(&own);
    return status;
}

static darc_status of_product(form *f, const darc_expr *e, checker *c)
{
    darc_status status = DARC_OK;
    form own;
    for (int i = 0; i < e->count && status == DARC_OK; i++) {
        form_init(&own, c);
        status = form_of(&own, e->child[i], c);
        add(f, &own, e->kind == DARC_EXPR_INVERT ? -1 : 1, c);
        form_clear(&own);
    }
    return status;
}

static darc_status of_name(form *f, const darc_expr *e, const checker *c)
{
    const darc_syntax *s = &c->model->syntax;
    const darc_declaration *d = darc_syntax_find(s, e->text);
    if (d == NULL) {
        f->power[SECOND] = 1; /* time */
        return DARC_OK;
    }
    size_t i = (size_t)(d - s->declaration);
    if (!c->known[i])
        f->name[i] = 1;
    for (int k = 0; k < DARC_UNIT_SI && c->known[i]; k++)
        f->power[k] = c->unit[i].power[k];
    f->power[SECOND] -= e->order;
    return DARC_OK;
}

static darc_status of_power(form *f, const darc_expr *e, checker *c)
{
    double p;
    form own;
    form_init(&own, c);
    darc_status status = form_of(&own, e->child[0], c);
    if (darc_expr_is_constant(e->child[1], &p))
        add(f, &own, p, c);
    else
        f->free = true;
    form_clear(&own);
    return status;
}

/* Set f, which is of no dimension, to the dimension of e. */
static darc_status form_of(form *f, const darc_expr *e, checker *c)
{
    switch (e->kind) {
    case DARC_EXPR_NUMBER:
        return DARC_OK;
    case DARC_EXPR_UNKNOWN:
        return of_name(f, e, c);
    case DARC_EXPR_SUM:
        return unite(f, (const darc_expr *const *)e->child, e->count, c);
    case DARC_EXPR_NEGATE:
    case DARC_EXPR_PRODUCT:
    case DARC_EXPR_INVERT:
        return of_product(f, e, c);
    case DARC_EXPR_POWER:
        return of_power(f, e, c);
    case DARC_EXPR_DERIVATIVE:
        DARC_NEED(form_of(f, e->child[0], c));
        f->power[SECOND] -= e->order;
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
    form f;
    form_init(&f, c);
    darc_status status = unite(&f, term, n, c);
    form_clear(&f);
    darc_free((void *)term);
    return status;
}

/* Derived signals. */
static darc_status check_values(checker *c)
{
    const darc_syntax *s = &c->model->syntax;
    for (size_t i = 0; i < s->declarations; i++) {
        const darc_declaration *d = s->declaration + i;
        if (d->value == NULL || d->section == DARC_SECTION_CONSTANTS)
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
    }
    return any;
}

darc_status darc_check_dimensions(darc_model *model, const darc_script *script)
{
    darc_status status = DARC_OK;
    const darc_statements *equations = &model->syntax.equations;
    checker c = {
        .model = model, .script = script, .names = model->syntax.declarations};
    c.unit = darc_calloc(c.names + 1, sizeof *c.unit);
    c.known = darc_calloc(c.names + 1, sizeof *c.known);
    if (!read_units(&c))
        goto done;
    DARC_TRY(check_values(&c));
    for (size_t i = 0; i < equations->count; i++)
        DARC_TRY(check_sides(&c, equations->statement[i].left,
                             equations->statement[i].right));
    /* Keep what equations need of parameters and states without a unit. */
    darc_syntax *s = &model->syntax;
    for (size_t i = 0; i < s->declarations; i++) {
        darc_declaration *d = s->declaration + i;
        darc_text_t text = DARC_TEXT;
        form f;
        if (d->unit[0] != '\0' || (d->section != DARC_SECTION_PARAMETERS &&
                                   d->section != DARC_SECTION_STATES))
            continue;
        form_init(&f, &c);
        f.name[i] = 1;
        reduce(&f, &c);
        if (largest(&f, &c) < 0) {
            darc_unit_print(text, f.power);
            d->taken = darc_text_take(text);
        }
        form_clear(&f);
    }
done:
    for (size_t r = 0; r < c.rows; r++)
        form_clear(&c.row[r]);
    darc_free(c.row);
    darc_free(c.pivot);
    darc_free(c.unit);
    darc_free(c.known);
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
        darc_unit_print(out, si);
    else if (known)
        darc_text_puts(out, words->s);
    darc_text_clear(words);
}
