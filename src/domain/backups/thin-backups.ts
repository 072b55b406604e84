export interface Retention {
  /** So many of the newest, whenever they were made. */
  readonly newest: number
  /** So many days, and weeks, of which the last backup is kept besides. */
  readonly days: number
  readonly weeks: number
}

const dayMs = 86_400_000

/** Which of these backups nobody keeps, by their ids, whose order is that of time. The newest always stays. */
export function outdatedBackups(
  ids: readonly string[],
  { newest, days, weeks }: Retention,
): readonly string[] {
  const newestFirst = ids.toSorted().toReversed()
  const kept = new Set([
    ...newestFirst.slice(0, Math.max(1, newest)),
    ...lastOfEach(newestFirst, dayOf).slice(0, days),
    ...lastOfEach(newestFirst, weekOf).slice(0, weeks),
  ])
  return ids.filter((id) => !kept.has(id))
}

const dayOf = (id: string): string => id.slice(0, 8)

/** Weeks begin on Mondays; the first day of 1970 was a Thursday. */
function weekOf(id: string): string {
  const day = Date.parse(`${id.slice(0, 4)}-${id.slice(4, 6)}-${id.slice(6, 8)}T00:00:00Z`) / dayMs
  return String(Math.floor((day + 3) / 7))
}

function lastOfEach(newestFirst: readonly string[], spanOf: (id: string) => string) {
  const lastBySpan = new Map<string, string>()
  for (const id of newestFirst) {
    const span = spanOf(id)
    if (!lastBySpan.has(span)) lastBySpan.set(span, id)
  }
  return [...lastBySpan.values()]
}
