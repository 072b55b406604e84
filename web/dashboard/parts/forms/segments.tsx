import { useId } from 'react'

import { Icon, type IconName } from '../icon.tsx'

interface SegmentsProps<Value extends string> {
  readonly label: string
  readonly value: Value
  readonly options: readonly {
    readonly value: Value
    readonly label: string
    readonly icon?: IconName
  }[]
  readonly onChange: (value: Value) => void
}

/** One of a few, all in view. */
export function Segments<Value extends string>(props: SegmentsProps<Value>) {
  const { label, value, options, onChange } = props
  const name = useId()
  return (
    <fieldset className="segments">
      <legend className="hidden-text">{label}</legend>
      {options.map((option) => (
        <label key={option.value}>
          <input
            type="radio"
            name={name}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.icon && <Icon name={option.icon} />}
          {option.label}
        </label>
      ))}
    </fieldset>
  )
}
