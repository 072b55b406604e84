import { useEffect, useId, useRef } from 'react'

import { t } from '../language/text.ts'
import type { PageName } from '../page-names.ts'
import type { PageGroup } from '../pages.ts'
import { Icon } from '../parts/icon.tsx'
import { Link, useSearch } from '../router.tsx'
import { useOpenGroups } from './open-groups.ts'
import { useOpenPages } from './open-pages.ts'
import { takesZone, ZoneSwitcher } from './zone-switcher.tsx'

interface NavigationProps {
  readonly current: PageName | undefined
  readonly onFollow?: () => void
}

export function Navigation(props: NavigationProps) {
  const { current, onFollow } = props
  const pages = useRef<HTMLElement>(null)
  const { isOpen, toggle } = useOpenGroups(current)
  useEffect(() => {
    pages.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' })
  }, [current])
  return (
    <>
      <ZoneSwitcher current={current} onSwitch={onFollow} />
      <nav ref={pages} aria-label={t('Pages')} className="navigation">
        {useOpenPages().map((group) => (
          <Group
            key={group.name}
            group={group}
            isOpen={isOpen(group.name)}
            onToggle={() => toggle(group.name)}
            {...props}
          />
        ))}
      </nav>
    </>
  )
}

/** The page of the navigation that leads to one of one thing. */
const outerOf = (page: PageName | undefined): PageName | undefined =>
  page === 'zone' ? 'zones' : page

interface GroupProps extends NavigationProps {
  readonly group: PageGroup
  readonly isOpen: boolean
  readonly onToggle: () => void
}

function Group({ group, isOpen, onToggle, current, onFollow }: GroupProps) {
  const id = useId()
  const [{ zone }] = useSearch()
  return (
    <>
      <h2>
        <button type="button" aria-expanded={isOpen} aria-controls={id} onClick={onToggle}>
          {group.title} <Icon name="right" />
        </button>
      </h2>
      <ul id={id} aria-label={group.title} hidden={!isOpen}>
        {group.pages.map(({ name, title, icon }) => (
          <li key={name}>
            <Link
              page={name}
              {...(takesZone(name) && zone !== undefined && { search: { zone } })}
              aria-current={name === outerOf(current) ? 'page' : undefined}
              onClick={() => onFollow?.()}
            >
              <Icon name={icon} /> {title}
            </Link>
          </li>
        ))}
      </ul>
    </>
  )
}
