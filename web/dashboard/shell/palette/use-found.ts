import { useEffect, useState } from 'react'

import { useOperation } from '../../api/queries.ts'
import { useOwnScopes } from '../../parts/use-self.ts'
import { hrefOf } from '../../router.tsx'
import type { Entry } from './entry.ts'
import { ranked } from './fuzzy.ts'

const longestQuery = 200
const pauseMs = 120
const most = { zones: 5, assets: 6, domains: 4, people: 4, documentation: 5 } as const
const quiet = { staleMs: 60_000 } as const

/** What somebody has stopped typing, for questions that cost the service something. */
function useSettled(text: string): string {
  const [settled, setSettled] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(text), pauseMs)
    return () => clearTimeout(timer)
  }, [text])
  return settled
}

/**
 * What the service has that fits. Each answer belongs to its question: what comes for a former one is not shown.
 */
export function useFound(typed: string): {
  readonly entries: readonly Entry[]
  readonly isPending: boolean
} {
  const query = typed.trim().slice(0, longestQuery)
  const settled = useSettled(query)
  const isAsked = settled !== ''
  const assets = useAssetEntries(settled, isAsked)
  const documentation = useDocumentationEntries(settled, isAsked)
  const listed = [...useZoneEntries(query), ...useDomainEntries(query), ...usePersonEntries(query)]
  return {
    entries: query === '' ? [] : [...listed, ...assets.entries, ...documentation.entries],
    isPending: query !== settled || assets.isPending || documentation.isPending,
  }
}

function useZoneEntries(query: string): readonly Entry[] {
  const { data = [] } = useOperation('listZones', {}, quiet)
  const entries = data.map(({ Name }): Entry => ({
    id: `zone ${Name}`,
    group: 'zones',
    title: Name,
    icon: 'layers',
    href: hrefOf('zone', { zone: Name }),
  }))
  return ranked(query, entries, most.zones)
}

function useDomainEntries(query: string): readonly Entry[] {
  const { data } = useOperation('listAllDomains', { limit: 500 }, quiet)
  const entries = (data?.Domains ?? []).map(({ Hostname, Zone }): Entry => ({
    id: `domain ${Hostname}`,
    group: 'domains',
    title: Hostname,
    detail: Zone,
    icon: 'globe',
    href: hrefOf('domains', { zone: Zone }),
  }))
  return ranked(query, entries, most.domains)
}

function usePersonEntries(query: string): readonly Entry[] {
  const scopes = useOwnScopes()
  const isEnabled = scopes === undefined || scopes.has('people:read')
  const { data } = useOperation('listPeople', {}, { ...quiet, isEnabled })
  const entries = (data?.People ?? []).map(({ id, name, email }): Entry => ({
    id: `person ${id}`,
    group: 'people',
    title: name === '' ? email : name,
    detail: email,
    icon: 'people',
    href: hrefOf('people'),
  }))
  return ranked(query, entries, most.people)
}

interface Found {
  readonly entries: readonly Entry[]
  readonly isPending: boolean
}

function useAssetEntries(q: string, isEnabled: boolean): Found {
  const input = { q, per_page: most.assets }
  const { data, isFetching } = useOperation('listAssets', input, { ...quiet, isEnabled })
  const entries = (data?.Data ?? []).map((asset): Entry => ({
    id: `asset ${asset.path}`,
    group: 'assets',
    title: asset.name,
    detail: asset.path,
    icon: 'images',
    asset,
    href: hrefOf('assets', { asset: asset.path }),
  }))
  return { entries: isEnabled ? entries : [], isPending: isFetching }
}

function useDocumentationEntries(q: string, isEnabled: boolean): Found {
  const input = { q, limit: most.documentation }
  const { data, isFetching } = useOperation('searchDocumentation', input, { ...quiet, isEnabled })
  const entries = (data?.results ?? []).map(({ page, heading, url }): Entry => ({
    id: `documentation ${url}`,
    group: 'documentation',
    title: heading === '' ? page : heading,
    detail: heading === '' ? undefined : page,
    icon: 'book',
    href: ownPath(url),
  }))
  return { entries: isEnabled ? entries : [], isPending: isFetching }
}

/** The documentation is on this host whatever the service calls itself. */
function ownPath(url: string): string {
  const { pathname, hash } = new URL(url, location.origin)
  return pathname + hash
}
