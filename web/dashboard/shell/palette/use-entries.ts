import { useMemo } from 'react'

import { t } from '../../language/text.ts'
import { useOpenPages } from '../open-pages.ts'
import { type Entry, type EntryGroup, groupTitles } from './entry.ts'
import { ranked } from './fuzzy.ts'
import { recentEntries } from './recent.ts'
import { actionEntries, pageEntries } from './static-entries.ts'
import { useFound } from './use-found.ts'

const most = { pages: 5, actions: 5 } as const

/** All that fits what is typed, in the order in which it is shown; before anything is, what was chosen last. */
export function useEntries(typed: string): {
  readonly entries: readonly Entry[]
  readonly isPending: boolean
} {
  const groups = useOpenPages()
  const pages = useMemo(() => pageEntries(groups), [groups])
  const actions = useMemo(() => actionEntries(groups), [groups])
  const found = useFound(typed)
  const query = typed.trim()
  if (query === '') {
    const known = [...pages, ...actions]
    const offered = actions.filter(({ isRare }) => isRare !== true)
    return { entries: [...recentOf(known), ...offered, ...pages], isPending: false }
  }
  const entries = [
    ...ranked(query, pages, most.pages),
    ...ranked(query, actions, most.actions),
    ...found.entries,
  ]
  const ask: Entry = { id: 'ask', group: 'ask', title: t('Ask: {query}', { query }), icon: 'spark' }
  return { entries: inOrder(query, entries, ask), isPending: found.isPending }
}

/** What was chosen last, as far as it can still be chosen: it may have been closed to whoever looks. */
const recentOf = (known: readonly Entry[]): readonly Entry[] =>
  recentEntries().flatMap((kept): readonly Entry[] => {
    const still = known.find(({ id }) => id === kept.id)
    if (still !== undefined) return [{ ...still, group: 'recent' }]
    return kept.href === undefined ? [] : [{ ...kept, group: 'recent', icon: 'history' }]
  })

const groupOrder = Object.keys(groupTitles) as readonly EntryGroup[]

/** Group by group; a question is for the assistant before anything else. */
function inOrder(query: string, entries: readonly Entry[], ask: Entry): readonly Entry[] {
  const byGroup = Map.groupBy(entries, ({ group }) => group)
  const all = groupOrder.flatMap((group) => byGroup.get(group) ?? [])
  return query.endsWith('?') ? [ask, ...all] : [...all, ask]
}
