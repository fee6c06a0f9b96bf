/* relations - what the signals of a model obey, and what they tell of its
 * parameters.
 *     cc relations.c $(pkg-config --cflags --libs darc) -o relations
 *     ./relations model.darc
 */
#include <darc.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    darc_status status = DARC_OK;
    darc_err err;
    darc_budget budget;
    darc_model *model = NULL;
    darc_options *options = NULL;
    darc_elimination *e = NULL;
    darc_identified *found = NULL;
    darc_err_init(&err);
    darc_budget_init(&budget);
    budget.deadline = darc_now() + 60;
    if (argc != 2)
        return fprintf(stderr, "usage: relations MODEL\n"), 3;
    DARC_TRY(darc_model_read(&model, argv[1], &err));
    DARC_TRY(darc_options_new(&options, "eliminate", &err));
    DARC_TRY(darc_options_set(options, "form", "io", &err));
    DARC_TRY(darc_eliminate(&e, model, options, &budget, &err));
    for (int i = 0; i < e->equations; i++)
        printf("%s: %s = 0\n", e->equation[i].output,
               darc_elimination_polynomial(e, i));
    DARC_TRY(darc_identify(&found, model, NULL, &budget, &err));
    for (int i = 0; i < found->functions; i++)
        printf("identifiable: %s\n", found->function[i]);
    for (int i = 0; i < found->parameters; i++)
        printf("%s: %s\n", found->parameter[i].name,
               darc_identifiability_text(found->parameter[i].identifiable));
done:
    if (status != DARC_OK)
        fprintf(stderr, "%s\n", err.message);
    darc_identified_free(found);
    darc_elimination_free(e);
    darc_options_free(options);
    darc_model_free(model);
    return status == DARC_OK ? 0 : 4;
}
