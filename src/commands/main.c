/* main.c - the program darc. */
#include "commands/command.h"

int main(int argc, char **argv)
{
    return darc_command_run(argc, argv);
}
