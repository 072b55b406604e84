import { useId } from 'react'
import { t } from '../language/text.ts'

interface SliderFieldProps {
  readonly label: string
  /** `rest` is what it is where nothing is said, and then nothing is said. */
  readonly range: {
    readonly min: number
    readonly max: number
    readonly rest: number
    readonly step: number
  }
  readonly value: string | undefined
  readonly isDisabled?: boolean
  readonly onChange: (value: string | undefined) => void
}

export function SliderField({
  label,
  range,
  value,
  isDisabled = false,
  onChange,
}: SliderFieldProps) {
  const id = useId()
  const shown = value ?? String(range.rest)
  return (
    <div className="field">
      <div className="spread">
        <label className="field-label" htmlFor={id}>
          {label}
        </label>
        <output className="fine-print" htmlFor={id}>
          {shown === '0' ? t('none') : shown}
        </output>
      </div>
      <input
        id={id}
        type="range"
        min={range.min}
        max={range.max}
        step={range.step}
        value={shown}
        disabled={isDisabled}
        onChange={({ target }) =>
          onChange(target.value === String(range.rest) ? undefined : target.value)
        }
      />
    </div>
  )
}
