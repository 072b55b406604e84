import { type AnchorHTMLAttributes, type MouseEvent, useMemo, useSyncExternalStore } from 'react'

import { type PageName, pageNames } from './page-names.ts'
import type { Search, SearchOf } from './page-parameters.ts'

const base = '/dashboard/'
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  window.addEventListener('popstate', listener)
  return () => {
    listeners.delete(listener)
    window.removeEventListener('popstate', listener)
  }
}

/** The address of a page, with what it shows in its query. */
function urlOfPage(page: PageName, search: Search = {}): string {
  const fields = new URLSearchParams()
  for (const [name, value] of Object.entries(search))
    if (value !== undefined && value !== '') fields.set(name, value)
  const path = page === 'overview' ? base : base + page
  return fields.size === 0 ? path : `${path}?${fields.toString()}`
}

interface NavigateOptions {
  /** In place of the present address: for what is typed letter by letter. */
  readonly replaces?: boolean
}

function navigate(url: string, { replaces = false }: NavigateOptions = {}): void {
  if (url === location.pathname + location.search) return
  history[replaces ? 'replaceState' : 'pushState'](null, '', url)
  for (const listener of listeners) listener()
}

/** Where a page is, below `/`. */
export const hrefOf = <Page extends PageName>(page: Page, search?: SearchOf<Page>): string =>
  urlOfPage(page, search)

/** Goes where a link would, to a page of the dashboard or away from it. */
export function goToHref(href: string): void {
  const isPage = pageOf(href.split(/[?#]/u, 1)[0] ?? '') !== undefined
  if (isPage) navigate(href)
  else location.assign(href)
}

/** Shows another page, as a link to it would. */
export const goTo = <Page extends PageName>(page: Page, search?: SearchOf<Page>): void =>
  navigate(urlOfPage(page, search))

/** The page of the address, or `undefined` where there is none. */
export function usePage(): PageName | undefined {
  return pageOf(useSyncExternalStore(subscribe, () => location.pathname))
}

/** The page at a path, or `undefined` where there is none. */
export function pageOf(path: string): PageName | undefined {
  if (!path.startsWith(base)) return undefined
  const name = path.slice(base.length)
  return name === '' ? 'overview' : pageNames.find((each) => each === name)
}

/** What the page shows, kept in the address, so that it can be sent to somebody else. */
export function useSearch(): readonly [
  Search,
  (changes: Search, options?: NavigateOptions) => void,
] {
  const text = useSyncExternalStore(subscribe, () => location.search)
  return useMemo(() => {
    const search: Search = Object.fromEntries(new URLSearchParams(text))
    return [search, changeSearch] as const
  }, [text])
}

function changeSearch(changes: Search, options?: NavigateOptions): void {
  const fields = new URLSearchParams(location.search)
  for (const [name, value] of Object.entries(changes))
    if (value === undefined || value === '') fields.delete(name)
    else fields.set(name, value)
  const query = fields.toString()
  navigate(location.pathname + (query === '' ? '' : `?${query}`), options)
}

interface LinkProps<Page extends PageName> extends AnchorHTMLAttributes<HTMLAnchorElement> {
  readonly page: Page
  readonly search?: SearchOf<Page>
}

/** A link to a page; what a browser does with links by itself (new tab, copy) works. */
export function Link<Page extends PageName>({ page, search, onClick, ...rest }: LinkProps<Page>) {
  const href = urlOfPage(page, search)
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    if (event.defaultPrevented || event.button !== 0) return
    if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    navigate(href)
  }
  return <a href={href} onClick={follow} {...rest} />
}
