#include "report/identify_report.h"

#include "darc.h"
#include "emit/json.h"

#include <string.h>

/* Equations of more terms are told by their size alone. */
#define MAX_SHOWN_TERMS 40

static const char *const claim =
    "The claim is for several recordings together (multi-experiment). A single "
    "recording suffices where the monomials of each io-equation are linearly "
    "independent along it; the checks of data test that.";

static const char *const unfinished =
    "Not all identifiable functions are known: 'local' means at least locally, "
    "perhaps globally. 'global' and 'no' are final.";

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
    } else if (eq->poly->length > MAX_SHOWN_TERMS) {
        darc_text_printf(out, "order %d, %ld terms (darc eliminate --form io)",
                         eq->leader.order, (long)eq->poly->length);
    } else {
        darc_dpoly_print(out, eq->poly, jet);
        darc_text_puts(out, " = 0");
    }
    darc_text_printf(out, "  [%s]\n", eq->engine);
}

/* "{c, d}". */
static void print_set(darc_text_t out, const bool *set,
                      const darc_identification_t id)
{
    const char *between = "{";
    for (slong v = 0; v < id->vars; v++)
        if (set[v]) {
            darc_text_printf(out, "%s%s", between, id->name[v]);
            between = ", ";
        }
    darc_text_putc(out, '}');
}

static void print_parameter(darc_text_t out, slong v, int width,
                            const darc_identify_report *r)
{
    darc_text_printf(out, "  %-*s  %-6s", width, r->id->name[v],
                     darc_identifiability_text(r->id->parameter[v]));
    if (r->table == NULL) {
        darc_text_putc(out, '\n');
        return;
    }
    const darc_change_sets *of = r->table->of + v;
    if (!r->table->seen[v])
        darc_text_puts(out, "  a change does not show in the signals");
    else if (of->count == 0)
        darc_text_puts(out, "  a change is explained by no other");
    else
        darc_text_puts(out, "  a change is explained by ");
    for (slong i = 0; i < of->count; i++) {
        darc_text_puts(out, i > 0 ? ", " : "");
        print_set(out, of->set[i], r->id);
    }
    darc_text_putc(out, '\n');
}

static void print_functions(darc_text_t out, const darc_identify_report *r)
{
    const darc_identification_struct *id = r->id;
    darc_text_puts(out, "\nidentifiable functions\n");
    for (slong k = 0; k < id->count; k++) {
        darc_text_puts(out, "  ");
        darc_identification_print(out, id, k);
        darc_text_putc(out, '\n');
    }
    if (!id->complete)
        darc_text_printf(
            out, "  %s are not known (%ld independent ones in all)\n",
            id->count > 0 ? "others" : "they", (long)id->dimension);
    else if (id->count == 0)
        darc_text_puts(out, "  none\n");
}

/* Say on what the word global rests. */
static void print_confirmed(darc_text_t out, const darc_identification_t id)
{
    for (int confirmed = 1; confirmed >= 0; confirmed--) {
        const char *between = confirmed ? "\nglobal, proved over Q: "
                                        : "\nglobal, modulo two random primes "
                                          "of 61 bits: ";
        bool any = false;
        for (slong v = 0; v < id->vars; v++) {
            if (id->parameter[v] != DARC_GLOBALLY ||
                id->confirmed[v] != (confirmed != 0))
                continue;
            darc_text_printf(out, "%s%s", between, id->name[v]);
            between = ", ";
            any = true;
        }
        darc_text_puts(out, any ? "\n" : "");
    }
}

/* The parameters of such equations are bound to each other by one more. */
static const char *const linked =
    "note: the leaders obey a further relation, which was not computed: "
    "parameters that occur in several\nio-equations may be better "
    "identifiable than is said here";

void darc_identify_text(darc_text_t out, const darc_identify_report *r)
{
    darc_text_printf(out, "model %s\n", r->model);
    if (r->io != NULL) {
        darc_text_puts(out, "\nio-equations\n");
        for (int i = 0; i < r->io->count; i++)
            print_equation(out, r->io->eq + i, r->io->jet);
        if (r->io->linked)
            darc_text_printf(out, "\n%s\n", linked);
    }
    print_functions(out, r);
    darc_text_puts(out, "\nparameters\n");
    size_t width = 0;
    for (slong v = 0; v < r->id->vars; v++)
        if (strlen(r->id->name[v]) > width)
            width = strlen(r->id->name[v]);
    for (slong v = 0; v < r->id->vars; v++)
        print_parameter(out, v, (int)width, r);
    print_confirmed(out, r->id);
    if (!r->id->complete)
        darc_text_printf(out, "\n%s\n", unfinished);
    darc_text_printf(out, "\n%s\n", claim);
}

/* Equations that are not expanded are null. */
static void json_equations(darc_json *j, const darc_ioeqs_t io)
{
    darc_text_t t;
    darc_text_init(t);
    darc_json_array(j, "io_equations");
    for (int i = 0; i < io->count; i++) {
        darc_text_reset(t);
        if (!io->eq[i].expanded) {
            darc_json_null(j, NULL);
            continue;
        }
        darc_dpoly_print(t, io->eq[i].poly, io->jet);
        darc_json_string(j, NULL, t->s);
    }
    darc_json_end_array(j);
    darc_text_clear(t);
}

static void json_sizes(darc_json *j, const darc_ioeqs_t io)
{
    darc_json_array(j, "io_sizes");
    for (int i = 0; i < io->count; i++) {
        const darc_ioeq *eq = io->eq + i;
        darc_json_object(j, NULL);
        darc_json_string(j, "output",
                         io->jet->names->symbol[eq->leader.unknown].name);
        darc_json_long(j, "order", eq->leader.order);
        if (eq->expanded)
            darc_json_long(j, "terms", (long)eq->poly->length);
        else
            darc_json_long(j, "monomials", (long)eq->part->count);
        darc_json_end_object(j);
    }
    darc_json_end_array(j);
}

static void json_functions(darc_json *j, const darc_identification_t id)
{
    darc_text_t t;
    darc_text_init(t);
    darc_json_array(j, "identifiable");
    for (slong k = 0; k < id->count; k++) {
        darc_text_reset(t);
        darc_identification_print(t, id, k);
        darc_json_string(j, NULL, t->s);
    }
    darc_json_end_array(j);
    darc_text_clear(t);
}

static void json_isolable(darc_json *j, const darc_identify_report *r)
{
    darc_json_object(j, "isolable");
    for (slong v = 0; v < r->id->vars; v++) {
        const darc_change_sets *of = r->table->of + v;
        darc_json_object(j, r->id->name[v]);
        darc_json_bool(j, "seen", r->table->seen[v]);
        darc_json_array(j, "explained_by");
        for (slong i = 0; i < of->count; i++) {
            darc_json_array(j, NULL);
            for (slong u = 0; u < r->id->vars; u++)
                if (of->set[i][u])
                    darc_json_string(j, NULL, r->id->name[u]);
            darc_json_end_array(j);
        }
        darc_json_end_array(j);
        darc_json_end_object(j);
    }
    darc_json_end_object(j);
}

void darc_identify_json(darc_text_t out, const darc_identify_report *r)
{
    darc_json j;
    darc_json_init(&j, out);
    darc_json_object(&j, NULL);
    darc_json_string(&j, "darc", DARC_VERSION);
    darc_json_string(&j, "command", "identify");
    darc_json_object(&j, "model");
    darc_json_string(&j, "name", r->model);
    darc_json_string(&j, "file", r->file);
    darc_json_end_object(&j);
    if (r->io != NULL) {
        json_equations(&j, r->io);
        json_sizes(&j, r->io);
        darc_json_bool(&j, "further_relation", r->io->linked);
    }
    json_functions(&j, r->id);
    darc_json_bool(&j, "complete", r->id->complete);
    darc_json_long(&j, "rank", (long)r->id->dimension);
    darc_json_object(&j, "parameters");
    for (slong v = 0; v < r->id->vars; v++)
        darc_json_string(&j, r->id->name[v],
                         darc_identifiability_text(r->id->parameter[v]));
    darc_json_end_object(&j);
    darc_json_array(&j, "confirmed");
    for (slong v = 0; v < r->id->vars; v++)
        if (r->id->confirmed[v])
            darc_json_string(&j, NULL, r->id->name[v]);
    darc_json_end_array(&j);
    if (r->table != NULL)
        json_isolable(&j, r);
    if (!r->id->complete)
        darc_json_string(&j, "note", unfinished);
    darc_json_string(&j, "claim", claim);
    darc_json_end_object(&j);
    darc_text_putc(out, '\n');
}
