// SPDX-License-Identifier: Apache-2.0
#include <link.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

#include "CProcess.h"

/* The program itself comes first. Segments that nobody may write hold what the file holds, and can be read from it again. */
static int give_back(struct dl_phdr_info *program, size_t size, void *context)
{
    (void)size;
    size_t *sum = context, page = (size_t)sysconf(_SC_PAGESIZE);
    for (size_t i = 0; i < program->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &program->dlpi_phdr[i];
        if (segment->p_type != PT_LOAD || segment->p_flags & PF_W)
            continue;
        uintptr_t start = (program->dlpi_addr + segment->p_vaddr + page - 1) / page * page;
        uintptr_t end = (program->dlpi_addr + segment->p_vaddr + segment->p_filesz) / page * page;
        if (start < end && madvise((void *)start, end - start, MADV_DONTNEED) == 0)
            *sum += end - start;
    }
    return 1;
}

size_t na_give_back_pages(void)
{
    size_t sum = 0;
    dl_iterate_phdr(give_back, &sum);
    return sum;
}
