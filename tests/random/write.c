/* Writes programs as OpenCL C. */
#include "tree.h"

static const char *const kind_names[KINDS] = {"char", "uchar", "short", "ushort", "int",   "uint",
                                              "long", "ulong", "half",  "float",  "double"};
static const char *const rounding_names[] = {"rte", "rtz", "rtp", "rtn"};
static const char *const relation_names[RELATIONS] = {"==", "!=", "<", "<=", ">", ">="};

/* The name of a type, in a buffer of its own for four at a time. */
static const char *name_of(struct type type)
{
    static char names[4][16];
    static unsigned next;
    char *name = names[next++ % 4];

    if (type.width == 1)
        snprintf(name, sizeof(names[0]), "%s", kind_names[type.kind]);
    else
        snprintf(name, sizeof(names[0]), "%s%u", kind_names[type.kind], type.width);
    return name;
}

static enum kind without_sign(enum kind kind)
{
    return kind == HALF ? USHORT : kind == FLOAT ? UINT : kind == DOUBLE ? ULONG : kind | 1;
}

static struct type unsigned_type(struct type type)
{
    return (struct type){without_sign(type.kind), type.width};
}

static void write_node(const struct node *node, FILE *file);

/* Each part of the format is text; %0 to %3 are the operands, %T the type, %U the one without a
 * sign, %B its bits less one. */
static void write_format(const struct node *node, const char *format, FILE *file)
{
    for (; *format; format++) {
        if (*format != '%') {
            fputc(*format, file);
            continue;
        }
        switch (*++format) {
        case 'T':
            fputs(name_of(node->type), file);
            break;
        case 'U':
            fputs(name_of(unsigned_type(node->type)), file);
            break;
        case 'W': /* what sums and products of scalars are computed in, which wraps */
            fputs(kind_bits(node->type.kind) == 64 ? "ulong" : "uint", file);
            break;
        case 'B':
            fprintf(file, "%u", kind_bits(node->type.kind) - 1);
            break;
        case 'G': /* the greatest value, as bits */
            fprintf(file, "0x%llxul",
                    (unsigned long long)(UINT64_MAX >> (64 - kind_bits(node->type.kind)) >>
                                         kind_is_signed(node->type.kind)));
            break;
        case '%':
            fputc('%', file);
            break;
        default:
            write_node(node->operand[*format - '0'], file);
            break;
        }
    }
}

static void write_constant(struct type type, const struct value *value, FILE *file)
{
    struct type bits = unsigned_type(type);

    fprintf(file, "as_%s((%s)(", name_of(type), name_of(bits));
    for (unsigned i = 0; i < type.width; i++)
        fprintf(file, "%s(%s)0x%llx%s", i ? ", " : "", kind_names[bits.kind],
                (unsigned long long)value->bits[i], kind_bits(type.kind) == 64 ? "ul" : "u");
    fputs("))", file);
}

static const char *function_of(enum op op)
{
    switch (op) {
    case OP_ADD_SAT:
        return "add_sat";
    case OP_SUB_SAT:
        return "sub_sat";
    case OP_HADD:
        return "hadd";
    case OP_RHADD:
        return "rhadd";
    case OP_MUL_HI:
        return "mul_hi";
    case OP_ROTATE:
        return "rotate";
    case OP_MIN:
        return "min";
    case OP_MAX:
        return "max";
    case OP_CLZ:
        return "clz";
    case OP_POPCOUNT:
        return "popcount";
    case OP_BITSELECT:
        return "bitselect";
    case OP_FMA:
        return "fma";
    case OP_FLOOR:
        return "floor";
    case OP_CEIL:
        return "ceil";
    case OP_TRUNC:
        return "trunc";
    case OP_RINT:
        return "rint";
    case OP_FABS:
        return "fabs";
    case OP_SQRT:
        return "sqrt";
    default:
        return NULL;
    }
}

/* Integers of any sign are added, subtracted and multiplied without one, as these may not overflow.
 */
static const char *integer_format(enum op op, bool is_vector)
{
    switch (op) {
    case OP_ADD:
        return is_vector ? "as_%T(as_%U(%0) + as_%U(%1))" : "((%T)((%W)(%U)%0 + (%W)(%U)%1))";
    case OP_SUBTRACT:
        return is_vector ? "as_%T(as_%U(%0) - as_%U(%1))" : "((%T)((%W)(%U)%0 - (%W)(%U)%1))";
    case OP_MULTIPLY:
        return is_vector ? "as_%T(as_%U(%0) * as_%U(%1))" : "((%T)((%W)(%U)%0 * (%W)(%U)%1))";
    case OP_AND:
        return "((%T)(%0 & %1))";
    case OP_OR:
        return "((%T)(%0 | %1))";
    case OP_XOR:
        return "((%T)(%0 ^ %1))";
    case OP_NOT:
        return "((%T)(~%0))";
    case OP_SHIFT_LEFT:
        return is_vector ? "as_%T(as_%U(%0) << (as_%U(%1) & (%U)(%B)))"
                         : "((%T)((%W)(%U)%0 << (%1 & %B)))";
    case OP_SHIFT_RIGHT:
        return is_vector ? "(%0 >> (%1 & (%T)(%B)))" : "((%T)(%0 >> (%1 & %B)))";
    case OP_DIVIDE:
        return is_vector ? "(%0 / (as_%T(as_%U(%1) & (%U)(%G)) | (%T)(1)))"
                         : "((%T)(%0 / (%T)(((%U)%1 & (%U)%G) | 1)))";
    default: /* OP_REMAINDER */
        return is_vector ? "(%0 %% (as_%T(as_%U(%1) & (%U)(%G)) | (%T)(1)))"
                         : "((%T)(%0 %% (%T)(((%U)%1 & (%U)%G) | 1)))";
    }
}

static void write_operation(const struct node *node, FILE *file)
{
    const char *function = function_of(node->op);
    bool is_float = kind_is_float(node->type.kind);

    if (is_float && (node->op == OP_MIN || node->op == OP_MAX)) {
        write_format(node, node->op == OP_MIN ? "(fmin(%0, %1) + (%T)0)" : "(fmax(%0, %1) + (%T)0)",
                     file);
    } else if (node->type.kind == DOUBLE && (node->op == OP_FLOOR || node->op == OP_CEIL)) {
        write_format(node, node->op == OP_FLOOR ? "(floor(%0) + (%T)0)" : "(ceil(%0) + (%T)0)",
                     file);
    } else if (function) {
        fprintf(file, "%s(", function);
        for (unsigned i = 0; i < 4 && node->operand[i]; i++) {
            fputs(i ? ", " : "", file);
            write_node(node->operand[i], file);
        }
        fputs(")", file);
    } else if (!is_float) {
        write_format(node, integer_format(node->op, node->type.width > 1), file);
    } else {
        write_format(node,
                     node->op == OP_ADD        ? "(%0 + %1)"
                     : node->op == OP_SUBTRACT ? "(%0 - %1)"
                     : node->op == OP_MULTIPLY ? "(%0 * %1)"
                     : node->op == OP_DIVIDE   ? "(%0 / %1)"
                                               : "(-%0)",
                     file);
    }
}

static void write_relation(const struct node *node, FILE *file)
{
    fputs("(", file);
    write_node(node->operand[0], file);
    fprintf(file, " %s ", relation_names[node->relation]);
    write_node(node->operand[1], file);
    fputs(")", file);
}

static void write_select(const struct node *node, FILE *file)
{
    if (node->type.width > 1) {
        write_format(node, "select(%3, %2, ", file);
        write_relation(node, file);
        fputs(")", file);
    } else {
        write_format(node, "((%T)(", file);
        write_relation(node, file);
        write_format(node, " ? %2 : %3))", file);
    }
}

static void write_conversion(const struct node *node, FILE *file)
{
    enum kind to = node->type.kind, from = node->operand[0]->type.kind;

    fprintf(file, "convert_%s", name_of(node->type));
    if (node->op == OP_CONVERT && !kind_is_float(to))
        fputs("_sat", file);
    if (node->op == OP_CONVERT && (kind_is_float(to) || kind_is_float(from)))
        fprintf(file, "_%s", rounding_names[node->rounding]);
    write_format(node, "(%0)", file);
}

static void write_node(const struct node *node, FILE *file)
{
    switch (node->op) {
    case OP_VARIABLE:
        fprintf(file, "v%u", node->variable);
        break;
    case OP_CONSTANT:
        write_constant(node->type, &node->constant, file);
        break;
    case OP_ELEMENT:
        fputs("array[", file);
        write_node(node->operand[0], file);
        fprintf(file, " & %u]", ARRAY - 1);
        break;
    case OP_COMPONENT:
    case OP_SWIZZLE:
        fprintf(file, "v%u.s", node->variable);
        for (unsigned i = 0; i < node->type.width; i++)
            fprintf(file, "%u", node->pattern[i]);
        break;
    case OP_SELECT:
        write_select(node, file);
        break;
    case OP_CONVERT:
    case OP_TRUNCATE:
        write_conversion(node, file);
        break;
    case OP_AS:
        write_format(
            node, kind_is_float(node->operand[0]->type.kind) ? "as_%T(one_nan(%0))" : "as_%T(%0)",
            file);
        break;
    default:
        write_operation(node, file);
        break;
    }
}

static void write_sub_group(const struct statement *s, unsigned size, FILE *file)
{
    static const char *const functions[SUB_GROUP_OPS] = {
        [REDUCE_ADD] = "sub_group_reduce_add",
        [REDUCE_MIN] = "sub_group_reduce_min",
        [REDUCE_MAX] = "sub_group_reduce_max",
        [SCAN_INCLUSIVE_ADD] = "sub_group_scan_inclusive_add",
        [SCAN_EXCLUSIVE_ADD] = "sub_group_scan_exclusive_add",
        [SCAN_INCLUSIVE_MAX] = "sub_group_scan_inclusive_max",
    };

    fprintf(file, "v%u = ", s->variable);
    if (s->sub_group_op == BALLOT) {
        fputs("sub_group_ballot(", file);
        write_relation(s->condition, file);
        fputs(").s0;\n", file);
        return;
    }
    fprintf(file, "%s(",
            s->sub_group_op == SHUFFLE       ? "intel_sub_group_shuffle"
            : s->sub_group_op == SHUFFLE_XOR ? "intel_sub_group_shuffle_xor"
            : s->sub_group_op == BROADCAST   ? "sub_group_broadcast"
                                             : functions[s->sub_group_op]);
    write_node(s->value, file);
    if (s->sub_group_op == SHUFFLE) {
        fputs(", ", file);
        write_node(s->index, file);
        fprintf(file, " & %u", size - 1);
    } else if (s->sub_group_op == SHUFFLE_XOR || s->sub_group_op == BROADCAST) {
        fprintf(file, ", %uu", s->lane);
    }
    fputs(");\n", file);
}

static void indent(unsigned depth, FILE *file)
{
    fprintf(file, "%*s", (int)depth * 4, "");
}

static void write_list(const struct list *list, unsigned size, unsigned depth, FILE *file);

static void write_block(const struct list *list, unsigned size, unsigned depth, FILE *file)
{
    fputs("{\n", file);
    write_list(list, size, depth + 1, file);
    indent(depth, file);
    fputs("}", file);
}

static void write_loop(const struct statement *s, unsigned size, unsigned depth, FILE *file)
{
    fprintf(file, "for (uint i%u = 0, n%u = ", s->number, s->number);
    write_node(s->value, file);
    fprintf(file, " & 3; i%u < n%u; i%u++) {\n", s->number, s->number, s->number);
    write_list(&s->body, size, depth + 1, file);
    if (s->condition) {
        indent(depth + 1, file);
        fputs("if ", file);
        write_relation(s->condition, file);
        fputs(" break;\n", file);
    }
    indent(depth, file);
    fputs("}\n", file);
}

static void write_statement(const struct statement *s, unsigned size, unsigned depth, FILE *file)
{
    indent(depth, file);
    switch (s->step) {
    case STEP_ASSIGN:
        fprintf(file, "v%u = ", s->variable);
        write_node(s->value, file);
        fputs(";\n", file);
        break;
    case STEP_IF:
        fputs("if ", file);
        write_relation(s->condition, file);
        fputs(" ", file);
        write_block(&s->body, size, depth, file);
        fputs(" else ", file);
        write_block(&s->otherwise, size, depth, file);
        fputs("\n", file);
        break;
    case STEP_LOOP:
        write_loop(s, size, depth, file);
        break;
    case STEP_ELEMENT:
        fputs("{ uint added = ", file);
        write_node(s->value, file);
        fputs("; array[", file);
        write_node(s->index, file);
        fprintf(file, " & %u] += added; }\n", ARRAY - 1);
        break;
    case STEP_EXCHANGE:
        fputs("shared[get_local_id(0)] = ", file);
        write_node(s->value, file);
        fputs("; barrier(CLK_LOCAL_MEM_FENCE); ", file);
        fprintf(file, "v%u = shared[", s->variable);
        write_node(s->index, file);
        fprintf(file, " & %u]; barrier(CLK_LOCAL_MEM_FENCE);\n", GROUP - 1);
        break;
    default:
        write_sub_group(s, size, file);
        break;
    }
}

static void write_list(const struct list *list, unsigned size, unsigned depth, FILE *file)
{
    for (const struct statement *s = list->first; s; s = s->next)
        if (!s->dropped)
            write_statement(s, size, depth, file);
}

static void write_nan_functions(enum kind kind, const char *nan, FILE *file)
{
    enum kind bits = without_sign(kind);

    fprintf(
        file,
        "%s __attribute__((overloadable)) one_nan(%s x) { return isnan(x) ? (%s)%s : as_%s(x); }\n",
        kind_names[bits], kind_names[kind], kind_names[bits], nan, kind_names[bits]);
    for (unsigned width = 2; width <= COMPONENTS_MAX; width *= 2)
        fprintf(file,
                "%s%u __attribute__((overloadable)) one_nan(%s%u x) "
                "{ return select(as_%s%u(x), (%s%u)(%s), isnan(x)); }\n",
                kind_names[bits], width, kind_names[kind], width, kind_names[bits], width,
                kind_names[bits], width, nan);
}

static void write_head(const struct program *program, FILE *file)
{
    const struct abilities *abilities = &program->abilities;

    fprintf(file, "/* random kernel of seed %llu */\n", (unsigned long long)program->seed);
    fputs("#pragma OPENCL FP_CONTRACT OFF\n", file);
    if (abilities->has_half)
        fputs("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n", file);
    if (abilities->has_double)
        fputs("#pragma OPENCL EXTENSION cl_khr_fp64 : enable\n", file);
    write_nan_functions(FLOAT, "0x7fc00000u", file);
    if (abilities->has_half)
        write_nan_functions(HALF, "0x7e00", file);
    if (abilities->has_double)
        write_nan_functions(DOUBLE, "0x7ff8000000000000ul", file);
    fprintf(file,
            "__attribute__((reqd_work_group_size(%d, 1, 1), intel_reqd_sub_group_size(%u)))\n"
            "kernel void tested(global const ulong *integers, global const float *floats, "
            "global ulong *results)\n{\n"
            "    local uint shared[%d];\n    uint array[%d], id = get_global_id(0);\n",
            GROUP, abilities->sub_group_size, GROUP, ARRAY);
}

/* The least significant bytes of a signed result are extended by the conversion: cut off again. */
static void write_result(struct type type, unsigned v, unsigned i, unsigned result, FILE *file)
{
    struct type one = {type.kind, 1};
    char from[16];

    if (type.width == 1)
        snprintf(from, sizeof(from), "v%u", v);
    else
        snprintf(from, sizeof(from), "v%u.s%u", v, i);
    fprintf(file, "    results[%u * %d + id] = ", result, ITEMS);
    if (kind_is_float(type.kind))
        fprintf(file, "one_nan(%s);\n", from);
    else
        fprintf(file, "(ulong)as_%s(%s);\n", kind_names[without_sign(one.kind)], from);
}

void program_write(const struct program *program, FILE *file)
{
    unsigned result = 0;

    write_head(program, file);
    for (unsigned v = 0; v < VARIABLES; v++) {
        struct type type = program->variables[v];

        fprintf(file, "    %s v%u = (%s)(", name_of(type), v, name_of(type));
        for (unsigned i = 0; i < type.width; i++) {
            fprintf(file, "%s", i ? ", " : "");
            fprintf(file, kind_is_float(type.kind) ? "convert_%s(floats[" : "(%s)(integers[",
                    kind_names[type.kind]);
            fprintf(file, "(id * %u + %u) & %d])", 2 * v + 1, 7 * v + i, INPUTS - 1);
        }
        fputs(");\n", file);
    }
    fprintf(file, "    for (uint i = 0; i < %d; i++)\n        array[i] = v0 * i + v1;\n", ARRAY);
    write_list(&program->body, program->abilities.sub_group_size, 1, file);
    for (unsigned v = 0; v < VARIABLES; v++)
        for (unsigned i = 0; i < program->variables[v].width; i++)
            write_result(program->variables[v], v, i, result++, file);
    for (unsigned i = 0; i < ARRAY; i++, result++)
        fprintf(file, "    results[%u * %d + id] = array[%u];\n", result, ITEMS, i);
    fputs("}\n", file);
}

unsigned program_results(const struct program *program)
{
    unsigned count = ARRAY;

    for (unsigned v = 0; v < VARIABLES; v++)
        count += program->variables[v].width;
    return count;
}

void program_describe_result(const struct program *program, unsigned result, char text[32])
{
    for (unsigned v = 0; v < VARIABLES; v++) {
        struct type type = program->variables[v];

        if (result < type.width) {
            snprintf(text, 32, "v%u.s%u (%s)", v, result, name_of(type));
            return;
        }
        result -= type.width;
    }
    snprintf(text, 32, "array[%u]", result);
}
