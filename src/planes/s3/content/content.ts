import { readableStreamOf } from '../../../lib/bytes/byte-streams.ts'
import { S3Error } from '../s3-error.ts'
import type { ContentDigests, S3Content } from '../s3-request.ts'
import { incompleteBody } from './chunk-decoder.ts'
import type { ContentSigning } from './chunk-signatures.ts'
import { ContentHashes } from './content-hashes.ts'
import { contentTermsOf } from './content-terms.ts'
import { decodeChunks } from './decode-chunks.ts'

/**
 * The content of a request, without its framing and checked on its way. Fails with an `S3Error` where what
 * is said of it makes no sense. Where nothing is signed only what is said beside is checked.
 */
export function contentOf(request: Request, signing?: ContentSigning): S3Content {
  const terms = contentTermsOf(request, signing?.payloadHash)
  const { sizeBytes } = terms
  let digests: ContentDigests | undefined
  async function* checked(): AsyncGenerator<Uint8Array, void, undefined> {
    const hashes = new ContentHashes(terms)
    let left = sizeBytes ?? Number.POSITIVE_INFINITY
    for await (const bytes of decoded(hashes)) {
      left -= bytes.length
      if (left < 0) throw incompleteBody()
      hashes.update(bytes)
      yield bytes
    }
    if (sizeBytes !== undefined && left > 0) throw incompleteBody()
    digests = hashes.digests()
  }
  function decoded(hashes: ContentHashes): AsyncIterable<Uint8Array> {
    const sent = received(request)
    if (terms.framing === undefined || signing === undefined) return sent
    return decodeChunks(sent, { terms, signing, onChecksum: (value) => hashes.take(value) })
  }
  return {
    sizeBytes,
    stream: () => readableStreamOf(checked()),
    digests() {
      if (digests === undefined) throw new Error('the content has not come to its end')
      return digests
    },
  }
}

async function* received({ body }: Request): AsyncGenerator<Uint8Array, void, undefined> {
  if (body === null) return
  try {
    yield* body
  } catch (cause) {
    throw cause instanceof S3Error ? cause : incompleteBody(cause)
  }
}
