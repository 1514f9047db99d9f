#include "report/family-page.h"

#include "model/family-model.h"

const struct family_page *family_pages_next(const struct family_pages *pages,
                                            const struct family_page *before)
{
    const struct family_page *next = NULL;
    unsigned rank = before ? before->rank : 0;

    for (size_t i = 0; i < pages->count; i++) {
        const struct family_page *page = pages->family[i];

        if (page->rank > rank && (!next || page->rank < next->rank))
            next = page;
    }
    return next;
}

bool family_page_covers(const struct family_page *family, const char *name)
{
    return family_name_covers(family->family, family->covers, name);
}
