#include "model/model.h"
#include "model/model_struct.h"

#include "base/mem.h"

#include <string.h>

/* Would a line that begins with this name read as the head of a section? */
static bool is_keyword(const char *name)
{
    bool found = strcmp(name, "model") == 0;
    for (int s = 0; s < DARC_SECTIONS; s++)
        found = found || strcmp(name, darc_section_word((darc_section)s)) == 0;
    return found;
}

/* Return what a declaration says behind unit and text, with a blank before it:
 * " held"; "" if nothing. */
static const char *word_behind(const darc_declaration *d)
{
    bool sided = d->section == DARC_SECTION_OUTPUTS && d->side != 0;
    static const char *const side[2][2] = {{" before", " behind"},
                                           {" before delay", " behind delay"}};
    return d->may_be_zero        ? " may be zero"
           : d->positive         ? " > 0"
           : d->held             ? " held"
           : d->dose             ? " dose"
           : d->unknown          ? " unknown"
           : darc_is_averaged(d) ? " mean"
           : sided               ? side[d->late][d->side > 0]
           : d->late             ? " delay"
                                 : "";
}

static void print_declaration(darc_text_t out, const darc_declaration *d)
{
    darc_text_printf(out, "    %s", d->name);
    if (d->unit[0] != '\0' || (d->value == NULL && is_keyword(d->name)))
        darc_text_printf(out, " [%s]", d->unit);
    if (d->text[0] != '\0') {
        darc_text_putc(out, ' ');
        darc_quoted_print(out, d->text);
    }
    darc_text_puts(out, word_behind(d));
    if (d->value != NULL) {
        darc_text_puts(out, " = ");
        darc_expr_print(out, d->value);
    }
    darc_text_putc(out, '\n');
}

/* Outputs NAME_known besides those of the model, and what they are. */
typedef struct {
    int count;
    const char **name, **expr;
    darc_reading how; /* it is read again */
} revealed;

static void print_known(darc_text_t out, const revealed *r, const char *before,
                        const char *after)
{
    for (int i = 0; i < r->count; i++)
        darc_text_printf(out, "%s%s_known%s", before, r->name[i], after);
}

static darc_section heading(const darc_declaration *d)
{
    return d->unknown ? DARC_SECTION_INPUTS : d->section;
}

static void print_statements(darc_text_t out, const darc_statements *s,
                             const char *head, const char *relation)
{
    if (s->count > 0)
        darc_text_puts(out, head);
    for (size_t i = 0; i < s->count; i++) {
        darc_text_puts(out, "    ");
        darc_expr_print(out, s->statement[i].left);
        darc_text_puts(out, relation);
        darc_expr_print(out, s->statement[i].right);
        darc_text_putc(out, '\n');
    }
}

static void print_ranking(darc_text_t out, const darc_syntax *s,
                          const revealed *r)
{
    if (s->ranked == 0)
        return;
    darc_text_puts(out, "\nranking");
    darc_text_puts(out, is_keyword(s->rank[0].name) ? " " : "\n    ");
    for (size_t i = 0; i < s->ranked; i++) {
        bool same = i > 0 && s->rank[i].block == s->rank[i - 1].block;
        darc_text_puts(out, i == 0 ? "" : same ? " " : " >> ");
        darc_text_puts(out, s->rank[i].name);
    }
    print_known(out, r, " ", "");
    darc_text_putc(out, '\n');
}

static void print_revealed(darc_text_t out, const darc_syntax *s,
                           const revealed *r)
{
    darc_text_printf(out, "model %s", s->name);
    if (s->title != NULL && s->title[0] != '\0') {
        darc_text_putc(out, ' ');
        darc_quoted_print(out, s->title);
    }
    darc_text_putc(out, '\n');
    /* Every section once, wherever its declarations stand. */
    bool told[DARC_SECTIONS] = {false};
    for (size_t i = 0; i < s->declarations; i++) {
        darc_section section = heading(s->declaration + i);
        if (told[section])
            continue;
        told[section] = true;
        darc_text_printf(out, "\n%s\n", darc_section_word(section));
        if (section == DARC_SECTION_OUTPUTS)
            print_known(out, r, "    ", "\n");
        for (size_t k = i; k < s->declarations; k++)
            if (heading(s->declaration + k) == section)
                print_declaration(out, s->declaration + k);
    }
    print_statements(out, &s->equations, "\nequations\n", " = ");
    /* A sum: of `y = x` alone the model would take x for measured. */
    for (int i = 0; i < r->count; i++)
        darc_text_printf(out, "    %s_known = (%s) + 0\n", r->name[i],
                         r->expr[i]);
    print_statements(out, &s->assumptions, "\nassume\n", " != ");
    print_ranking(out, s, r);
}

void darc_model_print_syntax(darc_text_t out, const darc_syntax *s)
{
    print_revealed(out, s, &(revealed){.count = 0});
}

/* Set *out to the model that is printed so. */
static darc_status reread(darc_model **out, const darc_syntax *s,
                          const revealed *r, const char *file, darc_err *err)
{
    darc_text_t text = DARC_TEXT;
    print_revealed(text, s, r);
    darc_status status =
        darc_model_parse_printed(out, text->s, text->len, file, &r->how, err);
    darc_text_clear(text);
    return status;
}

darc_status darc_model_syntax(darc_syntax *s, const darc_model *model,
                              darc_err *err)
{
    darc_text_t text = DARC_TEXT;
    darc_model_print(text, model);
    const darc_script script = {
        text->s, text->len, model->file, err, DARC_LANGUAGE_PRINTED, NULL};
    darc_status status = darc_parse(s, &script);
    darc_text_clear(text);
    return status;
}

darc_status darc_model_reread(darc_model **out, const darc_syntax *s,
                              const char *file, const darc_reading *how,
                              darc_err *err)
{
    revealed r = {.count = 0};
    r.how = how != NULL ? *how : r.how;
    return reread(out, s, &r, file, err);
}

void darc_model_print(darc_text_t out, const darc_model *model)
{
    darc_model_print_syntax(out, model->rewritten ? &model->written
                                                  : &model->syntax);
}

bool darc_model_is_rewritten(const darc_model *model)
{
    return model->rewritten;
}

void darc_model_print_rewritten(darc_text_t out, const darc_model *model)
{
    darc_model_print_syntax(out, &model->syntax);
}

/* Append the declarations of `from` in this group: 0 most, 1 constants, 2 those
 * that get a value. */
static void take_group(darc_syntax *to, const darc_syntax *from, int group,
                       const darc_model *model, const char *const *value)
{
    for (size_t i = 0; i < from->declarations; i++) {
        darc_declaration d = from->declaration[i];
        int u = darc_names_find(model->names, d.name, strlen(d.name));
        const char *text = u >= 0 ? value[u] : NULL;
        bool known = d.section == DARC_SECTION_CONSTANTS;
        if (group != (text != NULL ? 2 : known ? 1 : 0))
            continue;
        if (text != NULL) {
            d.section = DARC_SECTION_CONSTANTS;
            d.may_be_zero = d.positive = d.held = false;
            d.side = 0;
            d.value =
                darc_expr_new(DARC_EXPR_NUMBER, d.place, text, strlen(text));
        }
        to->declaration[to->declarations++] = d;
    }
}

darc_status darc_model_fix(darc_model **out, const darc_model *model,
                           const char *const *value, darc_err *err)
{
    const darc_syntax *from =
        model->rewritten ? &model->written : &model->syntax;
    darc_syntax s = *from;
    s.declaration = darc_calloc(from->declarations + 1, sizeof *s.declaration);
    s.declarations = 0;
    take_group(&s, from, 0, model, value);
    take_group(&s, from, 1, model, value);
    size_t own = s.declarations;
    take_group(&s, from, 2, model, value);
    s.ranked = own < s.declarations ? 0 : s.ranked;
    darc_status status = darc_model_reread(out, &s, model->file, NULL, err);
    for (size_t i = own; i < s.declarations; i++)
        darc_expr_free(s.declaration[i].value);
    darc_free(s.declaration);
    return status;
}

/* Parameters of a model without functions stay what they stand for in `from`.
 */
static void keep_functions(darc_model *to, const darc_model *from)
{
    for (int i = 0; i < from->adjoined.count; i++) {
        const darc_adjoined *a = from->adjoined.item + i;
        int u = darc_names_find(to->names, a->name, strlen(a->name));
        if (u < 0 || to->names->symbol[u].kind != DARC_PARAMETER)
            continue;
        DARC_ROOM(to->adjoined.item, to->adjoined.count);
        darc_adjoined *kept = to->adjoined.item + to->adjoined.count++;
        *kept = (darc_adjoined){darc_strdup(a->name), darc_expr_copy(a->call),
                                a->free};
        darc_bind_names(kept->call, to->names);
        to->names->symbol[u].number =
            from->names->symbol[darc_adjoined_unknown(from, i)].number;
    }
}

/* Do functions of parameters have the names in `to` that they have in `from`?
 */
static bool have_names(const darc_model *to, const darc_model *from)
{
    bool same = true;
    for (int i = 0; i < from->adjoined.count && same; i++) {
        const darc_adjoined *a = from->adjoined.item + i,
                            *b = to->adjoined.item;
        const darc_adjoined *end = b + to->adjoined.count;
        while (b < end && strcmp(b->name, a->name) != 0)
            b++;
        same = from->names->symbol[darc_adjoined_unknown(from, i)].kind !=
                   DARC_PARAMETER ||
               (b < end && darc_expr_equal(b->call, a->call));
    }
    return same;
}

darc_status darc_model_whole(darc_model **out, const darc_model *model,
                             darc_err *err)
{
    size_t n = (size_t)model->adjoined.count + 1;
    const char **name = darc_calloc(n, sizeof *name);
    const char **expr = darc_calloc(n, sizeof *expr);
    revealed r = {0, name, expr, {.whole = true}};
    for (int i = 0; i < model->adjoined.count; i++) {
        const darc_adjoined *a = model->adjoined.item + i;
        darc_text_t said = DARC_TEXT;
        if (model->names->symbol[darc_adjoined_unknown(model, i)].kind !=
            DARC_INPUT)
            continue;
        darc_adjoined_say(said, model, a->name);
        name[r.count] = a->name;
        expr[r.count++] = darc_text_take(said);
    }
    darc_status status =
        reread(out, model->rewritten ? &model->written : &model->syntax, &r,
               model->file, err);
    if (status == DARC_OK && !have_names(*out, model)) {
        darc_model_free(*out);
        *out = NULL;
        status = darc_fail(err, DARC_DOMAIN, "names of functions differ");
    }
    DARC_FREE_EACH(expr, r.count);
    DARC_FREE((void *)name, (void *)expr);
    return status;
}

darc_status darc_model_extend(darc_model **out, const darc_model *model,
                              const char **name, const char **expr, int count,
                              darc_err *err)
{
    const revealed r = {count, name, expr, {.whole = model->whole}};
    DARC_NEED(reread(out, model->rewritten ? &model->written : &model->syntax,
                     &r, "extended", err));
    if (!model->rewritten)
        keep_functions(*out, model);
    return DARC_OK;
}

/* Does e hold, beside what is measured, only what is known?  What is not must
 * be in place of a number in a sum or product, once: *open names it. */
static bool is_known_expr(const darc_model *model, const bool *known,
                          const darc_expr *e, int *open)
{
    bool all = true;
    for (int i = 0; i < e->count && all; i++)
        all = is_known_expr(model, known, e->child[i],
                            e->kind == DARC_EXPR_SUM ||
                                    e->kind == DARC_EXPR_PRODUCT ||
                                    e->kind == DARC_EXPR_NEGATE
                                ? open
                                : NULL);
    if (darc_expr_get_kind(e) != DARC_EXPR_UNKNOWN || !all)
        return all;
    int u = e->unknown; /* what is written has names alone */
    if (u < 0)
        u = darc_names_find(model->names, e->text, strlen(e->text));
    darc_kind kind = u < 0 ? DARC_STATE : model->names->symbol[u].kind;
    if ((kind != DARC_STATE && kind != DARC_PARAMETER) || (u >= 0 && known[u]))
        return true;
    if (u < 0 || open == NULL || *open >= 0 || e->order > 0)
        return false;
    *open = u;
    return true;
}

/* Mark what equations between measured signals and what is known give; return
 * whether there is anything new. */
static bool mark_known(bool *known, const darc_statements *s,
                       const darc_model *model)
{
    bool more = false;
    for (size_t i = 0; i < s->count; i++) {
        int open = -1;
        if (is_known_expr(model, known, s->statement[i].left, &open) &&
            is_known_expr(model, known, s->statement[i].right, &open) &&
            open >= 0)
            more = known[open] = true;
    }
    return more;
}

/* Return what is known of all unknowns (owned by the caller); computed: with
 * functions computed from their arguments. */
static bool *mark_all(const darc_model *model, const bool *given, bool computed)
{
    size_t n = (size_t)model->names->count;
    bool *known = darc_calloc(n + 1, sizeof *known), more = true;
    memcpy(known, given, n * sizeof *known);
    while (more) { /* a state may be replaced by a function of it */
        more = mark_known(known, &model->syntax.equations, model);
        if (model->rewritten && computed)
            more = mark_known(known, &model->written.equations, model) || more;
    }
    return known;
}

bool darc_model_tells(const darc_model *model, const bool *given,
                      const char *state)
{
    bool *known = mark_all(model, given, true);
    int u = darc_names_find(model->names, state, strlen(state));
    bool tells = u >= 0 && known[u];
    darc_free(known);
    return tells;
}

darc_status darc_model_reveal(darc_model **out, int *count,
                              const darc_model *model, const bool *given,
                              darc_err *err)
{
    const char **name =
        darc_calloc((size_t)model->adjoined.count + 1, sizeof *name);
    revealed r = {0, name, name, {.whole = false}};
    bool *known = mark_all(model, given, true);
    bool *told = mark_all(model, given, false);
    for (int i = 0; i < model->adjoined.count; i++) {
        const darc_adjoined *a = model->adjoined.item + i;
        int u = darc_names_find(model->names, a->name, strlen(a->name));
        if (model->names->symbol[u].kind != DARC_STATE || told[u] ||
            !is_known_expr(model, known, a->call, NULL))
            continue;
        known[u] = told[u] = true;
        name[r.count++] = a->name;
    }
    *count = r.count;
    darc_status status =
        r.count == 0 ? DARC_OK : reread(out, &model->syntax, &r, "known", err);
    if (status == DARC_OK && r.count > 0)
        keep_functions(*out, model);
    DARC_FREE(known, told, (void *)name);
    return status;
}

darc_status darc_model_chained(darc_model **out, const darc_model *model,
                               int length, darc_err *err)
{
    darc_syntax syntax = {.name = NULL};
    *out = NULL;
    darc_status status = darc_model_syntax(&syntax, model, err);
    if (status == DARC_OK && darc_syntax_chain(&syntax, length)) {
        status = darc_model_reread(out, &syntax, model->file, NULL, err);
        if (status == DARC_OK)
            (*out)->chain = length;
    }
    darc_syntax_clear(&syntax);
    return status;
}

int darc_model_chain(const darc_model *model)
{
    return model->chain;
}
