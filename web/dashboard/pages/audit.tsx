import { useState } from 'react'

import { useAuditPages } from '../api/queries.ts'
import { AuditDetails } from '../audit/audit-details.tsx'
import type { AuditEntry } from '../audit/audit-entry.tsx'
import { saveAudit } from '../audit/audit-file.ts'
import { AuditFilters, useAuditQuery } from '../audit/audit-filters.tsx'
import { AuditTable } from '../audit/audit-table.tsx'
import { plural, t } from '../language/text.ts'
import { EmptyState } from '../parts/feedback/empty-state.tsx'
import { QueryResult } from '../parts/feedback/query-result.tsx'
import { toastFailure } from '../parts/feedback/toasts.tsx'
import { Button } from '../parts/forms/button.tsx'
import { LoadMore } from '../parts/load-more.tsx'
import { PageHeader } from '../parts/page-header.tsx'

/** Who changed what. */
export function Page() {
  const [open, setOpen] = useState<AuditEntry>()
  const input = useAuditQuery()
  const audit = useAuditPages(input)
  return (
    <>
      <PageHeader
        title={t('Audit')}
        lead={t('Every change: who made it, from where, and what became of it.')}
      >
        <SaveButton input={input} />
      </PageHeader>
      <AuditFilters />
      <QueryResult query={audit} label={t('The audit log is loading')}>
        {({ pages }) => {
          const entries = pages.flatMap(({ Entries }) => Entries)
          return (
            <>
              {entries.length === 0 ? (
                <EmptyState icon="history" title={t('No results')}>
                  <p>{t('Choose a longer period, or search for less.')}</p>
                </EmptyState>
              ) : (
                <AuditTable entries={entries} onOpen={setOpen} />
              )}
              <p className="field-hint" role="status">
                {plural(entries.length, { one: '{count} change', other: '{count} changes' })}
              </p>
              <LoadMore query={audit}>{t('Look further back')}</LoadMore>
            </>
          )
        }}
      </QueryResult>
      {open !== undefined && <AuditDetails entry={open} onClose={() => setOpen(undefined)} />}
    </>
  )
}

function SaveButton({ input }: { readonly input: ReturnType<typeof useAuditQuery> }) {
  const [isBusy, setBusy] = useState(false)
  const save = () => {
    setBusy(true)
    saveAudit(input)
      .catch((error: unknown) => toastFailure(error))
      .finally(() => setBusy(false))
  }
  return (
    <Button icon="download" isBusy={isBusy} title={t('At most 50,000 changes')} onClick={save}>
      {t('CSV')}
    </Button>
  )
}
