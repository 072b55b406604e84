import type { Input } from '../../../src/client/types.ts'
import { useOperation } from '../api/queries.ts'
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
    <QueryResult query={found} label="The files are loading">
      {(data) => (
        <>
          <ul className="pairs">
            {data.Differences.map((each) => (
              <li key={each.Path}>
                <Pair of={each} from={data.From?.Commit} to={data.To.Commit} />
              </li>
            ))}
          </ul>
          {countAll(data) > data.Differences.length && (
            <p className="fine-print">
              and {humanNumber(countAll(data) - data.Differences.length)} more
            </p>
          )}
        </>
      )}
    </QueryResult>
  )
}

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
