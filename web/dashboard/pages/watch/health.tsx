import { useOperation } from '../../api/queries.ts'
import { PartCard } from '../../health/part-card.tsx'
import type { Part } from '../../health/part-texts.ts'
import { t } from '../../language/text.ts'
import { QueryResult } from '../../parts/feedback/query-result.tsx'
import { Badge } from '../../parts/inline.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { Link } from '../../router.tsx'

const refetchEveryMs = 15_000

/** How every part of the service is. */
export function Page() {
  const health = useOperation('getHealthParts', {}, { refetchEveryMs })
  return (
    <>
      <PageHeader
        title={t('Health')}
        lead={t('How each part of the service is, since when, and what to do about it.')}
      >
        <Link page="notifications" className="button">
          {t('Notifications')}
        </Link>
      </PageHeader>
      <QueryResult query={health} label={t('The parts are loading')}>
        {({ Status, Parts }) => (
          <>
            <p role="status" className="health-status">
              <Whole status={Status} />
            </p>
            <ul className="health-parts">
              {Parts.toSorted((a, b) => weightOf(b) - weightOf(a)).map((part) => (
                <PartCard key={part.Name} part={part} />
              ))}
            </ul>
          </>
        )}
      </QueryResult>
    </>
  )
}

const weights = { failing: 3, degraded: 2, healthy: 1, off: 0 } as const
const weightOf = ({ State }: Part): number => weights[State]

function Whole({ status }: { readonly status: 'healthy' | 'degraded' | 'failing' }) {
  if (status === 'failing') return <Badge kind="bad">{t('Something does not work')}</Badge>
  return status === 'degraded' ? (
    <Badge kind="warning">{t('Something needs a look')}</Badge>
  ) : (
    <Badge kind="good">{t('Everything works')}</Badge>
  )
}
