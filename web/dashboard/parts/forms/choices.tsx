import { CheckField } from './field.tsx'

interface ChoicesProps<Value extends string> {
  readonly title: string
  readonly options: readonly { readonly value: Value; readonly label: string }[]
  readonly chosen: ReadonlySet<Value>
  readonly onChange: (chosen: ReadonlySet<Value>) => void
}

/** Any number of a few, all in view. */
export const Choices = <Value extends string>(props: ChoicesProps<Value>) => {
  const { title, options, chosen, onChange } = props
  return (
    <fieldset>
      <legend className="choices-title">{title}</legend>
      <div className="choices">
        {options.map(({ value, label }) => (
          <CheckField
            key={value}
            label={label}
            checked={chosen.has(value)}
            onChange={({ target }) =>
              onChange(
                target.checked
                  ? new Set([...chosen, value])
                  : new Set([...chosen].filter((each) => each !== value)),
              )
            }
          />
        ))}
      </div>
    </fieldset>
  )
}
