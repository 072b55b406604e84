import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react'

interface Described {
  readonly label: string
  readonly hint?: ReactNode
  /** What is wrong with it. */
  readonly fault?: string | undefined
}

interface Ids {
  readonly id: string
  readonly 'aria-describedby'?: string
  readonly 'aria-invalid'?: true
}

/** A label above its control, what it means and what is wrong with it below; all read out together. */
function Frame({
  label,
  hint,
  fault,
  children,
}: Described & { readonly children: (ids: Ids) => ReactNode }) {
  const id = useId()
  const described = [...(hint ? [`${id}-hint`] : []), ...(fault ? [`${id}-fault`] : [])]
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        ...(described.length > 0 ? { 'aria-describedby': described.join(' ') } : {}),
        ...(fault ? { 'aria-invalid': true } : {}),
      })}
      {hint && (
        <p className="field-hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      {fault && (
        <p className="field-fault" id={`${id}-fault`} role="alert">
          {fault}
        </p>
      )}
    </div>
  )
}

type TextProps = Described & InputHTMLAttributes<HTMLInputElement>

export const TextField = ({ label, hint, fault, ...rest }: TextProps) => (
  <Frame label={label} hint={hint} fault={fault}>
    {(ids) => <input type="text" className="input" {...rest} {...ids} />}
  </Frame>
)

type AreaProps = Described & TextareaHTMLAttributes<HTMLTextAreaElement>

export const AreaField = ({ label, hint, fault, ...rest }: AreaProps) => (
  <Frame label={label} hint={hint} fault={fault}>
    {(ids) => <textarea className="input" {...rest} {...ids} />}
  </Frame>
)

interface SelectProps extends Described, SelectHTMLAttributes<HTMLSelectElement> {
  readonly options: readonly { readonly value: string; readonly label: string }[]
}

export const SelectField = ({ label, hint, fault, options, ...rest }: SelectProps) => (
  <Frame label={label} hint={hint} fault={fault}>
    {(ids) => (
      <select className="input" {...rest} {...ids}>
        {options.map(({ value, label: text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    )}
  </Frame>
)

interface CheckProps extends InputHTMLAttributes<HTMLInputElement> {
  readonly label: ReactNode
}

export const CheckField = ({ label, ...rest }: CheckProps) => (
  <label className="check">
    <input type="checkbox" {...rest} />
    <span>{label}</span>
  </label>
)
