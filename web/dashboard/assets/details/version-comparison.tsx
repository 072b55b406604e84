import { useState } from 'react'

import type { ResponseOf } from '../../../../src/client/types.ts'
import { t } from '../../language/text.ts'
import { Dialog } from '../../parts/feedback/dialog.tsx'
import { SelectField } from '../../parts/forms/field.tsx'
import { Segments } from '../../parts/forms/segments.tsx'
import { exactTime, humanBytes } from '../../parts/format.ts'
import { OverlaidImages } from '../overlaid-images.tsx'

export type Version = ResponseOf<'getAssetHistory'>['Versions'][number]

interface VersionComparisonProps {
  readonly path: string
  /** Newest first; those that had a file. */
  readonly versions: readonly Version[]
  /** The commit to begin with, beside the newest. */
  readonly from: string
  readonly onClose: () => void
}

type Manner = 'slider' | 'onion' | 'pixels'

/** Two versions of an image in one place, with a line to draw between them. */
export function VersionComparison({ path, versions, from, onClose }: VersionComparisonProps) {
  const [before, setBefore] = useState(from)
  const [after, setAfter] = useState(versions[0]?.Commit ?? from)
  const [manner, setManner] = useState<Manner>('slider')
  const options = versions.map(({ Commit, DateCommitted, Size }) => ({
    value: Commit,
    label: t('{time}, {size}', { time: exactTime(DateCommitted), size: humanBytes(Size ?? 0) }),
  }))
  return (
    <Dialog title={t('Compare versions')} isOpen shape="wide" onClose={onClose}>
      <div className="stack">
        <div className="compared-versions">
          <SelectField
            label={t('Before')}
            value={before}
            options={options}
            onChange={({ target }) => setBefore(target.value)}
          />
          <SelectField
            label={t('After')}
            value={after}
            options={options}
            onChange={({ target }) => setAfter(target.value)}
          />
          <Segments
            label={t('How to compare')}
            value={manner}
            options={[
              { value: 'slider', label: t('Slider') },
              { value: 'onion', label: t('Onion skin') },
              { value: 'pixels', label: t('Pixels') },
            ]}
            onChange={setManner}
          />
        </div>
        <OverlaidImages key={manner} path={path} before={before} after={after} manner={manner} />
      </div>
    </Dialog>
  )
}
