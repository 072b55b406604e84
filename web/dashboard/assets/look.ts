import { useSyncExternalStore } from 'react'

import type { Search } from '../page-parameters.ts'
import { useSearch } from '../router.tsx'

export const sortKeys = ['name', 'path', 'format', 'dimensions', 'size', 'date'] as const
export type SortKey = (typeof sortKeys)[number]

/** How assets are shown. */
export interface Look {
  readonly view: 'grid' | 'list'
  readonly density: 'roomy' | 'compact'
  readonly sort: SortKey
  readonly order: 'asc' | 'desc'
}

const key = 'sedge-assets-look'
const first: Look = { view: 'grid', density: 'roomy', sort: 'date', order: 'desc' }
const listeners = new Set<() => void>()

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

const kept = (): string => localStorage.getItem(key) ?? ''

const choose = <Value extends string>(
  values: readonly Value[],
  ...given: readonly (string | undefined)[]
): Value | undefined => given.flatMap((each) => values.find((value) => value === each) ?? [])[0]

/** What the address says, else what was chosen last, else as it is at first. */
function lookOf(search: Search, remembered: Readonly<Record<string, string>>): Look {
  const of = <Value extends string>(name: keyof Look, values: readonly Value[]) =>
    choose(values, search[name], remembered[name])
  return {
    view: of('view', ['grid', 'list']) ?? first.view,
    density: of('density', ['roomy', 'compact']) ?? first.density,
    sort: of('sort', sortKeys) ?? first.sort,
    order: of('order', ['asc', 'desc']) ?? first.order,
  }
}

function parse(text: string): Readonly<Record<string, string>> {
  try {
    return JSON.parse(text === '' ? '{}' : text) as Record<string, string>
  } catch {
    return {}
  }
}

/** The look of the page, which the browser remembers and the address says. */
export function useLook(): readonly [Look, (changes: Partial<Look>) => void] {
  const [search, change] = useSearch()
  const text = useSyncExternalStore(subscribe, kept)
  const look = lookOf(search, parse(text))
  const set = (changes: Partial<Look>) => {
    localStorage.setItem(key, JSON.stringify({ ...parse(kept()), ...changes }))
    for (const listener of listeners) listener()
    change(changes)
  }
  return [look, set]
}
