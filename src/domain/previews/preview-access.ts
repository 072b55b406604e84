import type { AuditRecord } from '../../ports/records/audit.ts'
import type { Manifest } from '../../ports/records/manifest.ts'
import type { PreviewRecord } from '../../ports/records/preview.ts'
import type { ZoneRecord } from '../../ports/records/zone.ts'
import { type Actor, auditRecordOf, requireZone } from '../access/actor.ts'
import { invalid, ServiceError, zoneNotFound } from '../errors.ts'

const dayMs = 86_400_000

/** From the moment that it names on. */
export const isExpired = ({ expiresAt }: Pick<PreviewRecord, 'expiresAt'>, at: Date): boolean =>
  expiresAt <= at

/** When a preview expires that was changed at `at` and of which nothing else is said. */
export const daysAfter = (at: Date, days: number): Date => new Date(at.getTime() + days * dayMs)

export const previewNotFound = (zone: string, name: string) =>
  new ServiceError('PreviewNotFound', `Zone "${zone}" has no preview ${JSON.stringify(name)}`, {
    target: 'preview',
  })

/** A zone that the actor does not reach looks like one that is not there. */
export function requireKnownZone(
  name: string,
  actor: Actor,
  published: Pick<Manifest, 'zone'>,
): ZoneRecord {
  requireZone(actor, name)
  const zone = published.zone(name)
  if (zone === undefined) throw zoneNotFound(name)
  return zone
}

export function requireFuture(expiresAt: Date | undefined, now: Date): void {
  if (expiresAt !== undefined && expiresAt <= now) throw invalid('Expires', 'must be in the future')
}

/** Who did what with a preview, as it is then. */
export function auditOfPreview(
  action: string,
  preview: PreviewRecord,
  { actor, at }: { readonly actor: Actor; readonly at: Date },
): AuditRecord {
  const { zone, name, baseCommitId, headCommitId, expiresAt, isSigned } = preview
  const meta = {
    preview: name,
    base: baseCommitId,
    head: headCommitId,
    expires: expiresAt.toISOString(),
    signed: isSigned,
  }
  return auditRecordOf({ action, target: zone, meta }, actor, at)
}
