#include "emit/parts.h"
#include "model/model.h"

void darc_emit_json_begin(darc_json *j, darc_text_t out, const darc_emit *how)
{
    darc_json_begin(j, out, "eliminate", NULL);
    darc_json_put(j, "model{" DARC_JSON_MODEL "}", how->model, how->file);
    int functions = how->units != NULL ? darc_adjoined_count(how->units) : 0;
    darc_json_put(j, functions > 0 ? "functions[" : "");
    for (int i = 0; i < functions; i++) {
        darc_text_t t = DARC_TEXT;
        darc_expr_print(t, darc_adjoined_expr(how->units, i));
        int u = darc_adjoined_unknown(how->units, i);
        darc_json_put(j, "{" DARC_JSON_ADJOINED "}",
                      darc_model_names(how->units)->symbol[u].name, t->s);
        darc_text_clear(t);
    }
    darc_json_put(j, functions > 0 ? "]" : "");
}

void darc_emit_json_poly(darc_json *j, const char *key, const darc_dpoly_t p,
                         const darc_jet_t jet)
{
    darc_text_t t = DARC_TEXT;
    darc_dpoly_print(t, p, jet);
    darc_json_put(j, "*:s", key, t->s);
    darc_text_clear(t);
}

void darc_emit_json_polys(darc_json *j, const char *key, const darc_dpolys_t p,
                          const darc_jet_t jet)
{
    darc_json_put(j, "*[", key);
    for (slong i = 0; i < p->count; i++)
        darc_emit_json_poly(j, NULL, p->p + i, jet);
    darc_json_put(j, "]");
}

static void poly_size(darc_json *j, const darc_dpoly_t p, const darc_jet_t jet)
{
    darc_json_put(j, "terms:l degree:l", (long)p->length,
                  (long)fmpz_mpoly_total_degree_si(p, jet->ctx));
}

static void matrix(darc_json *j, const darc_relation *r)
{
    slong n = r->columns;
    darc_json_put(j, "columns:a matrix[", r->column_name, (int)n);
    for (slong i = 0; i + 1 < n; i++) {
        darc_json_put(j, "[");
        for (slong k = 0; k < n; k++)
            darc_emit_json_poly(j, NULL, r->matrix->p + i * n + k, r->jet);
        darc_json_put(j, "]");
    }
    darc_json_put(j, "]");
    if (r->last->count > 0) {
        darc_emit_json_polys(j, "last", r->last, r->jet);
        return;
    }
    char *h = darc_emit_closing(r);
    darc_json_put(j, "closing:s", h);
    flint_free(h);
}

static void relation(darc_json *j, const darc_relation *r, const darc_emit *how)
{
    darc_json_put(j, "{form:s io_equation:i order:i",
                  r->expanded ? "expanded" : "matrix", r->equation, r->order);
    if (r->expanded)
        poly_size(j, r->poly, r->jet);
    if (r->expanded && !how->summary)
        darc_emit_json_poly(j, "equation", r->poly, r->jet);
    if (!r->expanded && !how->summary)
        matrix(j, r);
    if (!how->summary)
        darc_emit_json_polys(j, "inequations", r->inequations, r->jet);
    darc_json_put(j, "necessary_only:b note:s}", r->necessary, r->note);
}

void darc_emit_json_relations(darc_json *j, const darc_relations_struct *r,
                              const darc_emit *how)
{
    darc_json_put(j, "test:s relations[", darc_emit_test(r->relation->test));
    for (int i = 0; i < r->count; i++)
        relation(j, r->relation + i, how);
    darc_json_put(j, "]");
}

/* Expanded relations, which hold together, are one component besides. */
void darc_json_relations(darc_text_t out, const darc_relations_t r,
                         const darc_emit *how)
{
    darc_json j;
    bool component = r->relation->expanded && !how->summary;
    darc_emit_json_begin(&j, out, how);
    darc_emit_json_relations(&j, r, how);
    if (component) {
        darc_json_put(&j, "components[{equations[");
        for (int i = 0; i < r->count; i++)
            darc_emit_json_poly(&j, NULL, r->relation[i].poly,
                                r->relation[i].jet);
        darc_json_put(&j, "] inequations[");
        for (int i = 0; i < r->count; i++)
            for (slong k = 0; k < r->relation[i].inequations->count; k++)
                darc_emit_json_poly(&j, NULL, r->relation[i].inequations->p + k,
                                    r->relation[i].jet);
        darc_json_put(&j, "] generic:b}]", true);
    }
    darc_json_end(&j);
}

static void ioeq(darc_json *j, const darc_ioeq *eq, const darc_jet_t jet,
                 const darc_emit *how)
{
    darc_text_t t = DARC_TEXT;
    darc_deriv_print(t, eq->leader, jet->names);
    darc_json_put(j, "{output:s leader:s order:i",
                  jet->names->symbol[eq->leader.unknown].name, t->s,
                  eq->leader.order);
    if (eq->expanded)
        poly_size(j, eq->poly, jet);
    darc_text_reset(t);
    darc_emit_unit(t, eq->poly, jet, how->units);
    darc_json_put(j, "engine:s cpu_s:d unit:s", eq->engine, eq->cpu_s, t->s);
    if (!how->summary && !how->support && eq->expanded)
        darc_emit_json_poly(j, "equation", eq->poly, jet);
    if (how->support || !eq->expanded) {
        darc_dpolys_t m;
        darc_emit_support(m, eq, jet);
        darc_json_put(j, "monomials:l", (long)m->count);
        if (!how->summary)
            darc_emit_json_polys(j, "support", m, jet);
        darc_dpolys_clear(m, jet);
    }
    darc_json_put(j, "}");
    darc_text_clear(t);
}

void darc_json_ioeqs(darc_text_t out, const darc_ioeqs_t io,
                     const darc_emit *how)
{
    darc_json j;
    darc_emit_json_begin(&j, out, how);
    darc_json_put(&j, "io[");
    for (int i = 0; i < io->count; i++)
        ioeq(&j, io->eq + i, io->jet, how);
    darc_json_put(&j, "] units[");
    for (int u = 0; how->units != NULL && u < io->jet->names->count; u++)
        if (darc_emit_holds(io, u))
            darc_json_put(&j, "{" DARC_JSON_UNIT "}",
                          io->jet->names->symbol[u].name,
                          darc_model_unit(how->units, u));
    darc_json_put(&j, "] cpu_total_s:d further_relation:b", darc_cpu_time(),
                  io->linked);
    darc_emit_json_polys(&j, "inequations", io->inequations, io->jet);
    darc_json_end(&j);
}

static void polys(darc_json *j, const char *key, const darc_dpolys_t p,
                  const darc_jet_t jet, const darc_emit *how)
{
    if (!how->summary) {
        darc_emit_json_polys(j, key, p, jet);
        return;
    }
    darc_json_put(j, "*[", key);
    for (slong i = 0; i < p->count; i++) {
        darc_json_put(j, "{order:i", darc_emit_order(p->p + i, jet));
        poly_size(j, p->p + i, jet);
        darc_json_put(j, "}");
    }
    darc_json_put(j, "]");
}

void darc_json_components(darc_text_t out, const darc_decomposition_t d,
                          const darc_emit *how)
{
    darc_json j;
    darc_emit_json_begin(&j, out, how);
    darc_json_put(&j, "components[");
    for (int i = 0; i < d->count; i++) {
        const darc_component *c = d->component + i;
        darc_json_put(&j, "{");
        polys(&j, "equations", c->equations, d->jet, how);
        polys(&j, "inequations", c->inequations, d->jet, how);
        darc_json_put(&j, "generic:b}", c->generic);
    }
    darc_json_put(&j, "]");
    darc_json_end(&j);
}
