import { ServiceError } from '../../domain/errors.ts'
import type { Caller } from '../../http/operation.ts'
import { createByteRoom } from '../../lib/async/byte-room.ts'

/** Waits until so many bytes of a request may be held in memory. */
export type MakeRoom = (caller: Caller, request: Request, sizeBytes: number) => Promise<Disposable>

interface Bounds {
  /** The most that one request holds. */
  readonly largestBytes: number
  /** How long a request waits. */
  readonly patienceMs: number
  readonly refusal: string
}

/**
 * What all requests hold at once is bounded: one of the largest for each caller, two for all who are narrowed to
 * some zones, and one more for those who are not.
 */
export function createMakeRoom({ largestBytes, patienceMs, refusal }: Bounds): MakeRoom {
  const maxBytesPerOwner = largestBytes
  const rooms = {
    narrowed: createByteRoom({ maxBytes: 2 * largestBytes, maxBytesPerOwner }),
    full: createByteRoom({ maxBytes: largestBytes, maxBytesPerOwner }),
  }
  return async ({ zones, credentialId }, { signal }, sizeBytes) => {
    const room = zones === undefined ? rooms.full : rooms.narrowed
    const patience = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
    const taken = await room.take(credentialId, sizeBytes, patience)
    if (taken !== undefined) return taken
    throw new ServiceError('Unavailable', refusal)
  }
}
