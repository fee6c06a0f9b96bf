#include "syntax/markup.h"

#include "base/limits.h"
#include "base/mem.h"

#include <expat.h>
#include <string.h>

typedef struct {
    const darc_script *script;
    XML_Parser parser;
    darc_status status;
    darc_element *root; /* owned */
    int depth;
    darc_element *open[DARC_MAX_NESTING]; /* depth of them, of the tree */
    int skipped;                          /* elements open that are left out */
    darc_text_t text;
} reader;

/* What these are called depends on Expat's version. */
#if XML_MAJOR_VERSION > 2 || XML_MINOR_VERSION >= 8
#define LINE XML_GetCurrentLineNumber64
#define COLUMN XML_GetCurrentColumnNumber64
#else
#define LINE XML_GetCurrentLineNumber
#define COLUMN XML_GetCurrentColumnNumber
#endif

static darc_place here(XML_Parser parser)
{
    return (darc_place){(int)LINE(parser), (int)COLUMN(parser) + 1};
}

static void stop(reader *r, darc_status status, const char *what)
{
    r->status =
        darc_script_fail(r->script, here(r->parser), status, "%s", what);
    XML_StopParser(r->parser, XML_FALSE);
}

/* Names come as namespace|name. */
static const char *local(const char *name)
{
    const char *bar = strrchr(name, '|');
    return bar == NULL ? name : bar + 1;
}

static bool is_foreign(const char *name)
{
    static const char sbml[] = "http://www.sbml.org/sbml/level",
                      math[] = "http://www.w3.org/1998/Math/MathML|";
    bool core = strncmp(name, sbml, sizeof sbml - 1) == 0 &&
                (name[sizeof sbml - 1] != '3' || strstr(name, "/core|"));
    const char *word = local(name);
    return (word != name && !core &&
            strncmp(name, math, sizeof math - 1) != 0) ||
           strcmp(word, "notes") == 0 || strcmp(word, "annotation") == 0;
}

static void keep_attributes(reader *r, darc_element *e, const char **x)
{
    size_t n = 0;
    while (x[n] != NULL)
        n += 2;
    e->attribute = darc_calloc(n + 1, sizeof *e->attribute);
    for (char **to = e->attribute; *x != NULL; x += 2) {
        if (local(*x) == *x) {
            *to++ = darc_strdup(x[0]);
            *to++ = darc_strdup(x[1]);
        } else if (strcmp(local(*x), "required") == 0 &&
                   strcmp(x[1], "true") == 0) {
            stop(r, DARC_SYNTAX,
                 "the model requires an extension of SBML that changes what it "
                 "means; darc reads the core: flatten the model first");
        }
    }
}

static void on_start(void *user, const char *name, const char **x)
{
    reader *r = user;
    if (strcmp(local(name), "sep") == 0) {
        darc_text_putc(r->text, ' ');
        return;
    }
    if (r->skipped > 0 || is_foreign(name)) {
        r->skipped++;
        return;
    }
    if (r->depth == DARC_MAX_NESTING) {
        stop(r, DARC_LIMIT, "elements are nested too deeply");
        return;
    }
    darc_element *e = darc_calloc(1, sizeof *e);
    if (r->depth == 0) {
        r->root = e;
    } else {
        darc_element *above = r->open[r->depth - 1];
        DARC_APPEND(above->child, above->count, e);
    }
    r->open[r->depth++] = e;
    e->name = darc_strdup(local(name));
    e->place = here(r->parser);
    darc_text_reset(r->text);
    keep_attributes(r, e, x);
}

static void on_end(void *user, const char *name)
{
    reader *r = user;
    if (strcmp(local(name), "sep") == 0)
        return;
    if (r->skipped > 0) {
        r->skipped--;
        return;
    }
    darc_element *e = r->open[--r->depth];
    e->text = darc_strdup(e->count == 0 ? r->text->s : "");
}

static void on_text(void *user, const char *s, int n)
{
    reader *r = user;
    if (r->skipped == 0)
        darc_text_write(r->text, s, (size_t)n);
}

static void on_doctype(void *user, const char *name, const char *system,
                       const char *public, int internal)
{
    (void)name, (void)system, (void)public, (void)internal;
    stop(user, DARC_SYNTAX,
         "a document type is not read; SBML needs none: remove it");
}

static void *resize(void *p, size_t size)
{
    return darc_realloc(p, size > 0 ? size : 1, 1);
}

darc_status darc_markup_read(darc_element **root, const darc_script *script)
{
    const XML_Memory_Handling_Suite memory = {darc_malloc, resize, darc_free};
    reader r = {.script = script, .text = DARC_TEXT};
    r.parser = XML_ParserCreate_MM(NULL, &memory, "|");
    XML_SetUserData(r.parser, &r);
    XML_SetElementHandler(r.parser, on_start, on_end);
    XML_SetCharacterDataHandler(r.parser, on_text);
    XML_SetStartDoctypeDeclHandler(r.parser, on_doctype);
    if (XML_Parse(r.parser, script->text, (int)script->length, XML_TRUE) !=
            XML_STATUS_OK &&
        r.status == DARC_OK)
        r.status =
            darc_script_fail(script, here(r.parser), DARC_SYNTAX, "no XML: %s",
                             XML_ErrorString(XML_GetErrorCode(r.parser)));
    else if (r.status == DARC_OK && r.root == NULL)
        r.status = darc_script_fail(script, (darc_place){1, 1}, DARC_SYNTAX,
                                    "expected SBML: <sbml> with a <model> in "
                                    "it, in a namespace of SBML's");
    XML_ParserFree(r.parser);
    darc_text_clear(r.text);
    if (r.status != DARC_OK)
        darc_element_free(r.root);
    else
        *root = r.root;
    return r.status;
}

void darc_element_free(darc_element *e)
{
    if (e == NULL)
        return;
    DARC_ALL_OF(darc_element_free, e->child, e->count);
    for (char **a = e->attribute; a != NULL && *a != NULL; a++)
        darc_free(*a);
    DARC_FREE(e->child, e->attribute, e->name, e->text, e);
}

bool darc_element_is(const darc_element *e, const char *name)
{
    return strcmp(e->name, name) == 0;
}

const char *darc_element_get(const darc_element *e, const char *attribute)
{
    for (char **a = e == NULL ? NULL : e->attribute; a != NULL && *a != NULL;
         a += 2)
        if (strcmp(a[0], attribute) == 0)
            return a[1];
    return NULL;
}

bool darc_element_true(const darc_element *e, const char *attribute)
{
    const char *value = darc_element_get(e, attribute);
    return value != NULL &&
           (strcmp(value, "true") == 0 || strcmp(value, "1") == 0);
}

const darc_element *darc_element_child(const darc_element *e, const char *name)
{
    for (size_t i = 0; e != NULL && i < e->count; i++)
        if (darc_element_is(e->child[i], name))
            return e->child[i];
    return NULL;
}
