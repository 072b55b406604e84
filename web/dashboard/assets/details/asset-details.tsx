import type { ReactNode } from 'react'

import { useOperation } from '../../api/queries.ts'
import { t } from '../../language/text.ts'
import { Badge } from '../../parts/inline.tsx'
import { CopyButton } from '../../parts/feedback/copy-button.tsx'
import { Dialog } from '../../parts/feedback/dialog.tsx'
import { Failure } from '../../parts/feedback/failure.tsx'
import { IconButton } from '../../parts/forms/button.tsx'
import { humanBytes, humanNumber, humanTime } from '../../parts/format.ts'
import { Loading } from '../../parts/feedback/query-result.tsx'
import { type AssetMetadata, hasStill, isImage, isPrivate } from '../asset.ts'
import type { AssetSource } from '../use-assets.ts'
import { AssetActions } from './asset-actions.tsx'
import { AssetTraffic } from './asset-traffic.tsx'
import { AssetPreviews } from '../previewed/asset-previews.tsx'
import { AssetVersions } from './asset-versions.tsx'
import { Description } from './description.tsx'
import { FocalPointEditor } from './focal-point-editor.tsx'
import { Thumbnail } from '../thumbnail.tsx'
import { plainOf } from './plain-of.ts'
import { useStepping, type Stepping } from './use-stepping.ts'

interface AssetDetailsProps {
  readonly path: string | undefined
  /** The list it was chosen from. */
  readonly source: AssetSource
  readonly onOpen: (path: string) => void
  readonly onClose: () => void
}

/** Everything known of one asset, beside the list it was chosen from; arrows lead on through that list. */
export function AssetDetails({ path, source, onOpen, onClose }: AssetDetailsProps) {
  const stepping = useStepping({ source, path, onOpen })
  return (
    <Dialog
      shape="side"
      title={path?.slice(path.lastIndexOf('/') + 1) ?? ''}
      isOpen={path !== undefined}
      onClose={onClose}
      openerOf={() =>
        document.querySelector<HTMLElement>(`[data-path="${CSS.escape(path ?? '')}"]`)
      }
    >
      {stepping.index !== undefined && <Steps {...stepping} index={stepping.index} />}
      {path !== undefined && <Details key={path} path={path} onOpen={onOpen} onClose={onClose} />}
    </Dialog>
  )
}

function Steps({ index, count, step }: Stepping & { readonly index: number }) {
  return (
    <div className="asset-steps">
      <IconButton
        icon="left"
        label={t('The asset before')}
        aria-keyshortcuts="ArrowLeft"
        aria-disabled={index === 0}
        onClick={() => step(-1)}
      />
      <IconButton
        icon="right"
        label={t('The next asset')}
        aria-keyshortcuts="ArrowRight"
        aria-disabled={index === count - 1}
        onClick={() => step(1)}
      />
      <span className="fine-print" role="status">
        {t('{place} of {count}', { place: humanNumber(index + 1), count: humanNumber(count) })}
      </span>
    </div>
  )
}

interface DetailsProps extends Pick<AssetDetailsProps, 'onOpen' | 'onClose'> {
  readonly path: string
}

function Details({ path, onOpen, onClose }: DetailsProps) {
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
      <AssetPreviews path={asset.Path} />
      <AssetActions asset={asset} onClose={onClose} onMoved={onOpen} />
      <Description asset={asset} />
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
      <Fact name={t('Size')}>{sizeText(asset)}</Fact>
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
      <Fact name={t('Purge tags')}>{asset.Tags.join(', ')}</Fact>
    </dl>
  </section>
)

function sizeText({ Size, Width, Height, Animated }: AssetMetadata): string {
  const size = humanBytes(Size)
  if (Width === null || Height === null) return size
  const named = { size, width: Width, height: Height }
  return Animated === true
    ? t('{size}, {width} × {height} px, animated', named)
    : t('{size}, {width} × {height} px', named)
}

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
)

function Urls({ asset }: { readonly asset: AssetMetadata }) {
  if (asset.Category === 'private') return null
  const urls = [
    { name: t('Delivered at'), url: asset.CdnUrl },
    ...(isImage(plainOf(asset)) || hasStill(plainOf(asset))
      ? [{ name: t('Transformed at'), url: asset.TransformUrl }]
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
