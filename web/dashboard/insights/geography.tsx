import { useState } from 'react'

import type { ResponseOf } from '../../../src/client/types.ts'
import { useOperation } from '../api/queries.ts'
import { locale } from '../language/language.ts'
import { t } from '../language/text.ts'
import { QueryResult } from '../parts/feedback/query-result.tsx'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { humanBytes, humanNumber } from '../parts/format.ts'
import { Link } from '../router.tsx'
import { csvUrl, inLogs, type Report } from './chosen-period.ts'
import { ListHeading } from './visitors.tsx'
import world from './world-map.json'

type Country = ResponseOf<'getGeography'>['Countries'][number]

/** Where requests come from, on a map and in numbers. */
export function Geography({ report }: { readonly report: Report }) {
  const geography = useOperation('getGeography', report, { keepsPrevious: true })
  return (
    <section className="card">
      <ListHeading title={t('Countries')} csv={csvUrl('geography', report)} />
      <QueryResult query={geography} label={t('The countries are loading')}>
        {({ Countries }) => (
          <div className="geography">
            <WorldMap countries={Countries} />
            {Countries.length === 0 ? (
              <p className="fine-print">
                {t('No request came from a known country in this period.')}
              </p>
            ) : (
              <DataTable
                label={t('Countries')}
                columns={columnsWith(report)}
                rows={Countries}
                keyOf={({ CountryCode }) => CountryCode}
              />
            )}
          </div>
        )}
      </QueryResult>
      <p className="fine-print">
        <a href="https://db-ip.com" rel="noreferrer">
          {t('IP Geolocation by DB-IP')}
        </a>
      </p>
    </section>
  )
}

const names = new Intl.DisplayNames(locale(), { type: 'region', fallback: 'code' })

/** What ISO 3166 leaves to its users; ours for addresses of no known country. */
const nowhere = 'XX'

const nameOf = (code: string): string => {
  if (code === nowhere) return t('Not known')
  try {
    return names.of(code) ?? code
  } catch {
    return code
  }
}

const columnsWith = (report: Report): readonly Column<Country>[] => [
  {
    title: t('Country'),
    width: 'minmax(6rem, 2fr)',
    cell: ({ CountryCode }) => (
      <Link page="logs" search={inLogs(report, `country:${CountryCode}`)}>
        {nameOf(CountryCode)}
      </Link>
    ),
  },
  {
    title: t('Requests'),
    width: 'minmax(5rem, 1fr)',
    isNumber: true,
    cell: ({ Requests }) => humanNumber(Requests),
  },
  {
    title: t('Bandwidth'),
    width: 'minmax(5.5rem, 1fr)',
    isNumber: true,
    cell: ({ Bytes }) => humanBytes(Bytes),
  },
]

/** By their logarithm: the first country has often a hundred times what the tenth has. */
const strengthOf = (requests: number, most: number): number =>
  most === 0 ? 0 : 0.25 + (0.75 * Math.log1p(requests)) / Math.log1p(most)

function WorldMap({ countries }: { readonly countries: readonly Country[] }) {
  const [pointed, setPointed] = useState<string>()
  const requestsByCode = new Map(
    countries.map(({ CountryCode, Requests }) => [CountryCode, Requests]),
  )
  const most = Math.max(0, ...requestsByCode.values())
  return (
    <div>
      <svg
        onPointerLeave={() => setPointed(undefined)}
        className="world"
        viewBox={`0 0 ${world.width} ${world.height}`}
        role="img"
        aria-label={t(
          'A map of the countries that requests come from; the table beside it says the numbers',
        )}
      >
        {world.countries.map(({ code, name, path }) => {
          const requests = requestsByCode.get(code)
          return (
            <path
              key={name}
              d={path}
              onPointerEnter={() =>
                setPointed(requests === undefined ? name : `${name}: ${humanNumber(requests)}`)
              }
              {...(requests !== undefined && {
                className: 'world-asked',
                fillOpacity: strengthOf(requests, most),
              })}
            >
              <title>
                {name}
                {requests !== undefined && `: ${humanNumber(requests)}`}
              </title>
            </path>
          )
        })}
      </svg>
      <p className="fine-print world-caption" aria-hidden="true">
        {pointed ?? t('Point at a country for its requests')}
      </p>
    </div>
  )
}
