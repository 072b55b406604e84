import { contentOf } from '../content/content.ts'
import { S3Error } from '../s3-error.ts'
import type { S3Caller, S3Content } from '../s3-request.ts'
import { claimOfHeader, unsupportedMechanism } from './authorization-header.ts'
import { claimOfQuery, isSignedInQuery } from './query-signature.ts'
import type { SignatureClaim } from './signature-claim.ts'
import { callerOf } from './s3-caller.ts'
import { requireCurrent } from './signed-time.ts'
import type { S3Signers } from './signers.ts'
import { verifySignature } from './verify-signature.ts'

/** Who asks, and what was sent with it. */
export interface Authenticated {
  readonly caller: S3Caller
  readonly content: S3Content
}

export interface Presented {
  readonly request: Request
  readonly url: URL
  readonly clientAddress: string
  /** What a proxy that is trusted was asked by, and the client has signed. */
  readonly forwardedHost?: string | undefined
  readonly requestId: string
}

/** Finds out who signed a request. Fails with an `S3Error` where a signature is there and is wrong. */
export type S3Authenticate = (presented: Presented) => Promise<Authenticated>

interface Dependencies {
  readonly signers: S3Signers
  readonly now: () => Date
}

export const createS3Authenticate =
  ({ signers, now }: Dependencies): S3Authenticate =>
  async (presented) => {
    const { request } = presented
    const claim = claimOf(presented)
    if (claim === undefined)
      return { caller: callerOf(presented, undefined), content: contentOf(request) }
    requireCurrent(claim, now())
    refuseTemporary(presented)
    const { token, proof: key } = signers.find({ ...presented, ...claim }, (keys) =>
      verifySignature(presented, claim, keys),
    )
    return {
      caller: callerOf(presented, token),
      content: contentOf(request, { ...claim, key }),
    }
  }

/** `undefined` where nothing is signed. */
function claimOf({ request: { headers }, url }: Presented): SignatureClaim | undefined {
  const authorization = headers.get('authorization')
  const query = url.searchParams
  const isInQuery = isSignedInQuery(query)
  const isFormer = query.has('AWSAccessKeyId') && query.has('Signature')
  if (authorization !== null && (isInQuery || isFormer)) throw twice()
  if (isFormer) throw unsupportedMechanism()
  if (authorization !== null) return claimOfHeader(authorization, headers)
  return isInQuery ? claimOfQuery(query, headers) : undefined
}

const twice = (): S3Error =>
  new S3Error(
    'InvalidArgument',
    'Only one auth mechanism allowed; only the X-Amz-Algorithm query parameter, Signature query string parameter or the Authorization header should be specified',
    { elements: { ArgumentName: 'Authorization' } },
  )

function refuseTemporary({ request, url }: Presented): void {
  if (request.headers.has('x-amz-security-token') || url.searchParams.has('X-Amz-Security-Token'))
    throw new S3Error('InvalidToken', 'There are no temporary credentials here.')
}
