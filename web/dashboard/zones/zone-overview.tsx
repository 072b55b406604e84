import type { ResponseOf } from '../../../src/client/types.ts'
import { useOperation } from '../api/queries.ts'
import { t } from '../language/text.ts'
import { CopyButton } from '../parts/feedback/copy-button.tsx'
import { QueryResult } from '../parts/feedback/query-result.tsx'
import { humanBytes, humanNumber, humanShare } from '../parts/format.ts'
import { Icon } from '../parts/icon.tsx'
import { Figure } from '../parts/inline.tsx'
import type { Zone } from '../parts/one-zone.tsx'
import { Link } from '../router.tsx'
import { DailyBars } from './daily-bars.tsx'
import { ZoneQuotas } from './quotas/zone-quotas.tsx'
import { ZoneStorage } from './zone-storage.tsx'

const shownDays = 7

/** What a zone delivers and holds. */
export const ZoneOverview = ({ zone }: { readonly zone: Zone }) => (
  <div className="stack">
    {zone.FileCount === 0 && <FirstUpload zone={zone} />}
    <div className="zone-address card">
      <div>
        <p className="fine-print">{t('Its files are at')}</p>
        <code>{zone.OriginUrl}</code>
      </div>
      <span className="row">
        <CopyButton text={zone.OriginUrl} />
        <Link page="upload" search={{ zone: zone.Name }} className="button button-plain">
          <Icon name="upload" /> {t('Upload')}
        </Link>
        <Link page="purge" search={{ tag: `zone-${zone.Name}` }} className="button button-plain">
          <Icon name="sweep" /> {t('Purge')}
        </Link>
      </span>
    </div>
    <ZoneTraffic zone={zone} />
    <div className="halves">
      <ZoneStorage zone={zone} />
      <TopOfZone zone={zone} />
    </div>
    <ZoneQuotas zone={zone} />
  </div>
)

/** Where one goes on after a zone was made. */
const FirstUpload = ({ zone: { Name } }: { readonly zone: Zone }) => (
  <section className="card first-upload">
    <div>
      <h2>{t('{name} is ready', { name: Name })}</h2>
      <p>{t('Drop files into it: they are live within a second.')}</p>
    </div>
    <Link page="upload" search={{ zone: Name }} className="button button-primary">
      <Icon name="upload" /> {t('Upload to it')}
    </Link>
  </section>
)

function ZoneTraffic({ zone: { Name, FileCount, StorageUsed } }: { readonly zone: Zone }) {
  const statistics = useOperation('getStatistics', { days: shownDays, zone: Name })
  return (
    <QueryResult query={statistics} label={t('The traffic is loading')}>
      {({ Summary, Daily }) => (
        <>
          <dl className="figures">
            <Figure name="Requests" value={humanNumber(Summary.TotalRequests)} />
            <Figure name="Bandwidth" value={humanBytes(Summary.TotalBandwidth)} />
            <Figure name="Hit ratio" value={hitRatioOf(Daily)} />
            <Figure name="Files" value={humanNumber(FileCount)} />
            <Figure name="Stored" value={humanBytes(StorageUsed)} />
          </dl>
          <section className="card">
            <div className="spread">
              <h2>{t('Requests, last {shownDays} days', { shownDays })}</h2>
              <Link page="insights" search={{ zone: Name }}>
                {t('Insights')}
              </Link>
            </div>
            <DailyBars days={Daily} />
          </section>
        </>
      )}
    </QueryResult>
  )
}

type Day = ResponseOf<'getStatistics'>['Daily'][number]

function hitRatioOf(days: readonly Day[]): string {
  const hits = days.reduce((sum, { CacheHit }) => sum + CacheHit, 0)
  const all = days.reduce((sum, { CacheHit, CacheMiss }) => sum + CacheHit + CacheMiss, 0)
  return all === 0 ? '–' : humanShare(hits / all)
}

function TopOfZone({ zone: { Name } }: { readonly zone: Zone }) {
  const top = useOperation('getTopAssets', { days: shownDays, zone: Name, limit: 8 })
  return (
    <section className="card">
      <h2>{t('Top assets')}</h2>
      <QueryResult query={top} label={t('The assets are loading')}>
        {({ Assets }) =>
          Assets.length === 0 ? (
            <p className="fine-print">
              {t('Nothing was asked for in the last {shownDays} days.', { shownDays })}
            </p>
          ) : (
            <ol className="bars">
              {Assets.map(({ Path, Requests, Bytes }) => (
                <li key={Path}>
                  <Link page="assets" search={{ asset: Path }}>
                    {Path.slice(Name.length + 1)}
                  </Link>
                  <span className="fine-print">
                    {humanNumber(Requests)}, {humanBytes(Bytes)}
                  </span>
                  <meter min={0} max={Assets[0]?.Requests ?? 1} value={Requests}>
                    {Requests}
                  </meter>
                </li>
              ))}
            </ol>
          )
        }
      </QueryResult>
    </section>
  )
}
