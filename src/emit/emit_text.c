#include "emit/parts.h"

static void lines(darc_text_t out, const darc_dpolys_t p, bool vanishes,
                  const darc_jet_t jet, const darc_emit *how)
{
    for (slong i = 0; i < p->count; i++)
        darc_emit_line(out, p->p + i, vanishes, jet, how);
}

static void size_text(darc_text_t out, const darc_dpoly_t p, int order,
                      const darc_jet_t jet)
{
    darc_text_printf(out, "order %d, %ld term%s, degree %ld", order,
                     (long)p->length, p->length == 1 ? "" : "s",
                     (long)fmpz_mpoly_total_degree_si(p, jet->ctx));
}

static void latex_matrix(darc_text_t out, const darc_relation *r,
                         const darc_emit *how)
{
    bool det = r->last->count > 0;
    slong n = r->columns, rows = det ? n : n - 1;
    darc_text_puts(out, det ? "\\[ \\begin{vmatrix}\n"
                            : "\\[ M = \\begin{pmatrix}\n");
    for (slong i = 0; i < rows; i++)
        for (slong j = 0; j < n; j++) {
            const fmpz_mpoly_struct *p =
                i + 1 < n ? r->matrix->p + i * n + j : r->last->p + j;
            darc_emit_poly(out, p, r->jet, how);
            darc_text_puts(out, j + 1 < n ? " & " : " \\\\\n");
        }
    darc_text_puts(out,
                   det ? "\\end{vmatrix} = 0 \\]\n" : "\\end{pmatrix} \\]\n");
}

static void text_matrix(darc_text_t out, const darc_relation *r)
{
    slong n = r->columns, rows = r->last->count > 0 ? n : n - 1;
    darc_text_puts(out, rows == n ? "det\n" : "M =\n");
    size_t begin = out->len;
    for (slong i = 0; i < rows * n; i++) {
        darc_text_puts(out, i % n == 0 ? "    [ " : "  ");
        darc_dpoly_print(
            out, i / n + 1 < n ? r->matrix->p + i : r->last->p + i % n, r->jet);
        darc_text_puts(out, i % n + 1 < n ? DARC_CELL : DARC_CELL "]\n");
    }
    darc_text_align(out, begin, 1);
}

static void matrix_form(darc_text_t out, const darc_relation *r,
                        const darc_emit *how)
{
    darc_emit_comment(out, how, "%s: matrix of %ld columns, order %d\n",
                      darc_emit_test(r->test), (long)r->columns, r->order);
    darc_emit_comment(out, how, "columns: ");
    for (slong j = 0; j < r->columns; j++)
        darc_text_printf(out, "%s%s", j > 0 ? ", " : "", r->column_name[j]);
    darc_text_putc(out, '\n');
    if (how->summary)
        return;
    bool text = how->format == DARC_FORMAT_TEXT, det = r->last->count > 0;
    if (text)
        text_matrix(out, r);
    else
        latex_matrix(out, r, how);
    if (!det) {
        char *h = darc_emit_closing(r);
        darc_text_printf(out,
                         text ? "%s = 0 with cJ = (-1)^J det(M without column "
                                "J)\n"
                              : "\\[ %s = 0, \\quad c_j = (-1)^j \\det(M "
                                "\\text{ without column } j) \\]\n",
                         h);
        flint_free(h);
    } else if (text) {
        darc_text_puts(out, "= 0\n");
    }
}

void darc_text_relations(darc_text_t out, const darc_relations_t r,
                         const darc_emit *how)
{
    for (int i = 0; i < r->count; i++) {
        const darc_relation *x = r->relation + i;
        darc_text_puts(out, i > 0 ? "\n" : "");
        if (x->expanded) {
            darc_emit_comment(out, how, "%s: ", darc_emit_test(x->test));
            size_text(out, x->poly, x->order, x->jet);
            darc_text_putc(out, '\n');
            if (!how->summary)
                darc_emit_line(out, x->poly, true, x->jet, how);
        } else {
            matrix_form(out, x, how);
        }
        if (!how->summary)
            lines(out, x->inequations, false, x->jet, how);
        if (x->note[0] != '\0')
            darc_emit_comment(out, how, "note: %s\n", x->note);
    }
}

static void ioeq_heading(darc_text_t out, const darc_ioeq *eq,
                         const darc_jet_t jet, const darc_emit *how)
{
    darc_text_t unit = DARC_TEXT;
    darc_emit_comment(out, how,
                      "%s: ", jet->names->symbol[eq->leader.unknown].name);
    if (eq->expanded)
        size_text(out, eq->poly, eq->leader.order, jet);
    else
        darc_text_printf(out, "order %d, %ld monomials in the signals",
                         eq->leader.order, (long)eq->part->count);
    darc_text_printf(out, ", engine %s, %.3f s", eq->engine, eq->cpu_s);
    darc_emit_unit(unit, eq->poly, jet, how->units);
    darc_text_printf(out, unit->len > 0 ? "; terms in %s\n" : "\n", unit->s);
    darc_text_clear(unit);
}

/* The units of what stands in the equations. */
static void units(darc_text_t out, const darc_ioeqs_t io, const darc_emit *how)
{
    bool any = false;
    for (int u = 0; how->units != NULL && u < io->jet->names->count; u++) {
        const char *unit = darc_model_unit(how->units, u);
        if (unit[0] == '\0' || !darc_emit_holds(io, u))
            continue;
        if (!any)
            darc_emit_comment(out, how, "units: ");
        darc_text_printf(out, "%s%s %s", any ? ", " : "",
                         io->jet->names->symbol[u].name, unit);
        any = true;
    }
    darc_text_puts(out, any ? "\n" : "");
}

void darc_text_ioeqs(darc_text_t out, const darc_ioeqs_t io,
                     const darc_emit *how)
{
    for (int i = 0; i < io->count; i++) {
        const darc_ioeq *eq = io->eq + i;
        ioeq_heading(out, eq, io->jet, how);
        if (how->summary)
            continue;
        if (!how->support && eq->expanded) {
            darc_emit_line(out, eq->poly, true, io->jet, how);
            continue;
        }
        darc_dpolys_t m;
        darc_emit_support(m, eq, io->jet);
        for (slong k = 0; k < m->count; k++) {
            darc_emit_poly(out, m->p + k, io->jet, how);
            darc_text_putc(out, '\n');
        }
        darc_dpolys_clear(m, io->jet);
    }
    if (io->linked)
        darc_emit_comment(out, how,
                          "note: the leaders obey a further relation, which "
                          "was not computed\n");
    if (!how->summary && !how->support)
        lines(out, io->inequations, false, io->jet, how);
    units(out, io, how);
}

void darc_text_components(darc_text_t out, const darc_decomposition_t d,
                          const darc_emit *how)
{
    if (d->count == 0)
        darc_emit_comment(
            out, how, "no component: the equations contradict each other\n");
    for (int i = 0; i < d->count; i++) {
        const darc_component *c = d->component + i;
        darc_text_puts(out, i > 0 ? "\n" : "");
        darc_emit_comment(out, how, "component %d of %d%s\n", i + 1, d->count,
                          c->generic ? ", generic" : ", singular");
        for (slong k = 0; k < c->equations->count && how->summary; k++) {
            const fmpz_mpoly_struct *p = c->equations->p + k;
            darc_emit_comment(out, how, "%s", "");
            size_text(out, p, darc_emit_order(p, d->jet), d->jet);
            darc_text_putc(out, '\n');
        }
        if (how->summary)
            continue;
        lines(out, c->equations, true, d->jet, how);
        lines(out, c->inequations, false, d->jet, how);
    }
}
