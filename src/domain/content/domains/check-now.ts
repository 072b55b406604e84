import type { DomainRecord } from '../../../ports/records/domain.ts'
import { type Actor, requireZone } from '../../access/actor.ts'
import type { DomainLookUps } from './domain-look-ups.ts'
import type { Update } from './domain-changes.ts'

const checkEveryMs = 10_000
/** An authority that was asked in vain counts how often it is (RFC 8555 §6.6). */
const checkFailedEveryMs = 600_000

type CheckNow = (zone: string, hostname: string, actor: Actor) => Promise<DomainRecord>

interface Dependencies {
  readonly look: Pick<DomainLookUps, 'find'>
  readonly update: Update
  readonly now: () => Date
}

/** Has a domain’s time come before it does, now and then. */
export function createCheckNow({ look, update, now }: Dependencies): CheckNow {
  const askedAtMs = new Map<string, number>()

  function forgetOld(atMs: number): void {
    for (const [hostname, ms] of askedAtMs)
      if (ms + checkFailedEveryMs <= atMs) askedAtMs.delete(hostname)
  }

  return async (zone, text, actor) => {
    requireZone(actor, zone)
    const domain = look.find(zone, text)
    const at = now()
    const waitMs = domain.failures > 0 ? checkFailedEveryMs : checkEveryMs
    const isSoon = (askedAtMs.get(domain.hostname) ?? -Infinity) + waitMs > at.getTime()
    if (isSoon || domain.nextCheckAt <= at) return domain
    forgetOld(at.getTime())
    askedAtMs.set(domain.hostname, at.getTime())
    const changed = await update(domain, (current) => ({ to: { ...current, nextCheckAt: at } }))
    return changed ?? look.find(zone, text)
  }
}
