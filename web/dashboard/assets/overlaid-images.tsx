import { type PointerEvent, useState } from 'react'

import { stateImagePath } from './state-image.tsx'
import { t } from '../language/text.ts'

interface OverlaidImagesProps {
  readonly path: string
  /** Commits. */
  readonly before: string
  readonly after: string
  readonly manner: 'slider' | 'onion' | 'pixels'
}

const box = { widthPx: 1000, heightPx: 700 }

/**
 * Both images in one place: one beside the other up to a line, the one shining through the other, or
 * black wherever they are the same.
 */
export function OverlaidImages({ path, before, after, manner }: OverlaidImagesProps) {
  const sources = {
    before: stateImagePath(path, { commit: before, ...box }),
    after: stateImagePath(path, { commit: after, ...box }),
  }
  return <OverlaidPair {...sources} manner={manner} />
}

interface OverlaidPairProps extends Pick<OverlaidImagesProps, 'manner'> {
  /** URLs. */
  readonly before: string
  readonly after: string
}

/** The same of any two images. */
export function OverlaidPair({ before, after, manner }: OverlaidPairProps) {
  const [share, setShare] = useState(50)
  const isSlider = manner === 'slider'
  const drag = (event: PointerEvent<HTMLElement>) => {
    if (!isSlider || event.buttons === 0) return
    const { left, width } = event.currentTarget.getBoundingClientRect()
    setShare(Math.round(Math.min(100, Math.max(0, ((event.clientX - left) / width) * 100))))
  }
  return (
    <div className="stack">
      <div
        className={`overlaid overlaid-${manner}`}
        onPointerDown={drag}
        onPointerMove={drag}
        style={{ '--share': `${share}%`, '--opacity': share / 100 } as React.CSSProperties}
      >
        <img src={before} alt={t('Before')} draggable={false} />
        <img src={after} alt={t('After')} draggable={false} />
        {isSlider && <span className="overlaid-line" aria-hidden="true" />}
      </div>
      {manner === 'pixels' ? (
        <p className="fine-print">{t('What is black is the same in both.')}</p>
      ) : (
        <label className="overlaid-range">
          <span>{t('Before')}</span>
          <input
            type="range"
            min="0"
            max="100"
            value={share}
            aria-label={
              isSlider ? t('Where the line is') : t('How much of the image after is seen')
            }
            aria-valuetext={`${share} %`}
            onChange={({ target }) => setShare(Number(target.value))}
          />
          <span>{t('After')}</span>
        </label>
      )}
    </div>
  )
}
