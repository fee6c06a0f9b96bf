#include "agree/credibility.h"

#include "agree/thresholds.h"
#include "base/mem.h"
#include "base/suggest.h"
#include "syntax/parser.h"

#include <math.h>
#include <stdlib.h>

/* The words are those of models. */
static int which_of(const darc_token *t, const char *const *list, int n)
{
    int i = 0;
    while (i < n && !darc_token_is(t, list[i]))
        i++;
    return i;
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

static int find_factor(const darc_factor_space *s, const darc_token *name)
{
    int i = s->factors - 1;
    while (i >= 0 && !darc_token_is(name, s->factor[i].name))
        i--;
    return i;
}

/* Take a declared name. */
static darc_status factor_name(int *factor, darc_parser *p,
                               const darc_factor_space *s)
{
    const darc_token *t = darc_parser_peek(p, 0);
    DARC_NEED(darc_parser_expect(p, TOKEN_NAME, "the name of a factor"));
    *factor = find_factor(s, t);
    if (*factor >= 0)
        return DARC_OK;
    char *name = darc_token_text(t);
    darc_suggestion near;
    darc_suggestion_init(&near, name);
    for (int i = 0; i < s->factors; i++)
        darc_suggestion_offer(&near, s->factor[i].name);
    darc_status status = DARC_FAIL_MODEL(p, t, "'%s' is not declared%s", name,
                                         darc_suggestion_text(&near));
    darc_free(name);
    return status;
}

/* declaration -> name { name } ['[' unit ']'] ['"' text '"'] */
static darc_status declaration(darc_parser *p, darc_factor_space *s,
                               darc_factor_role role)
{
    int first = s->factors;
    const darc_token *t = darc_parser_peek(p, 0), *unit = NULL, *text = NULL;
    if (t->kind != TOKEN_NAME)
        return darc_parser_expected(p, "a name");
    for (; darc_parser_accept(p, TOKEN_NAME); t = darc_parser_peek(p, 0)) {
        if (find_factor(s, t) >= 0)
            return DARC_FAIL_MODEL(p, t, "'%.*s' is declared twice", (int)t->n,
                                   t->s);
        if (s->factors == DARC_FACTORS)
            return darc_script_fail(p->script, t->place, DARC_LIMIT,
                                    "more than %d factors", DARC_FACTORS);
        DARC_APPEND(s->factor, s->factors,
                    (darc_factor){.name = darc_token_text(t),
                                  .role = role,
                                  .accept = NAN,
                                  .similarity = NAN,
                                  .credibility = NAN,
                                  .acceptable = DARC_UNKNOWN});
    }
    if (darc_parser_accept(p, TOKEN_UNIT))
        unit = t;
    t = darc_parser_peek(p, 0);
    if (darc_parser_accept(p, TOKEN_STRING))
        text = t;
    for (int i = first; i < s->factors; i++) {
        s->factor[i].unit =
            unit != NULL ? darc_token_text(unit) : darc_strdup("");
        s->factor[i].text =
            text != NULL ? darc_token_text(text) : darc_strdup("");
    }
    return DARC_OK;
}

static bool begins_number(const darc_parser *p)
{
    darc_token_kind kind = darc_parser_peek(p, 0)->kind;
    return kind == TOKEN_NUMBER || kind == TOKEN_MINUS || kind == TOKEN_PLUS;
}

/* A number within low .. high. */
static darc_status bounded(double *x, darc_parser *p, double low, double high)
{
    const darc_token *first = darc_parser_peek(p, 0);
    if (first->kind == TOKEN_MINUS || first->kind == TOKEN_PLUS)
        p->at++;
    char *number = darc_token_text(darc_parser_peek(p, 0));
    *x = strtod(number, NULL) * (first->kind == TOKEN_MINUS ? -1 : 1);
    darc_free(number);
    DARC_NEED(darc_parser_expect(p, TOKEN_NUMBER, "a number"));
    return *x >= low && *x <= high
               ? DARC_OK
               : DARC_FAIL_MODEL(p, first, "%g lies outside %g .. %g", *x, low,
                                 high);
}

/* threshold -> ("similarity" | "credibility" | "level" | "rate") '=' number */
static darc_status threshold(darc_parser *p, darc_factor_space *s)
{
    static const char *const name[] = {"similarity", "credibility", "level",
                                       "rate"};
    double *const to[] = {&s->similarity, &s->credibility, &s->level, &s->rate};
    int k = which_of(darc_parser_peek(p, 0), name, 4);
    if (k == 4)
        return darc_parser_expected(p,
                                    "similarity, credibility, level or rate");
    p->at++;
    DARC_NEED(darc_parser_expect(p, TOKEN_EQUAL, "'='"));
    return k == 3 ? bounded(to[k], p, 1e-12, 1e12)
                  : bounded(to[k], p, 0.001, 0.999999);
}

static darc_status series(char **to, darc_parser *p)
{
    return darc_parser_take(p, TOKEN_STRING, to)
               ? DARC_OK
               : darc_parser_expected(p, "\"FILE:COLUMN\"");
}

/* analysis -> ("grey" | "theil" | "ttest" | "ftest") '(' string ',' string
 * ')' */
static darc_status analysis(darc_parser *p, darc_factor *f)
{
    static const char *const name[] = {"grey", "theil", "ttest", "ftest"};
    int which = which_of(darc_parser_peek(p, 0), name, 4);
    if (which == 4)
        return darc_parser_expected(
            p, "a similarity, grade, grey, theil, ttest or ftest");
    p->at++;
    DARC_NEED(darc_parser_expect(p, TOKEN_OPEN, "'('"));
    DARC_NEED(series(&f->reference, p));
    DARC_NEED(darc_parser_expect(p, TOKEN_COMMA, "','"));
    DARC_NEED(series(&f->simulation, p));
    f->evidence = (darc_evidence)((int)DARC_EVIDENCE_GREY + which);
    return darc_parser_expect(p, TOKEN_CLOSE, "')'");
}

/* evidence -> name '=' (number | "grade" number | analysis) ["accept" number]
 */
static darc_status evidence(darc_parser *p, darc_factor_space *s)
{
    int i;
    DARC_NEED(factor_name(&i, p, s));
    darc_factor *f = &s->factor[i];
    const darc_token *t = darc_parser_peek(p, 0);
    if (f->evidence != DARC_EVIDENCE_NONE)
        return DARC_FAIL_MODEL(p, t, "'%s' has evidence already, in line %zu",
                               f->name, f->line);
    f->line = (size_t)t->place.line;
    DARC_NEED(darc_parser_expect(p, TOKEN_EQUAL, "'='"));
    bool grade = darc_parser_word(p, "grade");
    if (grade || begins_number(p)) {
        f->evidence = grade ? DARC_EVIDENCE_GRADE : DARC_EVIDENCE_SIMILARITY;
        DARC_NEED(bounded(&f->given, p, 0, 1));
    } else {
        DARC_NEED(analysis(p, f));
    }
    return darc_parser_word(p, "accept") ? bounded(&f->accept, p, 0, 1)
                                         : DARC_OK;
}

static darc_status link_options(darc_parser *p, darc_factor_link *l,
                                const darc_factor_space *s)
{
    while (darc_parser_peek(p, 0)->kind == TOKEN_NAME) {
        if (darc_parser_word(p, "weight"))
            DARC_NEED(bounded(&l->weight, p, 1e-12, 1e12));
        else if (darc_parser_word(p, "threshold"))
            DARC_NEED(bounded(&l->threshold, p, 0, 1));
        else if ((l->unless = darc_parser_word(p, "unless")) ||
                 darc_parser_word(p, "when"))
            DARC_NEED(factor_name(&l->condition, p, s));
        else
            return darc_parser_expected(p, "weight, threshold, when or unless");
    }
    return DARC_OK;
}

const char *const darc_link_word[] = {"compose",    "derive",     "surpass",
                                      "substitute", "contradict", "inherit"};

/* link -> name '<-' kind name { option } */
static darc_status parse_link(darc_parser *p, darc_factor_space *s)
{
    darc_factor_link l = {.weight = 1,
                          .threshold = NAN,
                          .condition = -1,
                          .line = (size_t)darc_parser_peek(p, 0)->place.line};
    DARC_NEED(factor_name(&l.parent, p, s));
    DARC_NEED(darc_parser_expect(p, TOKEN_ARROW, "'<-'"));
    int kind = which_of(darc_parser_peek(p, 0), darc_link_word, 6);
    if (kind == 6)
        return darc_parser_expected(p, "compose, derive, surpass, substitute, "
                                       "contradict or inherit");
    l.kind = (darc_link_kind)kind;
    p->at++;
    const darc_token *child = darc_parser_peek(p, 0);
    DARC_NEED(factor_name(&l.child, p, s));
    if (l.child == l.parent)
        return DARC_FAIL_MODEL(p, child, "'%s' is linked to itself",
                               s->factor[l.child].name);
    DARC_NEED(link_options(p, &l, s));
    DARC_APPEND(s->link, s->links, l);
    return DARC_OK;
}

static darc_status item(darc_parser *p, section at, darc_factor_space *s)
{
    int i = 0;
    switch (at) {
    case SECTION_NONE:
        return darc_parser_expected(p, "a section (thresholds, outputs, "
                                       "quantities, inputs, iterated, "
                                       "evidence, links)");
    case SECTION_ITERATED:
        do {
            DARC_NEED(factor_name(&i, p, s));
            s->factor[i].iterated = true;
        } while (darc_parser_peek(p, 0)->kind == TOKEN_NAME);
        return DARC_OK;
    case SECTION_THRESHOLDS:
        return threshold(p, s);
    case SECTION_EVIDENCE:
        return evidence(p, s);
    case SECTION_LINKS:
        return parse_link(p, s);
    default:
        return declaration(p, s, (darc_factor_role)(at - SECTION_OUTPUTS));
    }
}

/* A section's name at the begin of a line opens it. */
static darc_status line(darc_parser *p, section *at, darc_factor_space *s)
{
    const darc_token *t = darc_parser_peek(p, 0);
    int k = which_of(t, section_name, SECTION_LINKS + 1);
    if (t->place.column == 1 && k <= SECTION_LINKS) {
        *at = (section)k;
        p->at++;
        /* "factors" name ['"' text '"'] */
        if (k == SECTION_NONE && !darc_parser_take(p, TOKEN_NAME, &s->name))
            return darc_parser_expected(p, "the name of the factor space");
        if (k == SECTION_NONE)
            darc_parser_take(p, TOKEN_STRING, &s->text);
    }
    if (darc_parser_peek(p, 0)->kind != TOKEN_NEWLINE)
        DARC_NEED(item(p, *at, s));
    return darc_parser_expect(p, TOKEN_NEWLINE, "the end of the line");
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
    for (i = 0; i < s->factors && status == DARC_OK; i++)
        if (mark[i] == 0)
            status = visit(i, mark, s, err);
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
    const darc_script script = {text, n, s->file, err, DARC_LANGUAGE_FACTORS,
                                NULL};
    darc_tokens tokens;
    darc_tokens_init(&tokens, &script);
    darc_parser p = {.script = &script, .tokens = &tokens};
    while (darc_parser_peek(&p, 0)->kind != TOKEN_END)
        DARC_TRY(line(&p, &at, s));
    DARC_TRY(check(s, err));
done:
    darc_tokens_clear(&tokens);
    if (status != DARC_OK)
        darc_credibility_clear(s);
    return status;
}
