import type { ButtonHTMLAttributes, MouseEvent } from 'react'

import { Icon, type IconName } from '../icon.tsx'
import type { Need } from '../access/may.ts'
import { useMay } from '../access/use-may.ts'

interface Refusable {
  /** What whoever presses it must be allowed; it says so to those who are not. */
  readonly needs?: Need | undefined
}

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement>, Refusable {
  /** `primary` is what the page is for; `danger` cannot be taken back. */
  readonly kind?: 'primary' | 'plain' | 'danger' | 'quiet'
  readonly icon?: IconName
  /** Stays in the tab order, so that focus is not lost, but does nothing. */
  readonly isBusy?: boolean
}

export const Button = ({ needs, ...rest }: ButtonProps) =>
  needs === undefined ? <FreeButton {...rest} /> : <NeedingButton needs={needs} {...rest} />

function NeedingButton({ needs, ...rest }: ButtonProps & { readonly needs: Need }) {
  const { whyNot } = useMay(needs.scope, needs.zone)
  return <FreeButton {...rest} {...(whyNot !== undefined && refused(whyNot))} />
}

/** Can be reached and says why it does nothing. A form is not sent by it. */
const refused = (whyNot: string) =>
  ({
    'aria-disabled': true,
    'data-refused': true,
    disabled: false,
    title: whyNot,
    onClick: (event: MouseEvent) => event.preventDefault(),
  }) as const

function FreeButton({
  kind = 'plain',
  icon,
  isBusy = false,
  type = 'button',
  children,
  onClick,
  className = '',
  ...rest
}: Omit<ButtonProps, 'needs'>) {
  return (
    <button
      type={type}
      className={`button button-${kind} ${className}`}
      aria-disabled={isBusy || undefined}
      onClick={(event) => {
        if (isBusy) event.preventDefault()
        else onClick?.(event)
      }}
      {...rest}
    >
      {isBusy ? <span className="spinner" aria-hidden="true" /> : icon && <Icon name={icon} />}
      {children}
    </button>
  )
}

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement>, Refusable {
  readonly icon: IconName
  /** What it does, for those who do not see the sign. */
  readonly label: string
  /** Said beside the sign where there is room; the label begins with it. */
  readonly word?: string
}

export const IconButton = ({ needs, ...rest }: IconButtonProps) =>
  needs === undefined ? <FreeIconButton {...rest} /> : <NeedingIconButton needs={needs} {...rest} />

function NeedingIconButton({ needs, ...rest }: IconButtonProps & { readonly needs: Need }) {
  const { whyNot } = useMay(needs.scope, needs.zone)
  return <FreeIconButton {...rest} {...(whyNot !== undefined && refused(whyNot))} />
}

const FreeIconButton = ({
  icon,
  label,
  word,
  className = '',
  ...rest
}: Omit<IconButtonProps, 'needs'>) => (
  <button
    type="button"
    className={`icon-button ${className}`}
    aria-label={label}
    title={label}
    {...rest}
  >
    <Icon name={icon} />
    {word !== undefined && <span className="action-word">{word}</span>}
  </button>
)
