#include "fixture_io.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void read_names(darc_names_t names, const char *text)
{
    static const darc_kind kinds[] = {DARC_PARAMETER, DARC_OUTPUT, DARC_INPUT};
    char *copy = strdup(text), *rest = copy;
    int kind = 0;
    for (char *s; (s = strtok_r(rest, " ", &rest)) != NULL;) {
        if (strcmp(s, "/") == 0)
            kind++;
        else
            darc_names_add(names, s, kinds[kind]);
    }
    free(copy);
}

void fixture_dpoly(darc_dpoly_t p, const char *text, const darc_jet_t jet)
{
    char **x = calloc((size_t)jet->vars, sizeof *x);
    for (slong v = 0; v < jet->vars; v++) {
        darc_deriv d = jet->deriv[v];
        x[v] = malloc(100);
        const char *name = jet->names->symbol[d.unknown].name;
        if (darc_jet_is_constant(jet, d.unknown))
            snprintf(x[v], 100, "%s", name);
        else
            snprintf(x[v], 100, "%s_%d", name, d.order);
    }
    int bad =
        fmpz_mpoly_set_str_pretty(p, text, (const char **)x, jet->ctx) != 0;
    for (slong v = 0; v < jet->vars; v++)
        free(x[v]);
    free(x);
    ck_assert_msg(!bad, "%s", text);
}

void fixture_io(darc_ioeqs_t io, const char *names, const char *const *text,
                int n)
{
    darc_names_t list;
    darc_names_init(list);
    read_names(list, names);
    darc_ranking_t rk;
    darc_ranking_init(rk, list->count);
    darc_ranking_set_default(rk, list);
    int *bound = calloc((size_t)list->count, sizeof *bound);
    for (int u = 0; u < list->count; u++)
        bound[u] = 3;
    darc_ioeqs_init_frame(io, list, rk, bound);
    for (int i = 0; i < n; i++) {
        darc_dpoly_t p;
        darc_dpoly_init(p, io->jet);
        fixture_dpoly(p, text[i], io->jet);
        darc_ioeqs_append(io, p, "model");
        darc_dpoly_clear(p, io->jet);
    }
    free(bound);
    darc_ranking_clear(rk);
    darc_names_clear(list);
}
