import { BlobResponse, HeldResponse } from '../../../http/wire/held-response.ts'
import {
  createWireResponse,
  withFile,
  type WireResponse,
} from '../../../http/wire/wire-response.ts'
import { openSpan } from '../../../lib/files/file-spans.ts'
import { BodySending } from './body-sending.ts'

/** A response as a connection sends it. */
export interface Sendable {
  readonly wire: WireResponse
  /** A body in memory that is sent after it, from where it is. */
  readonly body?: Uint8Array
  /** A body that comes in pieces, and is sent after it. */
  readonly coming?: BodySending
}

/** A body up to this size is sent in one piece with its head. */
const maxJoinedBytes = 65_536

/**
 * What the service made, where it can be sent as it is: from memory, from a file where those are taken, or as it
 * comes where it says how long it will be. `undefined` where it is for the full server to send. Whoever gets it
 * sends it, or discards it.
 */
export async function sendableOf(
  made: Response,
  takesFiles: boolean,
): Promise<Sendable | undefined> {
  if (made instanceof HeldResponse) return fromMemory(made, bytesOf(made.held))
  if (!(made instanceof BlobResponse)) return comingOf(made)
  if (made.content.size <= maxJoinedBytes) {
    const bytes = await made.content.bytes().catch(() => undefined)
    return bytes && fromMemory(made, bytes)
  }
  const file = takesFiles ? openSpan(made.content) : undefined
  if (file === undefined) return undefined
  const { status, headers } = made
  const fileBytes = file.end - file.start
  return { wire: withFile(createWireResponse({ status, headers, fileBytes }), file) }
}

function comingOf({ status, headers, body }: Response): Sendable | undefined {
  const length = headers.get('content-length')
  if (body === null || length === null || !/^\d{1,15}$/u.test(length)) return undefined
  return {
    wire: createWireResponse({ status, headers, fileBytes: Number(length) }),
    coming: new BodySending(body, Number(length)),
  }
}

/** Of a response that is for nobody any more. */
export async function cancelBody({ body }: Response): Promise<void> {
  // Who makes it may have failed already.
  await body?.cancel().catch(() => undefined)
}

/** Where there is nobody to send it to. */
export function discard({ wire, coming }: Sendable): void {
  wire.file?.close()
  coming?.cancel()
}

const bytesOf = (held: Uint8Array | string): Uint8Array =>
  typeof held === 'string' ? Buffer.from(held) : held

function fromMemory({ status, headers }: Response, body: Uint8Array): Sendable {
  return body.length <= maxJoinedBytes
    ? { wire: createWireResponse({ status, headers, body }) }
    : { wire: createWireResponse({ status, headers, fileBytes: body.length }), body }
}
