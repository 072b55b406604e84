import type { Entry } from './entry.ts'

const key = 'sedge-recent'
const most = 6
const longestText = 300

type Kept = Pick<Entry, 'id' | 'title' | 'href' | 'detail'>

/** What was chosen last, newest first. Of what is no link only the id is good for anything. */
export function recentEntries(): readonly Kept[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(key) ?? '[]')
    return Array.isArray(kept) ? kept.slice(0, most).filter(isKept) : []
  } catch {
    return []
  }
}

export function keepRecent({ id, title, href, detail }: Entry): void {
  const others = recentEntries().filter((each) => each.id !== id)
  const all = [{ id, title, href, detail }, ...others].slice(0, most)
  try {
    localStorage.setItem(key, JSON.stringify(all))
  } catch {
    // A browser that keeps nothing has nothing recent.
  }
}

const isKept = (value: unknown): value is Kept =>
  typeof value === 'object' &&
  value !== null &&
  isText((value as Partial<Kept>).id) &&
  isText((value as Partial<Kept>).title) &&
  isOwnPath((value as Partial<Kept>).href)

const isText = (value: unknown): value is string =>
  typeof value === 'string' && value !== '' && value.length <= longestText

/** Nothing that was kept may lead away from here. */
const isOwnPath = (value: unknown): boolean =>
  value === undefined || (isText(value) && /^\/(?:dashboard|docs|api\/docs)\b/u.test(value))
