import { useState } from 'react'

import { useChange } from '../api/queries.ts'
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
    onSuccess: () => toast(`How long the history of ${zone.Name} is kept is saved.`),
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
      <h2>How long it is kept</h2>
      {save.isError && <Failure error={save.error} />}
      <TextField
        label="Days"
        hint="At least so many days after a file was replaced or deleted it can be gone back to. Then its bytes go for good, with others, within a day and a tenth of that time; the log stays. Empty keeps everything."
        inputMode="numeric"
        placeholder="for ever"
        value={text}
        fault={days === undefined ? `A whole number from 1 to ${maxDays}, or nothing` : undefined}
        onChange={({ target }) => setText(target.value.trim())}
      />
      {zone.HistorySince !== null && (
        <p className="fine-print">
          What had ended before{' '}
          <time dateTime={zone.HistorySince}>{zone.HistorySince.slice(0, 10)}</time> may be gone.
        </p>
      )}
      <div className="row">
        <Button
          type="submit"
          kind="primary"
          disabled={days === undefined || days === zone.HistoryDays}
          isBusy={save.isPending}
        >
          Set days
        </Button>
      </div>
    </form>
  )
}
