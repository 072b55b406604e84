import { S3Error } from '../s3-error.ts'
import { canonicalRequests, stringToSign } from './canonical-request.ts'
import type { SignatureClaim } from './signature-claim.ts'
import { isSameSignature, signatureOf } from './signing-key.ts'

interface Received {
  readonly request: Request
  readonly url: URL
  readonly forwardedHost?: string | undefined
}

/** Which of the keys signed it. Refuses what none of them did. */
export function verifySignature(
  { request, url, forwardedHost }: Received,
  claim: SignatureClaim,
  keys: readonly Buffer[],
): Buffer {
  requireSigned(request.headers, claim)
  const { method, headers } = request
  const canonical = canonicalRequests({ method, url, headers, forwardedHost }, claim)
  const texts = canonical.map((each) => stringToSign(each, claim))
  const key = keys.find((each) =>
    texts.some((text) => isSameSignature(signatureOf(each, text), claim.signature)),
  )
  if (key !== undefined) return key
  throw mismatch(claim, { canonical: canonical[0] ?? '', text: texts[0] ?? '' })
}

/** What a front adds on the way to the service, of nobody's signing. */
const addedOnTheWay: ReadonlySet<string> = new Set(['x-amz-cf-id'])

/** A field of S3's that is not signed may be anybody's. */
function requireSigned(headers: Headers, { signedHeaders }: SignatureClaim): void {
  const unsigned = [...headers.keys()].filter(
    (name) =>
      name.startsWith('x-amz-') && !signedHeaders.includes(name) && !addedOnTheWay.has(name),
  )
  if (unsigned.length > 0)
    throw new S3Error(
      'AccessDenied',
      'There were headers present in the request which were not signed',
      { elements: { HeadersNotSigned: unsigned.join(', ').slice(0, maxShownLength) } },
    )
}

const maxShownLength = 4096

/** Shows what was to be signed: the caller's own words, and nothing of the secret. */
const mismatch = (
  { accessKeyId, signature }: SignatureClaim,
  { canonical, text }: { readonly canonical: string; readonly text: string },
): S3Error =>
  new S3Error(
    'SignatureDoesNotMatch',
    'The request signature we calculated does not match the signature you provided. Check your key and signing method.',
    {
      elements: {
        AWSAccessKeyId: accessKeyId,
        StringToSign: text.slice(0, maxShownLength),
        SignatureProvided: signature,
        CanonicalRequest: canonical.slice(0, maxShownLength),
      },
    },
  )
