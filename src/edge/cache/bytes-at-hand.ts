import { createS3FifoCache } from '../../lib/collections/s3-fifo-cache.ts'
import type { StoredResponse } from './store/stored-response.ts'
import { type RoomyBody, withRoom } from '../../http/wire/wire-response.ts'

/** The bytes of bodies that are asked for again and again, for whoever cannot wait for them. */
export interface BytesAtHand {
  /** `undefined` where they are not at hand; then they are soon. */
  of(stored: StoredResponse): RoomyBody | undefined
  clear(): void
}

interface Held {
  readonly stored: StoredResponse
  readonly body: RoomyBody
}

/** One that is still coming is nobody's to take here. */
const bytesOf = async (body: Blob | ReadableStream) =>
  body instanceof Blob ? await body.bytes() : undefined

/** They are in memory already, where nobody gets at them at once. */
const maxBytes = 32 * 2 ** 20
const overheadBytes = 256

export function createBytesAtHand(): BytesAtHand {
  const held = createS3FifoCache<Held>(maxBytes)
  const fetching = new Set<StoredResponse>()

  async function fetch(stored: StoredResponse): Promise<void> {
    const bytes = stored.body.held ?? (await bytesOf(stored.body.open()))
    if (bytes === undefined) return
    const roomy = withRoom(bytes)
    held.set(stored.key, { stored, body: roomy }, roomy.bytes.length + overheadBytes)
  }

  return {
    of(stored) {
      const found = held.get(stored.key)
      if (found?.stored === stored) return found.body
      if (!fetching.has(stored)) {
        fetching.add(stored)
        // Without them it is done the other way.
        void fetch(stored)
          .catch(() => undefined)
          .finally(() => fetching.delete(stored))
      }
      return undefined
    },
    clear: () => held.clear(),
  }
}
