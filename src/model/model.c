#include "model/model_inside.h"

#include "base/limits.h"
#include "base/mem.h"

#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* The name of a model without a `model` line: that of its file. */
static char *name_from_file(const char *file)
{
    const char *slash = strrchr(file, '/');
    const char *s = slash == NULL ? file : slash + 1;
    size_t n = strcspn(s, ".");
    n = n > DARC_MAX_NAME ? DARC_MAX_NAME : n;
    char *name = n == 0 ? darc_strdup("model") : darc_strndup(s, n);
    for (char *c = name; *c != '\0'; c++) {
        bool digit = *c >= '0' && *c <= '9' && c > name;
        bool letter = (*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z');
        if (!digit && !letter)
            *c = '_';
    }
    return name;
}

static darc_status check_content(const darc_model *model,
                                 const darc_source *source, darc_err *err)
{
    const darc_syntax *s = &model->syntax;
    darc_place place = {1, 1};
    if (s->equations.count > 0 && s->declarations > 0)
        return DARC_OK;
    if (s->has[DARC_SECTION_EQUATIONS])
        place = s->where[DARC_SECTION_EQUATIONS];
    if (s->equations.count == 0)
        return darc_source_fail(source, place, DARC_MODEL, err,
                                "the model has no equations; expected a "
                                "section 'equations'");
    return darc_source_fail(source, place, DARC_MODEL, err,
                            "the model declares no names; expected sections "
                            "such as 'states' and 'outputs'");
}

/* Set the ranking and the frame of a model whose names are bound. */
static darc_status set_frame(darc_model *model, const darc_source *source,
                             darc_err *err)
{
    int n = model->names->count;
    model->order = darc_calloc((size_t)n, sizeof *model->order);
    darc_status status = darc_check_orders(model, source, err);
    if (status != DARC_OK)
        return status;
    if (n == 0)
        return darc_source_fail(source, (darc_place){1, 1}, DARC_MODEL, err,
                                "the model has no unknowns, only constants");
    darc_ranking_init(model->ranking, n);
    status = darc_check_ranking(model, source, err);
    if (status != DARC_OK) {
        darc_ranking_clear(model->ranking);
        return status;
    }
    darc_jet_init(model->jet, model->names, model->ranking, model->order);
    model->framed = true;
    return DARC_OK;
}

/* Lower order[u] to what the polynomials contain: terms may have cancelled. */
static void set_orders(darc_model *model)
{
    const darc_dpolys_struct *lists[] = {model->eq, model->ineq};
    for (int u = 0; u < model->names->count; u++) {
        int order = 0;
        for (int k = 0; k < 2; k++)
            for (slong i = 0; i < lists[k]->count; i++) {
                int o = darc_dpoly_order(lists[k]->p + i, u, model->jet);
                order = o > order ? o : order;
            }
        model->order[u] = order;
    }
}

/* Put unknowns with equations in the place of functions. */
static darc_status rewrite(darc_model *m, const darc_source *source,
                           bool simulation, darc_err *err)
{
    darc_status status;
    darc_rewriter rw;
    m->written = m->syntax;
    m->rewritten = true;
    darc_syntax_copy(&m->syntax, &m->written);
    darc_rewriter_init(&rw, &m->syntax, &m->adjoined, source, err);
    rw.simulation = simulation;
    DARC_TRY(darc_rewrite(&rw));
    darc_names_clear(m->names);
    darc_free(m->declared);
    m->declared = NULL;
    DARC_TRY(darc_check_names(m, source, err));
done:
    darc_rewriter_clear(&rw);
    return status;
}

static darc_status parse(darc_model **model, const darc_source *source,
                         bool simulation, darc_err *err)
{
    darc_status status;
    darc_model *m = darc_calloc(1, sizeof *m);
    m->file = darc_strdup(source->file);
    darc_names_init(m->names);
    darc_dpolys_init(m->eq);
    darc_dpolys_init(m->ineq);
    DARC_TRY(darc_syntax_init(&m->syntax, source, err));
    if (m->syntax.name == NULL)
        m->syntax.name = name_from_file(source->file);
    DARC_TRY(check_content(m, source, err));
    DARC_TRY(darc_check_names(m, source, err));
    if (darc_rewrite_needed(&m->syntax))
        DARC_TRY(rewrite(m, source, simulation, err));
    DARC_TRY(set_frame(m, source, err));
    DARC_TRY(darc_build_equations(m, source, err));
    set_orders(m);
done:
    if (status == DARC_OK)
        *model = m;
    else
        darc_model_free(m);
    return status;
}

static darc_status parse_bytes(darc_model **model, const char *text,
                               size_t length, const char *file, bool simulation,
                               darc_err *err)
{
    if (length > DARC_MAX_MODEL_BYTES)
        return darc_fail(err, DARC_LIMIT,
                         "%s: a model of more than %d bytes, which is the "
                         "limit",
                         file, DARC_MAX_MODEL_BYTES);
    darc_source source = {text, length, file};
    return parse(model, &source, simulation, err);
}

darc_status darc_model_parse(darc_model **model, const char *text,
                             size_t length, const char *file, darc_err *err)
{
    return parse_bytes(model, text, length, file, false, err);
}

darc_status darc_model_parse_for_simulation(darc_model **model,
                                            const char *text, size_t length,
                                            const char *file, darc_err *err)
{
    return parse_bytes(model, text, length, file, true, err);
}

/* Set *text to the bytes of the stream; one more than allowed at most. */
static darc_status read_stream(char **text, size_t *length, FILE *f,
                               const char *file, darc_err *err)
{
    size_t size = DARC_MAX_MODEL_BYTES + 1;
    *text = darc_malloc(size);
    *length = fread(*text, 1, size, f);
    if (!ferror(f))
        return DARC_OK;
    return darc_fail(err, DARC_IO, "%s: cannot be read: %s", file,
                     strerror(errno));
}

static darc_status read_file(darc_model **model, const char *file,
                             bool simulation, darc_err *err)
{
    bool standard = strcmp(file, "-") == 0;
    FILE *f = standard ? stdin : fopen(file, "rb");
    if (f == NULL)
        return darc_fail(err, DARC_IO, "%s: cannot be opened: %s", file,
                         strerror(errno));
    char *text = NULL;
    size_t length = 0;
    const char *shown = standard ? "<stdin>" : file;
    darc_status status = read_stream(&text, &length, f, shown, err);
    if (status == DARC_OK)
        status = parse_bytes(model, text, length, shown, simulation, err);
    darc_free(text);
    if (!standard)
        fclose(f);
    return status;
}

darc_status darc_model_read(darc_model **model, const char *file, darc_err *err)
{
    return read_file(model, file, false, err);
}

darc_status darc_model_read_for_simulation(darc_model **model, const char *file,
                                           darc_err *err)
{
    return read_file(model, file, true, err);
}

void darc_model_free(darc_model *model)
{
    if (model == NULL)
        return;
    if (model->framed) {
        darc_dpolys_clear(model->eq, model->jet);
        darc_dpolys_clear(model->ineq, model->jet);
        darc_jet_clear(model->jet);
        darc_ranking_clear(model->ranking);
    }
    darc_syntax_clear(&model->syntax);
    darc_syntax_clear(&model->written);
    darc_adjoineds_clear(&model->adjoined);
    darc_names_clear(model->names);
    darc_free(model->declared);
    darc_free(model->order);
    darc_free(model->file);
    darc_free(model);
}

const char *darc_model_name(const darc_model *model)
{
    return model->syntax.name;
}

const char *darc_model_title(const darc_model *model)
{
    return model->syntax.title == NULL ? "" : model->syntax.title;
}

const char *darc_model_file(const darc_model *model)
{
    return model->file;
}

const darc_names_struct *darc_model_names(const darc_model *model)
{
    return model->names;
}

/* The declaration of unknown u; NULL for time. */
static const darc_declaration *declaration(const darc_model *model, int u)
{
    assert(u >= 0 && u < model->names->count);
    int i = model->declared[u];
    return i < 0 ? NULL : model->syntax.declaration + i;
}

const char *darc_model_unit(const darc_model *model, int u)
{
    const darc_declaration *d = declaration(model, u);
    return d == NULL ? "s" : d->unit;
}

const char *darc_model_text(const darc_model *model, int u)
{
    const darc_declaration *d = declaration(model, u);
    return d == NULL ? "" : d->text;
}

bool darc_model_may_be_zero(const darc_model *model, int u)
{
    const darc_declaration *d = declaration(model, u);
    return d != NULL && d->may_be_zero;
}

void darc_model_orders(const darc_model *model, int *order)
{
    memcpy(order, model->order, (size_t)model->names->count * sizeof *order);
}

void darc_model_ranking(darc_ranking_t rk, const darc_model *model)
{
    darc_ranking_set(rk, model->ranking);
}

static darc_status move_all(darc_dpolys_t out, const darc_jet_t jet,
                            const darc_dpolys_t in, const darc_jet_t from,
                            darc_err *err)
{
    darc_status status = DARC_OK;
    darc_dpoly_t p;
    darc_dpoly_init(p, jet);
    for (slong i = 0; i < in->count; i++) {
        DARC_TRY(darc_dpoly_move(p, jet, in->p + i, from, err));
        darc_dpoly_primitive(p, p, jet);
        darc_dpolys_append_take(out, p, jet);
    }
done:
    darc_dpoly_clear(p, jet);
    return status;
}

darc_status darc_model_equations(darc_dpolys_t eq, darc_dpolys_t ineq,
                                 const darc_model *model, const darc_jet_t jet,
                                 darc_err *err)
{
    darc_status status;
    DARC_TRY(move_all(eq, jet, model->eq, model->jet, err));
    DARC_TRY(move_all(ineq, jet, model->ineq, model->jet, err));
done:
    return status;
}
