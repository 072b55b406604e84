import { type KeyboardEvent, type MouseEvent, useState } from 'react'

import { useChange } from '../../api/queries.ts'
import { rich } from '../../language/rich-text.tsx'
import { t } from '../../language/text.ts'
import { Button } from '../../parts/forms/button.tsx'
import { Failure } from '../../parts/feedback/failure.tsx'
import { toast } from '../../parts/feedback/toasts.tsx'
import { type AssetMetadata, transformPath } from '../asset.ts'
import { CropSample } from './crop-sample.tsx'

interface Point {
  readonly x: number
  readonly y: number
}

const step = 0.02
const keys: Readonly<Record<string, Point>> = {
  ArrowLeft: { x: -step, y: 0 },
  ArrowRight: { x: step, y: 0 },
  ArrowUp: { x: 0, y: -step },
  ArrowDown: { x: 0, y: step },
}

const shapes = [
  { name: 'Square', w: 240, h: 240 },
  { name: 'Wide', w: 320, h: 135 },
  { name: 'Tall', w: 150, h: 240 },
] as const

/** The image with the point that crops keep in view. */
export function FocalPointEditor({ asset }: { readonly asset: AssetMetadata }) {
  const [isOpen, setOpen] = useState(false)
  if (isOpen) return <OpenEditor asset={asset} onClose={() => setOpen(false)} />
  return (
    <div className="focal">
      <div className="asset-preview">
        <span className="focal-image">
          <AssetImage asset={asset} />
          {asset.FocalPoint && <Mark point={asset.FocalPoint} />}
        </span>
      </div>
      <Button
        icon="target"
        needs={{ scope: ['metadata:write', 'storage:write'], zone: asset.Path.split('/')[0] }}
        onClick={() => setOpen(true)}
      >
        {asset.FocalPoint === null ? t('Set the focal point') : t('Move the focal point')}
      </Button>
    </div>
  )
}

interface OpenEditorProps {
  readonly asset: AssetMetadata
  readonly onClose: () => void
}

function OpenEditor({ asset, onClose }: OpenEditorProps) {
  const [point, setPoint] = useState<Point | null>(asset.FocalPoint)
  const save = useChange('describeAsset', {
    changes: ['getAssetMetadata'],
    onSuccess: ({ FocalPoint }) =>
      toast(FocalPoint === null ? t('The focal point is removed.') : t('The focal point is kept.')),
  })
  const keep = (FocalPoint: Point | null) => {
    setPoint(FocalPoint)
    save.mutate({ path: asset.Path, body: { FocalPoint } })
  }
  return (
    <div className="focal">
      <MovablePoint asset={asset} point={point} onMove={setPoint} />
      {save.isError && <Failure error={save.error} />}
      <p className="fine-print">
        {rich(
          'Click what matters, or move the point with the arrow keys. Crops with <code>gravity=auto</code> or <code>face</code> keep it in view.',
          { code: (text) => <code>{text}</code> },
        )}
      </p>
      <div className="row">
        <Button
          kind="primary"
          isBusy={save.isPending}
          disabled={point === null}
          onClick={() => keep(point)}
        >
          {t('Keep')}
        </Button>
        <Button disabled={asset.FocalPoint === null && point === null} onClick={() => keep(null)}>
          {t('Remove')}
        </Button>
        <Button kind="quiet" onClick={onClose}>
          {t('Close')}
        </Button>
      </div>
      <Crops asset={asset} />
    </div>
  )
}

interface MovablePointProps {
  readonly asset: AssetMetadata
  readonly point: Point | null
  readonly onMove: (point: Point) => void
}

function MovablePoint({ asset, point, onMove }: MovablePointProps) {
  const place = (event: MouseEvent<HTMLElement>) => {
    // A key that presses the button has no place in the image.
    if (event.detail === 0) return
    const { left, top, width, height } = event.currentTarget.getBoundingClientRect()
    onMove(within({ x: (event.clientX - left) / width, y: (event.clientY - top) / height }))
  }
  const move = (event: KeyboardEvent) => {
    const by = keys[event.key]
    if (by === undefined) return
    event.preventDefault()
    const from = point ?? { x: 0.5, y: 0.5 }
    onMove(within({ x: from.x + by.x, y: from.y + by.y }))
  }
  return (
    <div className="asset-preview">
      <button
        type="button"
        className="focal-image"
        aria-label={t('Focal point, {point}. Move it with the arrow keys.', {
          point: spoken(point),
        })}
        onClick={place}
        onKeyDown={move}
      >
        <AssetImage asset={asset} />
        {point && <Mark point={point} />}
      </button>
    </div>
  )
}

const Crops = ({ asset }: { readonly asset: AssetMetadata }) => (
  <div className="crop-samples">
    {shapes.map(({ name, w, h }) => (
      <CropSample
        key={name}
        name={name}
        path={transformPath(asset.Path, { w, h, fit: 'cover', gravity: 'auto' })}
        version={JSON.stringify(asset.FocalPoint)}
        size={{ width: w, height: h }}
      />
    ))}
  </div>
)

const AssetImage = ({ asset }: { readonly asset: AssetMetadata }) => (
  <img
    src={transformPath(asset.Path, { w: 960, h: 640, fit: 'inside' })}
    alt=""
    width={asset.Width ?? undefined}
    height={asset.Height ?? undefined}
  />
)

const Mark = ({ point }: { readonly point: Point }) => (
  <span
    className="focal-mark"
    style={{ left: `${point.x * 100}%`, top: `${point.y * 100}%` }}
    aria-hidden="true"
  />
)

/** Three decimals say it to the pixel. */
const within = ({ x, y }: Point): Point => ({ x: inUnit(x), y: inUnit(y) })
const inUnit = (value: number): number => Math.round(Math.min(1, Math.max(0, value)) * 1000) / 1000

const spoken = (point: Point | null): string =>
  point === null
    ? t('not set')
    : t('{x} percent from the left, {y} percent from the top', {
        x: Math.round(point.x * 100),
        y: Math.round(point.y * 100),
      })
