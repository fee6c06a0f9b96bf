#include "syntax/mathml.h"

#include "base/limits.h"
#include "base/mem.h"

#include <string.h>

/* Operators of one argument, and of two, beside darc's own functions; of log
 * and root the second is the base, the degree.  NULL: there is none. */
static const struct {
    const char *name, *of_one, *of_two;
} operators[] = {{"minus", "-A", "A - W"},
                 {"divide", NULL, "A/W"},
                 {"power", NULL, "A^W"},
                 {"root", "sqrt(A)", "A^(1/W)"},
                 {"log", "log(A)/log(10)", "log(A)/log(W)"}};

static darc_status read_tree(darc_expr **e, darc_mathml *m,
                             const darc_element *x);

static darc_status refuse(const darc_mathml *m, const darc_element *x)
{
    return DARC_FAIL_SYNTAX(
        m, x,
        "darc has no form for <%.40s> here: it takes arithmetic, powers, "
        "roots, exp, ln, log, trigonometry, and piecewise by <, >, <=, >=",
        x->name);
}

static void set_places(darc_expr *e, darc_place place)
{
    e->place = place;
    for (int i = 0; i < e->count; i++)
        set_places(e->child[i], place);
}

darc_status darc_mathml_number(darc_expr **e, const darc_script *script,
                               const char *text, darc_place place)
{
    const char *s = text + strspn(text, " \t\r\n+");
    size_t n = strspn(s, "0123456789.eE+-/");
    bool digits = s[n + strspn(s + n, " \t\r\n")] == '\0';
    *e = digits ? darc_expr_read(s, n) : NULL;
    if (*e == NULL || !darc_expr_is_constant(*e, NULL)) {
        darc_expr_free(*e);
        *e = NULL;
        return darc_script_fail(script, place, DARC_SYNTAX,
                                "expected a number, not '%.40s'", text);
    }
    set_places(*e, place);
    return DARC_OK;
}

/* Return a word of the text, and let it begin behind that. */
static char *next_word(const char **text)
{
    const char *s = *text + strspn(*text, " \t\r\n");
    *text = s + strcspn(s, " \t\r\n");
    return darc_strndup(s, (size_t)(*text - s));
}

/* number -> <cn type="..."> a [ <sep/> b ] </cn> */
static darc_status read_cn(darc_expr **e, const darc_mathml *m,
                           const darc_element *x)
{
    const char *type = darc_element_get(x, "type"), *text = x->text;
    bool ratio = type != NULL && strcmp(type, "rational") == 0;
    if (darc_element_get(x, "base") != NULL)
        return DARC_FAIL_SYNTAX(m, x,
                                "expected a decimal number, without base");
    char *a = next_word(&text), *b = next_word(&text);
    const char *mark = *b == '\0' ? "" : ratio ? "/" : "e";
    char *whole = darc_text_of("%s%s%s", a, mark, b);
    darc_status status = darc_mathml_number(e, m->script, whole, x->place);
    DARC_FREE(a, b, whole);
    return status;
}

static char *trimmed(const darc_element *x)
{
    const char *text = x->text;
    return next_word(&text);
}

darc_status darc_mathml_count(darc_mathml *m, const darc_expr *e)
{
    m->nodes += darc_expr_nodes(e);
    if (m->nodes <= DARC_MAX_MODEL_TERMS)
        return DARC_OK;
    return darc_script_fail(m->script, e->place, DARC_LIMIT,
                            "laws, written out, are longer than %d operations",
                            DARC_MAX_MODEL_TERMS);
}

static darc_status read_name(darc_expr **e, darc_mathml *m,
                             const darc_element *x)
{
    char *name = trimmed(x);
    const darc_mathml_call *call = m->call;
    darc_status status = DARC_OK;
    for (size_t i = 0; call != NULL && i < call->count && *e == NULL; i++)
        if (strcmp(call->name[i], name) == 0)
            *e = darc_expr_copy(call->value[i]);
    if (*e != NULL)
        status = darc_mathml_count(m, *e);
    else
        status = m->name(e, m->user, name, x->place);
    darc_free(name);
    return status;
}

static darc_status read_symbol(darc_expr **e, const darc_mathml *m,
                               const darc_element *x)
{
    const char *url = darc_element_get(x, "definitionURL"),
               *slash = url == NULL ? NULL : strrchr(url, '/');
    if (slash == NULL || strcmp(slash, "/time") != 0)
        return DARC_FAIL_SYNTAX(
            m, x, "of SBML's symbols darc takes the time alone, not '%.40s'",
            slash == NULL ? "" : slash + 1);
    *e = darc_expr_name(x->place, "time");
    return DARC_OK;
}

/* Set *e to `then` where the condition x holds, else to `other`; takes both. */
static darc_status choose_piece(darc_expr **e, darc_mathml *m,
                                const darc_element *x, darc_expr *then,
                                darc_expr *other)
{
    static const char *const how[][2] = {
        {"lt", "<"}, {"gt", ">"}, {"leq", "<="}, {"geq", ">="}};
    const darc_element *op = x->count == 3 ? x->child[0] : x;
    const char *sign = NULL;
    darc_status status = DARC_OK;
    for (size_t i = 0; i < sizeof how / sizeof *how; i++)
        if (darc_element_is(op, how[i][0]))
            sign = how[i][1];
    *e = darc_expr_new(DARC_EXPR_CALL, x->place, sign,
                       sign == NULL ? 0 : strlen(sign));
    (*e)->function = DARC_FUNCTION_IF;
    for (int k = 1; k < 3 && status == DARC_OK; k++) {
        darc_expr *side = NULL;
        status =
            sign != NULL ? read_tree(&side, m, x->child[k]) : refuse(m, op);
        darc_expr_append_take(*e, side);
    }
    darc_expr_append_take(*e, then);
    darc_expr_append_take(*e, other);
    return status;
}

/* piecewise -> { <piece> value condition </piece> } <otherwise> value */
static darc_status read_piecewise(darc_expr **e, darc_mathml *m,
                                  const darc_element *x)
{
    const darc_element *last = x->count > 0 ? x->child[x->count - 1] : x;
    if (!darc_element_is(last, "otherwise") || last->count != 1)
        return DARC_FAIL_SYNTAX(
            m, last,
            "expected <otherwise> with one value as the last part: "
            "there is no value where no condition holds");
    DARC_NEED(read_tree(e, m, last->child[0]));
    for (size_t i = x->count - 1; i-- > 0;) {
        const darc_element *piece = x->child[i];
        darc_expr *then = NULL, *now = NULL;
        if (!darc_element_is(piece, "piece") || piece->count != 2)
            return DARC_FAIL_SYNTAX(m, piece,
                                    "expected <piece> with a value and a "
                                    "condition");
        DARC_NEED(read_tree(&then, m, piece->child[0]));
        darc_status status = choose_piece(&now, m, piece->child[1], then, *e);
        *e = now;
        DARC_NEED(status);
    }
    return DARC_OK;
}

/* Return the definition that the name in x calls; NULL: there is none. */
static const darc_element *find_lambda(const darc_mathml *m,
                                       const darc_element *x)
{
    char *name = trimmed(x);
    const darc_element *lambda = NULL;
    for (size_t i = 0; m->functions != NULL && i < m->functions->count; i++) {
        const darc_element *f = m->functions->child[i];
        const char *id = darc_element_get(f, "id");
        if (id != NULL && strcmp(id, name) == 0)
            lambda =
                darc_element_child(darc_element_child(f, "math"), "lambda");
    }
    darc_free(name);
    return lambda;
}

/* Set *e to the body of the function that x calls with a[0 .. n-1]. */
static darc_status call_function(darc_expr **e, darc_mathml *m,
                                 const darc_element *x, darc_expr **a, size_t n)
{
    const darc_mathml_call *outer = m->call;
    const darc_element *lambda = find_lambda(m, x->child[0]);
    darc_mathml_call call = {.value = a};
    while (lambda != NULL && call.count + 1 < lambda->count &&
           lambda->child[call.count]->count == 1)
        call.count++;
    if (lambda == NULL || call.count != n || n + 1 != lambda->count)
        return DARC_FAIL_SYNTAX(m, x->child[0],
                                "expected a function that is defined with %zu "
                                "arguments",
                                n);
    if (m->depth == DARC_MAX_NESTING)
        return darc_script_fail(m->script, x->place, DARC_LIMIT,
                                "functions call each other too deeply");
    call.name = darc_calloc(n + 1, sizeof *call.name);
    for (size_t i = 0; i < n; i++)
        call.name[i] = trimmed(lambda->child[i]->child[0]);
    m->call = &call;
    m->depth++;
    darc_status status = read_tree(e, m, lambda->child[n]);
    m->depth--;
    m->call = outer;
    DARC_THEN(darc_mathml_count(m, *e));
    DARC_FREE_EACH(call.name, n);
    darc_free(call.name);
    return status;
}

/* Set *e to the operator of a[0 .. n-1], which it takes where it succeeds. */
static darc_status operate(darc_expr **e, const darc_mathml *m,
                           const darc_element *x, darc_expr **a, size_t n)
{
    const darc_element *op = x->child[0];
    bool sum = darc_element_is(op, "plus"),
         product = darc_element_is(op, "times");
    darc_function f = DARC_FUNCTION_SQRT;
    const char *form = NULL;
    for (size_t i = 0; i < sizeof operators / sizeof *operators; i++)
        if (n > 0 && n < 3 && darc_element_is(op, operators[i].name))
            form = n == 1 ? operators[i].of_one : operators[i].of_two;
    if (form != NULL) {
        *e = darc_expr_formula_take(x->place, form, a[0], n == 2 ? a[1] : NULL);
        return DARC_OK;
    }
    form = n == 1 ? darc_form_find(op->name, strlen(op->name)) : NULL;
    if (form != NULL) {
        *e = darc_form_take(x->place, form, a[0]);
        return DARC_OK;
    }
    bool call = !darc_element_is(op, "log") &&
                darc_function_find(&f, op->name, strlen(op->name)) &&
                (f <= DARC_FUNCTION_ABS ? n == 1 : n > 1) &&
                f <= DARC_FUNCTION_MAX && f != DARC_FUNCTION_SIGN;
    if (n == 0 || (!sum && !product && !call))
        return refuse(m, op);
    *e = n == 1 && !call ? a[0]
                         : darc_expr_wrap_take(sum       ? DARC_EXPR_SUM
                                               : product ? DARC_EXPR_PRODUCT
                                                         : DARC_EXPR_CALL,
                                               x->place, a[0]);
    if (call)
        (*e)->function = f;
    for (size_t i = 1; i < n; i++)
        darc_expr_append_take(*e, a[i]);
    return DARC_OK;
}

/* apply -> <apply> operator [ <degree> | <logbase> ] { argument } </apply> */
static darc_status read_apply(darc_expr **e, darc_mathml *m,
                              const darc_element *x)
{
    if (x->count == 0)
        return DARC_FAIL_SYNTAX(m, x, "expected an operator in <apply>");
    const darc_element *op = x->child[0];
    const darc_element *qualifier = darc_element_child(
        x, darc_element_is(op, "log") ? "logbase" : "degree");
    darc_expr **a = darc_calloc(x->count, sizeof *a);
    darc_status status = DARC_OK;
    size_t n = 0;
    if (darc_element_is(op, "csymbol")) {
        DARC_TRY(read_symbol(&a[0], m, op));
        DARC_TRY(refuse(m, op));
    }
    for (size_t i = 1; i < x->count; i++)
        if (x->child[i] != qualifier) {
            DARC_TRY(read_tree(&a[n], m, x->child[i]));
            n++;
        }
    if (qualifier != NULL && qualifier->count == 1 && n == 1) {
        DARC_TRY(read_tree(&a[1], m, qualifier->child[0]));
        n = 2;
    }
    if (darc_element_is(op, "ci")) {
        DARC_TRY(call_function(e, m, x, a, n));
    } else {
        DARC_TRY(operate(e, m, x, a, n));
        n = 0;
    }
done:
    for (size_t i = 0; i < x->count && (i < n || status != DARC_OK); i++)
        darc_expr_free(a[i]);
    darc_free(a);
    return status;
}

static darc_status read_tree(darc_expr **e, darc_mathml *m,
                             const darc_element *x)
{
    if (darc_element_is(x, "cn"))
        return read_cn(e, m, x);
    if (darc_element_is(x, "ci"))
        return read_name(e, m, x);
    if (darc_element_is(x, "csymbol"))
        return read_symbol(e, m, x);
    if (darc_element_is(x, "piecewise"))
        return read_piecewise(e, m, x);
    if (darc_element_is(x, "apply"))
        return read_apply(e, m, x);
    if (darc_element_is(x, "pi"))
        return darc_mathml_number(e, m->script, "3.14159265358979323846",
                                  x->place);
    return refuse(m, x);
}

darc_status darc_mathml_read(darc_expr **e, darc_mathml *m,
                             const darc_element *math)
{
    *e = NULL;
    if (math->count != 1)
        return DARC_FAIL_SYNTAX(m, math, "expected one formula in <%.40s>",
                                math->name);
    darc_status status = read_tree(e, m, math->child[0]);
    if (status != DARC_OK) {
        darc_expr_free(*e);
        *e = NULL;
    }
    return status;
}
