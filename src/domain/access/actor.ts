import type { AuditRecord } from '../../ports/records/audit.ts'
import { ServiceError, zoneNotFound } from '../errors.ts'

/** Whoever asks for a change, as the audit log and the commit will name them. */
export interface Actor {
  /** The id of a credential, never a secret. */
  readonly credentialId: string
  /** Narrows what the actor may see and change to these tenants; everything where `undefined`. */
  readonly zones: ReadonlySet<string> | undefined
  readonly ip: string
  readonly userAgent: string | undefined
  readonly requestId: string
}

/** Whether the actor may know of the zone at all. */
export const reaches = (actor: Pick<Actor, 'zones'>, zone: string): boolean =>
  actor.zones === undefined || actor.zones.has(zone)

/** Refuses an actor that is narrowed to other tenants, as if the zone did not exist. */
export function requireZone(actor: Pick<Actor, 'zones'>, zone: string): void {
  if (!reaches(actor, zone)) throw zoneNotFound(zone)
}

/** Refuses an actor that is narrowed at all: what is asked for concerns every tenant. */
export function requireAllZones(actor: Pick<Actor, 'zones'>): void {
  if (actor.zones !== undefined)
    throw new ServiceError(
      'InsufficientScope',
      'A token for some zones does not reach what all share',
    )
}

/** What the audit log keeps of something an actor did. */
export const auditRecordOf = (
  deed: Pick<AuditRecord, 'action' | 'target' | 'meta'>,
  { credentialId, ip, userAgent, requestId }: Actor,
  at: Date,
): AuditRecord => ({ ...deed, at, actor: credentialId, ip, userAgent, requestId })
