import type { OwnWord } from './parts.ts'

interface Dependencies {
  readonly now: () => Date
  /** Milliseconds of a clock that only goes forward. */
  readonly monotonicMs: () => number
  /** When something was published last. */
  readonly lastPublished: () => Promise<Date | undefined>
}

/** NTP corrects less than this a minute. */
const jumpMs = 5_000
const futureMs = 60_000

/** Whether the clock goes as time does: signatures, certificates and expiry depend on it. */
export function createClockCheck({ now, monotonicMs, lastPublished }: Dependencies) {
  let offsetMs = now().getTime() - monotonicMs()
  let jumpedAt: Date | undefined
  return async (): Promise<OwnWord> => {
    const at = now()
    const newOffsetMs = at.getTime() - monotonicMs()
    const jumpedMs = newOffsetMs - offsetMs
    if (Math.abs(jumpedMs) > jumpMs) jumpedAt = at
    offsetMs = newOffsetMs
    const published = await lastPublished()
    const facts = [{ name: 'now', value: at }]
    if (published !== undefined && published.getTime() - at.getTime() > futureMs)
      return {
        facts,
        problem: `The clock is behind: something was published at ${published.toISOString()} already.`,
      }
    if (jumpedAt !== undefined && at.getTime() - jumpedAt.getTime() < 3_600_000)
      return { facts, problem: `The clock jumped before ${jumpedAt.toISOString()}.` }
    return { facts }
  }
}
