import { useState } from 'react'

import { useChange, useOperation } from '../api/queries.ts'
import { rich } from '../language/rich-text.tsx'
import { hidden } from '../language/hidden-text.tsx'
import { t } from '../language/text.ts'
import { QueryResult } from '../parts/feedback/query-result.tsx'
import { Badge, Moment } from '../parts/inline.tsx'
import { Button } from '../parts/forms/button.tsx'
import { Dialog } from '../parts/feedback/dialog.tsx'
import { CheckField } from '../parts/forms/field.tsx'
import { humanTime } from '../parts/format.ts'
import { Icon } from '../parts/icon.tsx'
import { toast, toastFailure } from '../parts/feedback/toasts.tsx'
import { TypedConfirmation } from '../parts/feedback/typed-confirmation.tsx'
import { CheckNow } from './check-now.tsx'
import { DnsRecords } from './dns-records.tsx'
import { type Domain, dnsStateOf, sslStateOf, sslWords } from './domain-state.ts'

interface DomainProps {
  readonly domain: Domain
}

/** One host name: how it stands, why, what to set, and what it was before. */
export function DomainDetails({ domain, onClose }: DomainProps & { readonly onClose: () => void }) {
  const { Hostname, SslError } = domain
  const [dns, ssl] = [dnsStateOf(domain), sslStateOf(domain)]
  return (
    <Dialog title={Hostname} isOpen shape="side" onClose={onClose}>
      <div className="stack">
        <p className="row">
          <Badge kind={dns.kind}>{t('DNS: {text}', { text: dns.text })}</Badge>
          <Badge kind={ssl.kind}>{t('Certificate: {text}', { text: ssl.text })}</Badge>
        </p>
        {SslError !== null && (
          <div className="note">
            <Icon name="info" />
            <p>{SslError}</p>
          </div>
        )}
        <DnsRecords domain={domain} />
        <Facts domain={domain} />
        <div className="row">
          <CheckNow domain={domain} />
          <RedirectSwitch domain={domain} />
        </div>
        <History domain={domain} />
        <RemoveDomain domain={domain} onRemoved={onClose} />
      </div>
    </Dialog>
  )
}

const Facts = ({ domain: { Zone, SslExpires, SslNextCheck } }: DomainProps) => (
  <dl className="facts">
    <dt>{t('Zone')}</dt>
    <dd>{Zone}</dd>
    {SslExpires !== null && (
      <>
        <dt>{t('Certificate until')}</dt>
        <dd>{humanTime(SslExpires)}</dd>
      </>
    )}
    <dt>{t('Next look')}</dt>
    <dd>
      <Moment time={SslNextCheck} />
    </dd>
  </dl>
)

function RedirectSwitch({ domain: { Zone, Hostname, HttpsRedirect } }: DomainProps) {
  const change = useChange('updateDomain', { changes: ['listDomains', 'listAllDomains'] })
  return (
    <CheckField
      label={t('Send http to https')}
      checked={HttpsRedirect}
      onChange={({ target }) =>
        change.mutate(
          { id: Zone, hostname: Hostname, body: { HttpsRedirect: target.checked } },
          { onError: (error) => toastFailure(error) },
        )
      }
    />
  )
}

function History({ domain: { Zone, Hostname } }: DomainProps) {
  const domain = useOperation('getDomain', { id: Zone, hostname: Hostname })
  return (
    <QueryResult query={domain} label={t('The history is loading')}>
      {({ SslHistory }) =>
        SslHistory.length === 0 ? null : (
          <section>
            <h3>{t('History')}</h3>
            <ol className="entries">
              {SslHistory.toReversed().map(({ At, SslStatus, SslError }) => (
                <li key={`${At} ${SslStatus}`}>
                  <div>
                    <p>{sslWords[SslStatus]}</p>
                    {SslError !== null && <p className="fine-print">{SslError}</p>}
                  </div>
                  <span className="fine-print">{humanTime(At)}</span>
                </li>
              ))}
            </ol>
          </section>
        )
      }
    </QueryResult>
  )
}

function RemoveDomain({ domain, onRemoved }: DomainProps & { readonly onRemoved: () => void }) {
  const { Zone, Hostname } = domain
  const [isOpen, setOpen] = useState(false)
  const remove = useChange('removeDomain', {
    changes: ['listDomains', 'listAllDomains', 'listZones'],
    onSuccess: () => {
      toast(t('{hostname} is removed.', { hostname: Hostname }))
      onRemoved()
    },
  })
  return (
    <>
      <div className="row">
        <Button
          kind="quiet"
          icon="trash"
          needs={{ scope: 'domains:write', zone: Zone }}
          onClick={() => setOpen(true)}
        >
          {rich('Remove <hidden>{hostname}</hidden>', {
            hostname: Hostname,
            hidden,
          })}
        </Button>
      </div>
      <TypedConfirmation
        title={t('Remove {hostname}', { hostname: Hostname })}
        word={Hostname}
        action={t('Remove the domain')}
        isOpen={isOpen}
        isBusy={remove.isPending}
        error={remove.error}
        onConfirm={() => remove.mutate({ id: Zone, hostname: Hostname })}
        onClose={() => setOpen(false)}
      >
        <p>{t('Whoever asks for it gets no file any more. Its certificate is revoked.')}</p>
      </TypedConfirmation>
    </>
  )
}
