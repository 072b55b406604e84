import { t } from '../language/text.ts'
import { ChangeBadge, type Difference, pathInZone, sizeChange } from './difference.tsx'
import { StateImage } from '../assets/state-image.tsx'

/** The commits of both moments; the zone may not have been there before. */
export interface Ends {
  readonly from: string | undefined
  readonly to: string
}

interface ComparedFilesProps {
  readonly differences: readonly Difference[]
  readonly ends: Ends
  readonly onOpen: (path: string) => void
}

/** Each file that differs, as it was and as it is. */
export const ComparedFiles = ({ differences, ends, onOpen }: ComparedFilesProps) => (
  <ul className="compared-files" aria-label={t('Files that differ')}>
    {differences.map((each) => (
      <li key={each.Path}>
        <button type="button" className="compared-file" onClick={() => onOpen(each.Path)}>
          <span className="compared-images">
            <StateImage
              path={each.Path}
              commit={ends.from}
              isThere={each.Before !== null}
              widthPx={240}
              heightPx={160}
            />
            <StateImage
              path={each.Path}
              commit={ends.to}
              isThere={each.After !== null}
              widthPx={240}
              heightPx={160}
            />
          </span>
          <span className="compared-words">
            <span className="compared-name">{pathInZone(each.Path)}</span>
            <span className="row">
              <ChangeBadge change={each.Change} />
              <span className="fine-print">{sizeChange(each)}</span>
            </span>
          </span>
        </button>
      </li>
    ))}
  </ul>
)
