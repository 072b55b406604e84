import { UnrenderableImageError } from '../../../ports/media/renderer.ts'
import { ServiceError } from '../../errors.ts'

/** Remembers for a while which sources had to be given up half-way, whatever was to be made of them. */
export interface ExhaustedSources {
  /** Does the work, unless something of about that size or smaller was given up a while ago. */
  guard<T>(wanted: Wanted, work: () => Promise<T>): Promise<T>
}

export interface Wanted {
  /** Names what it is made from. */
  readonly sources: string
  /** Of the result, all frames together. */
  readonly pixels: number
}

interface GivenUp {
  readonly pixels: number
  readonly error: ServiceError
  readonly until: number
}

const givenUpForMs = 60_000
const maxSources = 1000
/** A much smaller result may take little of a source that a large one took too much of. */
const smallerBy = 4

export function createExhaustedSources(now: () => number): ExhaustedSources {
  const givenUpBySource = new Map<string, GivenUp>()

  function note({ sources, pixels }: Wanted, error: unknown): void {
    if (!(error instanceof ServiceError) || !isExhaustion(error.cause)) return
    givenUpBySource.delete(sources)
    givenUpBySource.set(sources, { pixels, error, until: now() + givenUpForMs })
    const [oldest] = givenUpBySource.keys()
    if (givenUpBySource.size > maxSources && oldest !== undefined) givenUpBySource.delete(oldest)
  }

  return {
    async guard(wanted, work) {
      const before = givenUpBySource.get(wanted.sources)
      const isOver = before !== undefined && wanted.pixels * smallerBy >= before.pixels
      if (isOver && before.until > now()) throw before.error
      try {
        return await work()
      } catch (error) {
        note(wanted, error)
        throw error
      }
    },
  }
}

const isExhaustion = (cause: unknown): boolean =>
  cause instanceof UnrenderableImageError &&
  (cause.reason === 'too-slow' || cause.reason === 'too-much-memory')
