import { S3Error } from '../s3-error.ts'
import type { ContentDigests, S3Content } from '../s3-request.ts'
import type { SignatureClaim } from '../signature/signature-claim.ts'

/** What the parts of signed content are signed with and after. */
export interface ContentSigning extends Pick<
  SignatureClaim,
  'payloadHash' | 'time' | 'scope' | 'signature'
> {
  readonly key: Buffer
}

/** The content of a request, checked on its way. Without a signature it is taken as it comes. */
export function contentOf({ headers, body }: Request, signing?: ContentSigning): S3Content {
  const sha256 = sha256Of(signing?.payloadHash)
  const sizeBytes = lengthOf(headers.get('content-length'))
  let digests: ContentDigests | undefined
  return {
    sizeBytes,
    stream() {
      const hasher = new Bun.CryptoHasher('md5')
      const whole = sha256 === undefined ? undefined : new Bun.CryptoHasher('sha256')
      return (body ?? new Blob([]).stream()).pipeThrough(
        new TransformStream<Uint8Array, Uint8Array>({
          transform(chunk, controller) {
            hasher.update(chunk)
            whole?.update(chunk)
            controller.enqueue(chunk)
          },
          flush() {
            if (whole !== undefined && whole.digest('hex') !== sha256) throw mismatch()
            digests = { md5: hasher.digest('hex'), checksum: undefined }
          },
        }),
      )
    },
    digests() {
      if (digests === undefined) throw new Error('the content has not ended')
      return digests
    },
  }
}

const sha256Pattern = /^[0-9a-f]{64}$/u

function sha256Of(payloadHash: string | undefined): string | undefined {
  if (payloadHash === undefined || payloadHash === 'UNSIGNED-PAYLOAD') return undefined
  if (sha256Pattern.test(payloadHash)) return payloadHash
  throw new S3Error('NotImplemented', 'x-amz-content-sha256 must be a SHA-256 or UNSIGNED-PAYLOAD')
}

const lengthOf = (text: string | null): number | undefined =>
  text !== null && /^\d{1,15}$/u.test(text) ? Number(text) : undefined

const mismatch = (): S3Error =>
  new S3Error(
    'XAmzContentSHA256Mismatch',
    "The provided 'x-amz-content-sha256' header does not match what was computed.",
  )
