import { ServiceError } from '../../errors.ts'
import type { ZoneQuotaName } from '../../../lib/zone-quota-names.ts'
import { quotaText } from './zone-quotas.ts'

interface UsedUp {
  readonly zone: string
  readonly name: ZoneQuotaName
  readonly limit: number
}

/** The end of a UTC month. */
export const monthEnd = (at: Date): Date =>
  new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + 1))

/** What a zone may use in a month is used; it comes back with the next. */
export const usedUpThisMonth = ({ zone, name, limit }: UsedUp, at: Date): ServiceError =>
  new ServiceError(
    'limit_reached',
    `Zone "${zone}" has used up its quota "${name}" of ${quotaText(name, limit)}; it is whole again on ${monthEnd(at).toISOString().slice(0, 10)}`,
    { target: name, context: { limit: stateOf(`${name}.${zone}`, limit, at) } },
  )

/** The zone has used up what it may deliver, by whichever of its quotas. */
export const boundDelivery = (zone: string, at: Date): ServiceError =>
  new ServiceError(
    'limit_reached',
    `Zone "${zone}" has used up what it may deliver; it is whole again on ${monthEnd(at).toISOString().slice(0, 10)}`,
    { context: { limit: stateOf(`delivery.${zone}`, 0, at) } },
  )

function stateOf(name: string, quota: number, at: Date) {
  const startMs = Date.UTC(at.getUTCFullYear(), at.getUTCMonth())
  const endMs = monthEnd(at).getTime()
  return {
    name,
    quota,
    windowSeconds: (endMs - startMs) / 1000,
    remaining: 0,
    resetSeconds: Math.max(1, Math.ceil((endMs - at.getTime()) / 1000)),
  }
}
