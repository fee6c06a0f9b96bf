#include "agree/credibility.h"

#include "agree/thresholds.h"
#include "base/limits.h"
#include "base/mem.h"
#include "syntax/suggest.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum {
    WORD_END, /* of the line */
    WORD_NAME,
    WORD_NUMBER,
    WORD_STRING, /* without its quotes */
    WORD_UNIT,   /* without its brackets */
    WORD_SIGN    /* = ( ) , or <- */
} word_kind;

typedef struct {
    word_kind kind;
    const char *s;
    size_t n;
    double number;
    size_t column;
} word;

typedef struct {
    const char *file;
    const char *line; /* begin */
    const char *at, *end;
    size_t number; /* of the line */
    word word;     /* the word at hand */
    darc_err *err; /* where messages go */
} words;

/* Fail with "file:line:column: error: ..." at the word at hand. */
DARC_PRINTF(3, 4)
static darc_status fail(const words *w, darc_status status, const char *format,
                        ...)
{
    char what[1024];
    va_list args;
    va_start(args, format);
    vsnprintf(what, sizeof what, format, args);
    va_end(args);
    return darc_fail(w->err, status, "%s:%zu:%zu: error: %s", w->file,
                     w->number, w->word.column, what);
}

static darc_status expected(const words *w, const char *what)
{
    if (w->word.kind == WORD_END)
        return fail(w, DARC_SYNTAX, "expected %s at the end of the line", what);
    return fail(w, DARC_SYNTAX, "expected %s near '%.*s'", what, (int)w->word.n,
                w->word.s);
}

/* A string or a unit: everything up to the closing character. */
static darc_status quoted(words *w)
{
    char close = *w->at == '"' ? '"' : ']';
    const char *stop = memchr(w->at + 1, close, (size_t)(w->end - w->at - 1));
    if (stop == NULL)
        return fail(w, DARC_SYNTAX, "'%c' is not closed", *w->at);
    w->word.kind = close == '"' ? WORD_STRING : WORD_UNIT;
    w->word.s = w->at + 1;
    w->word.n = (size_t)(stop - w->at - 1);
    w->at = stop + 1;
    return DARC_OK;
}

static darc_status number(words *w)
{
    char copy[64];
    size_t n = strspn(w->at, "0123456789.eE+-");
    n = n < sizeof copy - 1 ? n : sizeof copy - 1;
    memcpy(copy, w->at, n);
    copy[n] = '\0';
    char *end;
    w->word.kind = WORD_NUMBER;
    w->word.number = strtod(copy, &end);
    w->word.n = (size_t)(end - copy);
    if (end == copy || !isfinite(w->word.number))
        return expected(w, "a number");
    w->at += w->word.n;
    return DARC_OK;
}

static darc_status next(words *w)
{
    while (w->at < w->end && isspace((unsigned char)*w->at))
        w->at++;
    w->word = (word){WORD_END, w->at, 1, 0, (size_t)(w->at - w->line) + 1};
    if (w->at == w->end || *w->at == '#') {
        w->at = w->end;
        return DARC_OK;
    }
    char c = *w->at;
    if (c == '"' || c == '[')
        return quoted(w);
    if (isdigit((unsigned char)c) || c == '.' || c == '-' || c == '+')
        return number(w);
    size_t n = strspn(w->at, "0123456789_abcdefghijklmnopqrstuvwxyz"
                             "ABCDEFGHIJKLMNOPQRSTUVWXYZ");
    if (n > 0) {
        w->at += n;
        w->word.kind = WORD_NAME;
        w->word.n = n;
        if (w->word.n > DARC_MAX_NAME)
            return fail(w, DARC_SYNTAX, "name of %zu characters (at most %d)",
                        w->word.n, DARC_MAX_NAME);
        return DARC_OK;
    }
    bool arrow = c == '<' && w->at + 1 < w->end && w->at[1] == '-';
    if (!arrow && (c == '\0' || strchr("=(),", c) == NULL))
        return fail(w, DARC_SYNTAX, "stray character '%c'",
                    isprint((unsigned char)c) ? c : '?');
    w->word.kind = WORD_SIGN;
    w->word.n = arrow ? 2 : 1;
    w->at += w->word.n;
    return DARC_OK;
}

static bool is(const words *w, const char *text)
{
    return (w->word.kind == WORD_NAME || w->word.kind == WORD_SIGN) &&
           w->word.n == strlen(text) && memcmp(w->word.s, text, w->word.n) == 0;
}

static int which_of(const words *w, const char *const *list, int n)
{
    int i = 0;
    while (i < n && !is(w, list[i]))
        i++;
    return i;
}

static darc_status take(words *w, word *to, word_kind kind, const char *what)
{
    *to = w->word;
    return w->word.kind == kind ? next(w) : expected(w, what);
}

static darc_status skip(words *w, const char *text)
{
    char what[16];
    snprintf(what, sizeof what, "'%s'", text);
    return is(w, text) ? next(w) : expected(w, what);
}

typedef enum {
    SECTION_NONE,
    SECTION_THRESHOLDS,
    SECTION_OUTPUTS, /* in the order of the roles */
    SECTION_QUANTITIES,
    SECTION_INPUTS,
    SECTION_ITERATED,
    SECTION_EVIDENCE,
    SECTION_LINKS
} section;

static const char *const section_name[] = {
    "factors", "thresholds", "outputs",  "quantities",
    "inputs",  "iterated",   "evidence", "links"};

static int find(const darc_factor_space *s, const word *name)
{
    int i = s->factors - 1;
    while (i >= 0 && (strlen(s->factor[i].name) != name->n ||
                      memcmp(s->factor[i].name, name->s, name->n) != 0))
        i--;
    return i;
}

static void keep(char **to, const word *of)
{
    darc_free(*to);
    *to = darc_strndup(of->s, of->n);
}

/* Take a declared name. */
static darc_status factor_name(int *factor, words *w,
                               const darc_factor_space *s)
{
    if (w->word.kind != WORD_NAME)
        return expected(w, "the name of a factor");
    *factor = find(s, &w->word);
    if (*factor >= 0)
        return next(w);
    char name[128];
    darc_suggestion near;
    snprintf(name, sizeof name, "%.*s", (int)w->word.n, w->word.s);
    darc_suggestion_init(&near, name);
    for (int i = 0; i < s->factors; i++)
        darc_suggestion_offer(&near, s->factor[i].name);
    return fail(w, DARC_MODEL, "'%s' is not declared%s", name,
                darc_suggestion_text(&near));
}

/* declaration -> name { name } ['[' unit ']'] ['"' text '"'] */
static darc_status declaration(words *w, darc_factor_space *s,
                               darc_factor_role role)
{
    int first = s->factors;
    if (w->word.kind != WORD_NAME)
        return expected(w, "a name");
    while (w->word.kind == WORD_NAME) {
        if (find(s, &w->word) >= 0)
            return fail(w, DARC_MODEL, "'%.*s' is declared twice",
                        (int)w->word.n, w->word.s);
        if (s->factors == DARC_FACTORS)
            return fail(w, DARC_LIMIT, "more than %d factors", DARC_FACTORS);
        DARC_ROOM(s->factor, s->factors);
        s->factor[s->factors++] =
            (darc_factor){.name = darc_strndup(w->word.s, w->word.n),
                          .unit = darc_strdup(""),
                          .text = darc_strdup(""),
                          .role = role,
                          .accept = NAN,
                          .similarity = NAN,
                          .credibility = NAN,
                          .acceptable = DARC_UNKNOWN};
        DARC_NEED(next(w));
    }
    for (int pass = 0; pass < 2; pass++) {
        if (w->word.kind != (pass == 0 ? WORD_UNIT : WORD_STRING))
            continue;
        for (int i = first; i < s->factors; i++)
            keep(pass == 0 ? &s->factor[i].unit : &s->factor[i].text, &w->word);
        DARC_NEED(next(w));
    }
    return DARC_OK;
}

/* A number within low .. high, behind a keyword or not. */
static darc_status bounded(double *x, words *w, bool keyword, double low,
                           double high)
{
    if (keyword)
        DARC_NEED(next(w));
    if (w->word.kind != WORD_NUMBER)
        return expected(w, "a number");
    if (w->word.number < low || w->word.number > high)
        return fail(w, DARC_MODEL, "%g lies outside %g .. %g", w->word.number,
                    low, high);
    *x = w->word.number;
    return next(w);
}

/* threshold -> ("similarity" | "credibility" | "level" | "rate") '=' number */
static darc_status threshold(words *w, darc_factor_space *s)
{
    double *to = is(w, "similarity")    ? &s->similarity
                 : is(w, "credibility") ? &s->credibility
                 : is(w, "level")       ? &s->level
                 : is(w, "rate")        ? &s->rate
                                        : NULL;
    if (to == NULL)
        return expected(w, "similarity, credibility, level or rate");
    DARC_NEED(next(w));
    DARC_NEED(skip(w, "="));
    bool rate = to == &s->rate;
    return bounded(to, w, false, rate ? 1e-12 : 0.001, rate ? 1e12 : 0.999999);
}

/* analysis -> ("grey" | "theil" | "ttest" | "ftest") '(' string ',' string
 * ')' */
static darc_status analysis(words *w, darc_factor *f)
{
    static const char *const name[] = {"grey", "theil", "ttest", "ftest"};
    int which = which_of(w, name, 4);
    if (which == 4)
        return expected(w, "a similarity, grade, grey, theil, ttest or ftest");
    word reference, simulation;
    DARC_NEED(next(w));
    DARC_NEED(skip(w, "("));
    DARC_NEED(take(w, &reference, WORD_STRING, "\"FILE:COLUMN\""));
    DARC_NEED(skip(w, ","));
    DARC_NEED(take(w, &simulation, WORD_STRING, "\"FILE:COLUMN\""));
    DARC_NEED(skip(w, ")"));
    f->evidence = (darc_evidence)((int)DARC_EVIDENCE_GREY + which);
    keep(&f->reference, &reference);
    keep(&f->simulation, &simulation);
    return DARC_OK;
}

/* evidence -> name '=' (number | "grade" number | analysis) ["accept" number]
 */
static darc_status evidence(words *w, darc_factor_space *s)
{
    int i;
    DARC_NEED(factor_name(&i, w, s));
    darc_factor *f = &s->factor[i];
    if (f->evidence != DARC_EVIDENCE_NONE)
        return fail(w, DARC_MODEL, "'%s' has evidence already, in line %zu",
                    f->name, f->line);
    f->line = w->number;
    DARC_NEED(skip(w, "="));
    if (w->word.kind == WORD_NUMBER) {
        f->evidence = DARC_EVIDENCE_SIMILARITY;
        DARC_NEED(bounded(&f->given, w, false, 0, 1));
    } else if (is(w, "grade")) {
        f->evidence = DARC_EVIDENCE_GRADE;
        DARC_NEED(bounded(&f->given, w, true, 0, 1));
    } else {
        DARC_NEED(analysis(w, f));
    }
    if (is(w, "accept"))
        DARC_NEED(bounded(&f->accept, w, true, 0, 1));
    return DARC_OK;
}

static darc_status link_options(words *w, darc_factor_link *l,
                                const darc_factor_space *s)
{
    while (w->word.kind == WORD_NAME) {
        if (is(w, "weight"))
            DARC_NEED(bounded(&l->weight, w, true, 1e-12, 1e12));
        else if (is(w, "threshold"))
            DARC_NEED(bounded(&l->threshold, w, true, 0, 1));
        else if (is(w, "when") || is(w, "unless")) {
            l->unless = is(w, "unless");
            DARC_NEED(next(w));
            DARC_NEED(factor_name(&l->condition, w, s));
        } else {
            return expected(w, "weight, threshold, when or unless");
        }
    }
    return DARC_OK;
}

/* link -> name '<-' kind name { option } */
static darc_status parse_link(words *w, darc_factor_space *s)
{
    static const char *const name[] = {"compose",    "derive",     "surpass",
                                       "substitute", "contradict", "inherit"};
    darc_factor_link l = {
        .weight = 1, .threshold = NAN, .condition = -1, .line = w->number};
    DARC_NEED(factor_name(&l.parent, w, s));
    DARC_NEED(skip(w, "<-"));
    int kind = which_of(w, name, 6);
    if (kind == 6)
        return expected(w, "compose, derive, surpass, substitute, "
                           "contradict or inherit");
    l.kind = (darc_link_kind)kind;
    DARC_NEED(next(w));
    words child = *w;
    DARC_NEED(factor_name(&l.child, w, s));
    if (l.child == l.parent)
        return fail(&child, DARC_MODEL, "'%s' is linked to itself",
                    s->factor[l.child].name);
    DARC_NEED(link_options(w, &l, s));
    DARC_ROOM(s->link, s->links);
    s->link[s->links++] = l;
    return DARC_OK;
}

static darc_status item(words *w, section at, darc_factor_space *s)
{
    int i = 0;
    if (at == SECTION_NONE)
        return expected(w, "a section (thresholds, outputs, quantities, "
                           "inputs, iterated, evidence, links)");
    while (at == SECTION_ITERATED && w->word.kind != WORD_END) {
        DARC_NEED(factor_name(&i, w, s));
        s->factor[i].iterated = true;
    }
    return at == SECTION_ITERATED     ? DARC_OK
           : at == SECTION_THRESHOLDS ? threshold(w, s)
           : at == SECTION_EVIDENCE   ? evidence(w, s)
           : at == SECTION_LINKS
               ? parse_link(w, s)
               : declaration(w, s, (darc_factor_role)(at - SECTION_OUTPUTS));
}

/* A section's name at the begin of a line opens it. */
static darc_status line(words *w, section *at, darc_factor_space *s)
{
    DARC_NEED(next(w));
    int k = which_of(w, section_name, SECTION_LINKS + 1);
    if (w->word.column == 1 && k <= SECTION_LINKS) {
        *at = (section)k;
        DARC_NEED(next(w));
        if (k == SECTION_NONE) { /* "factors" name ['"' text '"'] */
            word name;
            DARC_NEED(
                take(w, &name, WORD_NAME, "the name of the factor space"));
            keep(&s->name, &name);
            if (w->word.kind == WORD_STRING) {
                keep(&s->text, &w->word);
                DARC_NEED(next(w));
            }
        }
    }
    if (w->word.kind != WORD_END)
        DARC_NEED(item(w, *at, s));
    return w->word.kind == WORD_END ? DARC_OK
                                    : expected(w, "the end of the line");
}

/* Depth-first search; mark 1: on the path, 2: done.  Iterated factors end a
 * path. */
static darc_status visit(int i, char *mark, const darc_factor_space *s,
                         darc_err *err)
{
    mark[i] = 1;
    for (int k = 0; k < s->links; k++) {
        const darc_factor_link *l = &s->link[k];
        if (l->parent != i || l->kind == DARC_LINK_CONTRADICT ||
            s->factor[l->child].iterated || mark[l->child] == 2)
            continue;
        if (mark[l->child] == 1)
            return darc_fail(err, DARC_MODEL,
                             "%s:%zu:1: error: the links form a cycle through "
                             "'%s' and '%s'; declare one of them iterated",
                             s->file, l->line, s->factor[i].name,
                             s->factor[l->child].name);
        DARC_NEED(visit(l->child, mark, s, err));
    }
    mark[i] = 2;
    return DARC_OK;
}

static darc_status check(const darc_factor_space *s, darc_err *err)
{
    darc_status status = DARC_OK;
    int i = 0;
    while (i < s->factors && s->factor[i].role != DARC_FACTOR_OUTPUT)
        i++;
    if (i == s->factors)
        return darc_fail(err, DARC_MODEL,
                         "%s:1:1: error: no output is declared", s->file);
    char *mark = darc_calloc((size_t)s->factors, 1);
    for (i = 0; i < s->factors; i++)
        if (mark[i] == 0)
            DARC_TRY(visit(i, mark, s, err));
done:
    darc_free(mark);
    return status;
}

void darc_credibility_clear(darc_factor_space *s)
{
    for (int i = 0; i < s->factors; i++)
        DARC_FREE(s->factor[i].name, s->factor[i].unit, s->factor[i].text,
                  s->factor[i].reference, s->factor[i].simulation);
    DARC_FREE(s->factor, s->link, s->file, s->name, s->text);
    *s = (darc_factor_space){0};
}

darc_status darc_credibility_parse(darc_factor_space *s, const char *text,
                                   size_t n, const char *file, darc_err *err)
{
    darc_status status = DARC_OK;
    *s = (darc_factor_space){.file = darc_strdup(file),
                             .name = darc_strdup(""),
                             .text = darc_strdup(""),
                             .similarity = DARC_SIMILARITY,
                             .credibility = DARC_CREDIBILITY,
                             .level = DARC_LEVEL};
    section at = SECTION_NONE;
    words w = {.file = s->file, .err = err};
    char *copy = darc_strndup(text, n); /* terminated, for number scanning */
    const char *end = copy + n;
    for (const char *p = copy; p < end;) {
        const char *newline = memchr(p, '\n', (size_t)(end - p));
        w.line = w.at = p;
        w.end = newline != NULL ? newline : end;
        w.number++;
        DARC_TRY(line(&w, &at, s));
        p = w.end + 1;
    }
    DARC_TRY(check(s, err));
done:
    darc_free(copy);
    if (status != DARC_OK)
        darc_credibility_clear(s);
    return status;
}
