#include "report/agreement.h"

#include "emit/json.h"

#include "base/mem.h"

#include <math.h>

const char *darc_role_text(darc_factor_role role)
{
    static const char *const text[] = {"output", "quantity", "input"};
    return text[role];
}

const char *darc_truth_text(darc_truth t)
{
    return t == DARC_TRUE    ? "acceptable"
           : t == DARC_FALSE ? "not acceptable"
                             : "undecided";
}

/* The tree below factor i; what was shown before is not opened again. */
static void print_tree(darc_text_t out, const darc_factor_space *s, int i,
                       int depth, bool *shown)
{
    const darc_factor *f = &s->factor[i];
    darc_text_puts(out, f->name);
    if (f->text[0] != '\0')
        darc_text_printf(out, " (%s)", f->text);
    if (!isnan(f->similarity))
        darc_text_printf(out, "  similarity %.4f", f->similarity);
    if (!isnan(f->credibility))
        darc_text_printf(out, "  credibility %.4f", f->credibility);
    darc_text_printf(out, "  %s%s\n", darc_truth_text(f->acceptable),
                     !f->defect  ? ""
                     : f->origin ? "  ORIGIN"
                                 : "  defect");
    if (shown[i])
        return;
    shown[i] = true;
    for (int k = 0; k < s->links; k++) {
        const darc_factor_link *l = &s->link[k];
        if (l->parent != i)
            continue;
        darc_text_printf(out, "%*s%s: ", 4 * (depth + 1), "",
                         darc_link_word[l->kind]);
        print_tree(out, s, l->child, depth + 1, shown);
    }
}

static void list_factors(darc_text_t out, const darc_factor_space *s,
                         const char *heading, bool origins)
{
    int n = 0;
    for (int i = 0; i < s->factors; i++) {
        const darc_factor *f = &s->factor[i];
        if (origins ? !f->origin : !f->defect)
            continue;
        darc_text_printf(out, "%s%s", n++ > 0 ? ", " : heading, f->name);
        if (origins && f->text[0] != '\0')
            darc_text_printf(out, " (%s)", f->text);
    }
}

/* The trees of outputs, then of what they do not hold. */
static void print_trees(darc_text_t out, const darc_factor_space *s)
{
    bool *shown = darc_calloc((size_t)s->factors, sizeof *shown);
    for (int pass = 0; pass < 2; pass++)
        for (int i = 0; i < s->factors; i++)
            if (pass == 0 ? s->factor[i].role == DARC_FACTOR_OUTPUT : !shown[i])
                print_tree(out, s, i, 0, shown);
    darc_free(shown);
}

void darc_tracing_print(darc_text_t out, const darc_factor_space *s, bool quiet)
{
    darc_text_printf(out, "%s: %s",
                     s->name[0] != '\0' ? s->name : "factor space",
                     darc_truth_text(darc_credibility_verdict(s)));
    if (!quiet)
        list_factors(out, s, "; the defect comes from ", true);
    darc_text_putc(out, '\n');
    if (quiet)
        return;
    print_trees(out, s);
    size_t begin = out->len;
    list_factors(out, s, "defects: ", false);
    darc_text_puts(out, out->len > begin ? "\n" : "");
    for (int i = 0; i < s->factors; i++)
        if (s->factor[i].stricter)
            darc_text_printf(out,
                             "'%s' is not acceptable, but all that it depends "
                             "on is: stricter criteria are needed there to "
                             "find the origin\n",
                             s->factor[i].name);
}

void darc_tracing_json(darc_text_t out, const darc_factor_space *s)
{
    darc_json j;
    darc_json_begin(&j, out, "credibility", NULL);
    const darc_factor *f = s->factor;
    darc_json_put(&j, "file:s similarity_threshold:d credibility_threshold:d",
                  s->file, s->similarity, s->credibility);
    DARC_JSON_LIST(&j, "nodes", i, s->factors, "{" DARC_JSON_NODE "}",
                   f[i].name, darc_role_text(f[i].role), f[i].similarity,
                   f[i].credibility, f[i].acceptable);
    DARC_JSON_LIST(&j, "origins", i, s->factors, f[i].origin ? ":s" : "",
                   f[i].name);
    DARC_JSON_LIST(&j, "defects", i, s->factors, f[i].defect ? ":s" : "",
                   f[i].name);
    DARC_JSON_LIST(&j, "stricter_criteria_below", i, s->factors,
                   f[i].stricter ? ":s" : "", f[i].name);
    darc_json_put(&j, "verdict:s",
                  darc_truth_text(darc_credibility_verdict(s)));
    darc_json_end(&j);
}
