import type { ReactNode } from 'react'

import type { ResponseOf } from '../../../src/client/types.ts'
import { useOperation } from '../api/queries.ts'
import { t } from '../language/text.ts'
import { Link, useSearch } from '../router.tsx'
import { EmptyState } from './feedback/empty-state.tsx'
import { PageSkeleton } from './feedback/page-skeleton.tsx'
import { QueryResult } from './feedback/query-result.tsx'
import { ZoneSelect } from './forms/zone-select.tsx'

export type Zone = ResponseOf<'listZones'>[number]

interface OneZoneProps {
  /** The page this is on, one of those of a zone. */
  readonly page: ZonePlace['page']
  /** Which of its tabs. */
  readonly tab?: string
  /** Of what there can be none without a zone, e.g. `A history`. */
  readonly what: string
  readonly children: (zone: Zone) => ReactNode
}

/** All that a zone has: tabs of its home, and pages that show it. */
const zonePlaces = [
  { page: 'zone', tab: 'overview', title: t('Overview') },
  { page: 'assets', tab: undefined, title: t('Assets') },
  { page: 'zone', tab: 'domains', title: t('Domains') },
  { page: 'zone', tab: 'rules', title: t('Rules') },
  { page: 'zone', tab: 'transforms', title: t('Named transforms') },
  { page: 'zone', tab: 'tokens', title: t('Tokens') },
  { page: 'previews', tab: undefined, title: t('Previews') },
  { page: 'history', tab: undefined, title: t('History') },
  { page: 'zone', tab: 'settings', title: t('Settings') },
] as const

type ZonePlace = (typeof zonePlaces)[number]

/** One zone, the one of the address or else the first, with the way to others and to what else it has. */
export function OneZone({ page, tab, what, children }: OneZoneProps) {
  const zones = useOperation('listZones', {})
  const [{ zone: wanted }] = useSearch()
  if (zones.isPending && page === 'zone') return <PageSkeleton title={wanted ?? t('Zone')} />
  return (
    <QueryResult query={zones} label={t('The zones are loading')}>
      {(all) => {
        const zone = wanted === undefined ? all[0] : all.find(({ Name }) => Name === wanted)
        if (all.length === 0) return <NoZone what={what} />
        return (
          <>
            <ZoneBar page={page} tab={tab} zone={zone?.Name ?? ''} />
            {zone === undefined ? <GoneZone name={wanted ?? ''} /> : children(zone)}
          </>
        )
      }}
    </QueryResult>
  )
}

interface ZoneBarProps {
  readonly page: ZonePlace['page']
  readonly tab: string | undefined
  readonly zone: string
}

function ZoneBar({ page, tab, zone }: ZoneBarProps) {
  const [, change] = useSearch()
  return (
    <div className="zone-bar">
      {(page !== 'zone' || zone === '') && (
        <ZoneSelect value={zone} onChange={(next) => change(onlyZone(next))} />
      )}
      {zone !== '' && (
        <nav aria-label={t('Zone {zone}', { zone })} className="zone-pages">
          {zonePlaces.map((place) => (
            <PlaceLink
              key={place.title}
              place={place}
              zone={zone}
              isCurrent={place.page === page && place.tab === tab}
            />
          ))}
        </nav>
      )}
    </div>
  )
}

interface PlaceLinkProps {
  readonly place: ZonePlace
  readonly zone: string
  readonly isCurrent: boolean
}

function PlaceLink({ place, zone, isCurrent }: PlaceLinkProps) {
  const current = isCurrent ? 'page' : undefined
  const tab = place.tab === 'overview' ? undefined : place.tab
  return place.page === 'zone' ? (
    <Link page="zone" search={{ zone, tab }} aria-current={current}>
      {place.title}
    </Link>
  ) : (
    <Link page={place.page} search={{ zone }} aria-current={current}>
      {place.title}
    </Link>
  )
}

/** What was chosen of one zone says nothing of another, but for the tab. */
function onlyZone(zone: string) {
  const others = Object.fromEntries(
    [...new URLSearchParams(location.search).keys()]
      .filter((name) => name !== 'tab')
      .map((name) => [name, undefined]),
  )
  return { ...others, zone }
}

const NoZone = ({ what }: { readonly what: string }) => (
  <EmptyState icon="layers" title={t('{what} belongs to a zone', { what })}>
    <p className="row">
      <Link page="zones" className="button button-primary">
        {t('Create the first zone')}
      </Link>
    </p>
  </EmptyState>
)

const GoneZone = ({ name }: { readonly name: string }) => (
  <EmptyState icon="layers" title={t('There is no zone {name}', { name })}>
    <p>{t('It may have been deleted. Choose another one above.')}</p>
  </EmptyState>
)
