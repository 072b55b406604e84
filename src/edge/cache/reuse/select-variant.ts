import type { PurgeGenerations, PurgeState } from '../../purge/purge-generations.ts'
import type { StoredResponse } from '../store/stored-response.ts'
import { matchesVary } from '../rfc9111/vary.ts'

export interface Selected {
  readonly stored: StoredResponse
  readonly purgeState: Exclude<PurgeState, 'purged'>
}

/** The newest variant for this request that no hard purge covers (RFC 9111 §4.1). */
export function selectVariant(
  variants: readonly StoredResponse[],
  request: Headers,
  generations: PurgeGenerations,
): Selected | undefined {
  for (const stored of variants) {
    if (!matchesVary(stored.varyValues, request)) continue
    const purgeState = purgeStateOf(stored, generations)
    if (purgeState !== 'purged') return { stored, purgeState }
  }
  return undefined
}

/** As long as nobody purges anything, the state of a stored response stays what it was when last looked up. */
export function purgeStateOf(stored: StoredResponse, generations: PurgeGenerations): PurgeState {
  const { memo } = stored
  if (memo.checkedAt !== generations.newest) {
    memo.purgeState = generations.stateOf(stored.generation, stored.counters)
    memo.checkedAt = generations.newest
  }
  return memo.purgeState
}
