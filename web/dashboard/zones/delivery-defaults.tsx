import { useState } from 'react'

import { useChange } from '../api/queries.ts'
import { t } from '../language/text.ts'
import { Button } from '../parts/forms/button.tsx'
import { Failure } from '../parts/feedback/failure.tsx'
import { SelectField, TextField } from '../parts/forms/field.tsx'
import { toast } from '../parts/feedback/toasts.tsx'
import type { Zone } from '../parts/one-zone.tsx'

/** A year: more means no more to a cache. */
const maxSeconds = 31_536_000

/** `null` as by default; `undefined` of what is no number of seconds. */
function secondsIn(text: string): number | null | undefined {
  if (text === '') return null
  if (!/^\d{1,8}$/u.test(text)) return undefined
  const seconds = Number(text)
  return seconds <= maxSeconds ? seconds : undefined
}

const metadataChoices = [
  { value: '', label: t('Nothing (default)') },
  { value: 'none', label: t('Nothing, set for this zone') },
  { value: 'copyright', label: t('Creator and copyright') },
  { value: 'all', label: t('All, with where it was taken') },
] as const

const transformChoices = [
  { value: 'open', label: t('Every parameter') },
  { value: 'named-only', label: t('Named transforms and the usual widths') },
  { value: 'signed', label: t('None') },
] as const

type Metadata = (typeof metadataChoices)[number]['value']
type Transforms = (typeof transformChoices)[number]['value']

interface Typed {
  readonly lifetime: string
  readonly metadata: Metadata
  readonly transforms: Transforms
}

const typedOf = (zone: Zone): Typed => ({
  lifetime: zone.CacheLifetime?.toString() ?? '',
  metadata: zone.Metadata ?? '',
  transforms: zone.Transforms,
})

/** What holds for the files and images of a zone where no rule and no parameter says more. */
export function DeliveryDefaults({ zone }: { readonly zone: Zone }) {
  const [typed, setTyped] = useState(typedOf(zone))
  const save = useChange('updateZone', {
    changes: ['listZones'],
    onSuccess: () => toast(t('How {name} is delivered is saved.', { name: zone.Name })),
  })
  const { metadata, transforms } = typed
  const seconds = secondsIn(typed.lifetime)
  const Metadata = metadata === '' ? null : metadata
  const isSame =
    seconds === zone.CacheLifetime && Metadata === zone.Metadata && transforms === zone.Transforms
  return (
    <form
      className="card stack narrow"
      onSubmit={(event) => {
        event.preventDefault()
        if (seconds === undefined) return
        const body = { CacheLifetime: seconds, Metadata, Transforms: transforms }
        save.mutate({ id: zone.Id, body })
      }}
    >
      <h2>{t('Delivery')}</h2>
      {save.isError && <Failure error={save.error} />}
      <Fields typed={typed} onChange={(change) => setTyped({ ...typed, ...change })} />
      <div className="row">
        <Button
          type="submit"
          kind="primary"
          needs={{ scope: 'zones:write', zone: zone.Name }}
          disabled={seconds === undefined || isSame}
          isBusy={save.isPending}
        >
          {t('Save delivery')}
        </Button>
      </div>
    </form>
  )
}

interface FieldsProps {
  readonly typed: Typed
  readonly onChange: (change: Partial<Typed>) => void
}

const Fields = ({ typed: { lifetime, metadata, transforms }, onChange }: FieldsProps) => (
  <>
    <TextField
      label={t('Cache lifetime, in seconds')}
      hint={t(
        'For so long browsers use a file or an image without asking, where no rule says otherwise. 0 has them compare each time; empty is a minute.',
      )}
      inputMode="numeric"
      placeholder="60"
      value={lifetime}
      fault={
        secondsIn(lifetime) === undefined
          ? t('A whole number from 0 to {maxSeconds}, or nothing', { maxSeconds })
          : undefined
      }
      onChange={({ target }) => onChange({ lifetime: target.value.trim() })}
    />
    <SelectField
      label={t('What images keep of their metadata')}
      hint={t('Where the parameter metadata is not in the URL.')}
      value={metadata}
      options={metadataChoices}
      onChange={({ target }) =>
        onChange({
          metadata: metadataChoices.find(({ value }) => value === target.value)?.value ?? '',
        })
      }
    />
    <SelectField
      label={t('Transforms that need no signature')}
      value={transforms}
      options={transformChoices}
      onChange={({ target }) =>
        onChange({
          transforms: transformChoices.find(({ value }) => value === target.value)?.value ?? 'open',
        })
      }
    />
  </>
)
