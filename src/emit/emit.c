#include "emit/emit.h"

#include "emit/emit_code.h"
#include "emit/emit_json.h"
#include "emit/emit_text.h"
#include "emit/parts.h"

void darc_emit_relations(darc_text_t out, const darc_relations_t r,
                         const darc_emit *how)
{
    if (how->format == DARC_FORMAT_JSON)
        darc_json_relations(out, r, how);
    else if (how->format == DARC_FORMAT_TEXT ||
             how->format == DARC_FORMAT_LATEX)
        darc_text_relations(out, r, how);
    else
        darc_code_relations(out, r, how);
}

void darc_emit_ioeqs(darc_text_t out, const darc_ioeqs_t io,
                     const darc_emit *how)
{
    if (how->format == DARC_FORMAT_JSON) {
        darc_json_ioeqs(out, io, how);
    } else if (how->format == DARC_FORMAT_TEXT ||
               how->format == DARC_FORMAT_LATEX) {
        darc_text_ioeqs(out, io, how);
    } else {
        darc_dpolys_t p;
        darc_dpolys_init(p);
        for (int i = 0; i < io->count; i++)
            darc_dpolys_append(p, io->eq[i].poly, io->jet);
        darc_code_polys(out, p, io->jet, how);
        darc_dpolys_clear(p, io->jet);
    }
}

static void code_components(darc_text_t out, const darc_decomposition_t d,
                            const bool *keep, const darc_emit *how)
{
    darc_dpolys_t p;
    darc_dpolys_init(p);
    for (int i = 0; i < d->count; i++) {
        const darc_dpolys_struct *eq = d->component[i].equations;
        for (slong k = 0; k < eq->count; k++)
            if (darc_emit_is_kept(eq->p + k, d->jet, keep))
                darc_dpolys_append(p, eq->p + k, d->jet);
    }
    darc_code_polys(out, p, d->jet, how);
    darc_dpolys_clear(p, d->jet);
}

void darc_emit_components(darc_text_t out, const darc_decomposition_t d,
                          const bool *keep, const darc_emit *how)
{
    if (how->format == DARC_FORMAT_JSON)
        darc_json_components(out, d, keep, how);
    else if (how->format == DARC_FORMAT_TEXT ||
             how->format == DARC_FORMAT_LATEX)
        darc_text_components(out, d, keep, how);
    else
        code_components(out, d, keep, how);
}
