import { Fragment, type ReactNode } from 'react'

import type { LogEntry } from '../../../src/client/types.ts'
import { t } from '../language/text.ts'
import { Dialog } from '../parts/feedback/dialog.tsx'
import { Button } from '../parts/forms/button.tsx'
import { exactTime, humanBytes, humanNumber } from '../parts/format.ts'
import { Link } from '../router.tsx'
import { conditionOf } from '../parts/log-condition.ts'
import { StatusBadge } from '../parts/inline.tsx'
import { SenderName } from './request-cells.tsx'

interface DetailsProps {
  readonly entry: LogEntry
  readonly onClose: () => void
  /** Adds a condition to the query. */
  readonly onNarrow: (condition: string) => void
}

/** All that is known of one request. */
export function RequestDetails({ entry, onClose, onNarrow }: DetailsProps) {
  const { requestId } = entry
  return (
    <Dialog title={`${entry.method} ${entry.path}`} isOpen onClose={onClose} shape="side">
      <div className="request-details">
        <p>
          <StatusBadge status={entry.status ?? 0} /> {entry.reason ?? t('Answered')}
        </p>
        <dl className="facts">
          {factsOf(entry).map(({ name, value, condition }) => (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd>
                {value}
                {condition !== undefined && (
                  <Button kind="quiet" onClick={() => onNarrow(condition)}>
                    {t('Only these')}
                  </Button>
                )}
              </dd>
            </Fragment>
          ))}
        </dl>
        <h3>{t('Headers of the request')}</h3>
        <p className="field-hint">{t('Keys, cookies, signatures and addresses are never kept.')}</p>
        <dl className="facts">
          {Object.entries(entry.headers ?? {}).map(([name, value]) => (
            <Fragment key={name}>
              <dt>{name}</dt>
              <dd>
                <code>{value}</code>
              </dd>
            </Fragment>
          ))}
        </dl>
        {requestId !== null && (
          <Button icon="search" onClick={() => onNarrow(conditionOf('id', requestId))}>
            {t('Only this request')}
          </Button>
        )}
      </div>
    </Dialog>
  )
}

interface Fact {
  readonly name: string
  readonly value: ReactNode
  readonly condition?: string | undefined
}

function factsOf(entry: LogEntry): readonly Fact[] {
  const { timestamp, ms = 0, bytes = 0, cache, country = 'XX' } = entry
  return [
    { name: 'Time', value: exactTime(timestamp) },
    { name: 'Took', value: `${humanNumber(ms)} ms` },
    { name: 'Size', value: humanBytes(bytes) },
    { name: 'Cache', value: cache ?? 'none' },
    ...whereFacts(entry),
    ...given(t('Code'), entry.code, 'code'),
    { name: 'By', value: <SenderName by={entry.by} /> },
    { name: 'Country', value: country, condition: conditionOf('country', country) },
    ...given(t('Network'), entry.network, 'network'),
    ...given(t('Referrer'), entry.referrer, 'referrer'),
    ...given(t('Browser or program'), entry.agent, 'agent'),
    ...given(t('Operation'), entry.operation, 'operation'),
    ...given(t('Request id'), entry.requestId),
  ]
}

function whereFacts({ zone, asset, status = 0 }: LogEntry): readonly Fact[] {
  const name = zone ?? undefined
  const isThere = typeof asset === 'string' && status < 400
  return [
    ...(name === undefined
      ? []
      : [
          {
            name: 'Zone',
            value: (
              <Link page="zone" search={{ zone: name }}>
                {name}
              </Link>
            ),
            condition: conditionOf('zone', name),
          },
        ]),
    ...(isThere
      ? [
          {
            name: 'Asset',
            value: (
              <Link page="assets" search={{ asset }}>
                {asset}
              </Link>
            ),
          },
        ]
      : []),
  ]
}

const given = (name: string, value: string | null | undefined, word?: string): readonly Fact[] =>
  value === null || value === undefined
    ? []
    : [{ name, value, condition: word && conditionOf(word, value) }]
