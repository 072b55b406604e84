import { useState } from 'react'

import { useChange } from '../../api/queries.ts'
import { t } from '../../language/text.ts'
import { Failure } from '../../parts/feedback/failure.tsx'
import { toast } from '../../parts/feedback/toasts.tsx'
import { Button } from '../../parts/forms/button.tsx'
import { SelectField, TextField } from '../../parts/forms/field.tsx'
import type { Zone } from '../../parts/one-zone.tsx'

const visionChoices = [
  { value: 'off', label: t('No model looks at them') },
  { value: 'suggest', label: t('Alternative texts and tags are suggested') },
  { value: 'apply', label: t('They are described where nobody has done it') },
] as const

const moderationChoices = [
  { value: 'off', label: t('Nothing is done') },
  { value: 'flag', label: t('Unfit ones are listed') },
  { value: 'hold', label: t('Unfit ones stay in their preview') },
] as const

interface Typed extends Pick<Zone, 'Vision' | 'Moderation'> {
  readonly languages: string
}

const typedOf = ({ Vision, Moderation, Languages }: Zone): Typed => ({
  Vision,
  Moderation,
  languages: Languages.join(', '),
})

const languagesIn = (text: string): string[] =>
  text.split(',').flatMap((tag) => (tag.trim() === '' ? [] : [tag.trim()]))

/** What comes of a model that sees the images of a zone. */
export function VisionSettings({ zone }: { readonly zone: Zone }) {
  const [{ languages, ...chosen }, setTyped] = useState(typedOf(zone))
  const save = useChange('updateZone', {
    changes: ['listZones'],
    onSuccess: () => toast(t('What a model does in {name} is saved.', { name: zone.Name })),
  })
  const body = { ...chosen, Languages: languagesIn(languages) }
  const isSame =
    body.Vision === zone.Vision &&
    body.Moderation === zone.Moderation &&
    body.Languages.join() === zone.Languages.join()
  return (
    <form
      className="card stack narrow"
      onSubmit={(event) => {
        event.preventDefault()
        save.mutate({ id: zone.Id, body })
      }}
    >
      <h2>{t('What a model sees in images')}</h2>
      <p className="fine-print">
        {t('Where the operator has set up a model that sees. Its descriptions may be wrong.')}
      </p>
      {save.isError && <Failure error={save.error} />}
      <Fields
        typed={{ ...chosen, languages }}
        onChange={(change) => setTyped({ ...chosen, languages, ...change })}
      />
      <div className="row">
        <Button
          type="submit"
          kind="primary"
          needs={{ scope: 'zones:write', zone: zone.Name }}
          disabled={isSame || body.Languages.length === 0}
          isBusy={save.isPending}
        >
          {t('Save descriptions')}
        </Button>
      </div>
    </form>
  )
}

interface FieldsProps {
  readonly typed: Typed
  readonly onChange: (change: Partial<Typed>) => void
}

const Fields = ({ typed: { Vision, Moderation, languages }, onChange }: FieldsProps) => (
  <>
    <SelectField
      label={t('Descriptions of images')}
      value={Vision}
      options={visionChoices}
      onChange={({ target }) =>
        onChange({
          Vision: visionChoices.find(({ value }) => value === target.value)?.value ?? 'suggest',
        })
      }
    />
    <TextField
      label={t('Languages of descriptions')}
      hint={t('Separated by commas, the most important first: en, de, pt-BR')}
      value={languages}
      onChange={({ target }) => onChange({ languages: target.value })}
    />
    <SelectField
      label={t('Images that not everybody should see')}
      value={Moderation}
      options={moderationChoices}
      onChange={({ target }) =>
        onChange({
          Moderation: moderationChoices.find(({ value }) => value === target.value)?.value ?? 'off',
        })
      }
    />
  </>
)
