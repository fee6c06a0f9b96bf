#include "emit/emit.h"

#include "emit/parts.h"

static bool is_text(const darc_emit *how)
{
    return how->format == DARC_FORMAT_TEXT || how->format == DARC_FORMAT_LATEX;
}

void darc_emit_relations(darc_text_t out, const darc_relations_t r,
                         const darc_emit *how)
{
    (how->format == DARC_FORMAT_JSON ? darc_json_relations
     : is_text(how)                  ? darc_text_relations
                                     : darc_code_relations)(out, r, how);
}

void darc_emit_ioeqs(darc_text_t out, const darc_ioeqs_t io,
                     const darc_emit *how)
{
    if (how->format == DARC_FORMAT_JSON || is_text(how)) {
        (is_text(how) ? darc_text_ioeqs : darc_json_ioeqs)(out, io, how);
        return;
    }
    darc_dpolys_t p;
    darc_dpolys_init(p);
    for (int i = 0; i < io->count; i++)
        darc_dpolys_append(p, io->eq[i].poly, io->jet);
    darc_code_polys(out, p, io->jet, how);
    darc_dpolys_clear(p, io->jet);
}

void darc_emit_components(darc_text_t out, const darc_decomposition_t d,
                          const bool *keep, const darc_emit *how)
{
    if (how->format == DARC_FORMAT_JSON || is_text(how)) {
        (is_text(how) ? darc_text_components : darc_json_components)(out, d,
                                                                     keep, how);
        return;
    }
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
