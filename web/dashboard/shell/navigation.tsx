import { useId } from 'react'

import { t } from '../language/text.ts'
import type { PageName } from '../page-names.ts'
import { type PageGroup, pageGroups } from '../pages.ts'
import { Icon } from '../parts/icon.tsx'
import { useOwnScopes } from '../parts/use-self.ts'
import { Link, useSearch } from '../router.tsx'
import { takesZone, ZoneSwitcher } from './zone-switcher.tsx'

interface NavigationProps {
  readonly current: PageName | undefined
  readonly onFollow?: () => void
}

/** What a page is for nobody without: whoever follows a link there is told so by the page. */
const scopeByPage: Readonly<Partial<Record<PageName, string>>> = {
  upload: 'previews:write',
  purge: 'purge:write',
  erasures: 'people:write',
  logs: 'logs:read',
  audit: 'logs:read',
  people: 'people:read',
  webhooks: 'webhooks:read',
}

/** The pages that the roles of whoever looks open; an operator’s are all. */
function useOpenPages(): readonly PageGroup[] {
  const scopes = useOwnScopes()
  if (scopes === undefined) return pageGroups
  const isOpen = (name: PageName) => scopes.has(scopeByPage[name] ?? 'assets:read')
  return pageGroups.map((group) => ({
    ...group,
    pages: group.pages.filter(({ name }) => isOpen(name)),
  }))
}

export const Navigation = (props: NavigationProps) => (
  <>
    <ZoneSwitcher current={props.current} onSwitch={props.onFollow} />
    <nav aria-label={t('Pages')} className="navigation">
      {useOpenPages().map((group) => (
        <Group key={group.title} group={group} {...props} />
      ))}
    </nav>
  </>
)

/** The page of the navigation that leads to one of one thing. */
const outerOf = (page: PageName | undefined): PageName | undefined =>
  page === 'zone' ? 'zones' : page

function Group({ group, current, onFollow }: NavigationProps & { readonly group: PageGroup }) {
  const id = useId()
  const [{ zone }] = useSearch()
  return (
    <>
      <h2 id={id}>{group.title}</h2>
      <ul aria-labelledby={id}>
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
