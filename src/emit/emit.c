#include "emit/emit.h"

#include "emit/parts.h"
#include "model/model.h"

#include <string.h>

static bool is_text(const darc_emit *how)
{
    return how->format == DARC_FORMAT_TEXT || how->format == DARC_FORMAT_LATEX;
}

/* Append what stands for functions of the model in the text from `begin` on, a
 * comment a line; LaTeX spells names in its own way, so that all are told. */
static void put_functions(darc_text_t out, size_t begin, const darc_emit *how)
{
    const darc_model *m = how->units;
    size_t end = out->len;
    bool told = m != NULL && how->format != DARC_FORMAT_JSON;
    for (int i = 0; told && i < darc_adjoined_count(m); i++) {
        int u = darc_adjoined_unknown(m, i);
        const char *name = darc_model_names(m)->symbol[u].name;
        const char *found = strstr(out->s + begin, name);
        if (how->format != DARC_FORMAT_LATEX &&
            (found == NULL || found >= out->s + end))
            continue;
        darc_emit_comment(out, how, "%s = ", name);
        darc_expr_print(out, darc_adjoined_expr(m, i));
        darc_text_putc(out, '\n');
    }
}

void darc_emit_relations(darc_text_t out, const darc_relations_t r,
                         const darc_emit *how)
{
    size_t begin = out->len;
    (how->format == DARC_FORMAT_JSON ? darc_json_relations
     : is_text(how)                  ? darc_text_relations
                                     : darc_code_relations)(out, r, how);
    put_functions(out, begin, how);
}

void darc_emit_ioeqs(darc_text_t out, const darc_ioeqs_t io,
                     const darc_emit *how)
{
    size_t begin = out->len;
    darc_dpolys_t p;
    if (how->format == DARC_FORMAT_JSON) {
        darc_json_ioeqs(out, io, how);
    } else if (is_text(how)) {
        darc_text_ioeqs(out, io, how);
    } else {
        darc_dpolys_init(p);
        for (int i = 0; i < io->count; i++)
            darc_dpolys_append(p, io->eq[i].poly, io->jet);
        darc_code_polys(out, p, io->jet, how);
        darc_dpolys_clear(p, io->jet);
    }
    put_functions(out, begin, how);
}

void darc_emit_components(darc_text_t out, const darc_decomposition_t d,
                          const darc_emit *how)
{
    size_t begin = out->len;
    darc_dpolys_t p;
    if (how->format == DARC_FORMAT_JSON) {
        darc_json_components(out, d, how);
    } else if (is_text(how)) {
        darc_text_components(out, d, how);
    } else {
        darc_dpolys_init(p);
        for (int i = 0; i < d->count; i++) {
            const darc_dpolys_struct *eq = d->component[i].equations;
            for (slong k = 0; k < eq->count; k++)
                darc_dpolys_append(p, eq->p + k, d->jet);
        }
        darc_code_polys(out, p, d->jet, how);
        darc_dpolys_clear(p, d->jet);
    }
    put_functions(out, begin, how);
}

static const char *const ended =
    "partial result: the elimination was ended before it was done";

static void heading(darc_text_t out, const darc_item *item,
                    const darc_partial_t p, const darc_emit *how)
{
    const char *name = p->jet->names->symbol[item->leader.unknown].name;
    if (item->place == DARC_ITEM_IO) {
        darc_emit_comment(out, how, "%s: %s, io-equation of order %d, ", name,
                          item->kind == DARC_ITEM_EQUATION
                              ? "done"
                              : "coefficients not reached",
                          item->leader.order);
    } else {
        darc_emit_comment(out, how, "leader ");
        darc_deriv_print(out, item->leader, p->jet->names);
        darc_text_puts(out, ": ");
    }
    darc_text_printf(out, "%ld %s%s\n", item->terms,
                     item->kind == DARC_ITEM_MONOMIALS ? "monomial" : "term",
                     item->terms == 1 ? "" : "s");
}

/* An equation, or its monomials one a line; in code as comments. */
static void body(darc_text_t out, const darc_item *item, const darc_partial_t p,
                 const darc_emit *how)
{
    bool equation = item->kind == DARC_ITEM_EQUATION;
    darc_dpolys_t m;
    if (equation) {
        darc_dpolys_init(m);
        darc_dpolys_append(m, item->poly, p->jet);
    } else {
        darc_emit_monomials(m, item->poly, p->jet);
    }
    for (slong i = 0; i < m->count; i++) {
        if (how->format >= DARC_FORMAT_C)
            darc_emit_comment(out, how, "%s", "");
        if (equation) {
            darc_emit_line(out, m->p + i, true, p->jet, how);
            continue;
        }
        darc_emit_poly(out, m->p + i, p->jet, how);
        darc_text_putc(out, '\n');
    }
    darc_dpolys_clear(m, p->jet);
}

static void text_items(darc_text_t out, const darc_partial_t p,
                       darc_item_place place, const darc_emit *how)
{
    int component = -1;
    bool announced = false;
    for (int i = 0; i < p->count; i++) {
        const darc_item *item = p->item + i;
        if (item->place != place)
            continue;
        if (place == DARC_ITEM_CHAIN && !announced) {
            darc_emit_comment(out, how, "triangular set reached after %ld",
                              p->done);
            if (p->steps > 0)
                darc_text_printf(out, " of %ld", p->steps);
            darc_text_printf(out, " step%s\n",
                             p->steps == 0 && p->done == 1 ? "" : "s");
        }
        announced = true;
        if (place == DARC_ITEM_COMPONENT && item->component != component) {
            component = item->component;
            darc_emit_comment(out, how, "component %d, not yet reduced\n",
                              component + 1);
        }
        heading(out, item, p, how);
        if (!how->summary && item->kind != DARC_ITEM_SIZE)
            body(out, item, p, how);
    }
}

static void json_item(darc_json *j, const darc_item *item,
                      const darc_partial_t p, const darc_emit *how)
{
    bool equation = item->kind == DARC_ITEM_EQUATION;
    bool monomials = item->kind == DARC_ITEM_MONOMIALS;
    darc_text_t leader = DARC_TEXT;
    darc_deriv_print(leader, item->leader, p->jet->names);
    darc_json_put(j, "{output:S leader:s order:i done:b *:l",
                  item->place == DARC_ITEM_IO
                      ? p->jet->names->symbol[item->leader.unknown].name
                      : NULL,
                  leader->s, item->leader.order,
                  equation && item->place != DARC_ITEM_CHAIN,
                  monomials ? "monomials" : "terms", item->terms);
    if (equation)
        darc_json_put(
            j, "degree:l",
            (long)fmpz_mpoly_total_degree_si(item->poly, p->jet->ctx));
    if (equation && !how->summary)
        darc_emit_json_poly(j, "equation", item->poly, p->jet);
    if (monomials && !how->summary) {
        darc_dpolys_t m;
        darc_emit_monomials(m, item->poly, p->jet);
        darc_emit_json_polys(j, "support", m, p->jet);
        darc_dpolys_clear(m, p->jet);
    }
    darc_json_put(j, "}");
    darc_text_clear(leader);
}

static void json_items(darc_json *j, const char *key, const darc_partial_t p,
                       darc_item_place place, int component,
                       const darc_emit *how)
{
    darc_json_put(j, "*[", key);
    for (int i = 0; i < p->count; i++)
        if (p->item[i].place == place && p->item[i].component == component)
            json_item(j, p->item + i, p, how);
    darc_json_put(j, "]");
}

static void json_partial(darc_text_t out, const darc_partial_t p,
                         const darc_emit *how)
{
    darc_json j;
    int components = 0;
    for (int i = 0; i < p->count; i++)
        if (p->item[i].place == DARC_ITEM_COMPONENT)
            components = p->item[i].component + 1;
    darc_emit_json_begin(&j, out, how);
    darc_json_put(&j, "partial:b note:s advice:S", true, ended, how->advice);
    json_items(&j, "io", p, DARC_ITEM_IO, 0, how);
    darc_json_put(&j, components > 0 ? "components_not_reduced[" : "");
    for (int k = 0; k < components; k++)
        json_items(&j, NULL, p, DARC_ITEM_COMPONENT, k, how);
    darc_json_put(&j, components > 0 ? "]" : "");
    darc_json_put(&j, p->steps > 0 ? "steps_done:l steps:l" : "steps_done:l",
                  p->done, p->steps);
    json_items(&j, "triangular_set", p, DARC_ITEM_CHAIN, 0, how);
    if (p->relations != NULL)
        darc_emit_json_relations(&j, p->relations, how);
    darc_json_end(&j);
}

void darc_emit_partial(darc_text_t out, const darc_partial_t p,
                       const darc_emit *how)
{
    if (how->format == DARC_FORMAT_JSON) {
        json_partial(out, p, how);
        return;
    }
    if (how->advice != NULL)
        darc_emit_comment(out, how, "%s\n", how->advice);
    darc_emit_comment(out, how, "%s\n", ended);
    text_items(out, p, DARC_ITEM_IO, how);
    text_items(out, p, DARC_ITEM_COMPONENT, how);
    text_items(out, p, DARC_ITEM_CHAIN, how);
    if (p->relations == NULL)
        return;
    darc_emit_comment(out, how,
                      "relations reached; a matrix was to be expanded\n");
    if (is_text(how))
        darc_text_relations(out, p->relations, how);
}
