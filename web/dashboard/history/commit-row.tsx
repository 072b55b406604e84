import { useOperation } from '../api/queries.ts'
import { rich } from '../language/rich-text.tsx'
import { locale } from '../language/language.ts'
import { t } from '../language/text.ts'
import { Button } from '../parts/forms/button.tsx'
import { humanNumber, humanTime } from '../parts/format.ts'
import { Icon } from '../parts/icon.tsx'
import { useWasInView } from '../parts/use-in-view.ts'
import { Link } from '../router.tsx'
import { ChangeCounts, ChangeSign, countAll, type Differences, type Moment } from './difference.tsx'
import { StateImage } from '../assets/state-image.tsx'

interface CommitRowProps {
  readonly zone: string
  readonly commit: Moment
  readonly author: string
  /** What of the zone is looked at. */
  readonly path: string | undefined
  /** The commit that is to be compared with another one. */
  readonly marked: string | undefined
  readonly onMark: (commit: string) => void
  readonly onRestore: (commit: Moment) => void
}

const shownFiles = 8

/** One commit: when, who, why, and what it changed. */
export function CommitRow(props: CommitRowProps) {
  const { zone, commit, author, path, marked, onMark, onRestore } = props
  const [place, wasInView] = useWasInView<HTMLLIElement>()
  const changed = useOperation(
    'getZoneDifferences',
    { id: zone, to: commit.Commit, limit: shownFiles, ...(path !== undefined && { path }) },
    { isEnabled: wasInView, staleMs: Number.POSITIVE_INFINITY },
  )
  const isMarked = marked === commit.Commit
  return (
    <li ref={place} className="commit" data-marked={isMarked || undefined}>
      <div className="commit-head">
        <div className="commit-words">
          <Link page="compare" search={{ zone, to: commit.Commit, path }} className="commit-title">
            {commit.Subject}
          </Link>
          <p className="fine-print">
            {rich('{time} by {author}, {commit}', {
              time: (
                <time dateTime={commit.DateCommitted} title={humanTime(commit.DateCommitted)}>
                  {clock.format(new Date(commit.DateCommitted))}
                </time>
              ),
              author,
              commit: <code>{commit.Commit.slice(0, 10)}</code>,
            })}
          </p>
        </div>
        {changed.data && <ChangeCounts of={changed.data} />}
      </div>
      <CommitFiles zone={zone} path={path} changed={changed.data} isError={changed.isError} />
      <div className="row commit-actions">
        <MarkButton {...{ zone, commit, path, marked, onMark }} />
        <Button
          kind="quiet"
          icon="undo"
          needs={{ scope: 'storage:write', zone }}
          onClick={() => onRestore(commit)}
        >
          {t('Go back to here')}
        </Button>
        <Link
          page="previews"
          search={{ zone, from: commit.Commit }}
          className="button button-quiet"
        >
          <Icon name="branch" />
          {t('Preview from here')}
        </Link>
      </div>
    </li>
  )
}

const clock = new Intl.DateTimeFormat(locale(), { timeStyle: 'short' })

type MarkProps = Pick<CommitRowProps, 'zone' | 'commit' | 'path' | 'marked' | 'onMark'>

/** The first that is chosen waits for a second one. */
function MarkButton({ zone, commit, path, marked, onMark }: MarkProps) {
  if (marked === undefined || marked === commit.Commit)
    return (
      <Button
        kind="quiet"
        icon="compare"
        aria-pressed={marked === commit.Commit}
        onClick={() => onMark(marked === commit.Commit ? '' : commit.Commit)}
      >
        {t('Compare')}
      </Button>
    )
  return (
    <Link
      page="compare"
      search={{ zone, from: marked, to: commit.Commit, path }}
      className="button button-primary"
    >
      {t('Compare with this')}
    </Link>
  )
}

interface CommitFilesProps extends Pick<CommitRowProps, 'zone' | 'path'> {
  readonly changed: Differences | undefined
  readonly isError: boolean
}

/** Thumbnails of what the commit changed, each the way to see it beside what was there before. */
function CommitFiles({ zone, path, changed, isError }: CommitFilesProps) {
  if (isError) return <p className="fine-print">{t('What it changed could not be read.')}</p>
  if (changed === undefined) return <div className="commit-files" aria-hidden="true" />
  if (changed.Differences.length === 0)
    return <p className="fine-print">{t('No file is another: only settings of the zone.')}</p>
  const more = countAll(changed) - changed.Differences.length
  return (
    <ul className="commit-files">
      {changed.Differences.map(({ Path, Change, Before, After }) => (
        <li key={Path}>
          <Link
            page="compare"
            search={{ zone, to: changed.To.Commit, path, file: Path }}
            aria-label={`${Path}, ${Change}`}
            title={Path}
            className="commit-file"
          >
            <StateImage
              path={Path}
              commit={After === null ? changed.From?.Commit : changed.To.Commit}
              isThere={After !== null || Before !== null}
              widthPx={112}
              heightPx={84}
            />
            <ChangeSign change={Change} />
            <span className="commit-file-name">{Path.slice(Path.lastIndexOf('/') + 1)}</span>
          </Link>
        </li>
      ))}
      {more > 0 && (
        <li className="commit-more">
          <Link page="compare" search={{ zone, to: changed.To.Commit, path }}>
            {t('{more} more', { more: humanNumber(more) })}
          </Link>
        </li>
      )}
    </ul>
  )
}
