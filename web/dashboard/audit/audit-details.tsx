import { Fragment, type ReactNode } from 'react'

import { t } from '../language/text.ts'
import { Dialog } from '../parts/feedback/dialog.tsx'
import { exactTime } from '../parts/format.ts'
import { Link } from '../router.tsx'
import { type AuditEntry, WhoLink, ZoneLinks } from './audit-entry.tsx'

interface DetailsProps {
  readonly entry: AuditEntry
  readonly onClose: () => void
}

/** All that is known of one change, with ways to what it was about. */
export function AuditDetails({ entry, onClose }: DetailsProps) {
  const { before, after, meta } = entry
  return (
    <Dialog title={entry.summary} isOpen onClose={onClose} shape="side">
      <div className="request-details">
        <Facts facts={factsOf(entry)} />
        <Ways entry={entry} />
        {before !== null && after !== null && (
          <>
            <h3>{t('Before and after')}</h3>
            <Comparison before={before} after={after} />
          </>
        )}
        {before === null && known(meta).length > 0 && (
          <>
            <h3>{t('What is known of it')}</h3>
            <Facts facts={known(meta).map(([name, value]) => [name, textOf(value)])} />
          </>
        )}
      </div>
    </Dialog>
  )
}

const known = (meta: AuditEntry['meta']) =>
  Object.entries(meta).filter(([name]) => name !== 'commit')

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

const factsOf = (entry: AuditEntry): readonly Fact[] => [
  [t('Time'), exactTime(entry.timestamp)],
  [t('Action'), <code key="action">{entry.action}</code>],
  [t('Target'), <Target key="target" entry={entry} />],
  ...given(t('Zone'), entry.zones.length === 0 ? null : <ZoneLinks zones={entry.zones} />),
  [t('Who'), <WhoLink key="who" by={entry.by} actor={entry.actor} />],
  ...given(t('From'), entry.ip),
  ...given(t('With'), entry.userAgent),
]

const isOfAsset = /^(?:storage\.(?:put|restore|move|copy)|asset\.)/u

function Target({ entry: { action, target } }: { readonly entry: AuditEntry }) {
  if (isOfAsset.test(action) && target.includes('/'))
    return (
      <Link page="assets" search={{ asset: target }}>
        {target}
      </Link>
    )
  if (action.startsWith('domain.')) return <Link page="domains">{target}</Link>
  if (action.startsWith('token.')) return <Link page="tokens">{target}</Link>
  if (action.startsWith('webhook.')) return <Link page="webhooks">{target}</Link>
  if (action.startsWith('person.')) return <Link page="people">{target}</Link>
  return <>{target}</>
}

/** From here to the commit, to whatever else its author did, to the rules and to the request itself. */
function Ways({
  entry: { commit, zones, actor, action, target, requestId },
}: Pick<DetailsProps, 'entry'>) {
  const zone = zones.length === 1 ? zones[0] : undefined
  return (
    <ul className="audit-ways">
      {commit !== null && zone !== undefined && (
        <>
          <li>
            <Link page="compare" search={{ zone, to: commit }}>
              {t('What commit {id} changed', { id: commit.slice(0, 10) })}
            </Link>
          </li>
          <li>
            <Link page="history" search={{ zone, author: actor }}>
              {t('All commits by the same author')}
            </Link>
          </li>
        </>
      )}
      {action === 'rules.update' && (
        <li>
          <Link page="rules" search={{ file: target.split('/').at(-1), zone }}>
            {t('These rules as they are now')}
          </Link>
        </li>
      )}
      {requestId !== null && (
        <li>
          <Link page="logs" search={{ q: `id:${requestId}`, since: 'all' }}>
            {t('The request in the logs')}
          </Link>
        </li>
      )}
    </ul>
  )
}

type Values = Readonly<Record<string, unknown>>

const Comparison = ({ before, after }: { readonly before: Values; readonly after: Values }) => (
  <table className="audit-comparison">
    <thead>
      <tr>
        <th scope="col">{t('What')}</th>
        <th scope="col">{t('Before')}</th>
        <th scope="col">{t('After')}</th>
      </tr>
    </thead>
    <tbody>
      {Object.keys(after).map((name) => (
        <tr key={name}>
          <th scope="row">{name}</th>
          <td>
            <del>{textOf(before[name])}</del>
          </td>
          <td>
            <ins>{textOf(after[name])}</ins>
          </td>
        </tr>
      ))}
    </tbody>
  </table>
)

const maxLength = 1_500

function textOf(value: unknown): string {
  if (value === null || value === undefined || value === '') return t('not set')
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > maxLength ? `${text.slice(0, maxLength)} …` : text
}
