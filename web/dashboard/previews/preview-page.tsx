import { usePages } from '../api/queries.ts'
import { ComparedFiles } from '../history/compared-files.tsx'
import { ChangeCounts, countAll } from '../history/difference.tsx'
import { FileComparison } from '../history/file-comparison.tsx'
import { EmptyState } from '../parts/feedback/empty-state.tsx'
import { QueryResult } from '../parts/feedback/query-result.tsx'
import { LoadMore } from '../parts/load-more.tsx'
import { Link, useSearch } from '../router.tsx'
import type { Preview } from './preview.ts'
import { PreviewActions } from './preview-actions.tsx'
import { PreviewFacts } from './preview-facts.tsx'
import { PreviewIntake } from './preview-intake.tsx'

interface PreviewPageProps {
  readonly preview: Preview
  readonly onGone: () => void
}

const perPage = 60

/** One preview: where it is seen, what it changes, and what can be done with it. */
export function PreviewPage({ preview, onGone }: PreviewPageProps) {
  const { Zone, Name, Base, Head } = preview
  return (
    <div className="stack">
      <div className="spread">
        <p>
          <Link page="previews" search={{ zone: Zone }}>
            All previews of {Zone}
          </Link>
        </p>
        <PreviewActions preview={preview} onGone={onGone} />
      </div>
      <h2 className="preview-name">{Name}</h2>
      <div className="preview-top">
        <PreviewFacts preview={preview} />
        <PreviewIntake key={Name} zone={Zone} name={Name} />
      </div>
      <PreviewChanges key={Head} zone={Zone} from={Base} to={Head} />
    </div>
  )
}

interface PreviewChangesProps {
  readonly zone: string
  /** Commits: what it was made of, and what it shows. */
  readonly from: string
  readonly to: string
}

/** What the preview changes, with both images. */
function PreviewChanges({ zone, from, to }: PreviewChangesProps) {
  const [{ file }, change] = useSearch()
  const found = usePages(
    'getZoneDifferences',
    { id: zone, from, to, limit: perPage },
    { cursor: 'after' },
  )
  return (
    <section className="stack" aria-label="What it changes">
      <QueryResult query={found} label="What it changes is loading">
        {({ pages: [first, ...rest] }) => {
          if (first === undefined || countAll(first) === 0) return <NothingChanged />
          const differences = [first, ...rest].flatMap(({ Differences }) => Differences)
          return (
            <>
              <div className="spread">
                <h2>What it changes</h2>
                <ChangeCounts of={first} />
              </div>
              <ComparedFiles
                differences={differences}
                ends={{ from, to }}
                onOpen={(path) => change({ file: path })}
              />
              <LoadMore query={found}>Show more files</LoadMore>
              {file !== undefined && (
                <FileComparison
                  zone={zone}
                  path={file}
                  among={differences}
                  ends={{ from, to }}
                  onClose={() => change({ file: undefined, how: undefined })}
                />
              )}
            </>
          )
        }}
      </QueryResult>
    </section>
  )
}

const NothingChanged = () => (
  <EmptyState icon="branch" title="It is still what it was made of">
    <p>Drop files above, push to its branch, or write to it through the API.</p>
  </EmptyState>
)
