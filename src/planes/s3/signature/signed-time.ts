import { S3Error } from '../s3-error.ts'
import { millisecondsOf, type SignatureClaim } from './signature-claim.ts'

const maxSkewMs = 15 * 60_000

/** Refuses a signature that is not good now: clocks may differ by fifteen minutes. */
export function requireCurrent({ time, expiresSeconds }: SignatureClaim, now: Date): void {
  const signedAtMs = millisecondsOf(time) ?? 0
  const ageMs = now.getTime() - signedAtMs
  if (expiresSeconds === undefined) {
    if (Math.abs(ageMs) > maxSkewMs) throw skewed(time, now)
    return
  }
  if (-ageMs > maxSkewMs) throw new S3Error('AccessDenied', 'Request is not valid yet')
  if (ageMs > expiresSeconds * 1000) throw expired(signedAtMs + expiresSeconds * 1000, now)
}

const skewed = (time: string, now: Date): S3Error =>
  new S3Error(
    'RequestTimeTooSkewed',
    'The difference between the request time and the current time is too large.',
    {
      elements: {
        RequestTime: time,
        ServerTime: now.toISOString(),
        MaxAllowedSkewMilliseconds: String(maxSkewMs),
      },
    },
  )

const expired = (expiredAtMs: number, now: Date): S3Error =>
  new S3Error('AccessDenied', 'Request has expired', {
    elements: { Expires: new Date(expiredAtMs).toISOString(), ServerTime: now.toISOString() },
  })
