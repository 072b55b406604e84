import type { PageName } from '../page-names.ts'
import { type PageGroup, pageGroups } from '../pages.ts'
import { useOwnScopes } from '../parts/use-self.ts'

/** What a page is for nobody without: whoever follows a link there is told so by the page. */
const scopeByPage: Readonly<Partial<Record<PageName, string>>> = {
  upload: 'previews:write',
  purge: 'purge:write',
  erasures: 'people:write',
  logs: 'logs:read',
  audit: 'logs:read',
  health: 'health:read',
  notifications: 'health:read',
  backups: 'backups:read',
  people: 'people:read',
  webhooks: 'webhooks:read',
}

/** The pages that the roles of whoever looks open; an operator’s are all. */
export function useOpenPages(): readonly PageGroup[] {
  const scopes = useOwnScopes()
  if (scopes === undefined) return pageGroups
  const isOpen = (name: PageName) => scopes.has(scopeByPage[name] ?? 'assets:read')
  return pageGroups.map((group) => ({
    ...group,
    pages: group.pages.filter(({ name }) => isOpen(name)),
  }))
}
