import { useOperation } from '../api/queries.ts'
import { t } from '../language/text.ts'
import { Button } from '../parts/forms/button.tsx'
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

interface RoleListProps {
  readonly value: readonly RoleWish[]
  readonly onChange: (value: readonly RoleWish[]) => void
}

/** Roles of one person, each in zones of its own. */
export function RoleList({ value, onChange }: RoleListProps) {
  const next = roleChoices.find(({ value: role }) => !value.some((each) => each.role === role))
  return (
    <>
      {value.map((wish, index) => (
        <fieldset key={wish.role} className="role-wish stack">
          <legend className="hidden-text">{t('Role {number}', { number: index + 1 })}</legend>
          <RoleFields
            value={wish}
            taken={value.flatMap(({ role }) => (role === wish.role ? [] : [role]))}
            onChange={(changed) => onChange(value.with(index, changed))}
          />
          {value.length > 1 && (
            <div>
              <Button
                kind="quiet"
                icon="trash"
                onClick={() => onChange(value.filter((each) => each !== wish))}
              >
                {t('Take this role away')}
              </Button>
            </div>
          )}
        </fieldset>
      ))}
      {next !== undefined && (
        <div>
          <Button
            kind="quiet"
            icon="plus"
            onClick={() => onChange([...value, { role: next.value, zones: new Set() }])}
          >
            {t('Add another role')}
          </Button>
        </div>
      )}
    </>
  )
}

interface RoleFieldsProps {
  /** Roles that the person has besides, elsewhere. */
  readonly taken: readonly Role[]
  readonly value: RoleWish
  readonly onChange: (value: RoleWish) => void
}

function RoleFields({ value, taken, onChange }: RoleFieldsProps) {
  const zones = useOperation('listZones', {})
  return (
    <>
      <SelectField
        label={t('Role')}
        value={value.role}
        options={roleChoices.filter((each) => !taken.includes(each.value))}
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
