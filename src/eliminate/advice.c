#include "eliminate/eliminate.h"

#include "base/mem.h"
#include "eliminate/thresholds.h"
#include "model/model.h"

#include <math.h>
#include <string.h>

/* The states of a model, and which of them are measured besides. */
typedef struct {
    const darc_model *model;
    const darc_budget *budget;
    const char **state; /* owned */
    bool *measured;     /* owned */
    int count;
} states;

/* Append the text up to the title of a section, and a line there for every
 * state that is measured. */
static void put_lines(darc_text_t out, const char **from, const char *title,
                      const char *line, const states *s)
{
    const char *at = strstr(*from, title);
    if (at == NULL)
        return;
    at += strlen(title);
    darc_text_printf(out, "%.*s", (int)(at - *from), *from);
    for (int i = 0; i < s->count; i++)
        if (s->measured[i])
            darc_text_printf(out, line, s->state[i], s->state[i]);
    *from = at;
}

/* Set *more to the model of which these states are outputs. */
static darc_status measure(darc_model **more, const states *s)
{
    darc_text_t text = DARC_TEXT, out = DARC_TEXT;
    darc_model_print(text, s->model);
    const char *from = text->s;
    put_lines(out, &from, "\noutputs\n", "    z_%s_measured\n", s);
    put_lines(out, &from, "\nequations\n", "    z_%s_measured = %s\n", s);
    darc_text_puts(out, from);
    darc_status status = darc_model_parse_printed(
        more, out->s, out->len, "advice", &(darc_reading){0}, NULL);
    DARC_EACH(darc_text_clear, text, out);
    return status;
}

/* Return the terms of the equations where the states are measured; HUGE_VAL
 * where they take more than little work. */
static double count_terms(const states *s)
{
    darc_ioeqs_t io;
    darc_model *more = NULL;
    double terms = HUGE_VAL;
    darc_budget own = darc_budget_share(s->budget, DARC_ADVICE_SHARE);
    own.left = NULL;
    own.work = DARC_ADVICE_WORK;
    own.reached = NULL;
    own.progress = NULL;
    if (measure(&more, s) == DARC_OK &&
        darc_ioeqs_init(io, more, NULL, DARC_ENGINE_AUTO, &own, NULL) ==
            DARC_OK) {
        terms = 0;
        for (int i = 0; i < io->count; i++)
            terms += (double)io->eq[i].poly->length;
        darc_ioeqs_clear(io);
    }
    darc_model_free(more);
    return terms;
}

static void states_init(states *s, const darc_model *model,
                        const darc_budget *budget)
{
    const darc_names_struct *names = darc_model_names(model);
    size_t most = (size_t)names->count;
    *s = (states){model, budget, darc_calloc(most, sizeof *s->state),
                  darc_calloc(most, sizeof *s->measured), 0};
    for (int u = 0; u < names->count; u++)
        if (names->symbol[u].kind == DARC_STATE &&
            darc_adjoined_find(model, u) < 0)
            s->state[s->count++] = names->symbol[u].name;
}

/* Let the one state be measured that leaves the fewest terms; return them. */
static double measure_one(states *s)
{
    int best = -1;
    double least = HUGE_VAL;
    for (int i = 0; i < s->count; i++) {
        s->measured[i] = true;
        double terms = count_terms(s);
        s->measured[i] = false;
        best = terms < least ? i : best;
        least = fmin(terms, least);
    }
    if (best >= 0)
        s->measured[best] = true;
    return least;
}

/* Let states be measured of which none can be left out; return the terms. */
static double measure_several(states *s)
{
    for (int i = 0; i < s->count; i++)
        s->measured[i] = true;
    double least = count_terms(s);
    for (int i = 0; i < s->count && least < HUGE_VAL; i++) {
        s->measured[i] = false;
        double terms = count_terms(s);
        s->measured[i] = !(terms < HUGE_VAL);
        least = terms < HUGE_VAL ? terms : least;
    }
    return least;
}

static void put_advice(darc_text_t out, const states *s, double terms)
{
    int left = 0;
    const char *before = "with ";
    for (int i = 0; i < s->count; i++)
        left += s->measured[i];
    for (int i = 0; i < s->count; i++) {
        if (!s->measured[i])
            continue;
        darc_text_printf(out, "%s'%s'", before, s->state[i]);
        before = --left == 1 ? " and " : ", ";
    }
    darc_text_printf(out,
                     " measured, too, the equations are found at once: %.0f "
                     "terms",
                     terms);
}

bool darc_ioeqs_advise(darc_text_t out, const darc_model *model,
                       const darc_budget *budget)
{
    states s;
    darc_budget own = darc_budget_share(budget, DARC_ADVICES_SHARE);
    states_init(&s, model, &own);
    double terms = measure_one(&s);
    if (s.count > 1 && !(terms < HUGE_VAL))
        terms = measure_several(&s);
    if (terms < HUGE_VAL)
        put_advice(out, &s, terms);
    DARC_FREE((void *)s.state, s.measured);
    return terms < HUGE_VAL;
}

darc_status darc_fail_advised(const darc_err *why, const darc_model *model,
                              const darc_budget *budget, darc_err *err)
{
    darc_text_t advice = DARC_TEXT;
    bool more = why->status == DARC_LIMIT &&
                darc_budget_check(budget, NULL) == DARC_OK &&
                darc_ioeqs_advise(advice, model, budget);
    darc_status status = darc_fail(err, why->status, "%s%s%s", why->message,
                                   more ? "; " : "", advice->s);
    darc_text_clear(advice);
    return status;
}

darc_status darc_ioeqs_init_advised(darc_ioeqs_t out, const darc_model *model,
                                    const darc_ranking_struct *ranking,
                                    darc_engine engine,
                                    const darc_budget *budget, darc_err *err)
{
    darc_err why = {DARC_OK, ""};
    darc_budget own = darc_budget_share(budget, DARC_ELIMINATION_SHARE);
    darc_status status =
        darc_ioeqs_init(out, model, ranking, engine, &own, &why);
    return status == DARC_OK ? DARC_OK
                             : darc_fail_advised(&why, model, budget, err);
}
