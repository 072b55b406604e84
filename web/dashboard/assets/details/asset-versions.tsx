import { useState } from 'react'

import { useChange, useOperation } from '../../api/queries.ts'
import { rich } from '../../language/rich-text.tsx'
import { t } from '../../language/text.ts'
import { Badge, Moment } from '../../parts/inline.tsx'
import { Button } from '../../parts/forms/button.tsx'
import { Failure } from '../../parts/feedback/failure.tsx'
import { humanBytes } from '../../parts/format.ts'
import { Loading } from '../../parts/feedback/query-result.tsx'
import { toast } from '../../parts/feedback/toasts.tsx'
import { Link } from '../../router.tsx'
import { isImagePath, StateImage } from '../state-image.tsx'
import { type Version, VersionComparison } from './version-comparison.tsx'
import { useAuthorName } from '../../parts/author-name.ts'

interface AssetVersionsProps {
  readonly path: string
  /** SHA-256 of what is stored now; `undefined` where nothing is. */
  readonly current: string | undefined
}

/** Who changed the asset, and when, from the repository; any version can be brought back. */
export function AssetVersions({ path, current }: AssetVersionsProps) {
  const history = useOperation('getAssetHistory', { path, limit: 50 })
  const nameOf = useAuthorName()
  const [compared, compare] = useState<string>()
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
  const stored = history.data.Versions.filter(({ Change }) => Change === 'stored')
  return (
    <section>
      <h3>{t('History')}</h3>
      {restore.isError && <Failure error={restore.error} />}
      <ol className="versions">
        {history.data.Versions.map((version, index) => (
          <li key={version.Commit}>
            <VersionRow
              version={version}
              before={stored[stored.indexOf(version) + 1]}
              author={nameOf(version.Author)}
              isCurrent={index === newest}
              isSame={version.Checksum !== null && version.Checksum === current}
              isBusy={restore.isPending}
              onRestore={() => restore.mutate({ body: { path, commit: version.Commit } })}
              onCompare={isImagePath(path) ? () => compare(version.Commit) : undefined}
            />
          </li>
        ))}
      </ol>
      <p className="row past-links">
        <Link page="history" search={placeOf(path)}>
          {t('Show in the history of the zone')}
        </Link>
      </p>
      {compared !== undefined && (
        <VersionComparison
          path={path}
          versions={stored.filter((version) => version.Path === path)}
          from={compared}
          onClose={() => compare(undefined)}
        />
      )}
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
  /** The one that it took the place of. */
  readonly before: Version | undefined
  readonly author: string
  readonly isCurrent: boolean
  /** Whether its bytes are those that are stored now. */
  readonly isSame: boolean
  readonly isBusy: boolean
  readonly onRestore: () => void
  /** `undefined` of what is no image. */
  readonly onCompare: (() => void) | undefined
}

const VersionRow = (props: VersionRowProps) => {
  const { version, before, author, isCurrent, isSame } = props
  return (
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
          {rich('{time} by {author}', { time: <Moment time={version.DateCommitted} />, author })}
          {version.Size !== null && `, ${sizeText(version.Size, before?.Size)}`},{' '}
          <code>{version.Commit.slice(0, 10)}</code>
        </p>
      </div>
      {version.Change === 'stored' && <VersionActions {...props} />}
    </>
  )
}

/** E.g. `12.0 KB (−3.1 KB)`. */
function sizeText(bytes: number, before: number | null | undefined): string {
  if (before === null || before === undefined || before === bytes) return humanBytes(bytes)
  const sign = bytes > before ? '+' : '−'
  return t('{size} ({change})', {
    size: humanBytes(bytes),
    change: `${sign}${humanBytes(Math.abs(bytes - before))}`,
  })
}

function VersionActions({ version, isSame, isBusy, onRestore, onCompare }: VersionRowProps) {
  const { Path: path, Commit: commit } = version
  return (
    <div className="row">
      <a
        className="button button-quiet"
        href={`/api/assets/version?${new URLSearchParams({ path, commit }).toString()}`}
        download
      >
        {t('Download')}
      </a>
      {!isSame && onCompare !== undefined && (
        <Button kind="quiet" icon="compare" onClick={onCompare}>
          {t('Compare')}
        </Button>
      )}
      {!isSame && onCompare === undefined && (
        <Link
          page="compare"
          search={{ ...placeOf(path), from: commit, file: path }}
          className="button button-quiet"
        >
          {t('Compare')}
        </Link>
      )}
      {!isSame && (
        <Button
          kind="quiet"
          icon="undo"
          needs={{ scope: 'storage:write', zone: path.split('/', 1)[0] }}
          isBusy={isBusy}
          onClick={onRestore}
        >
          {t('Restore')}
        </Button>
      )}
    </div>
  )
}
