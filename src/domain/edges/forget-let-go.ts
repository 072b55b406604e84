import type { Feed } from '../../ports/records/manifest.ts'
import type { ZoneRecord } from '../../ports/records/zone.ts'

interface Dependencies {
  readonly published: {
    zones(): readonly ZoneRecord[]
    all(): Iterable<{ readonly sha256: string }>
  }
  readonly feed: Pick<Feed, 'subscribe'>
  /** SHA-256s of what is on this disk, or what is there was made of; some more than once. */
  readonly kept: () => Iterable<string>
  readonly forget: (sha256: string) => Promise<void>
  /** Where it is kept, over restarts, what zones had let go when the disk was last looked through. */
  readonly mark: { read(): Promise<string | undefined>; write(text: string): Promise<void> }
  readonly onFault: (error: unknown) => void
}

/** Keeps off the disk of an edge what zones have let go. */
export interface ForgettingLetGo extends Disposable {
  /** Resolves once the disk has been looked through for all that is known at the time of asking. */
  settled(): Promise<void>
}

/**
 * Each time a zone lets go of something, all goes that is not published: an edge is not told which bytes they were, and
 * what somebody still asks for is fetched again.
 */
export function forgetLetGo(dependencies: Dependencies): ForgettingLetGo {
  const { published, feed, kept, forget, mark, onFault } = dependencies
  let isClosed = false

  async function look(): Promise<void> {
    const state = stateOf(published.zones())
    if (isClosed || state === '' || state === (await mark.read())) return
    const shown = new Set<string>()
    for (const { sha256 } of published.all()) shown.add(sha256)
    for (const sha256 of new Set(kept())) if (!shown.has(sha256)) await forget(sha256)
    await mark.write(state)
  }

  let last = look().catch(onFault)
  const subscription = feed.subscribe((entries) => {
    if (entries.some(({ event }) => event === 'zone.updated')) last = last.then(look).catch(onFault)
  })
  return {
    settled: () => last,
    [Symbol.dispose]() {
      isClosed = true
      subscription[Symbol.dispose]()
    },
  }
}

/** What all zones have let go, in few characters; none where none has. */
function stateOf(zones: readonly ZoneRecord[]): string {
  const moments = zones.flatMap(({ name, historySince }) =>
    historySince === undefined ? [] : `${name} ${historySince.getTime()}`,
  )
  if (moments.length === 0) return ''
  return new Bun.CryptoHasher('sha256').update(moments.toSorted().join('\n')).digest('hex')
}
