import type { ResponseOf } from '../../../../src/client/types.ts'
import { useChange, useOperation } from '../../api/queries.ts'
import { t } from '../../language/text.ts'
import { Badge } from '../../parts/inline.tsx'
import { Button } from '../../parts/forms/button.tsx'
import { Failure } from '../../parts/feedback/failure.tsx'
import { humanAge, humanBytes, humanTime } from '../../parts/format.ts'
import { Loading } from '../../parts/feedback/query-result.tsx'
import { toast } from '../../parts/feedback/toasts.tsx'
import { Link } from '../../router.tsx'
import { StateImage } from '../state-image.tsx'
import { useAuthorName } from '../../parts/author-name.ts'

type Version = ResponseOf<'getAssetHistory'>['Versions'][number]

interface AssetVersionsProps {
  readonly path: string
  /** SHA-256 of what is stored now; `undefined` where nothing is. */
  readonly current: string | undefined
}

/** Who changed the asset, and when, from the repository; any version can be brought back. */
export function AssetVersions({ path, current }: AssetVersionsProps) {
  const history = useOperation('getAssetHistory', { path, limit: 50 })
  const nameOf = useAuthorName()
  const restore = useChange('restoreAsset', {
    changes: ['listAssets', 'getAssetMetadata', 'getAssetHistory', 'listZones'],
    onSuccess: () => toast(t('The version is back and will be live in a moment.')),
  })
  if (history.isPending) return <Loading label={t('The history is loading')} />
  // Of what is not there, it has been said already.
  if (history.isError && current === undefined) return null
  if (history.isError)
    return <Failure error={history.error} onRetry={() => void history.refetch()} />
  // The same bytes may have been there before, and been brought back.
  const newest = history.data.Versions.findIndex(
    ({ Checksum }) => Checksum !== null && Checksum === current,
  )
  return (
    <section>
      <h3>{t('History')}</h3>
      {restore.isError && <Failure error={restore.error} />}
      <ol className="versions">
        {history.data.Versions.map((version, index) => (
          <li key={version.Commit}>
            <VersionRow
              version={version}
              author={nameOf(version.Author)}
              isCurrent={index === newest}
              isSame={version.Checksum !== null && version.Checksum === current}
              isBusy={restore.isPending}
              onRestore={() => restore.mutate({ body: { path, commit: version.Commit } })}
              href={`/api/assets/version?${new URLSearchParams({ path, commit: version.Commit }).toString()}`}
            />
          </li>
        ))}
      </ol>
      <p className="row past-links">
        <Link page="history" search={placeOf(path)}>
          {t('Show in the history of the zone')}
        </Link>
        <Link page="erasures" search={{ erase: path }} className="danger-link">
          {t('Erase for good…')}
        </Link>
      </p>
    </section>
  )
}

/** The zone of a file, and where the file is in it. */
const placeOf = (path: string) => ({
  zone: path.slice(0, path.indexOf('/')),
  path: path.slice(path.indexOf('/') + 1),
})

interface VersionRowProps {
  readonly version: Version
  readonly author: string
  readonly isCurrent: boolean
  /** Whether its bytes are those that are stored now. */
  readonly isSame: boolean
  readonly isBusy: boolean
  readonly onRestore: () => void
  readonly href: string
}

const VersionRow = ({
  version,
  author,
  isCurrent,
  isSame,
  isBusy,
  onRestore,
  href,
}: VersionRowProps) => (
  <>
    <StateImage
      path={version.Path}
      commit={version.Commit}
      isThere={version.Change === 'stored'}
      widthPx={64}
      heightPx={48}
    />
    <div className="version">
      <p>
        {version.Subject} {isCurrent && <Badge kind="good">{t('current')}</Badge>}
        {isSame && !isCurrent && <Badge>{t('same bytes')}</Badge>}
        {version.Change === 'deleted' && <Badge kind="bad">{t('deleted')}</Badge>}
      </p>
      <p className="fine-print">
        <time dateTime={version.DateCommitted} title={humanTime(version.DateCommitted)}>
          {humanAge(version.DateCommitted)}
        </time>{' '}
        {t('by')} {author}
        {version.Size !== null && `, ${humanBytes(version.Size)}`},{' '}
        <code>{version.Commit.slice(0, 10)}</code>
      </p>
    </div>
    {version.Change === 'stored' && (
      <div className="row">
        <a className="button button-quiet" href={href} download>
          {t('Download')}
        </a>
        {!isSame && (
          <Link
            page="compare"
            search={{ ...placeOf(version.Path), from: version.Commit, file: version.Path }}
            className="button button-quiet"
          >
            {t('Compare')}
          </Link>
        )}
        {!isSame && <RestoreVersion version={version} isBusy={isBusy} onRestore={onRestore} />}
      </div>
    )}
  </>
)

const RestoreVersion = ({
  version: { Path },
  isBusy,
  onRestore,
}: Pick<VersionRowProps, 'version' | 'isBusy' | 'onRestore'>) => (
  <Button
    kind="quiet"
    icon="undo"
    needs={{ scope: 'storage:write', zone: Path.split('/', 1)[0] }}
    isBusy={isBusy}
    onClick={onRestore}
  >
    {t('Restore')}
  </Button>
)
