import { useState } from 'react'

import { type AssetMetadata, storagePath } from '../assets/asset.ts'
import { OverlaidPair } from '../assets/overlaid-images.tsx'
import type { useImageBytes } from '../assets/details/use-image-bytes.ts'
import { t } from '../language/text.ts'
import { Badge } from '../parts/inline.tsx'
import { Segments } from '../parts/forms/segments.tsx'
import { Failure } from '../parts/feedback/failure.tsx'
import { humanBytes } from '../parts/format.ts'

interface ComparisonProps {
  readonly asset: AssetMetadata
  /** What the recipe makes of it. */
  readonly made: ReturnType<typeof useImageBytes>
  /** Whether the recipe can be made at all. */
  readonly isSound: boolean
}

const manners = [
  { value: 'sides', label: t('Side by side') },
  { value: 'slider', label: t('Slider') },
] as const

/** The original and what the recipe makes of it, one beside the other or one over the other. */
export function Comparison(props: ComparisonProps) {
  const { asset, made, isSound } = props
  const [manner, setManner] = useState<(typeof manners)[number]['value']>('sides')
  return (
    <div className="stack">
      <div>
        <Segments
          label={t('How to compare')}
          value={manner}
          options={manners}
          onChange={setManner}
        />
      </div>
      {manner === 'slider' && isSound && made.data ? (
        <>
          <OverlaidPair before={storagePath(asset.Path)} after={made.data.url} manner="slider" />
          <p className="fine-print" role="status">
            {formatOf(made.data.contentType)}, {humanBytes(made.data.sizeBytes)}{' '}
            <Saving before={asset.Size} after={made.data.sizeBytes} />
          </p>
        </>
      ) : (
        <Sides {...props} />
      )}
    </div>
  )
}

function Sides({ asset, made, isSound }: ComparisonProps) {
  const [size, setSize] = useState<string>()
  return (
    <div className="comparison">
      <figure className="builder-picture">
        <div>
          <img src={storagePath(asset.Path)} alt={t('The original')} />
        </div>
        <figcaption>
          <strong>{t('Original')}</strong>
          <span className="fine-print">
            {asset.Width !== null && `${asset.Width} × ${asset.Height}, `}
            {asset.Format.toUpperCase()}, {humanBytes(asset.Size)}
          </span>
        </figcaption>
      </figure>
      <figure className="builder-picture" aria-busy={made.isFetching}>
        {!isSound ? (
          <div>
            <p className="fine-print">{t('Correct the size to see it.')}</p>
          </div>
        ) : made.isError ? (
          <Failure error={made.error} onRetry={() => void made.refetch()} />
        ) : (
          <div>
            {made.data && (
              <img
                src={made.data.url}
                alt={t('The result')}
                onLoad={({ currentTarget: { naturalWidth, naturalHeight } }) =>
                  setSize(`${naturalWidth} × ${naturalHeight}`)
                }
              />
            )}
          </div>
        )}
        <figcaption>
          <strong>{t('Result')}</strong>
          {isSound && made.data && (
            <span className="fine-print" role="status">
              {size !== undefined && `${size}, `}
              {formatOf(made.data.contentType)}, {humanBytes(made.data.sizeBytes)}{' '}
              <Saving before={asset.Size} after={made.data.sizeBytes} />
            </span>
          )}
        </figcaption>
      </figure>
    </div>
  )
}

const formatOf = (contentType: string): string => contentType.slice('image/'.length).toUpperCase()

export function Saving({ before, after }: { readonly before: number; readonly after: number }) {
  const percent = Math.round((1 - after / before) * 100)
  return percent >= 0 ? (
    <Badge kind="good">{t('{percent} % saved', { percent })}</Badge>
  ) : (
    <Badge kind="warning">{t('{percent} % larger', { percent: -percent })}</Badge>
  )
}
