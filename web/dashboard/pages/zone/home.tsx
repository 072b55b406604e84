import { AddDomain } from '../../domains/add-domain.tsx'
import { DomainsOf } from '../../domains/domain-list.tsx'
import { rich } from '../../language/rich-text.tsx'
import { t } from '../../language/text.ts'
import { Segments } from '../../parts/forms/segments.tsx'
import { OneZone, type Zone } from '../../parts/one-zone.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { useSearch } from '../../router.tsx'
import { RuleDesk } from '../../rules/rule-desk.tsx'
import { TransformSamples } from '../../transform/transform-samples.tsx'
import { DangerZone } from '../../zones/danger-zone.tsx'
import { VisionSettings } from '../../zones/vision/vision-settings.tsx'
import { DeliveryDefaults } from '../../zones/delivery-defaults.tsx'
import { HistorySettings } from '../../zones/history-settings.tsx'
import { QuotaSettings } from '../../zones/quotas/quota-settings.tsx'
import { RetentionSettings } from '../../zones/retention-settings.tsx'
import { ZoneOverview } from '../../zones/zone-overview.tsx'
import { ZoneState } from '../../zones/zone-state.tsx'
import { ZoneTokens } from './zone-tokens.tsx'

/** A zone and all that is its own. */
export function Page() {
  const [{ tab = 'overview' }] = useSearch()
  const known = tabs.find(([name]) => name === tab)?.[0] ?? 'overview'
  return (
    <OneZone page="zone" tab={known} what="A home">
      {(zone) => (
        <div key={`${zone.Id} ${known}`}>
          <ZoneHeader zone={zone} />
          {contentOf[known](zone)}
        </div>
      )}
    </OneZone>
  )
}

const ZoneHeader = ({ zone }: { readonly zone: Zone }) => (
  <PageHeader
    title={zone.Name}
    lead={
      <>
        <ZoneState {...zone} />{' '}
        {zone.domains.length > 0 && <span className="fine-print">{zone.domains.join(', ')}</span>}
      </>
    }
  />
)

const contentOf = {
  overview: (zone: Zone) => <ZoneOverview zone={zone} />,
  domains: ({ Name }: Zone) => (
    <div className="stack">
      <AddDomain zone={Name} />
      <DomainsOf zone={Name} />
    </div>
  ),
  rules: ({ Name }: Zone) => <ZoneRules zone={Name} />,
  transforms: ({ Name }: Zone) => (
    <div className="stack">
      <TransformSamples zone={Name} />
      <RuleDesk of={{ file: '_transforms', zone: Name }} />
    </div>
  ),
  tokens: ({ Name }: Zone) => <ZoneTokens zone={Name} />,
  settings: (zone: Zone) => (
    <div className="halves">
      <DeliveryDefaults zone={zone} />
      <VisionSettings zone={zone} />
      <HistorySettings zone={zone} />
      <RetentionSettings zone={zone} />
      <QuotaSettings zone={zone} />
      <DangerZone zone={zone} />
    </div>
  ),
} as const

const tabs = Object.entries(contentOf) as [keyof typeof contentOf, unknown][]

const files = [
  { value: '_headers', label: t('Headers') },
  { value: '_redirects', label: t('Redirects') },
] as const

function ZoneRules({ zone }: { readonly zone: string }) {
  const [search, change] = useSearch()
  const file = files.find(({ value }) => value === search['file'])?.value ?? '_headers'
  return (
    <>
      <p className="lead-note">
        {rich(
          'Applied after the rules of all zones, to URLs of {zone} alone. Paths are below the zone: <code>/v1/…</code>',
          { zone, code: (text) => <code>{text}</code> },
        )}
      </p>
      <Segments
        label={t('File')}
        value={file}
        options={files}
        onChange={(next) => change({ file: next })}
      />
      <RuleDesk of={{ file, zone }} />
    </>
  )
}
