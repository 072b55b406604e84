import type { ReactNode } from 'react'

import { plural, t } from '../../language/text.ts'
import { Icon, type IconName } from '../../parts/icon.tsx'
import type { PreparedAction } from './prepared-action.ts'

type ActionOf<Name extends PreparedAction['action']> = Extract<
  PreparedAction,
  { readonly action: Name }
>

/** Of what somebody may confirm here. */
export interface ConfirmableProps<Name extends PreparedAction['action']> {
  readonly action: ActionOf<Name>
  /** What came of it, once it was confirmed. */
  readonly outcome: string | undefined
  readonly onDone: (outcome: string) => void
}

interface CardProps {
  readonly icon: IconName
  readonly title: string
  readonly children: ReactNode
}

export const Card = ({ icon, title, children }: CardProps) => (
  <section className="ask-action" aria-label={t('Prepared: {what}', { what: title })}>
    <h4>
      <Icon name={icon} /> {title}
    </h4>
    {children}
  </section>
)

/** What was confirmed, in a sentence. */
export const Outcome = ({ text }: { readonly text: string }) => (
  <p className="ask-outcome" role="status">
    <Icon name="check" /> {text}
  </p>
)

const shownItems = 5

/** The first of a list, and how many more there are. */
export const Items = ({ items }: { readonly items: readonly string[] }) => (
  <ul>
    {items.slice(0, shownItems).map((item) => (
      <li key={item}>
        <code>{item}</code>
      </li>
    ))}
    {items.length > shownItems && (
      <li>{plural(items.length - shownItems, { one: '{count} more', other: '{count} more' })}</li>
    )}
  </ul>
)
