#include "commands/isa-command.h"

#include "audit/isa-print.h"
#include "commands/isa-page.h"

enum status command_isa(const struct isa_command *command, FILE *out, struct error *error)
{
    struct isa_survey survey;
    enum status status = isa_survey_make(&survey, &command->request, error);

    if (survey.objection[0])
        fprintf(stderr,
                "vebench: spirv-val refuses the module, which one compiler may accept and another "
                "not: %s\n",
                survey.objection);
    if (status == STATUS_OK && command->folder) {
        status = isa_page_write(&survey, command->folder, error);
        if (status == STATUS_OK)
            fprintf(out, "%s/isa.html\n", command->folder);
    } else if (status == STATUS_OK && command->diff[0])
        status = isa_print_difference(out, &survey, command->diff[0], command->diff[1],
                                      command->format, error);
    else if (status == STATUS_OK && command->listing)
        status = isa_print_loops(out, &survey, command->format, error);
    else if (status == STATUS_OK)
        status = isa_print_survey(out, &survey, command->format, error);
    isa_survey_free(&survey);
    return status;
}
