/* main.c - the program darc: which command is meant, and help. */
#include "commands/command.h"
#include "commands/supervise.h"
#include "darc.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static int run_command(const darc_command *c, int argc, char **argv)
{
    for (int i = 2; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0)
            return darc_help_run(1, argv + 1);
    if (c->command == DARC_CMD_DRIFT && !darc_ranks_enter(argv))
        return DARC_EXIT_LIMIT;
    darc_err err = {DARC_OK, ""};
    darc_options o;
    if (darc_options_parse(&o, c->command, argc - 2, argv + 2, &err) != DARC_OK)
        return darc_cli_fail(&err);
    int code;
    int least = c->least; /* a file of --each may hold both */
    least -=
        darc_option_given(&o, DARC_OPT_EACH) && (c->most == least || least > 2);
    if (o.operands < least || (c->most >= 0 && o.operands > c->most)) {
        fprintf(stderr, "usage: darc %s %s\n", c->name, c->synopsis);
        code = DARC_EXIT_USAGE;
    } else {
        code = darc_supervise(darc_command_run, &o);
    }
    darc_options_clear(&o);
    return code;
}

/* A descriptor 0, 1 or 2 that is closed must not become that of a file, into
 * which messages would go: it is taken by one that is empty and cannot be
 * written.  A reader that leaves, or a limit on the size of files, is an error
 * of writing, not the end. */
static void settle_descriptors(void)
{
    int fd;
    do
        fd = open("/dev/null", O_RDONLY);
    while (fd >= 0 && fd <= STDERR_FILENO);
    if (fd >= 0)
        close(fd);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGXFSZ, SIG_IGN);
}

int main(int argc, char **argv)
{
    settle_descriptors();
    darc_lack_watch();
    if (argc < 2)
        return darc_help_lack();
    if (strcmp(argv[1], "--version") == 0)
        return darc_help_print("darc " DARC_VERSION "\n");
    if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
        strcmp(argv[1], "help") == 0)
        return darc_help_run(argc - 2, argv + 2);
    const darc_command *c = darc_command_find(argv[1]);
    if (c == NULL)
        return darc_help_unknown(argv[1]);
    return run_command(c, argc, argv);
}
