import { useState } from 'react'

import { useChange } from '../api/queries.ts'
import { rich } from '../language/rich-text.tsx'
import { t } from '../language/text.ts'
import { Button } from '../parts/forms/button.tsx'
import { TextField } from '../parts/forms/field.tsx'
import { Failure } from '../parts/feedback/failure.tsx'
import { toast } from '../parts/feedback/toasts.tsx'
import type { Zone } from '../parts/one-zone.tsx'

/** A hundred years, as the service has it. */
const maxDays = 36_500

/** `null` for ever; `undefined` of what is no number of days. */
function daysIn(text: string): number | null | undefined {
  if (text === '') return null
  if (!/^[1-9]\d{0,4}$/u.test(text)) return undefined
  const days = Number(text)
  return days <= maxDays ? days : undefined
}

/** For how long the zone keeps what was replaced or deleted. */
export function RetentionSettings({ zone }: { readonly zone: Zone }) {
  const [text, setText] = useState(zone.HistoryDays === null ? '' : String(zone.HistoryDays))
  const save = useChange('updateZone', {
    changes: ['listZones'],
    onSuccess: () =>
      toast(t('How long the history of {name} is kept is saved.', { name: zone.Name })),
  })
  const days = daysIn(text)
  return (
    <form
      className="card stack narrow"
      onSubmit={(event) => {
        event.preventDefault()
        if (days !== undefined) save.mutate({ id: zone.Id, body: { HistoryDays: days } })
      }}
    >
      <h2>{t('How long it is kept')}</h2>
      {save.isError && <Failure error={save.error} />}
      <TextField
        label={t('Days')}
        hint={t(
          'At least so many days after a file was replaced or deleted it can be gone back to. Then its bytes go for good, with others, within a day and a tenth of that time; the log stays. Empty keeps everything.',
        )}
        inputMode="numeric"
        placeholder={t('for ever')}
        value={text}
        fault={
          days === undefined
            ? t('A whole number from 1 to {maxDays}, or nothing', { maxDays })
            : undefined
        }
        onChange={({ target }) => setText(target.value.trim())}
      />
      {zone.HistorySince !== null && (
        <p className="fine-print">
          {rich('What had ended before {date} may be gone.', {
            date: <time dateTime={zone.HistorySince}>{zone.HistorySince.slice(0, 10)}</time>,
          })}
        </p>
      )}
      <div className="row">
        <Button
          type="submit"
          kind="primary"
          needs={{ scope: 'zones:write', zone: zone.Name }}
          disabled={days === undefined || days === zone.HistoryDays}
          isBusy={save.isPending}
        >
          {t('Set days')}
        </Button>
      </div>
    </form>
  )
}
