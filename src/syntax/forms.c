/* forms.c - functions of one argument that are made of others. */
#include "syntax/expr.h"

#include <assert.h>
#include <string.h>

/* How, in reverse Polish notation: A the argument, a digit, t ten, an operator,
 * or a letter of `letters`. */
static const struct {
    const char *name, *form;
} forms[] = {{"ln", "Al"},
             {"log10", "Altl/"},
             {"sgn", "Ag"},
             {"signum", "Ag"},
             {"sec", "1Ac/"},
             {"csc", "1As/"},
             {"cot", "AcAs/"},
             {"sech", "1AC/"},
             {"csch", "1AS/"},
             {"coth", "ACAS/"},
             {"arcsin", "Ai"},
             {"arccos", "Ao"},
             {"arctan", "An"},
             {"asinh", "AA2^1+q+l"},
             {"arcsinh", "AA2^1+q+l"},
             {"acosh", "AA2^1-q+l"},
             {"arccosh", "AA2^1-q+l"},
             {"atanh", "1A+1A-/l2/"},
             {"arctanh", "1A+1A-/l2/"}};

static const struct {
    char letter;
    darc_function f;
} letters[] = {{'l', DARC_FUNCTION_LOG},  {'q', DARC_FUNCTION_SQRT},
               {'s', DARC_FUNCTION_SIN},  {'c', DARC_FUNCTION_COS},
               {'S', DARC_FUNCTION_SINH}, {'C', DARC_FUNCTION_COSH},
               {'i', DARC_FUNCTION_ASIN}, {'o', DARC_FUNCTION_ACOS},
               {'n', DARC_FUNCTION_ATAN}, {'g', DARC_FUNCTION_SIGN}};

const char *darc_form_find(const char *name, size_t n)
{
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++)
        if (strlen(forms[i].name) == n && strncmp(forms[i].name, name, n) == 0)
            return forms[i].form;
    return NULL;
}

/* Return a and b, joined by an operator. */
static darc_expr *operate(char by, darc_place at, darc_expr *a, darc_expr *b)
{
    if (by == '^')
        return darc_expr_join_take(DARC_EXPR_POWER, a, b);
    if (by == '+')
        return darc_expr_join_take(DARC_EXPR_SUM, a, b);
    bool minus = by == '-';
    b = darc_expr_wrap_take(minus ? DARC_EXPR_NEGATE : DARC_EXPR_INVERT, at, b);
    return darc_expr_join_take(minus ? DARC_EXPR_SUM : DARC_EXPR_PRODUCT, a, b);
}

darc_expr *darc_form_take(darc_place at, const char *form, darc_expr *a)
{
    darc_expr *stack[5] = {NULL};
    size_t n = 0;
    for (; *form != '\0'; form++) {
        size_t k = 0;
        while (k < sizeof letters / sizeof *letters &&
               letters[k].letter != *form)
            k++;
        if (k < sizeof letters / sizeof *letters) {
            stack[n - 1] =
                darc_expr_wrap_take(DARC_EXPR_CALL, at, stack[n - 1]);
            stack[n - 1]->function = letters[k].f;
        } else if (strchr("+-/^", *form) != NULL) {
            n--;
            stack[n - 1] = operate(*form, at, stack[n - 1], stack[n]);
        } else {
            stack[n++] =
                *form == 'A'
                    ? darc_expr_copy(a)
                    : darc_expr_integer(at, *form == 't' ? 10 : *form - '0');
        }
    }
    assert(n == 1);
    darc_expr_free(a);
    return stack[0];
}
