import { SedgeError } from '../../../src/client/errors.ts'
import { StateImage } from '../assets/state-image.tsx'
import { pathInZone } from '../history/difference.tsx'
import { plural, t } from '../language/text.ts'
import { Icon } from '../parts/icon.tsx'

/** A path that both sides changed, with the SHA-256 that each has; `null` where it has no such file. */
interface Conflict {
  readonly Path: string
  readonly Reason?: string
  readonly Base: string | null
  readonly Live: string | null
  readonly Preview: string | null
}

/** Of a refusal for conflicts which they are; `undefined` of any other. */
export function conflictsOf(error: unknown): readonly Conflict[] | undefined {
  if (!(error instanceof SedgeError) || error.code !== 'PreviewConflict') return undefined
  const { Conflicts } = error.body
  return Array.isArray(Conflicts) ? (Conflicts as readonly Conflict[]) : []
}

export interface ConflictCommits {
  readonly base: string
  readonly live: string | undefined
  readonly preview: string
}

interface MergeConflictsProps {
  readonly conflicts: readonly Conflict[]
  readonly commits: ConflictCommits
}

/** Each conflict with all three images: nobody guesses which is right. */
export const MergeConflicts = ({ conflicts, commits }: MergeConflictsProps) => (
  <section className="stack" aria-label={t('Conflicts')}>
    <div className="note note-danger" role="alert">
      <Icon name="alert" />
      <p>
        {plural(conflicts.length, {
          one: 'One file was changed here and in what is live since. Nothing was done. Put into the preview what is to be, or promote other folders alone.',
          other:
            '{count} files were changed here and in what is live since. Nothing was done. Put into the preview what is to be, or promote other folders alone.',
        })}
      </p>
    </div>
    <ul className="conflicts">
      {conflicts.map((conflict) => (
        <li key={conflict.Path}>
          <p className="conflict-path">{pathInZone(conflict.Path)}</p>
          {conflict.Reason !== undefined && <p className="fine-print">{conflict.Reason}</p>}
          <div className="conflict-sides">
            <Side title={t('Begun with')} of={conflict} has={conflict.Base} commit={commits.base} />
            <Side title={t('Live')} of={conflict} has={conflict.Live} commit={commits.live} />
            <Side
              title={t('Preview')}
              of={conflict}
              has={conflict.Preview}
              commit={commits.preview}
            />
          </div>
        </li>
      ))}
    </ul>
  </section>
)

interface SideProps {
  readonly title: string
  readonly of: Conflict
  readonly has: string | null
  readonly commit: string | undefined
}

const Side = ({ title, of, has, commit }: SideProps) => (
  <figure>
    <StateImage
      path={of.Path}
      commit={commit}
      isThere={has !== null}
      widthPx={200}
      heightPx={140}
      alt={`${title}: ${of.Path}`}
    />
    <figcaption className="fine-print">{title}</figcaption>
  </figure>
)
