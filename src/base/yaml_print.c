/* Prints YAML nodes on one line. */
#include "base/yaml_tree.h"

#include <ctype.h>
#include <string.h>
#include <strings.h>

/* Words that a reader of YAML 1.1 takes for a truth value or for nothing. */
static bool is_special_word(const char *text)
{
    static const char *const words[] = {"null", "true", "false", "yes", "no", "on", "off", "y", "n"};

    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strcasecmp(text, words[i]) == 0)
            return true;
    return false;
}

static bool is_plain_char(char c)
{
    return isalnum((unsigned char)c) || (c != '\0' && strchr("_./+%-", c));
}

/* Can it stand without quotes, in a list or mapping on one line too?  Narrower than YAML allows: words, numbers and
 * paths. */
static bool is_plain(const char *text)
{
    char first = text[0];

    if (!isalnum((unsigned char)first) && first != '_' && first != '/' && first != '.' &&
        !(first == '-' && isdigit((unsigned char)text[1])))
        return false;
    if (strncmp(text, "...", 3) == 0 || is_special_word(text))
        return false;
    for (size_t i = 0; text[i]; i++)
        if (!is_plain_char(text[i]) && !(text[i] == ' ' && is_plain_char(text[i + 1])))
            return false;
    return true;
}

/* The character at *text, which is valid UTF-8; moves on. */
static uint32_t next_character(const unsigned char **text)
{
    const unsigned char *p = *text;
    int n = p[0] < 0x80 ? 1 : p[0] < 0xE0 ? 2 : p[0] < 0xF0 ? 3 : 4;
    uint32_t c = n == 1 ? p[0] : p[0] & (0x7Fu >> n);

    for (int i = 1; i < n; i++)
        c = c << 6 | (p[i] & 0x3Fu);
    *text = p + n;
    return c;
}

/* What YAML 1.1 does not allow as it is, or takes for the end of a line. */
static bool must_escape(uint32_t c)
{
    return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x2028 || c == 0x2029 || c == 0xFEFF || c == 0xFFFE ||
           c == 0xFFFF;
}

static void print_quoted(covey_text *out, const char *text)
{
    const unsigned char *p = (const unsigned char *)text;

    covey_i_text_add_char(out, '"');
    while (*p) {
        const unsigned char *start = p;
        uint32_t c = next_character(&p);

        if (c == '"' || c == '\\')
            covey_i_text_add_format(out, "\\%c", (char)c);
        else if (c == '\n')
            covey_i_text_add_string(out, "\\n");
        else if (c == '\t')
            covey_i_text_add_string(out, "\\t");
        else if (must_escape(c))
            covey_i_text_add_format(out, c < 0x100 ? "\\x%02X" : "\\u%04X", (unsigned)c);
        else
            covey_i_text_add(out, (const char *)start, (size_t)(p - start));
    }
    covey_i_text_add_char(out, '"');
}

void covey_i_yaml_print_scalar(covey_text *out, const char *text)
{
    if (is_plain(text))
        covey_i_text_add_string(out, text);
    else
        print_quoted(out, text);
}

static bool print(covey_text *out, const covey_yaml *node, size_t limit)
{
    bool fits = true;

    if (node->kind == COVEY_YAML_SCALAR) {
        covey_i_yaml_print_scalar(out, node->text);
        return out->size <= limit;
    }
    covey_i_text_add_char(out, node->kind == COVEY_YAML_LIST ? '[' : '{');
    for (size_t i = 0; i < node->n && fits && !out->broken; i++) {
        if (i)
            covey_i_text_add_string(out, ", ");
        if (node->kind == COVEY_YAML_MAP) {
            covey_i_yaml_print_scalar(out, node->key[i]->text);
            covey_i_text_add_string(out, ": ");
        }
        fits = print(out, node->item[i], limit);
    }
    covey_i_text_add_char(out, node->kind == COVEY_YAML_LIST ? ']' : '}');
    return fits && out->size <= limit;
}

bool covey_i_yaml_print(covey_text *out, const covey_yaml *node)
{
    return print(out, node, out->size + COVEY_YAML_MAX_PRINTED);
}
