import { t } from '../language/text.ts'
import type { Search } from '../page-parameters.ts'
import { IconButton } from '../parts/forms/button.tsx'
import { SelectField } from '../parts/forms/field.tsx'
import { ZoneSelect } from '../parts/forms/zone-select.tsx'
import { type ChosenUsage, monthName, monthsUntil } from './chosen-usage.ts'

interface MonthControlsProps {
  readonly chosen: ChosenUsage
  readonly now: Date
  readonly onChange: (changes: Search) => void
}

/** Which month is shown, and of which zone. */
export function MonthControls({ chosen, now, onChange }: MonthControlsProps) {
  const months = monthsUntil(now)
  const place = Math.max(0, chosen.month === undefined ? 0 : months.indexOf(chosen.month))
  const goTo = (next: number): void => onChange({ month: next === 0 ? undefined : months[next] })
  return (
    <div className="toolbar">
      <div className="month-switch">
        <IconButton
          icon="left"
          label={t('The month before')}
          disabled={place >= months.length - 1}
          onClick={() => goTo(place + 1)}
        />
        <SelectField
          label={t('Month')}
          value={months[place]}
          options={months.map((month) => ({ value: month, label: monthName(month) }))}
          onChange={({ target }) => goTo(months.indexOf(target.value))}
        />
        <IconButton
          icon="right"
          label={t('The month after')}
          disabled={place === 0}
          onClick={() => goTo(place - 1)}
        />
      </div>
      <ZoneSelect
        value={chosen.zone}
        all={t('All zones')}
        onChange={(zone) => onChange({ zone: zone === '' ? undefined : zone })}
      />
    </div>
  )
}
