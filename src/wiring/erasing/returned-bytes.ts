import { reopenErasures } from '../../domain/erasing/reopened-erasures.ts'
import { ErasedBytesError } from '../../domain/content/erased-bytes.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { ReturnedBytes } from '../../domain/mirror/import-foreign.ts'
import type { Stores } from '../content/stores.ts'
import type { World } from '../world.ts'

export type OpenedReturnedBytes = ReturnType<typeof openReturnedBytes>

/** What was erased and comes back in commits of others. */
export function openReturnedBytes(
  { now }: Pick<World, 'now'>,
  { erasures: store }: Pick<Stores, 'erasures'>,
): ReturnedBytes & { onTakenUp(listener: () => void): void } {
  const listeners: (() => void)[] = []
  return {
    refusedIn(error) {
      if (error instanceof ErasedBytesError) return error.sha256
      return error instanceof ServiceError && error.code === 'Erased' ? '' : undefined
    },
    found: (sha256s) => reopenErasures(sha256s, { store, now }),
    takenUp: () => listeners.forEach((listener) => listener()),
    onTakenUp: (listener) => void listeners.push(listener),
  }
}
