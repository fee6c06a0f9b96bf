#include "model/model_struct.h"

#include "base/limits.h"
#include "base/mem.h"
#include "base/suggest.h"

#include <assert.h>
#include <string.h>

/* Where an expression stands decides which names it may use. */
typedef enum { IN_EQUATION, IN_CONSTANT, IN_DERIVED } scope;

typedef struct {
    darc_model *model;
    const darc_script *script;
    scope scope;
    size_t limit; /* constants and derived signals before this declaration */
} checker;

static darc_declaration *find_declaration(const checker *c, const char *name)
{
    return darc_syntax_find(&c->model->syntax, name);
}

static darc_status not_declared(const checker *c, const char *name,
                                darc_place place)
{
    /* Someone writes dx/dt. */
    if (name[0] == 'd' && find_declaration(c, name + 1) != NULL)
        return darc_script_fail(
            c->script, place, DARC_MODEL,
            "'%s' is not declared; the derivative of '%s' is written %s'", name,
            name + 1, name + 1);
    static const char *const hint[][2] = {
        {"t", "the time is called time"},
        {"e", "its powers are written exp(x)"},
        {"pi", "declare it: constants pi = 3.141592653589793"}};
    for (size_t i = 0; i < sizeof hint / sizeof *hint; i++)
        if (strcmp(name, hint[i][0]) == 0)
            return darc_script_fail(c->script, place, DARC_MODEL,
                                    "'%s' is not declared; %s", name,
                                    hint[i][1]);
    darc_suggestion s;
    darc_suggestion_init(&s, name);
    for (size_t i = 0; i < c->model->syntax.declarations; i++)
        darc_suggestion_offer(&s, c->model->syntax.declaration[i].name);
    darc_suggestion_offer(&s, "time");
    return darc_script_fail(c->script, place, DARC_MODEL,
                            "'%s' is not declared%s", name,
                            darc_suggestion_text(&s));
}

static darc_status refuse_expr(const checker *c, const darc_expr *e,
                               const char *what)
{
    return DARC_FAIL_MODEL(c, e, "'%s' is %s", e->text, what);
}

static darc_status bind_name(const checker *c, darc_expr *e)
{
    if (strcmp(e->text, "time") == 0) {
        if (c->scope == IN_CONSTANT)
            return refuse_expr(c, e, "not a constant");
        if (e->order > 0)
            return refuse_expr(c, e,
                               "the independent variable: its derivative is 1");
        darc_names_struct *names = c->model->names;
        int u = darc_names_find(names, "time", 4);
        e->unknown = u >= 0 ? u : darc_names_add(names, "time", DARC_TIME);
        return DARC_OK;
    }
    const darc_declaration *d = find_declaration(c, e->text);
    if (d == NULL)
        return not_declared(c, e->text, e->place);
    bool stands_before = d - c->model->syntax.declaration < (ptrdiff_t)c->limit;
    if (d->section == DARC_SECTION_CONSTANTS) {
        if (e->order > 0)
            return refuse_expr(c, e, "a constant: its derivative is 0");
        if (c->scope == IN_CONSTANT && !stands_before)
            return refuse_expr(c, e, "used before its own line; put it first");
        e->constant = true;
        fmpq_set(e->value, d->exact);
        return DARC_OK;
    }
    if (c->scope == IN_CONSTANT)
        return refuse_expr(
            c, e,
            "not a constant; a constant is computed from numbers and "
            "constants");
    if (d->section == DARC_SECTION_PARAMETERS && e->order > 0)
        return refuse_expr(
            c, e, "a parameter, constant in time: its derivative is 0");
    bool measured = d->section != DARC_SECTION_STATES &&
                    d->section != DARC_SECTION_PARAMETERS;
    if (c->scope == IN_DERIVED && !measured)
        return refuse_expr(
            c, e,
            "not measured; a derived signal is computed from inputs, "
            "outputs and constants");
    if (c->scope == IN_DERIVED && d->section == DARC_SECTION_DERIVED &&
        !stands_before)
        return refuse_expr(c, e, "used before its own line; put it first");
    e->unknown = darc_names_find(c->model->names, e->text, strlen(e->text));
    assert(e->unknown >= 0);
    return DARC_OK;
}

/* The number that the power e wants as its last child. */
static darc_status check_exponent(const checker *c, const darc_expr *e)
{
    fmpq_t q;
    fmpq_init(q);
    darc_status status =
        darc_expr_rational(q, e->child[1], "the exponent", c->script);
    fmpq_clear(q);
    return status;
}

/* The divisor of a quotient; one that holds functions or unknowns may vanish
 * yet, which is seen where polynomials are built. */
static darc_status check_divisor(const checker *c, const darc_expr *e)
{
    fmpq_t q;
    fmpq_init(q);
    bool zero = darc_expr_rational(q, e->child[0], "", NULL) == DARC_OK &&
                fmpq_is_zero(q);
    fmpq_clear(q);
    return zero ? DARC_FAIL_MODEL(c, e,
                                  "division by zero: the divisor is 0 whatever "
                                  "the unknowns are")
                : DARC_OK;
}

/* The points of a table that is written in the model: x rises. */
static darc_status check_points(const checker *c, const darc_expr *e)
{
    darc_status status = DARC_OK;
    fmpq_t x, before;
    DARC_EACH(fmpq_init, x, before);
    for (int i = 1; i < e->count; i++) {
        DARC_TRY(darc_expr_rational(x, e->child[i], "a point of a table",
                                    c->script));
        if (i > 1 && i % 2 == 1 && fmpq_cmp(before, x) >= 0)
            DARC_TRY(DARC_FAIL_MODEL(
                c, e->child[i], "the points of a table must have rising x"));
        if (i % 2 == 1)
            fmpq_set(before, x);
    }
done:
    DARC_EACH(fmpq_clear, before, x);
    return status;
}

/* Return 0 where e is of numbers alone, 1 of parameters too, 2 of others. */
static int contents(const checker *c, const darc_expr *e)
{
    const darc_names_struct *names = c->model->names;
    int has = e->kind == DARC_EXPR_CALL || e->kind == DARC_EXPR_DERIVATIVE ? 2
              : e->kind != DARC_EXPR_UNKNOWN || e->constant                ? 0
              : names->symbol[e->unknown].kind == DARC_PARAMETER           ? 1
                                                                           : 2;
    for (int i = 0; i < e->count; i++) {
        int of = contents(c, e->child[i]);
        has = of > has ? of : has;
    }
    return has;
}

/* Names in the time of a delay: parameters, or inputs that are one number. */
static darc_status check_time(const checker *c, const darc_expr *e)
{
    for (int i = 0; i < e->count; i++)
        DARC_NEED(check_time(c, e->child[i]));
    if (e->kind != DARC_EXPR_UNKNOWN || e->constant)
        return DARC_OK;
    const darc_declaration *d = find_declaration(c, e->text);
    if (d == NULL || e->order > 0 ||
        (d->section != DARC_SECTION_PARAMETERS &&
         d->section != DARC_SECTION_INPUTS))
        return DARC_FAIL_MODEL(c, e,
                               "the time of a delay must be an exact number or "
                               "a parameter: '%s' is neither",
                               e->text);
    return DARC_OK;
}

static darc_status bind(const checker *c, darc_expr *e);

/* A signal, and a number or a parameter. */
static darc_status bind_delay(const checker *c, darc_expr *e)
{
    checker time = *c;
    time.scope = c->scope == IN_CONSTANT ? IN_CONSTANT : IN_EQUATION;
    DARC_NEED(bind(c, e->child[0]));
    DARC_NEED(bind(&time, e->child[1]));
    double span = 0;
    if (e->function == DARC_FUNCTION_MEAN &&
        !(darc_expr_is_constant(e->child[1], &span) && span > 0))
        return DARC_FAIL_MODEL(c, e, "a mean is over a number of s, above 0");
    return check_time(c, e->child[1]);
}

static darc_status bind(const checker *c, darc_expr *e)
{
    if (e->kind == DARC_EXPR_UNKNOWN)
        return bind_name(c, e);
    if (e->kind == DARC_EXPR_CALL && (e->function == DARC_FUNCTION_DELAY ||
                                      e->function == DARC_FUNCTION_MEAN))
        return bind_delay(c, e);
    for (int i = 0; i < e->count; i++)
        DARC_NEED(bind(c, e->child[i]));
    if (e->kind == DARC_EXPR_POWER &&
        (c->scope != IN_EQUATION || contents(c, e->child[1]) != 1))
        DARC_NEED(check_exponent(c, e));
    if (e->kind == DARC_EXPR_INVERT && c->scope != IN_CONSTANT)
        DARC_NEED(check_divisor(c, e));
    if (e->kind == DARC_EXPR_CALL && e->function == DARC_FUNCTION_TABLE)
        DARC_NEED(check_points(c, e));
    return DARC_OK;
}

static darc_kind kind_of(const darc_declaration *d)
{
    static const darc_kind of[] = {[DARC_SECTION_STATES] = DARC_STATE,
                                   [DARC_SECTION_PARAMETERS] = DARC_PARAMETER,
                                   [DARC_SECTION_INPUTS] = DARC_INPUT,
                                   [DARC_SECTION_OUTPUTS] = DARC_OUTPUT,
                                   [DARC_SECTION_DERIVED] = DARC_INPUT};
    return d->replaces ? DARC_OUTPUT : of[d->section];
}

static darc_status check_declaration(const checker *c,
                                     const darc_declaration *d)
{
    const darc_declaration *before = find_declaration(c, d->name);
    if (before != d)
        return DARC_FAIL_MODEL(
            c, d, "'%s' is declared twice; first in line %d, column %d",
            d->name, before->place.line, before->place.column);
    if (strcmp(d->name, "time") == 0)
        return DARC_FAIL_MODEL(
            c, d,
            "'time' is the independent variable and needs no declaration");
    if ((d->may_be_zero || d->positive) &&
        d->section != DARC_SECTION_PARAMETERS)
        return darc_script_fail(c->script, d->zero_place, DARC_MODEL,
                                "'%s' is for parameters; '%s' is none",
                                d->positive ? "> 0" : "may be zero", d->name);
    return DARC_OK;
}

/* Does the function have an inverse everywhere? */
static bool has_inverse(const darc_expr *e)
{
    return e->kind == DARC_EXPR_CALL && (e->function == DARC_FUNCTION_EXP ||
                                         e->function == DARC_FUNCTION_LOG ||
                                         e->function == DARC_FUNCTION_TAN);
}

/* What is computed from an output that occurs nowhere else takes its place. */
static void replace_outputs(darc_syntax *s)
{
    for (size_t i = 0; i < s->declarations; i++) {
        darc_declaration *d = s->declaration + i;
        const darc_expr *e = d->value;
        if (d->section != DARC_SECTION_DERIVED || !has_inverse(e) ||
            e->child[0]->kind != DARC_EXPR_UNKNOWN || e->child[0]->order > 0)
            continue;
        const darc_declaration *y = darc_syntax_find(s, e->child[0]->text);
        d->replaces =
            y != NULL && y->section == DARC_SECTION_OUTPUTS &&
            darc_statements_occurrences(&s->equations, y->name) +
                    darc_statements_occurrences(&s->assumptions, y->name) +
                    darc_values_occurrences(s, y->name) ==
                1;
    }
}

static darc_status declare(const checker *c)
{
    darc_model *model = c->model;
    darc_syntax *s = &model->syntax;
    replace_outputs(s);
    model->declared = darc_calloc(s->declarations + 1, sizeof(int));
    for (size_t i = 0; i < s->declarations; i++) {
        const darc_declaration *d = s->declaration + i;
        DARC_NEED(check_declaration(c, d));
        if (d->section == DARC_SECTION_CONSTANTS)
            continue;
        int u = darc_names_add(model->names, d->name, kind_of(d));
        model->declared[u] = (int)i;
    }
    model->declared[model->names->count] = -1; /* time, should it occur */
    return DARC_OK;
}

darc_status darc_check_names(darc_model *model, const darc_script *script)
{
    checker c = {.model = model, .script = script};
    DARC_NEED(declare(&c));
    const darc_syntax *s = &c.model->syntax;
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < s->declarations; i++) {
            darc_declaration *d = s->declaration + i;
            bool constant = d->section == DARC_SECTION_CONSTANTS,
                 start = !constant && d->section != DARC_SECTION_DERIVED;
            if (d->value == NULL || constant != (pass == 0))
                continue;
            c.limit = start ? s->declarations : i;
            c.scope = constant || start ? IN_CONSTANT : IN_DERIVED;
            DARC_NEED(bind(&c, d->value));
            if (c.scope == IN_CONSTANT)
                DARC_NEED(darc_expr_rational(d->exact, d->value, "a constant",
                                             c.script));
        }
    c.scope = IN_EQUATION;
    for (size_t i = 0; darc_syntax_side(&model->syntax, i) != NULL; i++)
        DARC_NEED(bind(&c, *darc_syntax_side(&model->syntax, i)));
    for (int i = 0; i < model->adjoined.count; i++)
        DARC_NEED(bind(&c, model->adjoined.item[i].call));
    return DARC_OK;
}

static darc_status raise_orders(const checker *c, const darc_expr *e, int more)
{
    if (more + e->order > DARC_MAX_ORDER)
        return darc_script_fail(
            c->script, e->place, DARC_LIMIT,
            "derivatives of order %d; at most %d is allowed", more + e->order,
            DARC_MAX_ORDER);
    if (e->kind == DARC_EXPR_UNKNOWN && !e->constant) {
        int *order = c->model->order + e->unknown;
        *order = *order > more + e->order ? *order : more + e->order;
    }
    for (int i = 0; i < e->count; i++)
        DARC_NEED(raise_orders(c, e->child[i], more + e->order));
    return DARC_OK;
}

static darc_status check_ranked(const checker *c, size_t i)
{
    const darc_syntax *s = &c->model->syntax;
    const darc_ranked *r = s->rank + i;
    if (find_declaration(c, r->name) == NULL && strcmp(r->name, "time") != 0)
        return not_declared(c, r->name, r->place);
    if (darc_names_find(c->model->names, r->name, strlen(r->name)) < 0)
        return DARC_FAIL_MODEL(
            c, r, "'%s' is not an unknown; it has no place in the ranking",
            r->name);
    for (size_t k = 0; k < i; k++)
        if (strcmp(s->rank[k].name, r->name) == 0)
            return DARC_FAIL_MODEL(c, r, "'%s' stands twice in the ranking",
                                   r->name);
    return DARC_OK;
}

static darc_status check_ranking(const checker *c)
{
    darc_status status = DARC_OK;
    const darc_syntax *s = &c->model->syntax;
    darc_text_t text = DARC_TEXT;
    darc_ranking_set_default(c->model->ranking, c->model->names);
    for (size_t i = 0; i < s->ranked; i++) {
        DARC_TRY(check_ranked(c, i));
        bool same = i > 0 && s->rank[i].block == s->rank[i - 1].block;
        darc_text_puts(text, i == 0 ? "" : same ? " " : " >> ");
        darc_text_puts(text, s->rank[i].name);
    }
    if (s->ranked > 0)
        status = darc_ranking_set_text(c->model->ranking, text->s,
                                       c->model->names, c->script->err);
done:
    darc_text_clear(text);
    return status;
}

darc_status darc_check_frame(darc_model *model, const darc_script *script)
{
    checker c = {.model = model, .script = script};
    int n = model->names->count;
    darc_expr **side;
    model->order = darc_calloc((size_t)n, sizeof *model->order);
    for (size_t i = 0; (side = darc_syntax_side(&model->syntax, i)); i++)
        DARC_NEED(raise_orders(&c, *side, 0));
    if (n == 0)
        return darc_script_fail(script, (darc_place){1, 1}, DARC_MODEL,
                                "the model has no unknowns, only constants");
    darc_ranking_init(model->ranking, n);
    darc_status status = check_ranking(&c);
    if (status != DARC_OK) {
        darc_ranking_clear(model->ranking);
        return status;
    }
    darc_jet_init(model->jet, model->names, model->ranking, model->order);
    model->framed = true;
    return DARC_OK;
}
