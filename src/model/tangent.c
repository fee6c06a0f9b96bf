#include "model/model_struct.h"

#include "base/mem.h"
#include "syntax/syntax.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Functions of signals and parameters, that become linear in the parameters. */
typedef struct {
    darc_rewriter rw;
    const darc_near *near;
    int functions;
    bool known;  /* the slopes */
    bool *taken; /* by declaration: a parameter in such a function; owned */
    darc_expr ***call; /* where functions go instead; NULL: nowhere */
    const darc_names_struct *names; /* of the model */
} tangent;

/* f'(A), W = f(A). */
static const struct {
    darc_function f;
    const char *slope;
} slopes[] = {
    {DARC_FUNCTION_EXP, "W"},        {DARC_FUNCTION_LOG, "1/A"},
    {DARC_FUNCTION_SIN, "cos(A)"},   {DARC_FUNCTION_COS, "-sin(A)"},
    {DARC_FUNCTION_TAN, "1 + W^2"},  {DARC_FUNCTION_ATAN, "1/(1 + A^2)"},
    {DARC_FUNCTION_SINH, "cosh(A)"}, {DARC_FUNCTION_COSH, "sinh(A)"},
    {DARC_FUNCTION_TANH, "1 - W^2"}};
enum { SLOPES = sizeof slopes / sizeof slopes[0] };

/* Return the outer slope of a function or power of one argument; NULL: no rule
 * is known. */
static darc_expr *outer_slope(const darc_expr *e)
{
    const darc_expr *a = e->child[0];
    if (e->kind == DARC_EXPR_POWER) {
        darc_expr *less = darc_expr_formula_take(
            e->place, "A - 1", darc_expr_copy(e->child[1]), NULL);
        less = darc_expr_join_take(DARC_EXPR_POWER, darc_expr_copy(a), less);
        return darc_expr_join_take(DARC_EXPR_PRODUCT,
                                   darc_expr_copy(e->child[1]), less);
    }
    if (e->kind == DARC_EXPR_INVERT)
        return darc_expr_formula_take(e->place, "-1/A^2", darc_expr_copy(a),
                                      NULL);
    for (int k = 0; k < SLOPES && e->kind == DARC_EXPR_CALL; k++)
        if (e->function == slopes[k].f)
            return darc_expr_formula_take(e->place, slopes[k].slope,
                                          darc_expr_copy(a), darc_expr_copy(e));
    return NULL;
}

static darc_expr *slope(tangent *t, const darc_expr *e, const char *name);

/* Of a product: each factor derived in turn. */
static darc_expr *product_slope(tangent *t, const darc_expr *e,
                                const char *name)
{
    darc_expr *sum = NULL;
    for (int i = 0; i < e->count; i++) {
        darc_expr *d = slope(t, e->child[i], name);
        if (d == NULL)
            continue;
        darc_expr *term = darc_expr_copy(e);
        darc_expr_free(term->child[i]);
        term->child[i] = d;
        sum =
            sum == NULL ? term : darc_expr_join_take(DARC_EXPR_SUM, sum, term);
    }
    return sum;
}

/* Of delay(a, T): -T_name times its derivative in time. */
static darc_expr *delay_slope(tangent *t, const darc_expr *e, const char *name)
{
    darc_expr *d = slope(t, e->child[1], name);
    t->known = t->known && darc_expr_occurrences(e->child[0], name) == 0;
    if (d == NULL)
        return NULL;
    return darc_expr_formula_take(
        e->place, "-A*W", d,
        darc_expr_derive_take(e->place, darc_expr_copy(e), 1));
}

/* Return the partial derivative of e by the name; NULL: 0, or not known. */
static darc_expr *slope(tangent *t, const darc_expr *e, const char *name)
{
    darc_expr *d = NULL, *outer;
    if (darc_expr_occurrences(e, name) == 0)
        return NULL;
    switch (e->kind) {
    case DARC_EXPR_UNKNOWN:
        return darc_expr_integer(e->place, 1);
    case DARC_EXPR_SUM:
        for (int i = 0; i < e->count; i++) {
            darc_expr *more = slope(t, e->child[i], name);
            d = d == NULL || more == NULL
                    ? (d != NULL ? d : more)
                    : darc_expr_join_take(DARC_EXPR_SUM, d, more);
        }
        return d;
    case DARC_EXPR_PRODUCT:
        return product_slope(t, e, name);
    case DARC_EXPR_NEGATE:
        d = slope(t, e->child[0], name);
        return darc_expr_wrap_take(DARC_EXPR_NEGATE, e->place, d);
    default:
        if (darc_is_dead_time(t->rw.syntax, e))
            return delay_slope(t, e, name);
        outer = e->count == 1 || (e->kind == DARC_EXPR_POWER &&
                                  darc_expr_occurrences(e->child[1], name) == 0)
                    ? outer_slope(e)
                    : NULL;
        t->known = t->known && outer != NULL;
        d = outer != NULL ? slope(t, e->child[0], name) : NULL;
        if (d != NULL)
            return darc_expr_join_take(DARC_EXPR_PRODUCT, outer, d);
        darc_expr_free(outer);
        return NULL;
    }
}

/* Return the name of the constant that is near a parameter, or of the input
 * that says by how much it is off, which no other has; owned by the caller. */
static char *beside(const darc_syntax *s, const char *parameter,
                    const char *how)
{
    char *name = darc_text_of("%s_%s", parameter, how);
    while (darc_syntax_find(s, name) != NULL) {
        char *longer = darc_text_of("%s_", name);
        darc_free(name);
        name = longer;
    }
    return name;
}

char *darc_model_beside(const darc_model *model, const char *parameter,
                        const char *how)
{
    return beside(model->rewritten ? &model->written : &model->syntax,
                  parameter, how);
}

static darc_expr *name_beside(const tangent *t, const char *parameter,
                              const char *how, darc_place at)
{
    char *name = beside(t->rw.syntax, parameter, how);
    darc_expr *e = darc_expr_name(at, name);
    darc_free(name);
    return e;
}

/* Put what is near them in the place of the parameters of e. */
static void stand_near(const tangent *t, darc_expr **e)
{
    const darc_syntax *s = t->rw.syntax;
    for (size_t i = 0; i < s->declarations; i++) {
        const char *name = s->declaration[i].name;
        if (!t->taken[i] || darc_expr_occurrences(*e, name) == 0)
            continue;
        darc_expr *by = name_beside(t, name, "near", (*e)->place);
        if (t->near->off)
            by = darc_expr_join_take(DARC_EXPR_SUM, by,
                                     name_beside(t, name, "off", (*e)->place));
        darc_expr_substitute(e, name, by);
        darc_expr_free(by);
    }
}

/* Return (p - p0) d, or (p - p0) d - p1 d. */
static darc_expr *step(const tangent *t, const char *p, darc_expr *d,
                       darc_place at)
{
    darc_expr *by = darc_expr_formula_take(at, "A - W", darc_expr_name(at, p),
                                           name_beside(t, p, "near", at)),
              *off = NULL;
    if (t->near->off)
        off = darc_expr_wrap_take(
            DARC_EXPR_NEGATE, at,
            darc_expr_join_take(DARC_EXPR_PRODUCT, name_beside(t, p, "off", at),
                                darc_expr_copy(d)));
    by = darc_expr_join_take(DARC_EXPR_PRODUCT, by, d);
    return darc_expr_join_take(DARC_EXPR_SUM, by, off);
}

/* f(y, p) = f(y, p0 + p1) + sum (p - p0 - p1) df/dp(y, p0 + p1), p0 a number
 * and p1 a signal, each by itself: p - p0 is no difference of large numbers. */
static darc_expr *linearise(tangent *t, const darc_expr *call)
{
    const darc_syntax *s = t->rw.syntax;
    darc_expr *sum = darc_expr_copy(call);
    for (size_t i = 0; i < s->declarations; i++)
        t->taken[i] |= s->declaration[i].section == DARC_SECTION_PARAMETERS &&
                       darc_expr_occurrences(call, s->declaration[i].name) > 0;
    stand_near(t, &sum);
    for (size_t i = 0; i < s->declarations; i++) {
        const char *p = s->declaration[i].name;
        darc_expr *d = t->taken[i] ? slope(t, call, p) : NULL;
        if (d == NULL)
            continue;
        stand_near(t, &d);
        sum =
            darc_expr_join_take(DARC_EXPR_SUM, sum, step(t, p, d, call->place));
    }
    t->functions++;
    return sum;
}

/* Keep a copy in which constants are numbers. */
static void list_call(tangent *t, const darc_expr *call)
{
    const darc_syntax *s = t->rw.syntax;
    darc_expr *e = darc_expr_copy(call);
    for (size_t i = s->declarations; i-- > 0;)
        if (s->declaration[i].section == DARC_SECTION_CONSTANTS)
            darc_expr_substitute(&e, s->declaration[i].name,
                                 s->declaration[i].value);
    darc_bind_names(e, t->names);
    *t->call =
        darc_realloc(*t->call, (size_t)t->functions + 1, sizeof **t->call);
    (*t->call)[t->functions++] = e;
}

/* Whether it is known where all parameters of e lie. */
static bool is_near(const tangent *t, const darc_expr *e)
{
    const darc_syntax *s = t->rw.syntax;
    bool near = true;
    for (size_t i = 0; i < s->declarations && near && t->near != NULL; i++)
        near = s->declaration[i].section != DARC_SECTION_PARAMETERS ||
               darc_expr_occurrences(e, s->declaration[i].name) == 0 ||
               isfinite(t->near->at(t->near->user, s->declaration[i].name));
    return near;
}

/* The outermost functions of signals and parameters alone; roots are known
 * exactly. */
static void walk(tangent *t, darc_expr **e)
{
    bool done = false;
    darc_power_to_function(e);
    bool smooth = (*e)->kind == DARC_EXPR_CALL &&
                  (*e)->function != DARC_FUNCTION_SQRT &&
                  (*e)->function < DARC_FUNCTION_ABS;
    if (smooth || darc_is_dead_time(t->rw.syntax, *e)) {
        darc_expr *call = darc_expr_copy(*e);
        darc_rewriter_use_equal(&t->rw, call, DARC_SECTION_OUTPUTS, false);
        done = darc_rewriter_is_measured_by(&t->rw, call) && is_near(t, call);
        if (done && t->call != NULL)
            list_call(t, call);
        else if (done) {
            darc_expr_free(*e);
            *e = linearise(t, call);
        }
        darc_expr_free(call);
    }
    for (int i = 0; i < (*e)->count && !done; i++)
        walk(t, &(*e)->child[i]);
}

/* Declare such a name; value NULL: an input. */
static void declare_beside(tangent *t, size_t i, const char *how,
                           const char *value)
{
    darc_syntax *s = t->rw.syntax;
    char *name = beside(s, s->declaration[i].name, how);
    DARC_ROOM(s->declaration, s->declarations);
    darc_declaration *d = s->declaration + s->declarations++;
    *d = (darc_declaration){
        .name = name,
        .unit = darc_strdup(s->declaration[i].unit),
        .text = darc_strdup(""),
        .section = value != NULL ? DARC_SECTION_CONSTANTS : DARC_SECTION_INPUTS,
        .value = value != NULL ? darc_expr_read(value, strlen(value)) : NULL,
        .place = s->declaration[i].place};
    fmpq_init(d->exact);
}

static void declare(tangent *t)
{
    const darc_syntax *s = t->rw.syntax;
    size_t n = s->declarations;
    for (size_t i = 0; i < n; i++) {
        char number[40];
        if (!t->taken[i])
            continue;
        double at = t->near->at(t->near->user, s->declaration[i].name);
        /* near enough: the error is of second order */
        snprintf(number, sizeof number, "%.6g", at);
        declare_beside(t, i, "near", number);
        if (t->near->off)
            declare_beside(t, i, "off", NULL);
    }
}

/* Walk through the model as it is printed. */
static darc_status walk_model(tangent *t, const darc_model *model,
                              darc_err *err)
{
    darc_syntax *syntax = t->rw.syntax;
    darc_status status = darc_model_syntax(syntax, model, err);
    if (status == DARC_OK) {
        darc_sensors_delay(syntax);
        darc_dead_times_inline(syntax);
    }
    darc_expr **side;
    t->taken = darc_calloc(syntax->declarations + 1, sizeof *t->taken);
    for (size_t i = 0;
         status == DARC_OK && (side = darc_syntax_side(syntax, i)) != NULL; i++)
        walk(t, side);
    return status;
}

darc_status darc_model_near(darc_model **out, const darc_model *model,
                            const darc_near *at, darc_err *err)
{
    darc_syntax syntax = {.name = NULL};
    tangent t = {.rw = {.syntax = &syntax}, .near = at, .known = true};
    *out = NULL;
    darc_status status;
    DARC_TRY(walk_model(&t, model, err));
    if (t.functions == 0 || !t.known)
        goto done;
    declare(&t);
    status = darc_model_reread(out, &syntax, darc_model_file(model), NULL, err);
    if (*out != NULL && !darc_adjoined_are_exact(*out)) {
        darc_model_free(*out);
        *out = NULL;
    }
done:
    darc_free(t.taken);
    darc_syntax_clear(&syntax);
    return status;
}

int darc_model_calls(darc_expr ***call, const darc_model *model)
{
    darc_syntax syntax = {.name = NULL};
    tangent t = {.rw = {.syntax = &syntax},
                 .call = call,
                 .names = darc_model_names(model)};
    *call = NULL;
    (void)!walk_model(&t, model, NULL);
    darc_free(t.taken);
    darc_syntax_clear(&syntax);
    return t.functions;
}

static bool holds_name(const darc_expr *e, const darc_symbol *p)
{
    return darc_expr_occurrences(e, p->name) > 0;
}

void darc_model_inner(bool *in, const darc_model *model)
{
    darc_expr **call;
    const darc_names_struct *names = darc_model_names(model);
    int calls = darc_model_calls(&call, model);
    for (int u = 0; u < names->count; u++)
        for (int i = 0; i < darc_adjoined_count(model); i++)
            in[u] = in[u] || (names->symbol[u].kind == DARC_PARAMETER &&
                              !darc_adjoined_is_exact(model, i) &&
                              holds_name(darc_adjoined_expr(model, i),
                                         names->symbol + u));
    for (int k = 0; k < calls; k++) {
        bool any = call[k]->function == DARC_FUNCTION_DELAY;
        for (int u = 0; u < names->count; u++)
            any = any || (in[u] && holds_name(call[k], names->symbol + u));
        for (int u = 0; u < names->count; u++)
            in[u] = in[u] || (any && names->symbol[u].kind == DARC_PARAMETER &&
                              holds_name(call[k], names->symbol + u));
        darc_expr_free(call[k]);
    }
    darc_free((void *)call);
}
