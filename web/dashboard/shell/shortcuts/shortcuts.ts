import { openAssistant } from '../../assistant/open-state.ts'
import { t } from '../../language/text.ts'
import type { PageName } from '../../page-names.ts'
import { entryOf, pageGroups } from '../../pages.ts'
import { goTo, pageOf } from '../../router.tsx'
import { openPalette, openSheet } from '../overlays.ts'
import { goToKept, zoneInView } from '../zone-in-view.ts'

export interface Shortcut {
  /** Keys one after another, as `KeyboardEvent.key` says them, e.g. `g a`. */
  readonly keys: string
  readonly title: string
  readonly run: () => void
}

export interface ShortcutGroup {
  readonly title: string
  readonly shortcuts: readonly Shortcut[]
}

/** Begins the jump to a page; another letter says which. */
const letters = {
  overview: 'o',
  assets: 'a',
  upload: 'u',
  transform: 't',
  duplicates: 'f',
  history: 'h',
  previews: 'v',
  zones: 'z',
  domains: 'd',
  rules: 'r',
  purge: 'p',
  erasures: 'e',
  insights: 'i',
  usage: 'x',
  logs: 'l',
  audit: 'y',
  health: 'c',
  notifications: 'n',
  backups: 'b',
  people: 'm',
  tokens: 'k',
  webhooks: 'w',
  sessions: 's',
} as const satisfies Readonly<Partial<Record<PageName, string>>>

/** The keys that lead to a page, if any do. */
export const keysOfPage = (name: PageName): string | undefined => {
  const letter = (letters as Readonly<Partial<Record<PageName, string>>>)[name]
  return letter === undefined ? undefined : `g ${letter}`
}

/** The page so many places after the one that is shown, in the order of the navigation. */
function goAlong(step: 1 | -1): void {
  const names = pageGroups.flatMap(({ pages }) => pages.map(({ name }) => name))
  const current = pageOf(location.pathname)
  const place = names.findIndex((name) => name === current)
  const next = names.at((place + step) % names.length)
  if (next !== undefined) goToKept(next)
}

/** The field of the page to search in, or the palette where it has none. */
function beginSearch(): void {
  const field = document.querySelector<HTMLElement>('#main input[type="search"]')
  if (field === null) openPalette()
  else field.focus()
}

/** All there are: what is not here does nothing, so the sheet that shows them is right. */
export const shortcutGroups: readonly ShortcutGroup[] = [
  {
    title: t('Everywhere'),
    shortcuts: [
      { keys: '/', title: t('Search'), run: beginSearch },
      { keys: 'a', title: t('Ask'), run: openAssistant },
      { keys: 'u', title: t('Upload files'), run: () => goTo('upload', { zone: zoneInView() }) },
      { keys: '[', title: t('Previous page'), run: () => goAlong(-1) },
      { keys: ']', title: t('Next page'), run: () => goAlong(1) },
      { keys: '?', title: t('Show all shortcuts'), run: openSheet },
    ],
  },
  {
    title: t('Go to'),
    shortcuts: (Object.keys(letters) as (keyof typeof letters)[]).map((name) => ({
      keys: `g ${letters[name]}`,
      title: entryOf(name)?.title ?? name,
      run: () => goToKept(name),
    })),
  },
]
