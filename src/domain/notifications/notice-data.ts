import type { Notice, NotificationRecord } from '../../ports/records/notification.ts'

type About = Pick<NotificationRecord, 'kind' | 'about' | 'zone'>

const ofZone = ({ zone }: About): string =>
  zone === undefined ? '' : `?zone=${encodeURIComponent(zone)}`

const toDomains = (about: About): string => `domains${ofZone(about)}`
const toHealth = (): string => 'health'

const pageByKind: Readonly<Record<NotificationRecord['kind'], (about: About) => string>> = {
  service: toHealth,
  disk: toHealth,
  quota: (about) => (about.zone === undefined ? 'health' : `zone${ofZone(about)}`),
  errors: () => 'insights?metric=status&period=1h',
  webhook: () => 'webhooks',
  domain: toDomains,
  certificate: toDomains,
  mirror: toHealth,
  edge: toHealth,
  backup: toHealth,
}

/** The page of the dashboard where something can be done about it, from the root of the service. */
export const pageOf = (about: About): string => `/dashboard/${pageByKind[about.kind](about)}`

/** What webhooks are told. */
export function noticeData(
  { notification }: Notice,
  baseUrl: string | undefined,
): Readonly<Record<string, unknown>> {
  const { id, kind, about, name, zone, severity, detail, beganAt, endedAt } = notification
  return {
    id,
    kind,
    severity,
    about,
    name,
    zone: zone ?? null,
    detail,
    began: beganAt.toISOString(),
    ended: endedAt?.toISOString() ?? null,
    page: `${baseUrl ?? ''}${pageOf(notification)}`,
  }
}
