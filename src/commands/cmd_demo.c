/* cmd_demo.c - the story of the method, on recordings shipped with darc. */
#include "cli/terminal.h"
#include "commands/job.h"

#include "base/mem.h"
#include "base/output.h"

#include <string.h>
#include <unistd.h>

typedef struct {
    const char *story;
    const char *words[8]; /* of the command; a '@' is the folder of the car */
    darc_verdict expected;
} scene;

static const scene scenes[] = {
    {"A quarter car was driven over a road; chassis acceleration a and wheel"
     "\ndisplacement z were recorded. Can m*a = c*z + d*z' have made them, "
     "whatever\nm, c and d are?",
     {"structure", "@model.darc", "@data.csv"},
     DARC_CONSISTENT},
    {"The same drive on a spring that hardens. The linear model must fail.",
     {"structure", "@model.darc", "@cubic.csv"},
     DARC_INCONSISTENT},
    {"Another road, the same car: are the parameters equal?",
     {"equal", "@model.darc", "@data.csv", "@other_road.csv"},
     DARC_CONSISTENT},
    {"Someone loaded 5 kg on 300 kg: equal no more.",
     {"equal", "@model.darc", "@data.csv", "@heavier.csv"},
     DARC_INCONSISTENT},
    {"Is a changed mass enough to explain that? It is.",
     {"changed", "@model.darc", "@data.csv", "@heavier.csv", "--changed=m"},
     DARC_CONSISTENT},
    {"With 10 % more damping besides, a changed mass is not enough.",
     {"changed", "@model.darc", "@data.csv", "@heavier_damped.csv",
      "--changed=m"},
     DARC_INCONSISTENT},
    {"Spring and damper both 10 % up, mass 5 kg: a and z tell only c/m and "
     "d/m, and\nthese changed by one factor. A changed mass explains it.",
     {"changed", "@model.darc", "@data.csv", "@heavier_stiffer_damped.csv",
      "--changed=m"},
     DARC_CONSISTENT},
};

#define CAR "quarter_car_chassis/"

/* Set folder to DIRECTORY/systems/quarter_car_chassis/ if the model is
 * there, for a directory that begins with n characters of base. */
static bool try_folder(darc_text_t folder, const char *base, size_t n,
                       const char *rest)
{
    darc_text_reset(folder);
    darc_text_write(folder, base, n);
    darc_text_puts(folder, rest);
    darc_text_puts(folder, "systems/" CAR);
    size_t length = folder->len;
    darc_text_puts(folder, "model.darc");
    bool found = access(folder->s, R_OK) == 0;
    folder->s[length] = '\0';
    folder->len = length;
    return found;
}

/* The recordings lie in the working directory's tree, in the source tree of
 * the program (build/FLAVOUR/darc), or where `make install` puts them. */
static bool find_folder(darc_text_t folder)
{
    char exe[4096];
    ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
    exe[n < 0 ? 0 : n] = '\0';
    const char *slash = strrchr(exe, '/');
    size_t at = slash == NULL ? 0 : (size_t)(slash - exe) + 1;
    return try_folder(folder, "", 0, "") ||
           try_folder(folder, exe, at, "../../") ||
           try_folder(folder, exe, at, "../share/darc/");
}

static darc_status play(darc_text_t out, darc_verdict *verdict, const scene *s,
                        const char *folder, const darc_budget *budget,
                        darc_err *err)
{
    char *argv[8];
    int n = 0;
    darc_options o;
    darc_job job = {.o = &o, .budget = budget};
    darc_text_printf(out, "%s\n$ darc check", s->story);
    for (; s->words[n] != NULL; n++) {
        const char *word = s->words[n];
        darc_text_t t = DARC_TEXT;
        darc_text_puts(t, word[0] == '@' ? folder : "");
        darc_text_puts(t, word + (word[0] == '@'));
        argv[n] = darc_text_take(t);
        darc_text_printf(out, " %s", argv[n]);
    }
    darc_text_putc(out, '\n');
    darc_status status = darc_options_parse(&o, DARC_CMD_CHECK, n, argv, err);
    if (status == DARC_OK) {
        status = darc_job_check(&job, err);
        darc_options_clear(&o);
    }
    if (status == DARC_OK) {
        *verdict = darc_session_verdict(job.session);
        darc_text_puts(out, darc_session_text(job.session, "text"));
    }
    darc_job_clear(&job);
    for (int i = 0; i < n; i++)
        darc_free(argv[i]);
    darc_text_putc(out, '\n');
    return status;
}

static darc_status play_all(int *surprises, const char *folder,
                            const darc_budget *budget, darc_err *err)
{
    darc_output *out;
    darc_text_t text = DARC_TEXT, shown = DARC_TEXT;
    int n = (int)(sizeof scenes / sizeof scenes[0]);
    darc_status status = darc_output_open(&out, "-", err);
    for (int i = 0; i < n && status == DARC_OK; i++) {
        darc_verdict verdict = DARC_UNDECIDED;
        darc_text_reset(text);
        darc_text_reset(shown);
        darc_text_printf(text, "%d. ", i + 1);
        DARC_TRY(play(text, &verdict, &scenes[i], folder, budget, err));
        *surprises += verdict != scenes[i].expected;
        darc_terminal_colour(shown, text->s);
        darc_output_write(out, shown->s, shown->len);
        darc_output_flush(out);
    }
    darc_text_reset(text);
    darc_text_printf(text, "%d of %d verdicts as expected.\n", n - *surprises,
                     n);
    darc_output_write(out, text->s, text->len);
    status = darc_output_close(out, err);
    out = NULL;
done:
    darc_output_discard(out);
    darc_text_clear(text);
    darc_text_clear(shown);
    return status;
}

darc_status darc_cmd_demo(darc_job *job, darc_err *err)
{
    darc_text_t folder = DARC_TEXT;
    int surprises = 0;
    darc_status status;
    if (find_folder(folder))
        status = play_all(&surprises, folder->s, job->budget, err);
    else
        status = darc_fail(err, DARC_IO,
                           "demo: systems/" CAR " is neither here nor beside "
                           "the program; run it in the folder of darc, or "
                           "after make install");
    darc_text_clear(folder);
    job->code = surprises == 0 ? DARC_EXIT_CONSISTENT : DARC_EXIT_LIMIT;
    return status;
}
