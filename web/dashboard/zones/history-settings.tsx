import { useState } from 'react'

import { useChange } from '../api/queries.ts'
import { Button } from '../parts/forms/button.tsx'
import { Failure } from '../parts/feedback/failure.tsx'
import { toast } from '../parts/feedback/toasts.tsx'
import type { Zone } from '../parts/one-zone.tsx'

type Setting = Zone['History']

const choices: readonly {
  readonly value: Setting
  readonly title: string
  readonly hint: string
}[] = [
  {
    value: 'off',
    title: 'Nobody',
    hint: 'Only who signs in here, or has a key or token for the zone, sees what it had.',
  },
  {
    value: 'signed',
    title: 'Whoever has a signed URL',
    hint: 'Links that you sign, with an end of their own.',
  },
  {
    value: 'public',
    title: 'Everybody',
    hint: 'Each commit has an address that never changes, so a page can be pinned to it.',
  },
]

/** Who else gets files as a former commit has them. */
export function HistorySettings({ zone }: { readonly zone: Zone }) {
  const [chosen, setChosen] = useState<Setting>(zone.History)
  const save = useChange('updateZone', {
    changes: ['listZones'],
    onSuccess: () => toast(`Who sees the history of ${zone.Name} is saved.`),
  })
  return (
    <form
      className="card stack narrow"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate({ id: zone.Id, body: { History: chosen } })
      }}
    >
      <h2>History</h2>
      {save.isError && <Failure error={save.error} />}
      <fieldset className="stack">
        <legend className="choices-title">
          Who may ask for former files, at <code>{`/@<commit>/${zone.Name}/v1/…`}</code>
        </legend>
        {choices.map(({ value, title, hint }) => (
          <label key={value} className="check">
            <input
              type="radio"
              name="history"
              checked={chosen === value}
              onChange={() => setChosen(value)}
            />
            <span>
              {title}
              <span className="fine-print choice-hint">{hint}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <p className="fine-print">
        What is private, suspended, expired or erased stays so, whatever is said here.
      </p>
      <div className="row">
        <Button
          type="submit"
          kind="primary"
          disabled={chosen === zone.History}
          isBusy={save.isPending}
        >
          Save
        </Button>
      </div>
    </form>
  )
}
