import type { Input } from '../../../src/client/types.ts'
import { useOperation } from '../api/queries.ts'
import { t } from '../language/text.ts'
import { humanNumber } from '../parts/format.ts'
import { QueryResult } from '../parts/feedback/query-result.tsx'
import { ChangeSign, countAll, type Difference, pathInZone } from './difference.tsx'
import { StateImage } from '../assets/state-image.tsx'

interface DifferenceThumbnailsProps {
  readonly wanted: Input<'getZoneDifferences'>
}

const shownFiles = 60

/** What differs at a glance: each file now and as it would be. */
export function DifferenceThumbnails({ wanted }: DifferenceThumbnailsProps) {
  const found = useOperation('getZoneDifferences', { ...wanted, limit: shownFiles })
  return (
    <QueryResult query={found} label={t('The files are loading')}>
      {(data) => (
        <Pairs
          differences={data.Differences}
          from={data.From?.Commit}
          to={data.To.Commit}
          count={countAll(data)}
        />
      )}
    </QueryResult>
  )
}

interface PairsProps extends Omit<PairProps, 'of'> {
  readonly differences: readonly Difference[]
  /** How many there are in all. */
  readonly count: number
}

/** Each file at two moments, and how many more there are. */
export const Pairs = ({ differences, count, ...ends }: PairsProps) => (
  <>
    <ul className="pairs">
      {differences.map((each) => (
        <li key={each.Path}>
          <Pair of={each} {...ends} />
        </li>
      ))}
    </ul>
    {count > differences.length && (
      <p className="fine-print">
        {t('and {count} more', { count: humanNumber(count - differences.length) })}
      </p>
    )}
  </>
)

interface PairProps {
  readonly of: Difference
  readonly from: string | undefined
  readonly to: string
}

/** A file at two moments, small. */
const Pair = ({ of: { Path, Change, Before, After }, from, to }: PairProps) => (
  <div className="pair" title={Path}>
    <span className="pair-images">
      <StateImage path={Path} commit={from} isThere={Before !== null} widthPx={96} heightPx={72} />
      <StateImage path={Path} commit={to} isThere={After !== null} widthPx={96} heightPx={72} />
      <ChangeSign change={Change} />
    </span>
    <span className="pair-name">
      {pathInZone(Path)}
      <span className="hidden-text">, {Change}</span>
    </span>
  </div>
)
