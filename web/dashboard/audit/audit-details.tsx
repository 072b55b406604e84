import { Fragment, type ReactNode } from 'react'

import type { ResponseOf } from '../../../src/client/types.ts'
import { t } from '../language/text.ts'
import { Dialog } from '../parts/feedback/dialog.tsx'
import { exactTime } from '../parts/format.ts'
import { Link } from '../router.tsx'

export type AuditEntry = ResponseOf<'listAuditLogs'>['Entries'][number]

interface DetailsProps {
  readonly entry: AuditEntry
  readonly onClose: () => void
}

/** All that is known of one change, with ways to what it was about. */
export function AuditDetails({ entry, onClose }: DetailsProps) {
  const { before, after, requestId, meta } = entry
  return (
    <Dialog title={entry.summary} isOpen onClose={onClose} shape="side">
      <div className="request-details">
        <Facts facts={factsOf(entry)} />
        {requestId !== null && (
          <p>
            <Link page="logs" search={{ q: `id:${requestId}`, since: 'all' }}>
              {t('The request in the logs')}
            </Link>
          </p>
        )}
        {before !== null && after !== null && (
          <>
            <h3>{t('Before and after')}</h3>
            <Facts
              facts={Object.keys(after).map((name) => [
                name,
                `${textOf(before[name])} → ${textOf(after[name])}`,
              ])}
            />
          </>
        )}
        {before === null && Object.keys(meta).length > 0 && (
          <>
            <h3>{t('What is known of it')}</h3>
            <Facts facts={Object.entries(meta).map(([name, value]) => [name, textOf(value)])} />
          </>
        )}
      </div>
    </Dialog>
  )
}

type Fact = readonly [name: string, value: ReactNode]

const Facts = ({ facts }: { readonly facts: readonly Fact[] }) => (
  <dl className="facts">
    {facts.map(([name, value]) => (
      <Fragment key={name}>
        <dt>{name}</dt>
        <dd>{value}</dd>
      </Fragment>
    ))}
  </dl>
)

const given = (name: string, value: ReactNode): readonly Fact[] =>
  value === null || value === '' ? [] : [[name, value]]

function factsOf({ timestamp, action, target, actor, by, zones, ip, userAgent }: AuditEntry) {
  const isAsset = /^storage\.(?:put|restore)$/u.test(action)
  return [
    ['Time', exactTime(timestamp)],
    ['Action', action],
    ['Target', isAsset ? <AssetLink path={target} /> : target],
    ...given('Zone', zones.length === 0 ? null : <ZoneLinks zones={zones} />),
    ['Who', by?.name ?? actor],
    ...given('From', ip),
    ...given('With', userAgent),
  ] as readonly Fact[]
}

const AssetLink = ({ path }: { readonly path: string }) => (
  <Link page="assets" search={{ asset: path }}>
    {path}
  </Link>
)

const ZoneLinks = ({ zones }: { readonly zones: readonly string[] }) => (
  <>
    {zones.map((zone) => (
      <Fragment key={zone}>
        <Link page="zone" search={{ zone }}>
          {zone}
        </Link>{' '}
      </Fragment>
    ))}
  </>
)

const maxLength = 300

function textOf(value: unknown): string {
  if (value === null || value === undefined) return t('not set')
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > maxLength ? `${text.slice(0, maxLength)} …` : text
}
