import { isSignatureValid } from '../../../domain/access/signed-url.ts'
import { ServiceError } from '../../../domain/errors.ts'
import type { Grant } from '../../../domain/streaming/stream-request.ts'
import type { Secret } from '../../../lib/secrets/secret.ts'

/** Which signatures of videos are good. */
export interface GrantTerms {
  readonly signedUrlSecret: Secret
  readonly previousSignedUrlSecret?: Secret | undefined
  readonly signedUrlMaxAgeSeconds: number
  readonly now: () => Date
}

interface SignedQuery {
  readonly expires?: string | undefined
  readonly sig?: string | undefined
}

/** A signature that is there must be good, even where none is needed. */
export function grantOf(
  path: string,
  { expires, sig: signature }: SignedQuery,
  { signedUrlSecret, previousSignedUrlSecret, signedUrlMaxAgeSeconds, now }: GrantTerms,
): Grant | undefined {
  if (expires === undefined && signature === undefined) return undefined
  const terms = {
    secret: signedUrlSecret.reveal(),
    previousSecret: previousSignedUrlSecret?.reveal(),
    now: now(),
    maxAgeSeconds: signedUrlMaxAgeSeconds,
  }
  if (!isSignatureValid({ path, expires, signature, extras: [] }, terms))
    throw new ServiceError('Forbidden', 'The signature is missing, wrong or expired')
  return { path, expires: expires ?? '', signature: signature ?? '' }
}
