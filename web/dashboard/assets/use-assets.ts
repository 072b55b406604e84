import { useQueries, useQueryClient, type UseQueryResult } from '@tanstack/react-query'
import { useCallback, useMemo, useState } from 'react'

import type { ResponseOf } from '../../../src/client/types.ts'
import { client } from '../api/client.ts'
import { useOperation } from '../api/queries.ts'
import type { Search } from '../page-parameters.ts'
import type { Asset } from './asset.ts'
import { type Look, sortKeys } from './look.ts'
import { narrowingOf } from './place.ts'
import { type AssetPage, type PreviewsOf, usePreviewed } from './previewed/use-previewed.ts'

/** Assets by their place, of which only those in view are here. */
export interface AssetSource {
  readonly count: number
  /** `undefined` while it is on its way. */
  at(index: number): Asset | undefined
  /** Where an asset is, of those that are here. */
  indexOf(path: string): number | undefined
  /** Asks for what is in view. */
  want(first: number, last: number): void
  /** The paths of a stretch, both ends included, also of those that nobody looked at. */
  paths(first: number, last: number): Promise<readonly string[]>
  readonly isPending: boolean
  readonly previewsOf: PreviewsOf
  /** What a search has besides, none of which fits; nothing of it is shown until somebody asks. */
  readonly nearest?: { readonly count: number; show(): void } | undefined
  readonly error: unknown
  retry(): void
}

const perPage = 200

function queryOf(search: Search, look?: Pick<Look, 'sort' | 'order'>) {
  const { direct, ...narrowing } = narrowingOf(search)
  const { sort = sortKeys.find((each) => each === search.sort) ?? 'date', order } = look ?? {}
  return {
    ...narrowing,
    ...(direct === undefined ? {} : { direct: true }),
    sort,
    order: order ?? (search.order === 'asc' ? ('asc' as const) : ('desc' as const)),
    per_page: perPage,
  }
}

const pageOf = (
  key: readonly unknown[],
  response: UseQueryResult<ResponseOf<'listAssets'>> | undefined,
): AssetPage => ({ key: [...key, response?.dataUpdatedAt], assets: response?.data?.Data })

/** The catalogue as the filters say, page by page as it is looked at. */
export function useAssets(search: Search, look?: Pick<Look, 'sort' | 'order'>): AssetSource {
  const [range, setRange] = useState({ first: 1, last: 1 })
  const queries = useQueryClient()
  const query = queryOf(search, look)
  const wanted = new Set([1])
  for (let page = range.first; page <= range.last; page += 1) wanted.add(page)
  const pages = [...wanted]
  const pageQuery = (page: number) => ({
    queryKey: ['listAssets', { ...query, page }],
    queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
      client.listAssets({ ...query, page }, { signal }),
    staleTime: 60_000,
  })
  const responses = useQueries({ queries: pages.map(pageQuery) })
  const [first] = responses
  const previewsOf = usePreviewed(
    pages.map((page, index) => pageOf([query, page], responses[index])),
  )
  const dataByPage = new Map(pages.map((page, index) => [page, responses[index]?.data?.Data]))
  return {
    count: first?.data?.Pagination.TotalItems ?? 0,
    at: (index) => dataByPage.get(Math.floor(index / perPage) + 1)?.[index % perPage],
    indexOf(path) {
      for (const [page, data] of dataByPage) {
        const place = data?.findIndex((each) => each.path === path) ?? -1
        if (place >= 0) return (page - 1) * perPage + place
      }
      return undefined
    },
    want(from, to) {
      const next = { first: Math.floor(from / perPage) + 1, last: Math.floor(to / perPage) + 1 }
      if (next.first !== range.first || next.last !== range.last) setRange(next)
    },
    async paths(from, to) {
      const [start, end] = [Math.floor(from / perPage), Math.floor(to / perPage)]
      const numbers = Array.from({ length: end - start + 1 }, (_, index) => start + index + 1)
      const all: string[] = []
      for (const page of numbers) {
        const { Data } = await queries.fetchQuery(pageQuery(page))
        all.push(...Data.map(({ path }) => path))
      }
      return all.slice(from - start * perPage, to - start * perPage + 1)
    },
    previewsOf,
    isPending: first?.isPending ?? true,
    error: responses.find(({ error }) => error !== null)?.error ?? null,
    retry: () => void Promise.all(responses.map((response) => response.refetch())),
  }
}

const maxFound = 50
const noResults: ResponseOf<'search'>['results'] = []

/** What is `low` is only nearer than all else. */
const isFind = ({ confidence }: ResponseOf<'search'>['results'][number]) => confidence !== 'low'

/** What was found; what is only nearest is none of it, but for who asks for that. */
function useFinds(q: string, found: ResponseOf<'search'> | undefined) {
  const [nearestOf, setNearestOf] = useState<string>()
  const all = found?.results ?? noResults
  const isNothing = found?.matched === 0
  const showsAll = isNothing && nearestOf === q
  const results = useMemo(() => (showsAll ? all : all.filter(isFind)), [all, showsAll])
  const hasNearest = isNothing && !showsAll && all.length > 0
  const nearest = hasNearest ? { count: all.length, show: () => setNearestOf(q) } : undefined
  return { results, nearest }
}

/** What fits best by its meaning. */
export function useFoundAssets(search: Search): AssetSource {
  const { zone, folder, category, format, q = '' } = search
  const project = folder?.split('/')[0] ?? zone
  const found = useOperation(
    'search',
    {
      q,
      limit: maxFound,
      ...(project === undefined ? {} : { project }),
      ...(category === undefined ? {} : { category }),
      ...(format === undefined ? {} : { format }),
    },
    { isEnabled: q !== '', keepsPrevious: true },
  )
  const { results, nearest } = useFinds(q, found.data)
  const previewsOf = usePreviewed([
    { key: [q, found.dataUpdatedAt, nearest?.count], assets: results },
  ])
  const paths = useCallback(
    async (from: number, to: number) => results.slice(from, to + 1).map(({ path }) => path),
    [results],
  )
  return {
    count: results.length,
    nearest,
    previewsOf,
    at: (index) => results[index],
    indexOf: (path) => {
      const place = results.findIndex((each) => each.path === path)
      return place < 0 ? undefined : place
    },
    want: () => {},
    paths,
    isPending: found.isPending,
    error: found.error,
    retry: () => void found.refetch(),
  }
}
