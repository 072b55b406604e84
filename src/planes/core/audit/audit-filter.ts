import type { AuditEntry } from './audit-entries.ts'

/** What is asked for. */
export interface Wanted {
  readonly action?: string | undefined
  readonly zone?: string | undefined
  readonly actor?: string | undefined
  readonly q?: string | undefined
  readonly to?: Date | undefined
}

/** Whether an entry is among what is asked for. */
export function fits(found: AuditEntry, { action, zone, actor, q, to }: Wanted): boolean {
  const { summary, target, ip, requestId, by } = found
  return (
    (to === undefined || found.timestamp <= to.toISOString()) &&
    (zone === undefined || found.zones.includes(zone)) &&
    isAction(found.action, action) &&
    says([found.actor, by?.name, by?.kind], actor) &&
    says([summary, found.action, target, ip, requestId, found.actor], q)
  )
}

const isAction = (action: string, wanted: string | undefined): boolean =>
  wanted === undefined ||
  action === wanted ||
  (wanted.endsWith(anyOfGroup) && isOfGroup(action, wanted))

/** `purge` is a group of its own. */
const isOfGroup = (action: string, wanted: string): boolean =>
  `${action}.`.startsWith(wanted.slice(0, -1))

const says = (texts: readonly (string | null | undefined)[], sought = ''): boolean =>
  texts.some((text) => text?.toLowerCase().includes(sought.toLowerCase()) === true)

/** The end of an action that stands for all of its group. */
export const anyOfGroup = '.*'
