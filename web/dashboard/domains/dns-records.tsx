import { rich } from '../language/rich-text.tsx'
import { t } from '../language/text.ts'
import { CopyButton } from '../parts/feedback/copy-button.tsx'
import type { Domain } from './domain-state.ts'

/** What to set in DNS: whose the name is, then where it leads. Never a record that cannot be. */
export function DnsRecords({ domain }: { readonly domain: Domain }) {
  const { Hostname, SslStatus, Verified, Verification, CnameTarget } = domain
  const isSettled = Verified && SslStatus === 'active'
  if (isSettled && CnameTarget === null) return null
  return (
    <section className="stack">
      <h3>{isSettled ? t('What is set') : t('What to set in DNS')}</h3>
      {!Verified && (
        <Record
          title={t('Shows whose the name is')}
          type="TXT"
          name={Verification.Name}
          value={Verification.Value}
          line={`${Verification.Name}. TXT "${Verification.Value}"`}
        />
      )}
      {CnameTarget === null ? (
        <p>
          {rich(
            'Set <code>CNAME_TARGET</code> first, the name at which everybody reaches this service, or <code>BASE_URL</code>, and start it again: then the record to set is shown here. <link>How to set up domains</link>',
            {
              code: (text) => <code>{text}</code>,
              link: (text) => <a href="/docs/custom-domains">{text}</a>,
            },
          )}
        </p>
      ) : (
        <Record
          title={t('Leads it here')}
          type="CNAME"
          name={Hostname}
          value={CnameTarget}
          line={`${Hostname}. CNAME ${CnameTarget}.`}
        />
      )}
    </section>
  )
}

interface RecordProps {
  readonly title: string
  readonly type: string
  readonly name: string
  readonly value: string
  /** As a zone file has it. */
  readonly line: string
}

const Record = ({ title, type, name, value, line }: RecordProps) => (
  <div className="dns-record">
    <div className="spread">
      <p className="choices-title">{title}</p>
      <CopyButton text={line} label={t('Copy the line')} />
    </div>
    <dl className="facts">
      <dt>{t('Type')}</dt>
      <dd>{type}</dd>
      <dt>{t('Name')}</dt>
      <dd className="row">
        <code>{name}</code>
        <CopyButton text={name} label={t('Copy name')} />
      </dd>
      <dt>{t('Value')}</dt>
      <dd className="row">
        <code>{value}</code>
        <CopyButton text={value} label={t('Copy value')} />
      </dd>
    </dl>
  </div>
)
