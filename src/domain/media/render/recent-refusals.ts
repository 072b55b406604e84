import { ServiceError } from '../../errors.ts'

/** Remembers for a moment which images were refused, so that asking again costs nothing. */
export interface RecentRefusals {
  /** Does the work, unless it was refused as `UnprocessableImage` a moment ago: then it is again. */
  guard<T>(key: string, work: () => Promise<T>): Promise<T>
}

const refusedForMs = 10_000
const maxRefusals = 1000

export function createRefusals(now: () => number): RecentRefusals {
  const refusalByKey = new Map<string, { readonly error: ServiceError; readonly until: number }>()

  function note(key: string, error: unknown): void {
    if (!(error instanceof ServiceError) || error.code !== 'UnprocessableImage') return
    refusalByKey.delete(key)
    refusalByKey.set(key, { error, until: now() + refusedForMs })
    const [oldest] = refusalByKey.keys()
    if (refusalByKey.size > maxRefusals && oldest !== undefined) refusalByKey.delete(oldest)
  }

  return {
    async guard(key, work) {
      const refusal = refusalByKey.get(key)
      if (refusal && refusal.until > now()) throw refusal.error
      try {
        return await work()
      } catch (error) {
        note(key, error)
        throw error
      }
    },
  }
}
