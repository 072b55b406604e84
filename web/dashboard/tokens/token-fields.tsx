import { useOperation } from '../api/queries.ts'
import { Choices } from '../parts/forms/choices.tsx'
import { SelectField, TextField } from '../parts/forms/field.tsx'
import { type Scope, scopeTexts } from './scopes.ts'

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
  { value: '7', label: '7 days' },
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'a year' },
] as const

export function TokenFields({ value, onChange }: TokenFieldsProps) {
  const zones = useOperation('listZones', {})
  return (
    <>
      <TextField
        label="Name"
        value={value.name}
        autoComplete="off"
        hint="What uses it, e.g. build server."
        onChange={(event) => onChange({ ...value, name: event.target.value })}
      />
      <Choices
        title="It may"
        options={scopeTexts.map(({ scope, text }) => ({ value: scope, label: text }))}
        chosen={value.scopes}
        onChange={(scopes) => onChange({ ...value, scopes })}
      />
      {zones.data !== undefined && zones.data.length > 0 && (
        <Choices
          title="Only in these zones (none chosen: in all)"
          options={zones.data.map(({ Name }) => ({ value: Name, label: Name }))}
          chosen={value.zones}
          onChange={(chosen) => onChange({ ...value, zones: chosen })}
        />
      )}
      <SelectField
        label="It expires after"
        value={value.days}
        options={lifetimes}
        onChange={(event) => onChange({ ...value, days: event.target.value })}
      />
    </>
  )
}
