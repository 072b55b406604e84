import type { FeedEntry } from '../../../ports/records/feed.ts'

/** All that there are, or those of some host names. */
export type WantedCertificates = 'all' | readonly string[]

/** What has to be asked for, gathered until somebody has time for it. In the beginning: all. */
export function createWantedCertificates() {
  const hostnames = new Set<string>()
  let isAll = true
  let bell = Promise.withResolvers<void>()

  function add(wish: WantedCertificates): void {
    if (wish === 'all') isAll = true
    else for (const hostname of wish) hostnames.add(hostname)
    if (isAll || hostnames.size > 0) bell.resolve()
  }

  return {
    add,
    note: (entries: readonly FeedEntry[]) => add(namedBy(entries)),
    get isEmpty() {
      return !isAll && hostnames.size === 0
    },
    take(): WantedCertificates {
      const wish = isAll ? 'all' : [...hostnames]
      isAll = false
      hostnames.clear()
      bell = Promise.withResolvers<void>()
      return wish
    },
    /** Has whoever waits for the next look once more. */
    ring: () => bell.resolve(),
    /** Resolves where something is wanted, where it is rung, or at the end. */
    async next(signal: AbortSignal): Promise<void> {
      if (signal.aborted) return
      const rung = bell
      const ring = () => rung.resolve()
      signal.addEventListener('abort', ring, { once: true })
      await rung.promise
      signal.removeEventListener('abort', ring)
    },
  }
}

/** A comparison of manifests is told as a purge of everything; a removed zone takes its domains along. */
function namedBy(entries: readonly FeedEntry[]): WantedCertificates {
  const isAny = entries.some(
    ({ event, data }) => event === 'zone.deleted' || data['everything'] === true,
  )
  if (isAny) return 'all'
  return entries.flatMap(({ event, data }) =>
    event === 'domain.updated' && typeof data['hostname'] === 'string' ? data['hostname'] : [],
  )
}
