import type { ReactNode } from 'react'

import { useOperation } from '../../api/queries.ts'
import { t } from '../../language/text.ts'
import { Badge } from '../../parts/inline.tsx'
import { CopyButton } from '../../parts/feedback/copy-button.tsx'
import { Dialog } from '../../parts/feedback/dialog.tsx'
import { Failure } from '../../parts/feedback/failure.tsx'
import { humanBytes, humanTime } from '../../parts/format.ts'
import { Loading } from '../../parts/feedback/query-result.tsx'
import { Link } from '../../router.tsx'
import { type AssetMetadata, hasStill, isVideo, isImage, isPrivate, storagePath } from '../asset.ts'
import { AssetTraffic } from './asset-traffic.tsx'
import { AssetVersions } from './asset-versions.tsx'
import { DeleteAsset } from './delete-asset.tsx'
import { FocalPointEditor } from './focal-point-editor.tsx'
import { Thumbnail } from '../thumbnail.tsx'

interface AssetDetailsProps {
  readonly path: string | undefined
  readonly onClose: () => void
}

/** Everything known of one asset, beside the list it was chosen from. */
export const AssetDetails = ({ path, onClose }: AssetDetailsProps) => (
  <Dialog
    shape="side"
    title={path?.slice(path.lastIndexOf('/') + 1) ?? ''}
    isOpen={path !== undefined}
    onClose={onClose}
    openerOf={() => document.querySelector<HTMLElement>(`[data-path="${CSS.escape(path ?? '')}"]`)}
  >
    {path !== undefined && <Details key={path} path={path} onClose={onClose} />}
  </Dialog>
)

function Details({ path, onClose }: { readonly path: string; readonly onClose: () => void }) {
  const metadata = useOperation('getAssetMetadata', { path })
  if (metadata.isPending) return <Loading label={t('Details are loading')} />
  if (metadata.isError)
    return (
      <div className="stack">
        <Failure error={metadata.error} onRetry={() => void metadata.refetch()} />
        <AssetVersions path={path} current={undefined} />
      </div>
    )
  const asset = metadata.data
  return (
    <div className="asset-details">
      <Preview asset={asset} />
      <Actions asset={asset} onClose={onClose} />
      <Facts asset={asset} />
      <Urls asset={asset} />
      <AssetTraffic path={asset.Path} />
      <AssetVersions path={path} current={asset.Checksum} />
    </div>
  )
}

function Preview({ asset }: { readonly asset: AssetMetadata }) {
  const plain = plainOf(asset)
  if (isImage(plain) && asset.Width !== null && !isPrivate(plain) && asset.Format !== 'svg')
    return <FocalPointEditor asset={asset} />
  return (
    <div className="asset-preview">
      <Thumbnail asset={plain} widthPx={960} heightPx={640} />
    </div>
  )
}

const plainOf = ({ Path, Name, Project, Category, Format, Size }: AssetMetadata) => ({
  path: Path,
  name: Name,
  project: Project,
  category: Category,
  format: Format,
  size: Size,
})

function Actions({
  asset,
  onClose,
}: {
  readonly asset: AssetMetadata
  readonly onClose: () => void
}) {
  const plain = plainOf(asset)
  return (
    <div className="row">
      {(isImage(plain) || hasStill(plain)) && !isPrivate(plain) && (
        <Link page="transform" search={{ asset: asset.Path }} className="button">
          {t('Transform')}
        </Link>
      )}
      {isVideo(plain) && (
        <a className="button" href={`/watch?path=${encodeURIComponent(asset.Path)}`}>
          {t('Watch')}
        </a>
      )}
      <a className="button" href={storagePath(asset.Path)} download={asset.Name}>
        {t('Download')}
      </a>
      <Link
        page="purge"
        search={{ url: `/${asset.Path.split('/').map(encodeURIComponent).join('/')}` }}
        className="button"
      >
        {t('Purge')}
      </Link>
      <DeleteAsset asset={asset} onDeleted={onClose} />
    </div>
  )
}

const Facts = ({ asset }: { readonly asset: AssetMetadata }) => (
  <section>
    <h3>{t('Details')}</h3>
    <dl className="facts">
      <Fact name={t('Zone')}>{asset.Project}</Fact>
      <Fact name={t('Category')}>
        {asset.Category}{' '}
        {asset.Category === 'private' && <Badge kind="warning">{t('only by signed URL')}</Badge>}
      </Fact>
      <Fact name={t('Type')}>{asset.ContentType}</Fact>
      <Fact name={t('Size')}>
        {humanBytes(asset.Size)}
        {asset.Width !== null &&
          asset.Height !== null &&
          t(', {width} × {height} px', { width: asset.Width, height: asset.Height })}
        {asset.Animated === true && t(', animated')}
      </Fact>
      <Fact name={t('Changed')}>{humanTime(asset.LastChanged)}</Fact>
      <Fact name={t('First stored')}>{humanTime(asset.DateCreated)}</Fact>
      <Fact name={t('SHA-256')}>
        <code>{asset.Checksum}</code>
      </Fact>
      {asset.Colors.length > 0 && (
        <Fact name={t('Colours')}>
          <span className="row">
            {asset.Colors.map(({ hex, name }) => (
              <span key={hex} className="colour">
                <span style={{ background: hex }} aria-hidden="true" />
                {name}
              </span>
            ))}
          </span>
        </Fact>
      )}
      {asset.Stream?.Reason != null && <Fact name={t('Streaming')}>{asset.Stream.Reason}</Fact>}
      <Fact name={t('Tags')}>{asset.Tags.join(', ')}</Fact>
    </dl>
  </section>
)

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
)

function Urls({ asset }: { readonly asset: AssetMetadata }) {
  if (asset.Category === 'private') return null
  const urls = [
    { name: 'Delivered at', url: asset.CdnUrl },
    ...(isImage(plainOf(asset)) || hasStill(plainOf(asset))
      ? [{ name: 'Transformed at', url: asset.TransformUrl }]
      : []),
  ]
  return (
    <section>
      <h3>{t('URLs')}</h3>
      <ul className="urls">
        {urls.map(({ name, url }) => (
          <li key={name}>
            <span className="fine-print">{name}</span>
            <div className="url">
              <code>{url}</code>
              <CopyButton text={url} label={t('Copy')} />
            </div>
          </li>
        ))}
      </ul>
    </section>
  )
}
