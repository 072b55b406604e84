import { useOperation } from '../../api/queries.ts'
import { t } from '../../language/text.ts'
import { SelectField } from './field.tsx'

interface ZoneSelectProps {
  /** Empty for all zones. */
  readonly value: string
  readonly onChange: (zone: string) => void
  /** Said for the choice of all zones; left out where one has to be chosen. */
  readonly all?: string
}

/** One of the zones, by name. */
export function ZoneSelect({ value, onChange, all }: ZoneSelectProps) {
  const zones = useOperation('listZones', {})
  const names = zones.data?.map(({ Name }) => Name) ?? []
  return (
    <SelectField
      label={t('Zone')}
      value={value}
      options={[
        ...(all === undefined ? [] : [{ value: '', label: all }]),
        ...names.map((name) => ({ value: name, label: name })),
      ]}
      onChange={(event) => onChange(event.target.value)}
    />
  )
}
