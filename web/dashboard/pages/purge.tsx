import { useState } from 'react'

import { t } from '../language/text.ts'
import { PageHeader } from '../parts/page-header.tsx'
import { TypedConfirmation } from '../parts/feedback/typed-confirmation.tsx'
import type { ResponseOf } from '../../../src/client/types.ts'
import { useChange } from '../api/queries.ts'
import { PurgeForm } from '../purge/purge-form.tsx'
import { bodyOfOrder, type PurgeOrder } from '../purge/purge-order.ts'
import { RecentPurges } from '../purge/recent-purges.tsx'
import { useSearch } from '../router.tsx'

/** Makes every edge forget. */
export function Page() {
  const [{ url = '', tag = '' }] = useSearch()
  const [order, setOrder] = useState<PurgeOrder>({
    what: url === '' && tag !== '' ? 'tags' : 'urls',
    urls: url,
    tags: tag,
    isSoft: false,
  })
  const [isSure, setSure] = useState(false)
  const [outcome, setOutcome] = useState<ResponseOf<'purge'>>()
  const purge = useChange('purge', {
    changes: ['listAuditLogs'],
    onSuccess: (response) => {
      setOutcome(response)
      setSure(false)
    },
  })
  const send = () => purge.mutate({ body: bodyOfOrder(order) })
  const change = (next: PurgeOrder) => {
    setOrder(next)
    // What was said of another order is not of this one.
    setOutcome(undefined)
    purge.reset()
  }
  return (
    <>
      <PageHeader
        title={t('Purge')}
        lead={t(
          'Makes every edge forget. What is overwritten or deleted is purged by itself; this is for everything else.',
        )}
      />
      <div className="stack">
        <PurgeForm
          order={order}
          isBusy={purge.isPending}
          error={isSure ? null : purge.error}
          outcome={outcome}
          onChange={change}
          onTry={() => purge.mutate({ body: { ...bodyOfOrder(order), dry_run: true } })}
          onPurge={() => (order.what === 'everything' ? setSure(true) : send())}
        />
        <RecentPurges />
      </div>
      <TypedConfirmation
        title={t('Purge everything')}
        word="everything"
        action={t('Purge everything')}
        isOpen={isSure}
        isBusy={purge.isPending}
        error={purge.error}
        onConfirm={send}
        onClose={() => setSure(false)}
      >
        <p>{t('All zones, all assets, all their transforms.')}</p>
      </TypedConfirmation>
    </>
  )
}
