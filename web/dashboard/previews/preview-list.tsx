import { rich } from '../language/rich-text.tsx'
import { t } from '../language/text.ts'
import { useAuthorName } from '../parts/author-name.ts'
import { EmptyState } from '../parts/feedback/empty-state.tsx'
import { Button } from '../parts/forms/button.tsx'
import { Badge, Moment } from '../parts/inline.tsx'
import { Link } from '../router.tsx'
import type { Preview } from './preview.ts'

interface PreviewListProps {
  readonly previews: readonly Preview[]
  readonly onCreate: () => void
}

/** The previews of a zone, those first that changed last. */
export function PreviewList({ previews, onCreate }: PreviewListProps) {
  const nameOf = useAuthorName()
  if (previews.length === 0)
    return (
      <EmptyState icon="branch" title={t('There is no preview')}>
        <p>
          {t(
            'A preview is a copy of the zone at a URL of its own. Change files there, show them to others, and promote them when they are right.',
          )}
        </p>
        <p className="row">
          <Button
            kind="primary"
            icon="plus"
            needs={{ scope: ['storage:write', 'previews:write'] }}
            onClick={onCreate}
          >
            {t('Create a preview')}
          </Button>
        </p>
      </EmptyState>
    )
  const newestFirst = previews.toSorted((one, other) =>
    other.DateChanged.localeCompare(one.DateChanged),
  )
  return (
    <ul className="cards" aria-label={t('Previews')}>
      {newestFirst.map(({ Zone, Name, Signed, DateChanged, Expires, CreatedBy }) => (
        <li key={Name} className="card preview-card">
          <div>
            <h2>
              <Link page="previews" search={{ zone: Zone, preview: Name }}>
                {Name}
              </Link>
            </h2>
            <p className="fine-print">
              {rich('changed {moment}, made by {createdBy}', {
                moment: <Moment time={DateChanged} />,
                createdBy: nameOf(CreatedBy),
              })}
            </p>
          </div>
          <span className="row">
            {Signed && <Badge kind="warning">{t('only by signed URL')}</Badge>}
            <Badge>
              {t('expires')} <Moment time={Expires} />
            </Badge>
          </span>
        </li>
      ))}
    </ul>
  )
}
