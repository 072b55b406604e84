import { useState } from 'react'

import type { ResponseOf } from '../../../src/client/types.ts'
import { useChange, useOperation } from '../api/queries.ts'
import { QueryResult } from '../parts/feedback/query-result.tsx'
import { Badge, Moment } from '../parts/inline.tsx'
import { Button } from '../parts/forms/button.tsx'
import { CopyButton } from '../parts/feedback/copy-button.tsx'
import { CheckField } from '../parts/forms/field.tsx'
import { humanTime } from '../parts/format.ts'
import { Icon } from '../parts/icon.tsx'
import { toast, toastFailure } from '../parts/feedback/toasts.tsx'
import { TypedConfirmation } from '../parts/feedback/typed-confirmation.tsx'

type Domain = ResponseOf<'listDomains'>[number]

interface DomainCardProps {
  readonly zone: string
  readonly domain: Domain
}

/** One host name: how its certificate stands, why, and what to set. */
export function DomainCard({ zone, domain }: DomainCardProps) {
  const { Hostname, SslStatus, SslError, SslExpires, SslNextCheck } = domain
  const [hasHistory, setHasHistory] = useState(false)
  return (
    <section className="card" aria-label={Hostname}>
      <div className="card-head">
        <h2>{Hostname}</h2>
        <span className="row">
          {!domain.Verified && <Badge kind="warning">claimed</Badge>}
          <Badge kind={kinds[SslStatus]}>{words[SslStatus]}</Badge>
        </span>
      </div>
      {SslError !== null && (
        <div className="note">
          <Icon name="info" />
          <p>{SslError}</p>
        </div>
      )}
      <dl className="facts card-facts">
        <DnsRecords domain={domain} />
        {SslExpires !== null && (
          <>
            <dt>Certificate until</dt>
            <dd>{humanTime(SslExpires)}</dd>
          </>
        )}
        <dt>Next look</dt>
        <dd>
          <Moment time={SslNextCheck} />
        </dd>
      </dl>
      <div className="row card-actions">
        <RedirectSwitch zone={zone} domain={domain} />
        <Button
          kind="quiet"
          icon={hasHistory ? 'up' : 'down'}
          aria-expanded={hasHistory}
          onClick={() => setHasHistory(!hasHistory)}
        >
          History
        </Button>
        <RemoveDomain zone={zone} hostname={Hostname} />
      </div>
      {hasHistory && <History zone={zone} hostname={Hostname} />}
    </section>
  )
}

/** What to set in DNS: whose the name is, then where it leads. */
function DnsRecords({ domain }: { readonly domain: Domain }) {
  const { Hostname, SslStatus, Verified, Verification, CnameTarget } = domain
  return (
    <>
      {!Verified && (
        <>
          <dt>Shows whose it is</dt>
          <dd className="row">
            <code>
              {Verification.Name} TXT {Verification.Value}
            </code>
            <CopyButton text={`${Verification.Name}. TXT "${Verification.Value}"`} />
          </dd>
        </>
      )}
      {SslStatus !== 'active' && (
        <>
          <dt>DNS record to set</dt>
          {CnameTarget === null ? (
            <dd>
              Set <code>CNAME_TARGET</code> first, the name at which everybody reaches this service,
              or <code>BASE_URL</code>, and start it again.{' '}
              <a href="/docs/custom-domains">How to set up domains</a>
            </dd>
          ) : (
            <dd className="row">
              <code>
                {Hostname} CNAME {CnameTarget}
              </code>
              <CopyButton text={`${Hostname}. CNAME ${CnameTarget}.`} />
            </dd>
          )}
        </>
      )}
    </>
  )
}

const kinds = {
  provisioning: 'busy',
  active: 'good',
  failed: 'bad',
  renewing: 'busy',
  expired: 'bad',
} as const

const words = {
  provisioning: 'being set up',
  active: 'secure',
  failed: 'not secure yet',
  renewing: 'secure, renewing',
  expired: 'expired',
} as const

function RedirectSwitch({ zone, domain: { Hostname, HttpsRedirect } }: DomainCardProps) {
  const change = useChange('updateDomain', { changes: ['listDomains'] })
  return (
    <CheckField
      label="Send http to https"
      checked={HttpsRedirect}
      onChange={({ target }) =>
        change.mutate(
          { id: zone, hostname: Hostname, body: { HttpsRedirect: target.checked } },
          { onError: (error) => toastFailure(error) },
        )
      }
    />
  )
}

interface NamedProps {
  readonly zone: string
  readonly hostname: string
}

function History({ zone, hostname }: NamedProps) {
  const domain = useOperation('getDomain', { id: zone, hostname })
  return (
    <QueryResult query={domain} label="The history is loading">
      {({ SslHistory }) => (
        <ol className="entries card-more">
          {SslHistory.map(({ At, SslStatus, SslError }) => (
            <li key={`${At} ${SslStatus}`}>
              <div>
                <p>{words[SslStatus]}</p>
                {SslError !== null && <p className="fine-print">{SslError}</p>}
              </div>
              <span className="fine-print">{humanTime(At)}</span>
            </li>
          ))}
        </ol>
      )}
    </QueryResult>
  )
}

function RemoveDomain({ zone, hostname }: NamedProps) {
  const [isOpen, setOpen] = useState(false)
  const remove = useChange('removeDomain', {
    changes: ['listDomains', 'listZones'],
    onSuccess: () => toast(`${hostname} is removed.`),
  })
  return (
    <>
      <Button kind="quiet" icon="trash" onClick={() => setOpen(true)}>
        Remove<span className="hidden-text"> {hostname}</span>
      </Button>
      <TypedConfirmation
        title={`Remove ${hostname}`}
        word={hostname}
        action="Remove the domain"
        isOpen={isOpen}
        isBusy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate({ id: zone, hostname })}
        onClose={() => setOpen(false)}
      >
        <p>Whoever asks for it gets no file any more. Its certificate is revoked.</p>
      </TypedConfirmation>
    </>
  )
}
