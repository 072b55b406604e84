import { t } from '../language/text.ts'
import { Badge } from '../parts/inline.tsx'
import type { Zone } from '../parts/one-zone.tsx'

export const ZoneState = ({ Enabled, Suspended }: Pick<Zone, 'Enabled' | 'Suspended'>) => {
  if (Suspended) return <Badge kind="bad">{t('suspended')}</Badge>
  return Enabled ? (
    <Badge kind="good">{t('serving')}</Badge>
  ) : (
    <Badge kind="warning">{t('disabled')}</Badge>
  )
}
