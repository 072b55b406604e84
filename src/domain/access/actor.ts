import type { AuditRecord } from '../../ports/records/audit.ts'
import { ServiceError, zoneNotFound } from '../errors.ts'

/** Whoever asks for a change, as the audit log and the commit will name them. */
export interface Actor {
  /** The id of a credential, never a secret. */
  readonly credentialId: string
  /** Narrows what the actor may see and change to these tenants; everything where `undefined`. */
  readonly zones: ReadonlySet<string> | undefined
  /** The person, where it is one. */
  readonly personId?: string | undefined
  /** Where a person sees anything at all: what is refused there is 403 and no secret. */
  readonly sees?: Reach | undefined
  /** Where previews alone may be changed, and nothing that is live. */
  readonly previewsOnly?: Reach | undefined
  readonly ip: string
  readonly userAgent: string | undefined
  readonly requestId: string
}

/** These zones; none where it is empty. */
export type Reach = ReadonlySet<string> | 'everywhere'

export const hasZone = (reach: Reach, zone: string): boolean =>
  reach === 'everywhere' || reach.has(zone)

/** Somebody who may come in, as the wire asks for them. */
export interface StandingPerson {
  readonly id: string
  readonly name: string
  /** Where the person's roles open the scope. */
  readonly reach: (scope: string) => Reach
}

export const personActorPrefix = 'person:'

/** Whether the actor may know of the zone at all. */
export const reaches = (actor: Pick<Actor, 'zones'>, zone: string): boolean =>
  actor.zones === undefined || actor.zones.has(zone)

/** Refuses an actor that is narrowed to other tenants, as if the zone did not exist. */
export function requireZone(actor: Pick<Actor, 'zones' | 'sees'>, zone: string): void {
  if (reaches(actor, zone)) return
  if (actor.sees === undefined || !hasZone(actor.sees, zone)) throw zoneNotFound(zone)
  throw new ServiceError('InsufficientScope', `Your role in zone "${zone}" does not open this`)
}

/** Refuses an actor that is narrowed at all: what is asked for concerns every tenant. */
export function requireAllZones(actor: Pick<Actor, 'zones'>): void {
  if (actor.zones !== undefined)
    throw new ServiceError(
      'InsufficientScope',
      'What is for some zones does not reach what all share',
    )
}

/** What the audit log keeps of something an actor did. */
export const auditRecordOf = (
  deed: Pick<AuditRecord, 'action' | 'target' | 'meta'>,
  { credentialId, ip, userAgent, requestId }: Actor,
  at: Date,
): AuditRecord => ({ ...deed, at, actor: credentialId, ip, userAgent, requestId })
