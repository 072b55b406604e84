import type { Actor } from '../../domain/access/actor.ts'
import type { UploadTerms } from '../../domain/uploads/uploads.ts'
import { entityTags } from '../../http/request/conditional.ts'
import { requestedChecksum } from '../storage/requested-checksum.ts'

/** A request of an upload protocol, and who stands behind it. */
export interface UploadRequest {
  readonly headers: Headers
  readonly body: ReadableStream<Uint8Array>
  readonly actor: Actor
}

/** A request that begins an upload. */
export interface UploadBeginning extends UploadRequest {
  /** What the upload grant that it comes with is for, where it does. */
  readonly grantedPath: string | undefined
  /** The preview that it names. */
  readonly preview: string | undefined
  /** Of the upload with that id, for the client to go on at. */
  readonly locationOf: (id: string) => string
}

/** What all protocols say by the same fields: what the file is to replace, and what it must turn out as. */
export function commonTerms(headers: Headers): Pick<UploadTerms, 'condition' | 'expectedSha256'> {
  const is = namedFiles(headers.get('if-match'))
  const isNot = namedFiles(headers.get('if-none-match'))
  const condition = { ...(is && { is }), ...(isNot && { isNot }) }
  const expectedSha256 = wholeChecksum(headers)
  return {
    ...((is ?? isNot) && { condition }),
    ...(expectedSha256 !== undefined && { expectedSha256 }),
  }
}

/** Of the whole file: `Checksum` in hex, or `Repr-Digest` (RFC 9530 §3). */
function wholeChecksum(headers: Headers): string | undefined {
  const checksum = headers.get('checksum')
  const digest = headers.get('repr-digest')
  return requestedChecksum(
    new Headers({
      ...(checksum !== null && { Checksum: checksum }),
      ...(digest !== null && { 'Content-Digest': digest }),
    }),
  )
}

/** The SHA-256s that the entity-tags of a condition stand for. */
function namedFiles(field: string | null): 'anything' | readonly string[] | undefined {
  if (field === null) return undefined
  if (field.trim() === '*') return 'anything'
  return entityTags(field)
    .filter((tag) => tag.startsWith('"'))
    .map((tag) => tag.slice(1, -1))
}

/** Whether a request brings any content; where nothing announces it, the first bytes say so. */
export async function hasContent({ headers, body }: UploadRequest): Promise<boolean> {
  const length = headers.get('content-length')
  if (length !== null && !headers.has('transfer-encoding')) return length !== '0'
  const reader = body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return false
      if (value.length > 0) return true
    }
  } finally {
    await reader.cancel()
  }
}
