import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'

import { client } from '../api/client.ts'
import { useOperation } from '../api/queries.ts'
import type { Search } from '../page-parameters.ts'
import type { Asset } from './asset.ts'

/** Assets by their place, of which only those in view are here. */
export interface AssetSource {
  readonly count: number
  /** `undefined` while it is on its way. */
  at(index: number): Asset | undefined
  /** Asks for what is in view. */
  want(first: number, last: number): void
  readonly isPending: boolean
  /** What is to be said of all of them. */
  readonly note?: string | undefined
  readonly error: unknown
  retry(): void
}

const perPage = 200

const sorts = ['name', 'path', 'size', 'project', 'category', 'format', 'date'] as const

function queryOf({ zone, category, format, q, sort, order }: Search) {
  return {
    ...(zone === undefined ? {} : { project: zone }),
    ...(category === undefined ? {} : { category }),
    ...(format === undefined ? {} : { format }),
    ...(q === undefined ? {} : { q }),
    sort: sorts.find((each) => each === sort) ?? 'date',
    order: order === 'asc' ? ('asc' as const) : ('desc' as const),
    per_page: perPage,
  }
}

/** The catalogue as the filters say, page by page as it is looked at. */
export function useAssets(search: Search): AssetSource {
  const [range, setRange] = useState({ first: 1, last: 1 })
  const query = queryOf(search)
  const wanted = new Set([1])
  for (let page = range.first; page <= range.last; page += 1) wanted.add(page)
  const pages = [...wanted]
  const responses = useQueries({
    queries: pages.map((page) => ({
      queryKey: ['listAssets', { ...query, page }],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        client.listAssets({ ...query, page }, { signal }),
      staleTime: 60_000,
    })),
  })
  const [first] = responses
  const dataByPage = new Map(pages.map((page, index) => [page, responses[index]?.data?.Data]))
  return {
    count: first?.data?.Pagination.TotalItems ?? 0,
    at: (index) => dataByPage.get(Math.floor(index / perPage) + 1)?.[index % perPage],
    want(from, to) {
      const next = { first: Math.floor(from / perPage) + 1, last: Math.floor(to / perPage) + 1 }
      if (next.first !== range.first || next.last !== range.last) setRange(next)
    },
    isPending: first?.isPending ?? true,
    error: responses.find(({ error }) => error !== null)?.error ?? null,
    retry: () => void Promise.all(responses.map((response) => response.refetch())),
  }
}

const maxFound = 50

/** What fits best by its meaning. */
export function useFoundAssets(search: Search): AssetSource {
  const { zone, category, format, q = '' } = search
  const found = useOperation(
    'search',
    {
      q,
      limit: maxFound,
      ...(zone === undefined ? {} : { project: zone }),
      ...(category === undefined ? {} : { category }),
      ...(format === undefined ? {} : { format }),
    },
    { isEnabled: q !== '', keepsPrevious: true },
  )
  const results = found.data?.results ?? []
  return {
    count: results.length,
    note: noteOf(found.data?.matched, results.length),
    at: (index) => results[index],
    want: () => {},
    isPending: found.isPending,
    error: found.error,
    retry: () => void found.refetch(),
  }
}

/** Something is always nearest: how much of it probably is what was meant. */
function noteOf(matched: number | undefined, count: number): string | undefined {
  if (matched === undefined || count === 0 || matched >= count) return undefined
  return matched === 0 ? 'none fits well, these come nearest' : `the first ${matched} fit best`
}
