/* model_struct.h - what a model consists of. */
#ifndef DARC_MODEL_MODEL_STRUCT_H
#define DARC_MODEL_MODEL_STRUCT_H

#include "model/model.h"
#include "model/rewriter.h"

struct darc_model {
    char *file;          /* name for messages; owned */
    darc_syntax syntax;  /* names bound, functions rewritten */
    bool rewritten;      /* else `written` is empty */
    darc_syntax written; /* as it stands in the file */
    darc_adjoineds adjoined;
    darc_names_t names;
    int *declared; /* declared[u]: declaration of unknown u; -1: time */
    int *order;    /* highest order of u in eq and ineq */
    bool framed;   /* the fields below are set */
    darc_ranking_t ranking;
    darc_jet_t jet; /* the frame of eq and ineq */
    darc_dpolys_t eq, ineq;
};

/* Return the declaration of unknown u, NULL for time. */
const darc_declaration *darc_model_declaration(const darc_model *model, int u);

/* Append a model in its own language. */
void darc_model_print_syntax(darc_text_t out, const darc_syntax *s);

#endif
