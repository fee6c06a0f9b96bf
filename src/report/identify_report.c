#include "report/report.h"

#include "base/mem.h"
#include "report/thresholds.h"

#include <string.h>

/* The sets of others that explain a change of variable v. */
static void set_explanations(darc_identified_parameter *to,
                             const darc_identification_struct *id,
                             const darc_change_sets *of)
{
    darc_name_list *list = darc_calloc((size_t)of->count, sizeof *list);
    for (slong i = 0; i < of->count; i++) {
        const char **name = darc_calloc((size_t)id->vars, sizeof *name);
        list[i].name = name;
        for (slong u = 0; u < id->vars; u++)
            if (of->set[i][u])
                name[list[i].count++] = id->name[u];
    }
    to->explanations = (int)of->count;
    to->explained_by = list;
}

void darc_identified_set(darc_identified *to,
                         const darc_identification_struct *id,
                         const darc_isolability_struct *table)
{
    const char **function =
        darc_calloc((size_t)id->function->count, sizeof *function);
    int functions = 0;
    for (slong k = 0; k < id->function->count; k++) {
        darc_text_t t = DARC_TEXT;
        darc_identification_print(t, id, k);
        bool implied = false;
        for (slong v = id->own; v < id->vars; v++)
            implied =
                implied || (id->implied[v] && strcmp(t->s, id->name[v]) == 0);
        if (implied)
            darc_text_clear(t);
        else
            function[functions++] = darc_text_take(t);
    }
    darc_identified_parameter *list =
        darc_calloc((size_t)id->vars, sizeof *list);
    for (slong v = 0; v < id->own; v++) {
        list[v] = (darc_identified_parameter){
            .name = id->name[v],
            .identifiable = id->parameter[v],
            .confirmed = id->confirmed[v],
            .final = id->complete || id->settled[v],
            .seen = table != NULL && table->seen[v]};
        if (table != NULL)
            set_explanations(&list[v], id, table->of + v);
    }
    *to = (darc_identified){.functions = functions,
                            .function = function,
                            .complete = id->complete,
                            .lost = id->lost,
                            .explained = table != NULL,
                            .rank = (int)id->shown,
                            .parameters = (int)id->own,
                            .parameter = list};
}

void darc_identified_clear(darc_identified *found)
{
    for (int v = 0; v < found->parameters; v++) {
        const darc_identified_parameter *p = &found->parameter[v];
        for (int i = 0; i < p->explanations; i++)
            darc_free((void *)p->explained_by[i].name);
        darc_free((void *)p->explained_by);
    }
    DARC_FREE_EACH(found->function, found->functions);
    DARC_FREE((void *)found->parameter, (void *)found->function);
    *found = (darc_identified){0};
}

static const char *const claim =
    "The claim is for several recordings together (multi-experiment). A single "
    "recording suffices where the monomials of each io-equation are linearly "
    "independent along it; the checks of data test that.";

static const char *const unfinished =
    "Not all identifiable functions are known.";

static const char *const unproved =
    "'at least': perhaps globally. 'global', 'no' and 'local' alone are final.";

static const char *const lost =
    "The io-equations know a function in the model up to a constant only, "
    "which may tell more of the parameters.";

/* The parameters of such equations are bound to each other by one more. */
static const char *const linked =
    "note: the leaders obey a further relation, which was not computed: "
    "parameters that occur in several\nio-equations may be better "
    "identifiable than is said here";

static void print_equation(darc_text_t out, const darc_ioeq *eq,
                           const darc_jet_t jet)
{
    darc_text_printf(out,
                     "  %s: ", jet->names->symbol[eq->leader.unknown].name);
    if (!eq->expanded) {
        darc_text_printf(out,
                         "order %d, %ld monomials in the signals (darc "
                         "eliminate --form support)",
                         eq->leader.order, (long)eq->part->count);
    } else if (eq->poly->length > DARC_TOLD_TERMS) {
        darc_text_printf(out, "order %d, %ld terms (darc eliminate)",
                         eq->leader.order, (long)eq->poly->length);
    } else {
        darc_dpoly_print(out, eq->poly, jet);
        darc_text_puts(out, " = 0");
    }
    darc_text_printf(out, "  [%s]\n", eq->engine);
}

/* Of a parameter, or of a function. */
#define IS_PROVED(x) ((x).final || (x).identifiable != DARC_LOCALLY)

static bool all_shown(const darc_identified *f)
{
    bool all = true;
    for (int v = 0; v < f->parameters; v++)
        all = all && IS_PROVED(f->parameter[v]);
    for (int v = 0; v < f->states; v++)
        all = all && IS_PROVED(f->state[v]);
    for (int v = 0; v < f->asked; v++)
        all = all && IS_PROVED(f->asks[v]);
    return all;
}

static void print_parameters(darc_text_t out, const darc_identified *f)
{
    darc_text_puts(out, "\nparameters\n");
    size_t begin = out->len;
    for (int v = 0; v < f->parameters; v++) {
        const darc_identified_parameter *p = &f->parameter[v];
        darc_text_printf(out, "  %s" DARC_CELL "%-6s%s", p->name,
                         darc_identifiability_text(p->identifiable),
                         IS_PROVED(*p) ? "" : "  at least");
        if (f->explained)
            darc_text_puts(out, !p->seen
                                    ? "  a change does not show in the signals"
                                : p->explanations == 0
                                    ? "  a change is explained by no other"
                                    : "  a change is explained by ");
        for (int i = 0; i < p->explanations; i++) {
            darc_text_puts(out, i > 0 ? ", " : "");
            darc_name_list_print(out, &p->explained_by[i]);
        }
        darc_text_putc(out, '\n');
    }
    darc_text_align(out, begin, 2);
}

static void print_functions(darc_text_t out, const darc_identified *f)
{
    darc_text_puts(out, f->from_start
                            ? "\nidentifiable functions, whatever the initial "
                              "values\n"
                            : "\nidentifiable functions\n");
    for (int k = 0; k < f->functions; k++)
        darc_text_printf(out, "  %s\n", f->function[k]);
    if (!f->complete)
        darc_text_printf(out,
                         "  %s are not known (%d independent ones in all)\n",
                         f->functions > 0 ? "others" : "they", f->rank);
    else if (f->functions == 0)
        darc_text_puts(out, "  none\n");
}

/* States, or functions asked for. */
static void print_asked(darc_text_t out, const char *title,
                        const darc_identified_function *f, int count)
{
    if (count > 0)
        darc_text_printf(out, "\n%s\n", title);
    size_t begin = out->len;
    for (int i = 0; i < count; i++)
        darc_text_printf(out, "  %s" DARC_CELL "%s%s\n", f[i].name,
                         darc_identifiability_text(f[i].identifiable),
                         IS_PROVED(f[i]) ? "" : "   at least");
    darc_text_align(out, begin, 2);
}

static void print_scales(darc_text_t out, const darc_identified *f,
                         bool verbose)
{
    const char *between = "\nno signal shows a scale: set ";
    for (int i = 0; i < f->scales; i++) {
        if (strcmp(f->scale[i].stands_for, "1") != 0)
            continue;
        darc_text_printf(out, "%s%s = 1", between, f->scale[i].name);
        between = ", ";
    }
    if (f->scales > 0)
        darc_text_puts(out, f->enough ? "; the others are identifiable then\n"
                                      : "; fewer are left to identify\n");
    size_t begin = out->len;
    for (int i = 0; i < f->scales; i++)
        if (strcmp(f->scale[i].stands_for, "1") != 0)
            darc_text_printf(out, "  %s" DARC_CELL "stands for  %s\n",
                             f->scale[i].name, f->scale[i].stands_for);
    darc_text_align(out, begin, 2);
    if (verbose && f->scaled != NULL)
        darc_text_printf(out, "\n%s", f->scaled);
}

/* Say on what the word global rests. */
static void print_confirmed(darc_text_t out, const darc_identified *f)
{
    static const char *const how[] = {
        "\nglobal, modulo two random primes of 61 bits: ",
        "\nglobal, proved over Q: "};
    for (int confirmed = 1; confirmed >= 0; confirmed--) {
        const char *between = how[confirmed];
        for (int v = 0; v < f->parameters; v++) {
            const darc_identified_parameter *p = &f->parameter[v];
            if (p->identifiable != DARC_GLOBALLY || p->confirmed != confirmed)
                continue;
            darc_text_printf(out, "%s%s", between, p->name);
            between = ", ";
        }
        darc_text_puts(out, between != how[confirmed] ? "\n" : "");
    }
}

/* What is told of the parameters, or of functions where it is none of them:
 * "2 of 6 parameters can be told: d, b". */
static void print_told(darc_text_t out, const darc_identified *f)
{
    int count[4] = {0}, named = 0;
    for (int v = 0; v < f->parameters; v++)
        count[f->parameter[v].identifiable]++;
    int told = count[DARC_GLOBALLY], of = f->parameters;
    if (of == 1)
        darc_text_puts(out,
                       told ? "its parameter can" : "its parameter cannot");
    else if (told == of)
        darc_text_printf(out, "all %d parameters can", of);
    else if (told > 0)
        darc_text_printf(out, "%d of %d parameters can", told, of);
    else
        darc_text_printf(out, "none of %d parameters can", of);
    darc_text_puts(out, " be told");
    for (int v = 0; v < of && told < of && told <= DARC_TOLD_ROWS; v++)
        if (f->parameter[v].identifiable == DARC_GLOBALLY)
            darc_text_printf(out, "%s%s", named++ > 0 ? ", " : ": ",
                             f->parameter[v].name);
    for (int k = 0; k < f->functions && told + count[DARC_LOCALLY] == 0 &&
                    f->functions <= DARC_TOLD_MOVED;
         k++)
        darc_text_printf(out, "%s%s", k > 0 ? ", " : ", only ", f->function[k]);
    if (count[DARC_LOCALLY] > 0)
        darc_text_printf(out, "; %d up to other values", count[DARC_LOCALLY]);
}

void darc_identify_text(darc_text_t out, const darc_identify_report *r,
                        bool verbose)
{
    darc_text_printf(out, "model %s", r->model);
    if (r->found->parameters > 0) {
        darc_text_puts(out, ": ");
        print_told(out, r->found);
    }
    darc_text_putc(out, '\n');
    print_parameters(out, r->found);
    print_asked(out, "states, at the start of a recording", r->found->state,
                r->found->states);
    print_asked(out, "asked for", r->found->asks, r->found->asked);
    print_functions(out, r->found);
    print_scales(out, r->found, verbose);
    if (!r->found->complete)
        darc_text_printf(out, "\n%s\n", unfinished);
    if (!all_shown(r->found))
        darc_text_printf(out, "\n%s\n", unproved);
    if (r->found->lost)
        darc_text_printf(out, "\n%s\n", lost);
    if (r->io != NULL && r->io->linked)
        darc_text_printf(out, "\n%s\n", linked);
    if (r->advice != NULL)
        darc_text_printf(out, "\nEquations are long; %s.\n", r->advice);
    if (!verbose)
        return;
    if (r->io != NULL)
        darc_text_puts(out, "\nio-equations\n");
    for (int i = 0; r->io != NULL && i < r->io->count; i++)
        print_equation(out, r->io->eq + i, r->io->jet);
    print_confirmed(out, r->found);
    darc_text_printf(out, "\n%s\n", claim);
}

/* Equations that are not expanded are null. */
static void json_equations(darc_json *j, const darc_ioeqs_t io)
{
    darc_text_t t = DARC_TEXT;
    darc_json_put(j, "io_equations[");
    for (int i = 0; i < io->count; i++) {
        const darc_ioeq *eq = io->eq + i;
        darc_text_reset(t);
        if (eq->expanded)
            darc_dpoly_print(t, eq->poly, io->jet);
        darc_json_put(j, ":s", eq->expanded ? t->s : NULL);
    }
    darc_json_put(j, "] io_sizes[");
    for (int i = 0; i < io->count; i++) {
        const darc_ioeq *eq = io->eq + i;
        darc_json_put(
            j, "{" DARC_JSON_IO_SIZE " *:l}",
            io->jet->names->symbol[eq->leader.unknown].name, eq->leader.order,
            eq->expanded ? "terms" : "monomials",
            (long)(eq->expanded ? eq->poly->length : eq->part->count));
    }
    darc_json_put(j, "] further_relation:b", io->linked);
    darc_text_clear(t);
}

static void json_isolable(darc_json *j, const darc_identified *f)
{
    darc_json_put(j, "isolable{");
    for (int v = 0; v < f->parameters; v++) {
        const darc_identified_parameter *p = &f->parameter[v];
        darc_json_put(j, "*{" DARC_JSON_ISOLABLE, p->name, p->seen);
        DARC_JSON_LIST(j, "explained_by", i, p->explanations, ":a",
                       p->explained_by[i].name, p->explained_by[i].count);
        darc_json_put(j, "}");
    }
    darc_json_put(j, "}");
}

static void json_asked(darc_json *j, const char *key,
                       const darc_identified_function *f, int count)
{
    darc_json_put(j, "*{", key);
    for (int i = 0; i < count; i++)
        darc_json_put(j, "*:s", f[i].name,
                      darc_identifiability_text(f[i].identifiable));
    darc_json_put(j, "}");
}

static void json_unproved(darc_json *j, const darc_identified_function *f,
                          int count)
{
    for (int i = 0; i < count; i++)
        if (!IS_PROVED(f[i]))
            darc_json_put(j, ":s", f[i].name);
}

static void json_scales(darc_json *j, const darc_identified *f)
{
    if (f->scales == 0)
        return;
    darc_json_put(j, "reparametrisation{stands_for{");
    for (int i = 0; i < f->scales; i++)
        darc_json_put(j, "*:s", f->scale[i].name, f->scale[i].stands_for);
    darc_json_put(j, "} " DARC_JSON_REPARAMETRISATION_THEN "}", f->enough,
                  f->scaled);
}

void darc_identify_json(darc_text_t out, const darc_identify_report *r)
{
    const darc_identified *f = r->found;
    darc_json j;
    darc_json_begin(&j, out, "identify", NULL);
    darc_json_put(&j, "model{" DARC_JSON_MODEL "}", r->model, r->file);
    if (r->io != NULL)
        json_equations(&j, r->io);
    darc_json_put(&j, DARC_JSON_REPORT_IDENTIFY_THEN, f->function, f->functions,
                  f->complete, f->rank);
    darc_json_put(&j, f->from_start ? "from_start:b" : "", true);
    darc_json_put(&j, "parameters{");
    for (int v = 0; v < f->parameters; v++)
        darc_json_put(&j, "*:s", f->parameter[v].name,
                      darc_identifiability_text(f->parameter[v].identifiable));
    darc_json_put(&j, "}");
    json_asked(&j, "states", f->state, f->states);
    if (f->asked > 0)
        json_asked(&j, "asked", f->asks, f->asked);
    darc_json_put(&j, "unproved[");
    for (int v = 0; v < f->parameters; v++)
        if (!IS_PROVED(f->parameter[v]))
            darc_json_put(&j, ":s", f->parameter[v].name);
    json_unproved(&j, f->state, f->states);
    json_unproved(&j, f->asks, f->asked);
    darc_json_put(&j, "]");
    DARC_JSON_LIST(&j, "confirmed", v, f->parameters,
                   f->parameter[v].confirmed ? ":s" : "", f->parameter[v].name);
    if (f->explained)
        json_isolable(&j, f);
    json_scales(&j, f);
    darc_json_put(&j, "advice:S note:S lost:S claim:s", r->advice,
                  f->complete ? NULL : unfinished, f->lost ? lost : NULL,
                  claim);
    darc_json_end(&j);
}
