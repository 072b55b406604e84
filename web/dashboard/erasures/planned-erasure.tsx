import { Thumbnail } from '../assets/thumbnail.tsx'
import { rich } from '../language/rich-text.tsx'
import { plural, t } from '../language/text.ts'
import { humanBytes, humanNumber } from '../parts/format.ts'
import { Icon } from '../parts/icon.tsx'
import { type ErasurePlan, placeName } from './erasure.ts'

/** What a dry run found, before anybody is asked for anything. */
export function PlannedErasure({ plan }: { readonly plan: ErasurePlan }) {
  const { Files, FileCount, Previews, Places } = plan
  return (
    <section className="stack" aria-label={t('What would be erased')}>
      <div className="note note-danger">
        <Icon name="alert" />
        <p>
          {t(
            'From the moment you confirm, every URL that would give these bytes answers 451, former commits and previews among them. Then one place after another forgets them. Commits since the first with these bytes get new ids; the former ids go on working. Nothing of this can be taken back.',
          )}
        </p>
      </div>
      <p>
        <strong>{whatOf(plan)}</strong>
      </p>
      {/* A region that scrolls must be reachable by keyboard. */}
      <div className="erased-files" tabIndex={0} role="region" aria-label={t('Files')}>
        <ul>
          {Files.map((file) => (
            <li key={`${file.Path} ${file.Sha256}`}>
              <Thumbnail asset={assetOf(file)} widthPx={64} heightPx={48} />
              <span>
                <span className="erased-path">{file.Path}</span>
                <span className="fine-print">
                  {rich('{size}, in {commits}, {code}', {
                    size: humanBytes(file.Size),
                    commits: commitsText(file.Commits),
                    code: <code title={file.Sha256}>{file.Sha256.slice(0, 12)}…</code>,
                  })}
                </span>
              </span>
            </li>
          ))}
        </ul>
      </div>
      {FileCount > Files.length && (
        <p className="fine-print">
          {t('and {fileCount} more', { fileCount: humanNumber(FileCount - Files.length) })}
        </p>
      )}
      {Previews.length > 0 && (
        <p>{t('Previews that have them: {previews}', { previews: Previews.join(', ') })}</p>
      )}
      <p className="fine-print">
        {t('These places have to confirm: {places}.', { places: Places.map(placeName).join(', ') })}
      </p>
    </section>
  )
}

const commitsText = (count: number): string =>
  plural(count, { one: 'one commit', other: '{count} commits' })

/** What is stored there now; where that is something else, or nothing, a sign stands for it. */
const assetOf = ({ Path, Size }: ErasurePlan['Files'][number]) => ({
  path: Path,
  name: Path.slice(Path.lastIndexOf('/') + 1),
  project: Path.split('/')[0] ?? '',
  category: 'private',
  format: Path.slice(Path.lastIndexOf('.') + 1).toLowerCase(),
  size: Size,
})

/** How many versions of how many files, and of which zones where they are several. */
function whatOf({ Files, FileCount, Sha256 }: ErasurePlan): string {
  const zones = new Set(Files.map(({ Path }) => Path.split('/')[0]))
  const named = new Set(Files.map(({ Path }) => Path)).size + FileCount - Files.length
  const counts = {
    versions: plural(Sha256.length, { one: 'One version', other: '{count} versions' }),
    files: plural(named, { one: 'one file', other: '{count} files' }),
  }
  return zones.size > 1
    ? t('{versions}, in {files}, in the zones {zones}', {
        ...counts,
        zones: [...zones].join(', '),
      })
    : t('{versions}, in {files}', counts)
}
