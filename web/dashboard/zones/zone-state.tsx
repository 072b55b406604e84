import { Badge } from '../parts/inline.tsx'
import type { Zone } from '../parts/one-zone.tsx'

export const ZoneState = ({ Enabled, Suspended }: Pick<Zone, 'Enabled' | 'Suspended'>) => {
  if (Suspended) return <Badge kind="bad">suspended</Badge>
  return Enabled ? <Badge kind="good">serving</Badge> : <Badge kind="warning">disabled</Badge>
}
