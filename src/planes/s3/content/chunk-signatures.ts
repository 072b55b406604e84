import { S3Error } from '../s3-error.ts'
import { scopeText, signatureAlgorithm, type SignatureClaim } from '../signature/signature-claim.ts'
import { isSameSignature, signatureOf } from '../signature/signing-key.ts'
import type { ChunkListener } from './chunk-decoder.ts'

/** What the chunks of signed content are signed with, and what the first one follows. */
export interface ContentSigning extends Pick<
  SignatureClaim,
  'payloadHash' | 'time' | 'scope' | 'signature'
> {
  readonly key: Buffer
}

/** Each chunk but the last one with data must be at least so large. */
const minChunkBytes = 8192
const extensionPattern = /^chunk-signature=([0-9a-f]{64})$/u
const sha256OfNothing = new Bun.CryptoHasher('sha256').digest('hex')

/**
 * Checks chunks of which each is signed after the one before it.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming.html
 */
export class ChunkSignatures implements ChunkListener {
  readonly #signing: ContentSigning
  #previous: string
  #signature = ''
  #hash = new Bun.CryptoHasher('sha256')
  #isLastOfData = false

  constructor(signing: ContentSigning) {
    this.#signing = signing
    this.#previous = signing.signature
  }

  begin(sizeBytes: number, extension: string): void {
    const [, signature] = extensionPattern.exec(extension) ?? []
    if (signature === undefined) throw wrongSignature()
    if (this.#isLastOfData && sizeBytes > 0)
      throw new S3Error(
        'InvalidChunkSizeError',
        'Only the last chunk is allowed to have a size less than 8192 bytes',
      )
    this.#isLastOfData = sizeBytes < minChunkBytes
    this.#signature = signature
    this.#hash = new Bun.CryptoHasher('sha256')
  }

  data(bytes: Uint8Array): void {
    this.#hash.update(bytes)
  }

  end(): void {
    this.#require('PAYLOAD', [sha256OfNothing, this.#hash.digest('hex')], this.#signature)
  }

  /** `lines` are those of the trailer, each with a line feed at its end. */
  requireTrailer(lines: string, signature: string): void {
    const hash = new Bun.CryptoHasher('sha256').update(Buffer.from(lines, 'latin1')).digest('hex')
    this.#require('TRAILER', [hash], signature)
  }

  #require(kind: 'PAYLOAD' | 'TRAILER', hashes: readonly string[], signature: string): void {
    const { time, scope, key } = this.#signing
    const of = [`${signatureAlgorithm}-${kind}`, time, scopeText(scope), this.#previous]
    if (!isSameSignature(signatureOf(key, [...of, ...hashes].join('\n')), signature))
      throw wrongSignature()
    this.#previous = signature
  }
}

const wrongSignature = (): S3Error =>
  new S3Error(
    'SignatureDoesNotMatch',
    'The signature of a chunk of the body does not match the one we calculated.',
  )
