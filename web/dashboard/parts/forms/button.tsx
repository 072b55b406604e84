import type { ButtonHTMLAttributes } from 'react'

import { Icon, type IconName } from '../icon.tsx'

interface ButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  /** `primary` is what the page is for; `danger` cannot be taken back. */
  readonly kind?: 'primary' | 'plain' | 'danger' | 'quiet'
  readonly icon?: IconName
  /** Stays in the tab order, so that focus is not lost, but does nothing. */
  readonly isBusy?: boolean
}

export function Button({
  kind = 'plain',
  icon,
  isBusy = false,
  type = 'button',
  children,
  onClick,
  className = '',
  ...rest
}: ButtonProps) {
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

interface IconButtonProps extends ButtonHTMLAttributes<HTMLButtonElement> {
  readonly icon: IconName
  /** What it does, for those who do not see the sign. */
  readonly label: string
  /** Said beside the sign where there is room; the label begins with it. */
  readonly word?: string
}

export const IconButton = ({ icon, label, word, className = '', ...rest }: IconButtonProps) => (
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
