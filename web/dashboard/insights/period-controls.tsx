import { useId, useState } from 'react'

import { t } from '../language/text.ts'
import { Button } from '../parts/forms/button.tsx'
import { SelectField } from '../parts/forms/field.tsx'
import { Segments } from '../parts/forms/segments.tsx'
import { ZoneSelect } from '../parts/forms/zone-select.tsx'
import { ownTimeZone } from '../parts/chart/chart-times.ts'
import type { Search } from '../page-parameters.ts'
import { type Chosen, periods, type Series, steps } from './chosen-period.ts'

interface PeriodControlsProps {
  readonly chosen: Chosen
  /** What is shown now; absent while the first loads. */
  readonly shown: Series['Period'] | undefined
  readonly onChange: (changes: Search) => void
}

const stepNames = { minute: t('Minutes'), hour: t('Hours'), day: t('Days') } as const
const stepMs = { minute: 60_000, hour: 3_600_000, day: 86_400_000 } as const
/** As the service bounds them. */
const maxBars = 400
const minutesKeptMs = 2 * 86_400_000

/** Which time is shown, of which zone, in which time zone, cut into what. */
export function PeriodControls({ chosen, shown, onChange }: PeriodControlsProps) {
  const isFree = chosen.from !== undefined
  const [isChoosing, setIsChoosing] = useState(false)
  return (
    <>
      <div className="toolbar">
        <Segments
          label={t('Period')}
          value={isFree || isChoosing ? 'free' : chosen.period}
          options={[...periods, { value: 'free', label: t('Custom') }]}
          onChange={(next) => {
            setIsChoosing(next === 'free')
            if (next !== 'free') onChange({ ...noPeriod, period: next })
          }}
        />
        <SelectField
          label={t('Bars')}
          value={chosen.step ?? shown?.Step ?? 'hour'}
          options={stepsFor(shown).map((step) => ({ value: step, label: stepNames[step] }))}
          onChange={(event) => onChange({ step: event.target.value })}
        />
        <SelectField
          label={t('Time zone')}
          value={chosen.timeZone === 'UTC' ? 'utc' : 'own'}
          options={[
            { value: 'own', label: ownTimeZone() },
            { value: 'utc', label: t('UTC') },
          ]}
          onChange={({ target }) => onChange({ time: target.value === 'utc' ? 'utc' : undefined })}
        />
        <ZoneSelect
          value={chosen.zone}
          all={t('All zones')}
          onChange={(zone) => onChange({ zone: zone === '' ? undefined : zone })}
        />
      </div>
      {(isFree || isChoosing) && (
        <FreePeriod
          key={`${shown?.From} ${chosen.timeZone}`}
          shown={shown}
          timeZone={chosen.timeZone}
          onChange={(from, to) => onChange({ ...noPeriod, from, to })}
        />
      )}
    </>
  )
}

export const noPeriod = {
  days: undefined,
  from: undefined,
  period: undefined,
  step: undefined,
  to: undefined,
} as const

/** Those that give neither too many bars nor one alone. */
function stepsFor(shown: Series['Period'] | undefined) {
  if (shown === undefined) return steps
  const length = Math.min(Date.now(), Date.parse(shown.To)) - Date.parse(shown.From)
  const areMinutesKept = Date.now() - Date.parse(shown.From) < minutesKeptMs
  return steps.filter(
    (step) =>
      step === shown.Step ||
      (length / stepMs[step] <= maxBars &&
        length / stepMs[step] > 1 &&
        (step !== 'minute' || areMinutesKept)),
  )
}

interface FreePeriodProps {
  readonly shown: Series['Period'] | undefined
  readonly timeZone: string
  readonly onChange: (from: string, to: string) => void
}

function FreePeriod({ shown, timeZone, onChange }: FreePeriodProps) {
  const id = useId()
  const [from, setFrom] = useState(fieldOf(shown?.From, timeZone))
  const [to, setTo] = useState(fieldOf(shown?.To, timeZone))
  const [begin, end] = [momentOf(from, timeZone), momentOf(to, timeZone)]
  const isWrong = begin !== undefined && end !== undefined && begin >= end
  return (
    <form
      className="period-fields"
      onSubmit={(event) => {
        event.preventDefault()
        if (begin !== undefined && end !== undefined && !isWrong)
          onChange(begin.toISOString(), end.toISOString())
      }}
    >
      <MomentField id={`${id}-from`} label={t('From')} value={from} onChange={setFrom} />
      <MomentField id={`${id}-to`} label={t('To')} value={to} onChange={setTo} />
      <Button type="submit" disabled={begin === undefined || end === undefined || isWrong}>
        {t('Show')}
      </Button>
      {isWrong && (
        <p role="alert" className="field-fault">
          {t('The end must be after the beginning.')}
        </p>
      )}
    </form>
  )
}

interface MomentFieldProps {
  readonly id: string
  readonly label: string
  readonly value: string
  readonly onChange: (value: string) => void
}

const MomentField = ({ id, label, value, onChange }: MomentFieldProps) => (
  <div className="field">
    <label htmlFor={id}>{label}</label>
    <input
      id={id}
      className="input"
      type="datetime-local"
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  </div>
)

/** As the field of a browser has it: without a zone, to the minute. */
function fieldOf(moment: string | undefined, timeZone: string): string {
  if (moment === undefined) return ''
  const time = new Date(Math.min(Date.parse(moment), Date.now()))
  const offsetMs = timeZone === 'UTC' ? 0 : time.getTimezoneOffset() * 60_000
  return new Date(time.getTime() - offsetMs).toISOString().slice(0, 16)
}

function momentOf(field: string, timeZone: string): Date | undefined {
  const moment = new Date(timeZone === 'UTC' ? `${field}Z` : field)
  return Number.isFinite(moment.getTime()) ? moment : undefined
}
