/* verdict - ask libdarc whether two recordings agree on the parameters.
 *     cc verdict.c $(pkg-config --cflags --libs darc) -o verdict
 *     ./verdict model.darc a.csv b.csv
 */
#include <darc.h>
#include <stdio.h>

int main(int argc, char **argv)
{
    darc_status status = DARC_OK;
    darc_err err;
    darc_model *model = NULL;
    darc_options *options = NULL;
    darc_session *s = NULL;
    darc_err_init(&err);
    if (argc != 4)
        return fprintf(stderr, "usage: verdict MODEL DATA-A DATA-B\n"), 3;
    DARC_TRY(darc_model_read(&model, argv[1], &err));
    DARC_TRY(darc_options_new(&options, "check", &err));
    DARC_TRY(darc_options_number(options, "tolerance", 0.01, &err));
    DARC_TRY(darc_session_open(&s, model, options, NULL, &err));
    DARC_TRY(darc_session_read(s, argv[2], &err));
    DARC_TRY(darc_session_read(s, argv[3], &err));
    DARC_TRY(darc_session_check(s, DARC_EQUAL, &err));
    const darc_report *r = darc_session_report(s);
    printf("%s\n", darc_verdict_text(darc_session_verdict(s)));
    for (int i = 0; i < r->estimates; i++)
        printf("%s = %g, then %g\n", r->estimate[i].function,
               r->estimate[i].value_a, r->estimate[i].value_b);
done:
    if (status != DARC_OK)
        fprintf(stderr, "%s\n", err.message);
    darc_session_free(s);
    darc_options_free(options);
    darc_model_free(model);
    return status == DARC_OK ? 0 : 4;
}
