import { useOperation } from '../api/queries.ts'
import { t } from '../language/text.ts'
import { Badge } from '../parts/inline.tsx'
import { humanNumber } from '../parts/format.ts'
import { Icon } from '../parts/icon.tsx'
import { Link } from '../router.tsx'

/** Each look really uses every part. */
const refetchEveryMs = 60_000

/** Whether the service works, as it says itself: part by part. */
export function HealthCard() {
  const deep = useOperation('getHealth', { deep: '1' }, { refetchEveryMs })
  const plain = useOperation('getHealth', {}, { isEnabled: deep.isError, refetchEveryMs })
  const data = deep.data ?? plain.data
  if (data === undefined) return null
  return (
    <section className="card">
      <div className="spread">
        <h2>
          <Link page="health">{t('Health')}</Link>
        </h2>
        {data.status === 'ok' ? (
          <Badge kind="good">{t('Everything works')}</Badge>
        ) : (
          <Badge kind="bad">{t('Something does not work')}</Badge>
        )}
      </div>
      <p className="fine-print">
        {t('Sedge {version}, interface of {apiVersion}', {
          version: data.version,
          apiVersion: data.apiVersion,
        })}
      </p>
      {data.checks.length > 0 && (
        <ul className="health-checks">
          {data.checks.map(({ name, healthy, latencyMs }) => (
            <li key={name} data-healthy={healthy}>
              <Icon name={healthy ? 'check' : 'alert'} />
              <span>{nameByCheck[name] ?? name}</span>
              <span className="fine-print">
                {healthy
                  ? t('{latencyMs} ms', { latencyMs: humanNumber(Math.round(latencyMs * 10) / 10) })
                  : t('does not work')}
              </span>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

/** What people call the parts; one that is not here is shown by its own name. */
const nameByCheck: Readonly<Record<string, string>> = {
  publishing: t('Publishing'),
  database: t('Database'),
  repository: t('Git repository'),
  transformer: t('Image transforms'),
  renderer: t('Image transforms'),
  mirror: t('Git mirror'),
  feed: t('Change feed'),
  blobs: t('Stored files'),
  disk: t('Disk'),
  search: t('Search'),
  edges: t('Edges'),
  webhooks: t('Webhooks'),
  certificates: t('Certificates'),
}
