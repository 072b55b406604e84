import { useState } from 'react'

import { useChange } from '../api/queries.ts'
import { rich } from '../language/rich-text.tsx'
import { t } from '../language/text.ts'
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
    title: t('Nobody'),
    hint: t('Only who signs in here, or has a key or token for the zone, sees what it had.'),
  },
  {
    value: 'signed',
    title: t('Whoever has a signed URL'),
    hint: t('Links that you sign, with an end of their own.'),
  },
  {
    value: 'public',
    title: t('Everybody'),
    hint: t('Each commit has a URL that never changes, so a page can be pinned to it.'),
  },
]

/** Who else gets files as a former commit has them. */
export function HistorySettings({ zone }: { readonly zone: Zone }) {
  const [chosen, setChosen] = useState<Setting>(zone.History)
  const save = useChange('updateZone', {
    changes: ['listZones'],
    onSuccess: () => toast(t('Who sees the history of {name} is saved.', { name: zone.Name })),
  })
  return (
    <form
      className="card stack narrow"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate({ id: zone.Id, body: { History: chosen } })
      }}
    >
      <h2>{t('History')}</h2>
      {save.isError && <Failure error={save.error} />}
      <fieldset className="stack">
        <legend className="choices-title">
          {rich('Who may ask for former files, at {address}', {
            address: <code>{t('/@<commit>/{name}/v1/…', { name: zone.Name })}</code>,
          })}
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
        {t('What is private, suspended, expired or erased stays so, whatever is said here.')}
      </p>
      <div className="row">
        <Button
          type="submit"
          kind="primary"
          needs={{ scope: 'zones:write', zone: zone.Name }}
          disabled={chosen === zone.History}
          isBusy={save.isPending}
        >
          {t('Save')}
        </Button>
      </div>
    </form>
  )
}
