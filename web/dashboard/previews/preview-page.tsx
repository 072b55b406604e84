import { ComparedFiles, type Ends } from '../history/compared-files.tsx'
import { ChangeCounts, countAll, type Difference } from '../history/difference.tsx'
import { FileComparison } from '../history/file-comparison.tsx'
import { t } from '../language/text.ts'
import { EmptyState } from '../parts/feedback/empty-state.tsx'
import { QueryResult } from '../parts/feedback/query-result.tsx'
import { LoadMore } from '../parts/load-more.tsx'
import { Link, useSearch } from '../router.tsx'
import { Badge } from '../parts/inline.tsx'
import { humanNumber } from '../parts/format.ts'
import { asDifference, usePreviewDifferences } from './preview-differences.ts'
import type { Preview } from './preview.ts'
import { PreviewActions } from './preview-actions.tsx'
import { PreviewFacts } from './preview-facts.tsx'
import { PreviewIntake } from './preview-intake.tsx'
import { useLiveCommit } from './use-live-commit.ts'

interface PreviewPageProps {
  readonly preview: Preview
  readonly onGone: () => void
}

/** One preview: where it is seen, what it changes, and what can be done with it. */
export function PreviewPage({ preview, onGone }: PreviewPageProps) {
  const { Zone, Name } = preview
  return (
    <div className="stack">
      <div className="spread">
        <p>
          <Link page="previews" search={{ zone: Zone }}>
            {t('All previews of {zone}', { zone: Zone })}
          </Link>
        </p>
        <PreviewActions preview={preview} onGone={onGone} />
      </div>
      <h2 className="preview-name">{Name}</h2>
      <div className="preview-top">
        <PreviewFacts preview={preview} />
        <PreviewIntake key={Name} zone={Zone} name={Name} />
      </div>
      <PreviewChanges preview={preview} />
    </div>
  )
}

/** What a promotion would change, with both images. */
function PreviewChanges({ preview }: { readonly preview: Preview }) {
  const found = usePreviewDifferences(preview)
  const from = useLiveCommit(preview)
  return (
    <section className="stack" aria-label={t('What it changes')}>
      <QueryResult query={found} label={t('What it changes is loading')}>
        {({ pages: [first, ...rest] }) => {
          if (first === undefined || countAll(first) + first.Conflicts === 0)
            return <NothingChanged />
          const all = [first, ...rest].flatMap(({ Differences }) => Differences)
          return (
            <>
              <div className="spread">
                <h2>{t('What it changes of what is live')}</h2>
                <span className="row">
                  <ChangeCounts of={first} />
                  {first.Conflicts > 0 && (
                    <Badge kind="warning">
                      {t('{conflicts} in conflict', { conflicts: humanNumber(first.Conflicts) })}
                    </Badge>
                  )}
                </span>
              </div>
              <ChangedFiles
                zone={preview.Zone}
                differences={all.map(asDifference)}
                ends={{ from, to: preview.Head }}
              />
              <LoadMore query={found}>{t('Show more files')}</LoadMore>
            </>
          )
        }}
      </QueryResult>
    </section>
  )
}

interface ChangedFilesProps {
  readonly zone: string
  readonly differences: readonly Difference[]
  readonly ends: Ends
}

function ChangedFiles({ zone, differences, ends }: ChangedFilesProps) {
  const [{ file }, change] = useSearch()
  return (
    <>
      <ComparedFiles
        differences={differences}
        ends={ends}
        onOpen={(path) => change({ file: path })}
      />
      {file !== undefined && (
        <FileComparison
          zone={zone}
          path={file}
          among={differences}
          ends={ends}
          onClose={() => change({ file: undefined, how: undefined })}
        />
      )}
    </>
  )
}

const NothingChanged = () => (
  <EmptyState icon="branch" title={t('It is still what it was made of')}>
    <p>{t('Drop files above, push to its branch, or write to it through the API.')}</p>
  </EmptyState>
)
