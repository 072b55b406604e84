import { useState } from 'react'

import { PageHeader } from '../parts/page-header.tsx'
import { TypedConfirmation } from '../parts/typed-confirmation.tsx'
import type { Answer } from '../../../src/client/types.ts'
import { useChange } from '../api/queries.ts'
import { PurgeForm } from '../purge/purge-form.tsx'
import { bodyOfOrder, type PurgeOrder } from '../purge/purge-order.ts'

/** Makes every edge forget. */
export function Page() {
  const [order, setOrder] = useState<PurgeOrder>({ what: 'urls', text: '', isSoft: false })
  const [isSure, setSure] = useState(false)
  const [outcome, setOutcome] = useState<Answer<'purge'>>()
  const purge = useChange('purge', {
    changes: [],
    onSuccess: (answer) => {
      setOutcome(answer)
      setSure(false)
    },
  })
  const send = () => purge.mutate({ body: bodyOfOrder(order) })
  return (
    <>
      <PageHeader
        title="Purge"
        lead="Makes every edge forget. What is overwritten or deleted is purged by itself; this is for everything else."
      />
      <PurgeForm
        order={order}
        isBusy={purge.isPending}
        error={isSure ? null : purge.error}
        outcome={outcome}
        onChange={setOrder}
        onTry={() => purge.mutate({ body: { ...bodyOfOrder(order), dry_run: true } })}
        onPurge={() => (order.what === 'everything' ? setSure(true) : send())}
      />
      <TypedConfirmation
        title="Purge everything"
        word="everything"
        action="Purge everything"
        isOpen={isSure}
        isBusy={purge.isPending}
        error={purge.error}
        onConfirm={send}
        onClose={() => setSure(false)}
      >
        <p>All zones, all assets, all their transforms.</p>
      </TypedConfirmation>
    </>
  )
}
