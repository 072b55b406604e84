import { t } from '../../language/text.ts'
import { IconButton } from '../../parts/forms/button.tsx'
import { Segments } from '../../parts/forms/segments.tsx'
import type { Look } from '../look.ts'

interface LookSwitchesProps {
  readonly look: Look
  readonly onLook: (changes: Partial<Look>) => void
}

/** Images, or lines with facts; with more room around them, or more of them. */
export const LookSwitches = ({ look, onLook }: LookSwitchesProps) => (
  <>
    <IconButton
      icon="rows"
      label={t('Compact')}
      aria-pressed={look.density === 'compact'}
      onClick={() => onLook({ density: look.density === 'compact' ? 'roomy' : 'compact' })}
    />
    <Segments
      label={t('Shown as')}
      value={look.view}
      options={[
        { value: 'grid', label: t('Grid'), icon: 'grid' },
        { value: 'list', label: t('List'), icon: 'list' },
      ]}
      onChange={(view) => onLook({ view })}
    />
  </>
)
