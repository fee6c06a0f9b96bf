#include "agree/credibility.h"

#include "agree/factortext.h"
#include "agree/thresholds.h"
#include "base/mem.h"
#include "base/text.h"
#include "syntax/suggest.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

typedef enum {
    SECTION_NONE,
    SECTION_THRESHOLDS,
    SECTION_OUTPUTS,
    SECTION_QUANTITIES,
    SECTION_INPUTS,
    SECTION_ITERATED,
    SECTION_EVIDENCE,
    SECTION_LINKS
} section;

static const char *const section_name[] = {
    "factors", "thresholds", "outputs",  "quantities",
    "inputs",  "iterated",   "evidence", "links"};

static int find(const darc_factor_space *s, const darc_word *name)
{
    for (int i = 0; i < s->factors; i++)
        if (strlen(s->factor[i].name) == name->n &&
            memcmp(s->factor[i].name, name->s, name->n) == 0)
            return i;
    return -1;
}

/* Take a declared name. */
static darc_status factor_name(int *factor, darc_words *w,
                               const darc_factor_space *s)
{
    if (w->word.kind != WORD_NAME)
        return darc_words_expected(w, "the name of a factor");
    *factor = find(s, &w->word);
    if (*factor >= 0)
        return darc_words_next(w);
    char name[128];
    darc_suggestion near;
    snprintf(name, sizeof name, "%.*s", (int)w->word.n, w->word.s);
    darc_suggestion_init(&near, name);
    for (int i = 0; i < s->factors; i++)
        darc_suggestion_offer(&near, s->factor[i].name);
    return darc_words_fail(w, DARC_MODEL, "'%s' is not declared%s", name,
                           darc_suggestion_text(&near));
}

/* declaration -> name { name } ['[' unit ']'] ['"' text '"'] */
static darc_status declaration(darc_words *w, darc_factor_space *s,
                               darc_factor_role role)
{
    int first = s->factors;
    if (w->word.kind != WORD_NAME)
        return darc_words_expected(w, "a name");
    while (w->word.kind == WORD_NAME) {
        if (find(s, &w->word) >= 0)
            return darc_words_fail(w, DARC_MODEL, "'%.*s' is declared twice",
                                   (int)w->word.n, w->word.s);
        if (s->factors == DARC_FACTORS)
            return darc_words_fail(w, DARC_LIMIT, "more than %d factors",
                                   DARC_FACTORS);
        s->factor = darc_grow(s->factor, (size_t)s->factors, &s->factor_alloc,
                              sizeof *s->factor);
        s->factor[s->factors++] =
            (darc_factor){.name = darc_strndup(w->word.s, w->word.n),
                          .unit = darc_strdup(""),
                          .text = darc_strdup(""),
                          .role = role,
                          .accept = NAN,
                          .similarity = NAN,
                          .credibility = NAN,
                          .acceptable = DARC_UNKNOWN};
        DARC_NEED(darc_words_next(w));
    }
    for (int pass = 0; pass < 2; pass++) {
        if (w->word.kind != (pass == 0 ? WORD_UNIT : WORD_STRING))
            continue;
        for (int i = first; i < s->factors; i++) {
            char **to = pass == 0 ? &s->factor[i].unit : &s->factor[i].text;
            darc_free(*to);
            *to = darc_strndup(w->word.s, w->word.n);
        }
        DARC_NEED(darc_words_next(w));
    }
    return DARC_OK;
}

/* A number within low .. high. */
static darc_status bounded(double *x, darc_words *w, double low, double high)
{
    if (w->word.kind != WORD_NUMBER)
        return darc_words_expected(w, "a number");
    if (w->word.number < low || w->word.number > high)
        return darc_words_fail(w, DARC_MODEL, "%g lies outside %g .. %g",
                               w->word.number, low, high);
    *x = w->word.number;
    return darc_words_next(w);
}

/* The same behind a keyword. */
static darc_status next_bounded(double *x, darc_words *w, double low,
                                double high)
{
    DARC_NEED(darc_words_next(w));
    return bounded(x, w, low, high);
}

/* threshold -> ("similarity" | "credibility" | "level" | "rate") '=' number */
static darc_status threshold(darc_words *w, darc_factor_space *s)
{
    double *to = darc_words_is(w, "similarity")    ? &s->similarity
                 : darc_words_is(w, "credibility") ? &s->credibility
                 : darc_words_is(w, "level")       ? &s->level
                 : darc_words_is(w, "rate")        ? &s->rate
                                                   : NULL;
    if (to == NULL)
        return darc_words_expected(w, "similarity, credibility, level or rate");
    DARC_NEED(darc_words_next(w));
    DARC_NEED(darc_words_skip(w, "="));
    bool rate = to == &s->rate;
    return bounded(to, w, rate ? 1e-12 : 0.001, rate ? 1e12 : 0.999999);
}

/* analysis -> ("grey" | "theil" | "ttest" | "ftest") '(' string ',' string
 * ')' */
static darc_status analysis(darc_words *w, darc_factor *f)
{
    static const char *const name[] = {"grey", "theil", "ttest", "ftest"};
    int which = darc_words_which(w, name, 4);
    if (which == 4)
        return darc_words_expected(
            w, "a similarity, grade, grey, theil, ttest or ftest");
    darc_word reference, simulation;
    DARC_NEED(darc_words_next(w));
    DARC_NEED(darc_words_skip(w, "("));
    DARC_NEED(darc_words_take(w, &reference, WORD_STRING, "\"FILE:COLUMN\""));
    DARC_NEED(darc_words_skip(w, ","));
    DARC_NEED(darc_words_take(w, &simulation, WORD_STRING, "\"FILE:COLUMN\""));
    DARC_NEED(darc_words_skip(w, ")"));
    f->evidence = (darc_evidence)((int)DARC_EVIDENCE_GREY + which);
    f->reference = darc_strndup(reference.s, reference.n);
    f->simulation = darc_strndup(simulation.s, simulation.n);
    return DARC_OK;
}

/* evidence -> name '=' (number | "grade" number | analysis) ["accept" number]
 */
static darc_status evidence(darc_words *w, darc_factor_space *s)
{
    int i;
    DARC_NEED(factor_name(&i, w, s));
    darc_factor *f = &s->factor[i];
    if (f->evidence != DARC_EVIDENCE_NONE)
        return darc_words_fail(w, DARC_MODEL,
                               "'%s' has evidence already, in line %zu",
                               f->name, f->line);
    f->line = w->number;
    DARC_NEED(darc_words_skip(w, "="));
    if (w->word.kind == WORD_NUMBER) {
        f->evidence = DARC_EVIDENCE_SIMILARITY;
        DARC_NEED(bounded(&f->given, w, 0, 1));
    } else if (darc_words_is(w, "grade")) {
        f->evidence = DARC_EVIDENCE_GRADE;
        DARC_NEED(next_bounded(&f->given, w, 0, 1));
    } else {
        DARC_NEED(analysis(w, f));
    }
    if (darc_words_is(w, "accept"))
        DARC_NEED(next_bounded(&f->accept, w, 0, 1));
    return DARC_OK;
}

static darc_status link_options(darc_words *w, darc_factor_link *l,
                                const darc_factor_space *s)
{
    while (w->word.kind == WORD_NAME) {
        if (darc_words_is(w, "weight"))
            DARC_NEED(next_bounded(&l->weight, w, 1e-12, 1e12));
        else if (darc_words_is(w, "threshold"))
            DARC_NEED(next_bounded(&l->threshold, w, 0, 1));
        else if (darc_words_is(w, "when") || darc_words_is(w, "unless")) {
            l->unless = darc_words_is(w, "unless");
            DARC_NEED(darc_words_next(w));
            DARC_NEED(factor_name(&l->condition, w, s));
        } else {
            return darc_words_expected(w, "weight, threshold, when or unless");
        }
    }
    return DARC_OK;
}

/* link -> name '<-' kind name { option } */
static darc_status parse_link(darc_words *w, darc_factor_space *s)
{
    static const char *const name[] = {"compose",    "derive",     "surpass",
                                       "substitute", "contradict", "inherit"};
    darc_factor_link l = {
        .weight = 1, .threshold = NAN, .condition = -1, .line = w->number};
    DARC_NEED(factor_name(&l.parent, w, s));
    DARC_NEED(darc_words_skip(w, "<-"));
    int kind = darc_words_which(w, name, 6);
    if (kind == 6)
        return darc_words_expected(w, "compose, derive, surpass, substitute, "
                                      "contradict or inherit");
    l.kind = (darc_link_kind)kind;
    DARC_NEED(darc_words_next(w));
    darc_words child = *w;
    DARC_NEED(factor_name(&l.child, w, s));
    if (l.child == l.parent)
        return darc_words_fail(&child, DARC_MODEL, "'%s' is linked to itself",
                               s->factor[l.child].name);
    DARC_NEED(link_options(w, &l, s));
    s->link =
        darc_grow(s->link, (size_t)s->links, &s->link_alloc, sizeof *s->link);
    s->link[s->links++] = l;
    return DARC_OK;
}

static darc_status iterated(darc_words *w, darc_factor_space *s)
{
    while (w->word.kind != WORD_END) {
        int i = 0;
        DARC_NEED(factor_name(&i, w, s));
        s->factor[i].iterated = true;
    }
    return DARC_OK;
}

/* heading -> "factors" name ['"' text '"'] */
static darc_status heading(darc_words *w, darc_factor_space *s)
{
    darc_word name;
    DARC_NEED(darc_words_next(w));
    DARC_NEED(darc_words_take(w, &name, WORD_NAME,
                              "the name of the factor "
                              "space"));
    darc_free(s->name);
    s->name = darc_strndup(name.s, name.n);
    if (w->word.kind == WORD_STRING) {
        darc_free(s->text);
        s->text = darc_strndup(w->word.s, w->word.n);
        DARC_NEED(darc_words_next(w));
    }
    return DARC_OK;
}

static darc_status item(darc_words *w, section at, darc_factor_space *s)
{
    switch (at) {
    case SECTION_NONE:
        return darc_words_expected(w, "a section (thresholds, outputs, "
                                      "quantities, inputs, iterated, evidence, "
                                      "links)");
    case SECTION_THRESHOLDS:
        return threshold(w, s);
    case SECTION_OUTPUTS:
        return declaration(w, s, DARC_FACTOR_OUTPUT);
    case SECTION_QUANTITIES:
        return declaration(w, s, DARC_FACTOR_QUANTITY);
    case SECTION_INPUTS:
        return declaration(w, s, DARC_FACTOR_INPUT);
    case SECTION_ITERATED:
        return iterated(w, s);
    case SECTION_EVIDENCE:
        return evidence(w, s);
    case SECTION_LINKS:
        break;
    }
    return parse_link(w, s);
}

/* A section's name at the begin of a line opens it. */
static darc_status line(darc_words *w, section *at, darc_factor_space *s)
{
    DARC_NEED(darc_words_next(w));
    int k = darc_words_which(w, section_name, SECTION_LINKS + 1);
    if (w->word.column == 1 && k <= SECTION_LINKS) {
        *at = (section)k;
        DARC_NEED(k == SECTION_NONE ? heading(w, s) : darc_words_next(w));
    }
    if (w->word.kind != WORD_END)
        DARC_NEED(item(w, *at, s));
    return w->word.kind == WORD_END
               ? DARC_OK
               : darc_words_expected(w, "the end of the line");
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
    bool output = false;
    for (int i = 0; i < s->factors; i++)
        output |= s->factor[i].role == DARC_FACTOR_OUTPUT;
    if (!output)
        return darc_fail(err, DARC_MODEL,
                         "%s:1:1: error: no output is declared", s->file);
    char *mark = darc_calloc((size_t)s->factors, 1);
    for (int i = 0; i < s->factors; i++)
        if (mark[i] == 0)
            DARC_TRY(visit(i, mark, s, err));
done:
    darc_free(mark);
    return status;
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
    darc_words w = {.file = s->file, .err = err};
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

static darc_status read_from(darc_factor_space *s, FILE *f, const char *file,
                             darc_err *err)
{
    char *text = darc_malloc(DARC_FACTOR_BYTES + 1);
    size_t n = fread(text, 1, DARC_FACTOR_BYTES + 1, f);
    darc_status status;
    if (ferror(f))
        status = darc_fail(err, DARC_IO, "%s: error: cannot read", file);
    else if (n > DARC_FACTOR_BYTES)
        status = darc_fail(err, DARC_LIMIT, "%s: error: more than %d bytes",
                           file, DARC_FACTOR_BYTES);
    else
        status = darc_credibility_parse(s, text, n, file, err);
    darc_free(text);
    return status;
}

darc_status darc_credibility_read(darc_factor_space *s, const char *file,
                                  darc_err *err)
{
    if (strcmp(file, "-") == 0)
        return read_from(s, stdin, file, err);
    FILE *f = fopen(file, "rb");
    if (f == NULL)
        return darc_fail(err, DARC_IO, "%s: error: cannot open: %s", file,
                         strerror(errno));
    darc_status status = read_from(s, f, file, err);
    fclose(f);
    return status;
}

void darc_credibility_clear(darc_factor_space *s)
{
    for (int i = 0; i < s->factors; i++) {
        darc_free(s->factor[i].name);
        darc_free(s->factor[i].unit);
        darc_free(s->factor[i].text);
        darc_free(s->factor[i].reference);
        darc_free(s->factor[i].simulation);
    }
    darc_free(s->factor);
    darc_free(s->link);
    darc_free(s->file);
    darc_free(s->name);
    darc_free(s->text);
    *s = (darc_factor_space){0};
}
