/* translate.c - a model in the languages of other tools. */
#include "base/mem.h"
#include "model/model.h"
#include "model/model_struct.h"
#include "model/solved.h"

#include <string.h>

/* Derivatives above the first are variables of their own: x_der1 = der(x). */
static void modelica_unknown(darc_text_t out, const darc_expr *e, void *user)
{
    (void)user;
    if (e->order == 0)
        darc_text_puts(out, e->text);
    else if (e->order == 1)
        darc_text_printf(out, "der(%s)", e->text);
    else
        darc_text_printf(out, "der(%s_der%d)", e->text, e->order - 1);
}

static const darc_dialect modelica = {
    .power = "^", .unknown = modelica_unknown, .derive = "der(", .order = ", "};

/* Raise *most to the order of name in e; return what Modelica lacks. */
static const char *survey(int *most, const darc_expr *e, const char *name)
{
    const char *lacks = NULL;
    if (e->kind == DARC_EXPR_UNKNOWN && strcmp(e->text, name) == 0 &&
        e->order > *most)
        *most = e->order;
    if (e->kind == DARC_EXPR_CALL && (e->function == DARC_FUNCTION_TABLE ||
                                      e->function == DARC_FUNCTION_INT))
        lacks = darc_function_name(e->function);
    if (e->kind == DARC_EXPR_CALL && e->count > 2 &&
        (e->function == DARC_FUNCTION_MIN || e->function == DARC_FUNCTION_MAX))
        lacks = "min or max of more than two";
    if (e->kind == DARC_EXPR_DERIVATIVE && e->order > 1)
        lacks = "second derivatives of expressions";
    for (int i = 0; i < e->count && lacks == NULL; i++)
        lacks = survey(most, e->child[i], name);
    return lacks;
}

static const char *survey_all(int *most, const darc_syntax *s, const char *name)
{
    const char *lacks = NULL;
    *most = 0;
    for (size_t i = 0; i < s->equations.count && lacks == NULL; i++) {
        lacks = survey(most, s->equations.statement[i].left, name);
        if (lacks == NULL)
            lacks = survey(most, s->equations.statement[i].right, name);
    }
    for (size_t i = 0; i < s->declarations && lacks == NULL; i++)
        if (s->declaration[i].value != NULL)
            lacks = survey(most, s->declaration[i].value, name);
    return lacks;
}

/* Append a unit as Modelica writes it: N*s/m^2/kg is N.s/(m2.kg); what has
 * roots, or a factor behind a divisor, stays as it is. */
static void modelica_unit(darc_text_t out, const char *unit)
{
    const char *slash = strchr(unit, '/');
    bool plain = strpbrk(unit, "() \"\\") == NULL &&
                 (slash == NULL || strchr(slash, '*') == NULL);
    bool several = plain && slash != NULL && strchr(slash + 1, '/') != NULL;
    darc_text_t t = DARC_TEXT;
    for (const char *c = unit; *c != '\0'; c++) {
        if (!plain || (*c != '*' && *c != '^'))
            darc_text_putc(t, several && *c == '/' && c != slash ? '.' : *c);
        else if (*c == '*')
            darc_text_putc(t, '.');
        if (several && c == slash)
            darc_text_putc(t, '(');
    }
    if (several)
        darc_text_putc(t, ')');
    darc_quoted_print(out, t->s);
    darc_text_clear(t);
}

static void modelica_declaration(darc_text_t out, const darc_declaration *d)
{
    static const char word[DARC_SECTIONS][12] = {
        [DARC_SECTION_PARAMETERS] = "parameter ",
        [DARC_SECTION_CONSTANTS] = "constant ",
        [DARC_SECTION_INPUTS] = "input ",
        [DARC_SECTION_OUTPUTS] = "output "};
    darc_text_printf(out, "  %sReal %s", word[d->section], d->name);
    bool start = d->section == DARC_SECTION_STATES && d->value != NULL;
    if (d->unit[0] != '\0') {
        darc_text_puts(out, "(unit=");
        modelica_unit(out, d->unit);
        darc_text_puts(out, start ? "" : ")");
    }
    if (d->value != NULL) {
        darc_text_puts(out, !start               ? " = "
                            : d->unit[0] != '\0' ? ", start="
                                                 : "(start=");
        darc_expr_print_as(out, &modelica, d->value);
        darc_text_puts(out, start ? ", fixed=true)" : "");
    } else if (d->may_be_zero) {
        darc_text_puts(out, " = 0");
    }
    if (d->text[0] != '\0') {
        darc_text_putc(out, ' ');
        darc_quoted_print(out, d->text);
    }
    darc_text_puts(out, ";\n");
}

static darc_status to_modelica(darc_text_t out, const darc_syntax *s,
                               darc_err *err)
{
    darc_text_printf(out, "model %s", s->name);
    if (s->title != NULL) {
        darc_text_putc(out, ' ');
        darc_quoted_print(out, s->title);
    }
    darc_text_putc(out, '\n');
    for (size_t i = 0; i < s->declarations; i++) {
        const darc_declaration *d = s->declaration + i;
        int most;
        const char *lacks = survey_all(&most, s, d->name);
        if (lacks != NULL)
            return darc_fail(err, DARC_DOMAIN,
                             "the model uses %s, which a flat class of "
                             "Modelica does not have",
                             lacks);
        modelica_declaration(out, d);
        for (int k = 1; k < most; k++) {
            darc_text_printf(out, "  Real %s_der%d = der(%s", d->name, k,
                             d->name);
            darc_text_printf(out, k > 1 ? "_der%d);\n" : ");\n", k - 1);
        }
    }
    darc_text_puts(out, "equation\n");
    for (size_t i = 0; i < s->equations.count; i++) {
        darc_text_puts(out, "  ");
        darc_expr_print_as(out, &modelica, s->equations.statement[i].left);
        darc_text_puts(out, " = ");
        darc_expr_print_as(out, &modelica, s->equations.statement[i].right);
        darc_text_puts(out, ";\n");
    }
    darc_text_printf(out, "end %s;\n", s->name);
    return DARC_OK;
}

static bool is_measured(const darc_syntax *s, const char *name)
{
    const darc_declaration *d = darc_syntax_find(s, name);
    return d != NULL && d->section != DARC_SECTION_PARAMETERS &&
           d->section != DARC_SECTION_CONSTANTS;
}

/* Names end in an underline where Python or SymPy have another use for them. */
static void put_python_name(darc_text_t out, const char *name)
{
    static const char *const taken[] = {
        "and",   "as",     "assert",   "break", "class",  "continue",
        "def",   "del",    "elif",     "else",  "except", "finally",
        "for",   "from",   "global",   "if",    "import", "in",
        "is",    "lambda", "nonlocal", "not",   "or",     "pass",
        "raise", "return", "try",      "while", "with",   "yield",
        "None",  "True",   "False",    "t",     "sp",     "equations"};
    bool found = false;
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++)
        found = found || strcmp(name, taken[i]) == 0;
    darc_text_printf(out, "%s%s", name, found ? "_" : "");
}

static void sympy_unknown(darc_text_t out, const darc_expr *e, void *user)
{
    bool time =
        strcmp(e->text, "time") == 0 && darc_syntax_find(user, "time") == NULL;
    if (time)
        darc_text_puts(out, "t");
    else
        put_python_name(out, e->text);
    if (!time && is_measured(user, e->text))
        darc_text_puts(out, "(t)");
    if (!time && is_measured(user, e->text) && e->order > 0)
        darc_text_printf(out, ".diff(t, %d)", e->order);
}

static void sympy_number(darc_text_t out, const darc_expr *e, bool divides)
{
    bool whole = strpbrk(e->text, ".eE") == NULL;
    darc_text_printf(out,
                     !whole    ? "sp.Rational('%s')"
                     : divides ? "sp.Integer(%s)"
                               : "%s",
                     e->text);
}

static const char *sympy_function(darc_function f)
{
    static const char *const names[] = {
#define ROW(id, name, least, most) "sp." name,
        DARC_FUNCTION_LIST(ROW)
#undef ROW
    };
    return f == DARC_FUNCTION_ABS   ? "sp.Abs"
           : f == DARC_FUNCTION_MIN ? "sp.Min"
           : f == DARC_FUNCTION_MAX ? "sp.Max"
                                    : names[f];
}

static const char *beyond_sympy(const darc_expr *e)
{
    const char *lacks = NULL;
    if (e->kind == DARC_EXPR_CALL && e->function >= DARC_FUNCTION_DELAY)
        lacks = darc_function_name(e->function);
    for (int i = 0; i < e->count && lacks == NULL; i++)
        lacks = beyond_sympy(e->child[i]);
    return lacks;
}

static darc_status sympy_equation(darc_text_t out, const darc_dialect *d,
                                  const darc_expr *left, const darc_expr *right,
                                  darc_err *err)
{
    const char *lacks = beyond_sympy(left);
    lacks = lacks != NULL ? lacks : beyond_sympy(right);
    if (lacks != NULL)
        return darc_fail(err, DARC_DOMAIN,
                         "the model uses %s, which is not written for SymPy",
                         lacks);
    darc_text_puts(out, "    sp.Eq(");
    darc_expr_print_as(out, d, left);
    darc_text_puts(out, ", ");
    darc_expr_print_as(out, d, right);
    darc_text_puts(out, "),\n");
    return DARC_OK;
}

static darc_status to_sympy(darc_text_t out, const darc_syntax *s,
                            darc_err *err)
{
    darc_dialect d = {"**",       sympy_unknown, sympy_number, sympy_function,
                      "sp.diff(", ", t, ",       true,         NULL};
    memcpy(&d.user, &s, sizeof s);
    darc_text_puts(out, "import sympy as sp\n\nt = sp.Symbol('t')\n");
    for (size_t i = 0; i < s->declarations; i++) {
        const darc_declaration *x = s->declaration + i;
        put_python_name(out, x->name);
        darc_text_puts(out, " = ");
        if (x->section == DARC_SECTION_CONSTANTS)
            darc_expr_print_as(out, &d, x->value);
        else
            darc_text_printf(out, "sp.%s('%s')",
                             is_measured(s, x->name) ? "Function" : "Symbol",
                             x->name);
        darc_text_putc(out, '\n');
    }
    darc_text_puts(out, "\nequations = [\n");
    for (size_t i = 0; i < s->declarations; i++) {
        const darc_declaration *x = s->declaration + i;
        if (x->section != DARC_SECTION_DERIVED)
            continue;
        darc_expr *left = darc_expr_new(DARC_EXPR_UNKNOWN, x->place, x->name,
                                        strlen(x->name));
        darc_status status = sympy_equation(out, &d, left, x->value, err);
        darc_expr_free(left);
        DARC_NEED(status);
    }
    for (size_t i = 0; i < s->equations.count; i++)
        DARC_NEED(sympy_equation(out, &d, s->equations.statement[i].left,
                                 s->equations.statement[i].right, err));
    darc_text_puts(out, "]\n");
    return DARC_OK;
}

/* Set name[v] to what variable v of the jet is called: x(t), x_der1(t), m. */
static darc_status name_all(char **name, const darc_jet_t jet, darc_err *err)
{
    for (slong v = 0; v < jet->vars; v++) {
        const darc_symbol *x = jet->names->symbol + jet->deriv[v].unknown;
        int order = jet->deriv[v].order;
        if (x->kind == DARC_INPUT && order > 0)
            return darc_fail(err, DARC_DOMAIN,
                             "the solved form holds a derivative of the input "
                             "'%s', which an @ODEmodel does not have",
                             x->name);
        name[v] = x->kind == DARC_PARAMETER ? darc_text_of("%s", x->name)
                  : order > 0 ? darc_text_of("%s_der%d(t)", x->name, order)
                              : darc_text_of("%s(t)", x->name);
    }
    return DARC_OK;
}

static void julia_side(darc_text_t out, const darc_dpoly_t p,
                       const darc_jet_t jet, char **name)
{
    char *text = fmpz_mpoly_get_str_pretty(p, (const char **)name, jet->ctx);
    darc_text_printf(out, "(%s)", text);
    flint_free(text);
}

static darc_status to_julia(darc_text_t out, const darc_model *model,
                            darc_err *err)
{
    darc_solved_t s;
    DARC_NEED(darc_solved_init(s, model, err));
    char **name = darc_calloc((size_t)s->jet->vars + 1, sizeof *name);
    darc_status status = name_all(name, s->jet, err);
    if (status == DARC_OK) {
        darc_text_puts(out, "using StructuralIdentifiability\n\node = "
                            "@ODEmodel(\n");
        const darc_jet_struct *jet = s->jet;
        for (int i = 0; i < s->states + s->outputs; i++) {
            const char *of =
                i < s->states ? name[darc_jet_var(jet, s->state[i])] : "";
            if (i < s->states)
                darc_text_printf(out, "    %.*s'(t) = ", (int)strlen(of) - 3,
                                 of);
            else
                darc_text_printf(
                    out, "    %s_measured(t) = ",
                    jet->names->symbol[s->output[i - s->states]].name);
            julia_side(out, s->num->p + i, jet, name);
            if (!fmpz_mpoly_is_one(s->den->p + i, jet->ctx)) {
                darc_text_puts(out, " // ");
                julia_side(out, s->den->p + i, jet, name);
            }
            darc_text_puts(out, i + 1 < s->states + s->outputs ? ",\n" : "\n");
        }
        darc_text_puts(out, ")\n");
    }
    DARC_FREE_EACH(name, s->jet->vars);
    darc_free(name);
    darc_solved_clear(s);
    return status;
}

darc_status darc_model_translate(darc_text_t out, const darc_model *model,
                                 darc_translation to, darc_err *err)
{
    const darc_syntax *s = model->rewritten ? &model->written : &model->syntax;
    if (to != DARC_TO_DARC)
        DARC_NEED(darc_model_refuse_late(model, "other languages", err));
    switch (to) {
    case DARC_TO_MODELICA:
        return to_modelica(out, s, err);
    case DARC_TO_SYMPY:
        return to_sympy(out, s, err);
    case DARC_TO_JULIA:
        return to_julia(out, model, err);
    default:
        darc_model_print(out, model);
        return DARC_OK;
    }
}
