import { type KeyboardEvent, useId, useRef } from 'react'

import { mayOf, type Need } from '../access/may.ts'
import { useOwnReach } from '../access/use-may.ts'
import { Button } from './button.tsx'
import { Icon, type IconName } from '../icon.tsx'

export interface MenuAction {
  readonly icon: IconName
  readonly label: string
  /** Where it leads; else `run` says what it does. */
  readonly href?: string
  /** In a tab of its own, or as a file to keep. */
  readonly opens?: 'tab' | 'download'
  readonly run?: () => void
  readonly isDanger?: boolean
  /** What whoever takes it must be allowed; it says so to those who are not. */
  readonly needs?: Need
}

interface ActionMenuProps {
  readonly label: string
  readonly actions: readonly MenuAction[]
}

/** All that can be done with something, below one button. Arrows move in it, Escape closes it. */
export function ActionMenu({ label, actions }: ActionMenuProps) {
  const id = useId()
  const menu = useRef<HTMLDivElement>(null)
  const close = () => menu.current?.hidePopover()
  return (
    <>
      <Button icon="down" popoverTarget={id} aria-haspopup="true">
        {label}
      </Button>
      <div
        ref={menu}
        id={id}
        popover="auto"
        role="group"
        aria-label={label}
        className="action-menu"
        onKeyDown={moveInMenu}
        onToggle={({ newState, currentTarget }) => {
          if (newState === 'open') placesIn(currentTarget)[0]?.focus()
        }}
      >
        <ul>
          {actions.map((action) => (
            <li key={action.label}>
              <MenuItem action={action} onDone={close} />
            </li>
          ))}
        </ul>
      </div>
    </>
  )
}

interface MenuItemProps {
  readonly action: MenuAction
  readonly onDone: () => void
}

function MenuItem({ action, onDone }: MenuItemProps) {
  const { icon, label, href, opens, run, isDanger = false, needs } = action
  const reach = useOwnReach()
  const whyNot = needs && mayOf(reach, needs).whyNot
  const className = isDanger ? 'is-danger' : undefined
  const face = (
    <>
      <Icon name={icon} /> {label}
    </>
  )
  if (href === undefined)
    return (
      <button
        type="button"
        className={className}
        aria-disabled={whyNot !== undefined}
        title={whyNot}
        onClick={() => {
          if (whyNot !== undefined) return
          onDone()
          run?.()
        }}
      >
        {face}
      </button>
    )
  return (
    <a
      href={href}
      className={className}
      onClick={onDone}
      {...(opens === 'tab' && { target: '_blank', rel: 'noreferrer' })}
      {...(opens === 'download' && { download: '' })}
    >
      {face}
    </a>
  )
}

const placesIn = (menu: HTMLElement): readonly HTMLElement[] => [
  ...menu.querySelectorAll<HTMLElement>('a, button'),
]

const steps: Readonly<Record<string, (at: number, last: number) => number>> = {
  ArrowDown: (at, last) => (at === last ? 0 : at + 1),
  ArrowUp: (at, last) => (at <= 0 ? last : at - 1),
  Home: () => 0,
  End: (_, last) => last,
}

function moveInMenu(event: KeyboardEvent<HTMLElement>): void {
  const step = steps[event.key]
  if (step === undefined) return
  event.preventDefault()
  const places = placesIn(event.currentTarget)
  const at = places.findIndex((place) => place === document.activeElement)
  places[step(at, places.length - 1)]?.focus()
}
