import { t } from '../../language/text.ts'
import { useSearch } from '../../router.tsx'
import { SelectField } from './field.tsx'

const periods = [
  { value: '1', label: t('Today') },
  { value: '7', label: t('7 days') },
  { value: '30', label: t('30 days') },
  { value: '90', label: t('90 days') },
]
const usualDays = 7

/** The period of the URL, in days with today among them, and the way to change it. */
export function usePeriod(): readonly [number, (days: number) => void] {
  const [{ days }, change] = useSearch()
  const known = periods.find(({ value }) => value === days)
  return [known ? Number(known.value) : usualDays, (next) => change({ days: String(next) })]
}

interface PeriodSelectProps {
  readonly days: number
  readonly onChange: (days: number) => void
}

export const PeriodSelect = ({ days, onChange }: PeriodSelectProps) => (
  <SelectField
    label={t('Period')}
    value={String(days)}
    options={periods}
    onChange={(event) => onChange(Number(event.target.value))}
  />
)
