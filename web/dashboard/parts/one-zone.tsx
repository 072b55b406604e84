import type { ReactNode } from 'react'

import type { ResponseOf } from '../../../src/client/types.ts'
import { useOperation } from '../api/queries.ts'
import { Link, useSearch } from '../router.tsx'
import { EmptyState } from './feedback/empty-state.tsx'
import { QueryResult } from './feedback/query-result.tsx'
import { ZoneSelect } from './forms/zone-select.tsx'

export type Zone = ResponseOf<'listZones'>[number]

interface OneZoneProps {
  /** The page this is on, one of those of a zone. */
  readonly page: ZonePage
  /** Of what there can be none without a zone, e.g. `A history`. */
  readonly what: string
  readonly children: (zone: Zone) => ReactNode
}

const zonePages = [
  { page: 'assets', title: 'Assets' },
  { page: 'history', title: 'History' },
  { page: 'previews', title: 'Previews' },
  { page: 'domains', title: 'Domains' },
  { page: 'zone', title: 'Settings' },
] as const

type ZonePage = (typeof zonePages)[number]['page']

/** One zone, the one of the address or else the first, with the way to others and to what else it has. */
export function OneZone({ page, what, children }: OneZoneProps) {
  const zones = useOperation('listZones', {})
  const [{ zone: wanted }] = useSearch()
  return (
    <QueryResult query={zones} label="The zones are loading">
      {(all) => {
        const zone = wanted === undefined ? all[0] : all.find(({ Name }) => Name === wanted)
        if (all.length === 0) return <NoZone what={what} />
        return (
          <>
            <ZoneBar page={page} zone={zone?.Name ?? ''} />
            {zone === undefined ? <GoneZone name={wanted ?? ''} /> : children(zone)}
          </>
        )
      }}
    </QueryResult>
  )
}

function ZoneBar({ page, zone }: { readonly page: ZonePage; readonly zone: string }) {
  const [, change] = useSearch()
  return (
    <div className="zone-bar">
      <ZoneSelect value={zone} onChange={(next) => change(onlyZone(next))} />
      {zone !== '' && (
        <nav aria-label={`Zone ${zone}`} className="zone-pages">
          {zonePages.map((each) => (
            <Link
              key={each.page}
              page={each.page}
              search={{ zone }}
              aria-current={each.page === page ? 'page' : undefined}
            >
              {each.title}
            </Link>
          ))}
        </nav>
      )}
    </div>
  )
}

/** What was chosen of one zone says nothing of another. */
function onlyZone(zone: string) {
  const others = Object.fromEntries(
    [...new URLSearchParams(location.search).keys()].map((name) => [name, undefined]),
  )
  return { ...others, zone }
}

const NoZone = ({ what }: { readonly what: string }) => (
  <EmptyState icon="layers" title={`${what} belongs to a zone`}>
    <p className="row">
      <Link page="zones" className="button button-primary">
        Create the first zone
      </Link>
    </p>
  </EmptyState>
)

const GoneZone = ({ name }: { readonly name: string }) => (
  <EmptyState icon="layers" title={`There is no zone ${name}`}>
    <p>It may have been deleted. Choose another one above.</p>
  </EmptyState>
)
