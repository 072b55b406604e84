import type { DomainRecord } from '../../../ports/records/domain.ts'
import type { Condition } from '../../../ports/records/notification.ts'
import type { Watch } from '../watch.ts'

interface Dependencies {
  readonly list: () => readonly DomainRecord[]
  readonly now: () => Date
}

const dayMs = 86_400_000
/** Renewal begins weeks before: one that is still to be renewed by then has failed for long. */
const warnBeforeMs = 14 * dayMs
const alarmBeforeMs = 3 * dayMs
/** DNS of a domain that was added just now has not been set yet. */
const settlesWithinMs = dayMs

/** Domains that do not lead here or got no certificate, and certificates that end soon or have ended. */
export function watchDomains({ list, now }: Dependencies): Watch {
  return {
    kinds: ['domain', 'certificate'],
    async look() {
      const at = now().getTime()
      return list().flatMap((domain) => [
        ...(certificateOf(domain, at) ?? []),
        ...(dnsOf(domain, at) ?? []),
      ])
    },
  }
}

function certificateOf(domain: DomainRecord, at: number): readonly Condition[] | undefined {
  const { hostname, zone, certificateExpiresAt, sslError } = domain
  const leftMs = (certificateExpiresAt?.getTime() ?? Infinity) - at
  if (certificateExpiresAt === undefined || leftMs > warnBeforeMs) return undefined
  const why = sslError === undefined ? '' : ` ${sslError}`
  const time = certificateExpiresAt.toISOString()
  const detail =
    leftMs <= 0
      ? `Its certificate ended at ${time}: browsers refuse it.${why}`
      : `Its certificate ends at ${time} and was not renewed.${why}`
  const severity = leftMs <= alarmBeforeMs ? 'critical' : 'warning'
  return [{ kind: 'certificate', about: hostname, name: hostname, zone, severity, detail }]
}

/** One that worked before is an outage, one that never did waits for its owner. */
function dnsOf(domain: DomainRecord, at: number): readonly Condition[] | undefined {
  const { hostname, zone, sslStatus, sslError, createdAt, certificateExpiresAt } = domain
  const worked = certificateExpiresAt !== undefined
  if (sslError === undefined || sslStatus === 'active') return undefined
  if (!worked && at - createdAt.getTime() < settlesWithinMs) return undefined
  const severity = worked ? 'critical' : 'warning'
  return [{ kind: 'domain', about: hostname, name: hostname, zone, severity, detail: sslError }]
}
