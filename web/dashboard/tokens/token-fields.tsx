import { useOperation } from '../api/queries.ts'
import { t } from '../language/text.ts'
import { Choices } from '../parts/forms/choices.tsx'
import { SelectField, TextField } from '../parts/forms/field.tsx'
import { Button } from '../parts/forms/button.tsx'
import { type Scope, scopeTexts } from './scopes.ts'
import { tokenTemplates } from './templates.ts'

/** A token that somebody is about to create. */
export interface TokenWish {
  readonly name: string
  /** How many days it lives, as a choice of the form. */
  readonly days: string
  readonly scopes: ReadonlySet<Scope>
  /** None: in all zones. */
  readonly zones: ReadonlySet<string>
}

interface TokenFieldsProps {
  readonly value: TokenWish
  readonly onChange: (value: TokenWish) => void
}

const lifetimes = [
  { value: '7', label: t('7 days') },
  { value: '30', label: t('30 days') },
  { value: '90', label: t('90 days') },
  { value: '365', label: t('a year') },
] as const

export function TokenFields({ value, onChange }: TokenFieldsProps) {
  const zones = useOperation('listZones', {})
  return (
    <>
      <TextField
        label={t('Name')}
        value={value.name}
        autoComplete="off"
        hint={t('What uses it, e.g. build server.')}
        onChange={(event) => onChange({ ...value, name: event.target.value })}
      />
      <fieldset>
        <legend className="choices-title">{t('Begin with')}</legend>
        <div className="row">
          {tokenTemplates.map(({ title, text, scopes }) => (
            <Button
              key={title}
              title={text}
              onClick={() =>
                onChange({ ...value, name: value.name || title, scopes: new Set(scopes) })
              }
            >
              {title}
            </Button>
          ))}
        </div>
      </fieldset>
      <Choices
        title={t('Permissions')}
        options={scopeTexts.map(({ scope, text }) => ({
          value: scope,
          label: `${text} (${scope})`,
        }))}
        chosen={value.scopes}
        onChange={(scopes) => onChange({ ...value, scopes })}
      />
      {zones.data !== undefined && zones.data.length > 0 && (
        <Choices
          title={t('Zones (none chosen: all)')}
          options={zones.data.map(({ Name }) => ({ value: Name, label: Name }))}
          chosen={value.zones}
          onChange={(chosen) => onChange({ ...value, zones: chosen })}
        />
      )}
      <SelectField
        label={t('Expires after')}
        value={value.days}
        options={lifetimes}
        onChange={(event) => onChange({ ...value, days: event.target.value })}
      />
    </>
  )
}
