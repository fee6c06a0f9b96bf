/* cmd_demo.c - the story of the method, on recordings shipped with darc. */
#include "commands/job.h"
#include "commands/terminal.h"

#include "base/mem.h"

#include <stdlib.h>
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
 * the program (build/FLAVOUR/darc), or where `make install` puts them: the
 * archive for any Linux is started by its loader, which says where it lies. */
static bool find_folder(darc_text_t folder)
{
    char exe[4096];
    ssize_t n = readlink("/proc/self/exe", exe, sizeof exe - 1);
    exe[n < 0 ? 0 : n] = '\0';
    const char *slash = strrchr(exe, '/'), *readers = getenv("DARC_LIBEXEC");
    size_t at = slash == NULL ? 0 : (size_t)(slash - exe) + 1;
    return try_folder(folder, "", 0, "") ||
           try_folder(folder, exe, at, "../../") ||
           try_folder(folder, exe, at, "../share/darc/") ||
           (readers != NULL &&
            try_folder(folder, readers, strlen(readers), "/../../share/darc/"));
}

/* Tell the story, and run its command. */
static darc_status play(int *surprises, int number, const char *folder,
                        const darc_budget *budget, darc_err *err)
{
    const scene *s = &scenes[number];
    char *argv[8];
    int n = 0;
    darc_options o;
    darc_status status;
    darc_text_t out = DARC_TEXT;
    darc_text_printf(out, "%d. %s\n$ darc check", number + 1, s->story);
    for (; s->words[n] != NULL; n++) {
        bool file = s->words[n][0] == '@';
        argv[n] = darc_text_of("%s%s", file ? folder : "", s->words[n] + file);
        darc_text_printf(out, " %s", argv[n]);
    }
    darc_text_putc(out, '\n');
    DARC_TRY(darc_options_parse(&o, DARC_CMD_CHECK, n, argv, err));
    status = darc_terminal_print(out->s, err);
    darc_job job = {.o = &o, .budget = budget};
    DARC_THEN(darc_cmd_check(&job, err));
    *surprises += job.code != darc_cli_exit_code(s->expected);
    darc_job_clear(&job);
    DARC_THEN(darc_terminal_print("\n", err));
    darc_options_clear(&o);
done:
    while (n > 0)
        darc_free(argv[--n]);
    darc_text_clear(out);
    return status;
}

darc_status darc_cmd_demo(darc_job *job, darc_err *err)
{
    darc_text_t text = DARC_TEXT;
    int n = (int)(sizeof scenes / sizeof scenes[0]), surprises = 0;
    darc_status status;
    if (!find_folder(text))
        DARC_TRY(darc_fail(err, DARC_IO,
                           "demo: systems/" CAR " is neither here nor beside "
                           "the program; run it in the folder of darc, or "
                           "after make install"));
    for (int i = 0; i < n; i++)
        DARC_TRY(play(&surprises, i, text->s, job->budget, err));
    darc_text_reset(text);
    darc_text_printf(text, "%d of %d verdicts as expected.\n", n - surprises,
                     n);
    status = darc_terminal_print(text->s, err);
    job->code = surprises == 0 ? DARC_EXIT_CONSISTENT : DARC_EXIT_LIMIT;
done:
    darc_text_clear(text);
    return status;
}
