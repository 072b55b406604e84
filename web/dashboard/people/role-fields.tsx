import { useOperation } from '../api/queries.ts'
import { t } from '../language/text.ts'
import { Choices } from '../parts/forms/choices.tsx'
import { SelectField } from '../parts/forms/field.tsx'
import { type GivenRole, type Role, roleChoices } from './roles.ts'

/** A role that somebody is about to give. */
export interface RoleWish {
  readonly role: Role
  /** None: in all zones. */
  readonly zones: ReadonlySet<string>
}

export const givenRole = ({ role, zones }: RoleWish): GivenRole => ({
  role,
  zones: zones.size === 0 ? null : [...zones],
})

interface RoleFieldsProps {
  readonly value: RoleWish
  readonly onChange: (value: RoleWish) => void
}

export function RoleFields({ value, onChange }: RoleFieldsProps) {
  const zones = useOperation('listZones', {})
  return (
    <>
      <SelectField
        label={t('Role')}
        value={value.role}
        options={roleChoices}
        onChange={(event) => {
          const found = roleChoices.find((each) => each.value === event.target.value)
          if (found !== undefined) onChange({ ...value, role: found.value })
        }}
      />
      {zones.data !== undefined && zones.data.length > 0 && (
        <Choices
          title={t('Zones (none chosen: all)')}
          options={zones.data.map(({ Name }) => ({ value: Name, label: Name }))}
          chosen={value.zones}
          onChange={(chosen) => onChange({ ...value, zones: chosen })}
        />
      )}
    </>
  )
}
