import { useId } from 'react'

import type { PageName } from '../page-names.ts'
import { type PageGroup, pageGroups } from '../pages.ts'
import { Icon } from '../parts/icon.tsx'
import { Link } from '../router.tsx'

interface NavigationProps {
  readonly current: PageName | undefined
  readonly onFollow?: () => void
}

export const Navigation = (props: NavigationProps) => (
  <nav aria-label="Pages" className="navigation">
    {pageGroups.map((group) => (
      <Group key={group.title} group={group} {...props} />
    ))}
  </nav>
)

function Group({ group, current, onFollow }: NavigationProps & { readonly group: PageGroup }) {
  const id = useId()
  return (
    <>
      <h2 id={id}>{group.title}</h2>
      <ul aria-labelledby={id}>
        {group.pages.map(({ name, title, icon }) => (
          <li key={name}>
            <Link
              page={name}
              aria-current={name === current ? 'page' : undefined}
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
