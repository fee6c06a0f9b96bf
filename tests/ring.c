#include "ring.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void die(const char *what, const char *text)
{
    fprintf(stderr, "%s %s\n", what, text);
    abort();
}

static void read_names(ring *r, const char *text)
{
    static const darc_kind kinds[] = {DARC_STATE, DARC_PARAMETER, DARC_OUTPUT,
                                      DARC_INPUT, DARC_TIME};
    int kind = 0;
    while (*text != '\0') {
        size_t n = strcspn(text, " |");
        char name[64] = "";
        if (n > 0) {
            memcpy(name, text, n);
            darc_names_add(r->names, name, kinds[kind]);
        }
        text += n;
        if (*text != '\0')
            kind += *text++ == '|';
    }
}

void ring_read(darc_dpoly_t p, const char *text, const darc_jet_t jet)
{
    const char **name = calloc((size_t)jet->vars, sizeof *name);
    char(*buffer)[64] = calloc((size_t)jet->vars, sizeof *buffer);
    for (slong v = 0; v < jet->vars; v++) {
        darc_deriv d = jet->deriv[v];
        snprintf(buffer[v], sizeof *buffer, d.order > 0 ? "%s_%d" : "%s",
                 jet->names->symbol[d.unknown].name, d.order);
        name[v] = buffer[v];
    }
    if (fmpz_mpoly_set_str_pretty(p, text, name, jet->ctx) != 0)
        die("cannot read", text);
    free(name);
    free(buffer);
}

static void read_polys(darc_dpolys_t out, const char *text,
                       const darc_jet_t jet)
{
    char *copy = calloc(strlen(text) + 1, 1), *at = copy;
    strcpy(copy, text);
    while (at != NULL && *at != '\0') {
        char *end = strchr(at, ';');
        if (end != NULL)
            *end = '\0';
        darc_dpoly_t p;
        darc_dpoly_init(p, jet);
        ring_read(p, at, jet);
        darc_dpolys_append_take(out, p, jet);
        darc_dpoly_clear(p, jet);
        at = end == NULL ? NULL : end + 1;
    }
    free(copy);
}

void ring_init(ring *r, const char *names, const char *ranking, int bound,
               const char *eq, const char *ineq)
{
    darc_names_init(r->names);
    read_names(r, names);
    int n = r->names->count;
    darc_ranking_init(r->ranking, n);
    darc_ranking_set_default(r->ranking, r->names);
    if (ranking != NULL &&
        darc_ranking_set_text(r->ranking, ranking, r->names, NULL) != DARC_OK)
        die("no ranking:", ranking);
    int *bounds = calloc((size_t)n, sizeof *bounds);
    for (int u = 0; u < n; u++)
        bounds[u] = bound;
    darc_jet_init(r->jet, r->names, r->ranking, bounds);
    free(bounds);
    darc_dpolys_init(r->eq);
    darc_dpolys_init(r->ineq);
    read_polys(r->eq, eq, r->jet);
    read_polys(r->ineq, ineq, r->jet);
}

void ring_clear(ring *r)
{
    darc_dpolys_clear(r->eq, r->jet);
    darc_dpolys_clear(r->ineq, r->jet);
    darc_jet_clear(r->jet);
    darc_ranking_clear(r->ranking);
    darc_names_clear(r->names);
}

int ring_is(const darc_dpoly_t p, const char *text, const darc_jet_t jet)
{
    darc_dpoly_t q;
    darc_dpoly_init(q, jet);
    ring_read(q, text, jet);
    darc_dpoly_primitive(q, q, jet);
    int equal = fmpz_mpoly_equal(p, q, jet->ctx);
    darc_dpoly_clear(q, jet);
    return equal;
}

void ring_show(const darc_decomposition_t d)
{
    darc_text_t t;
    darc_text_init(t);
    for (int i = 0; i < d->count; i++) {
        const darc_component *c = d->component + i;
        darc_text_printf(t, "component %d%s, dimension %d, %d\n", i,
                         c->generic ? " (generic)" : "", c->free, c->constants);
        for (slong k = 0; k < c->equations->count; k++) {
            darc_text_puts(t, "    ");
            darc_dpoly_print(t, c->equations->p + k, d->jet);
            darc_text_puts(t, " = 0\n");
        }
        for (slong k = 0; k < c->inequations->count; k++) {
            darc_text_puts(t, "    ");
            darc_dpoly_print(t, c->inequations->p + k, d->jet);
            darc_text_puts(t, " != 0\n");
        }
    }
    printf("%s", t->s);
    darc_text_clear(t);
}
