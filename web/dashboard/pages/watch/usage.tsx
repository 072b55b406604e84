import { useState } from 'react'

import { useOperation } from '../../api/queries.ts'
import { t } from '../../language/text.ts'
import { Button } from '../../parts/forms/button.tsx'
import { QueryResult } from '../../parts/feedback/query-result.tsx'
import { toastFailure } from '../../parts/feedback/toasts.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import {
  formerInput,
  type Usage,
  usageInput,
  type UsageInput,
  useChosenUsage,
} from '../../usage/chosen-usage.ts'
import { MonthControls } from '../../usage/month-controls.tsx'
import { UsageChart } from '../../usage/usage-chart.tsx'
import { saveUsage } from '../../usage/usage-file.ts'
import { ZoneTable } from '../../usage/zone-table.tsx'

/** What zones store and use, month by month. */
export function Page() {
  const [chosen, change] = useChosenUsage()
  const input = usageInput(chosen)
  const usage = useOperation(
    'getUsage',
    { ...input, per_page: 1 },
    { keepsPrevious: true, refetchEveryMs: 30_000 },
  )
  const now = new Date(usage.data?.DateFetched ?? Date.now())
  return (
    <>
      <PageHeader
        title={t('Usage')}
        lead={t('What zones store, deliver and have made, month by month.')}
      >
        <SaveButton period={usage.data?.Period} input={input} />
      </PageHeader>
      <MonthControls chosen={chosen} now={now} onChange={change} />
      <div className="stack">
        <QueryResult query={usage} label={t('The usage is loading')}>
          {(data) => <Compared usage={data} zone={chosen.zone} />}
        </QueryResult>
        {chosen.zone === '' && <ZoneTable input={input} />}
      </div>
    </>
  )
}

interface ComparedProps {
  readonly usage: Usage
  readonly zone: string
}

/** With the month before, as soon as it is there. */
function Compared({ usage, zone }: ComparedProps) {
  const input = formerInput(usage.Period, { zone, now: new Date(usage.DateFetched) })
  const former = useOperation('getUsage', input ?? {}, { isEnabled: input !== undefined })
  return <UsageChart usage={usage} former={input === undefined ? undefined : former.data} />
}

interface SaveButtonProps {
  readonly period: Usage['Period'] | undefined
  readonly input: UsageInput
}

function SaveButton({ period, input }: SaveButtonProps) {
  const [isBusy, setBusy] = useState(false)
  const save = () => {
    if (period === undefined) return
    setBusy(true)
    saveUsage(period, input)
      .catch((error: unknown) => toastFailure(error))
      .finally(() => setBusy(false))
  }
  return (
    <Button icon="download" isBusy={isBusy} disabled={period === undefined} onClick={save}>
      {t('Download as CSV')}
    </Button>
  )
}
