#include "library/told.h"

#include "base/mem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What is told of a recording in the column of groups. */
typedef struct {
    const char *name;
    int i;
} member;

static int by_name(const void *a, const void *b)
{
    const member *x = a, *y = b;
    int c = strcmp(x->name, y->name);
    return c != 0 ? c : (x->i > y->i) - (x->i < y->i);
}

int darc_told_number(int *of, char *const *group, int n)
{
    int groups = 0;
    member *m = darc_calloc((size_t)n, sizeof *m);
    for (int i = 0; i < n; i++)
        m[i] = (member){group[i], i};
    qsort(m, (size_t)n, sizeof *m, by_name);
    for (int k = 0, first = 0; k < n; k++) {
        first = strcmp(m[k].name, m[first].name) == 0 ? first : k;
        of[m[k].i] = m[first].i;
    }
    for (int i = 0; i < n; i++)
        of[i] = of[i] == i ? groups++ : of[of[i]];
    darc_free(m);
    return groups;
}

/* Note covariate r where recordings held against the same baseline do not tell
 * what it does; slopes come group by group. */
static void note_silent(darc_session *s, const darc_campaign *c, int r)
{
    int silent = 0, groups = 0, first = -1;
    for (int k = 0, end; k < c->slopes; k = end) {
        int baseline = c->slope[k].baseline;
        bool tells = false;
        for (end = k; end < c->slopes && c->slope[end].baseline == baseline;
             end++)
            tells = tells || (c->slope[end].covariate == r &&
                              !isnan(c->slope[end].relative));
        groups++;
        if (!tells && silent++ == 0)
            first = baseline;
    }
    if (silent == 0)
        return;
    darc_text_t of = DARC_TEXT;
    if (c->group != NULL)
        darc_text_printf(of, " in %d of %d groups (%s %s%s)", silent, groups,
                         c->group_column, c->group[first],
                         silent > 1 ? ", ..." : "");
    darc_session_note(s,
                      "what goes with %s is not told by the recordings%s: it "
                      "is the same in all, or moves with what else does; their "
                      "values count as measured",
                      c->covariate[r], of->s);
    darc_text_clear(of);
}

static void note_blind(darc_session *s, const darc_campaign *c,
                       const darc_drift *d)
{
    const darc_drift_blind *x = d->blind;
    char seen[60] = "is not found";
    for (int k = 1; k < d->blinds; k++)
        if (d->blind[k].beside * x->alone > x->beside * d->blind[k].alone)
            x = d->blind + k;
    if (d->blinds == 0)
        return;
    const char *name = c->covariate[x->covariate];
    if (!isinf(x->beside))
        snprintf(seen, sizeof seen, "is found from %s on",
                 darc_percent_of(x->beside).text);
    darc_text_t of = DARC_TEXT;
    if (c->group != NULL)
        darc_text_printf(of, " (%s %s%s)", c->group_column,
                         c->group[x->recording],
                         d->blinds > 1 ? ", and other groups" : "");
    darc_session_note(s,
                      "%s moves with %s%s: a change of %s that begins there "
                      "%s, from %s on were %s as before",
                      name, c->recording[x->recording].file, of->s,
                      c->function[x->function], seen,
                      darc_percent_of(x->alone).text, name);
    darc_text_clear(of);
}

void darc_told_note(darc_session *s, const darc_campaign *c,
                    const darc_drift *d)
{
    for (int r = 0; r < c->covariates; r++)
        note_silent(s, c, r);
    note_blind(s, c, d);
}
