/* pool.c - values that all recordings of a session tell together. */
#include "darc/session.h"

#include "base/mem.h"
#include "decide/reading.h"
#include "session/state.h"

/* Say of a recording, and of all together, what values rest on. */
static void note_fits(darc_session *s, const darc_estimates *e,
                      const darc_values *v)
{
    for (int i = 0; i < s->recordings; i++)
        if (darc_reading_fails(e + i, s->set.tolerance))
            darc_session_note(
                s,
                "%s: the equations leave %.2g %% unexplained: values "
                "of the nearest model (darc check structure)",
                s->table[i]->file, 100 * darc_reading_left(e + i));
    if (v->factor > 1)
        darc_session_note(s,
                          "no one set of parameters makes all %s: intervals "
                          "are widened %.2g times%s",
                          s->recordings > 1 ? "recordings" : "coefficients",
                          v->factor,
                          s->recordings > 1 ? " (darc check equal)" : "");
    darc_text_t hidden = DARC_TEXT;
    for (slong k = 0; k < s->id->vars; k++)
        if (s->id->parameter[k] == DARC_NOT_IDENTIFIABLE)
            darc_text_printf(hidden, "%s%s", hidden->len > 0 ? ", " : "",
                             s->id->name[k]);
    if (hidden->len > 0)
        darc_session_note(s, "not identifiable by themselves: %s", hidden->s);
    darc_text_clear(hidden);
}

darc_status darc_session_values(darc_session *s, darc_err *err)
{
    darc_status status;
    darc_question x;
    darc_criteria by;
    darc_values v = {0};
    int n = 0, most = s->recordings;
    darc_fit *f = NULL;
    darc_estimates *e = NULL;
    const darc_estimates **each = NULL;
    int *equation = NULL;
    darc_session_forget(s);
    s->answer = darc_session_integrated(s);
    if (s->answer != NULL && darc_session_values(s->answer, NULL) == DARC_OK)
        return DARC_OK;
    s->answer = NULL;
    darc_session_criteria(&by, s);
    equation = darc_session_ask(&x, s, &by);
    DARC_TRY(darc_session_identify(s, err));
    f = darc_calloc((size_t)most, sizeof *f);
    e = darc_calloc((size_t)most, sizeof *e);
    each = darc_calloc((size_t)most, sizeof *each);
    while (n < most) {
        each[n] = e + n;
        n++;
        DARC_TRY(darc_reading_take(e + n - 1, f + n - 1, &x, s->table[n - 1],
                                   NULL, err));
    }
    DARC_TRY(darc_values_init(&v, &x, s->id, each, n, err));
    darc_session_take_values(s, &v, NULL);
    note_fits(s, e, &v);
    for (int i = 0; i < n; i++)
        darc_session_overlay(s, &v, i);
    darc_session_fill(s, "values", "values");
done:
    for (int i = 0; i < n; i++) {
        darc_estimates_clear(e + i);
        darc_fit_clear(f + i);
    }
    darc_values_clear(&v);
    darc_free(f);
    darc_free(e);
    darc_free((void *)each);
    darc_free(equation);
    return status;
}
