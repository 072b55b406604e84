import type { PurgeGenerations, Standing } from '../../purge/purge-generations.ts'
import type { StoredResponse } from '../store/stored-response.ts'
import { matchesVary } from '../rfc9111/vary.ts'

export interface Selected {
  readonly stored: StoredResponse
  readonly standing: Exclude<Standing, 'purged'>
}

/** The newest variant for this request that no hard purge covers (RFC 9111 §4.1). */
export function selectVariant(
  variants: readonly StoredResponse[],
  request: Headers,
  generations: PurgeGenerations,
): Selected | undefined {
  for (const stored of variants) {
    if (!matchesVary(stored.varyValues, request)) continue
    const standing = standingOf(stored, generations)
    if (standing !== 'purged') return { stored, standing }
  }
  return undefined
}

/** As long as nobody purges anything, an answer's standing stays what it was when last looked up. */
export function standingOf(stored: StoredResponse, generations: PurgeGenerations): Standing {
  const { memo } = stored
  if (memo.checkedAt !== generations.newest) {
    memo.standing = generations.standing(stored.generation, stored.counters)
    memo.checkedAt = generations.newest
  }
  return memo.standing
}
