import type { FoundToken } from '../../../domain/access/tokens/token-index.ts'
import type { S3Keys } from '../../../domain/access/tokens/s3-keys.ts'
import type { Tokens } from '../../../domain/access/tokens/tokens.ts'
import type { KeyGuesses } from '../../../http/access/key-guesses.ts'
import { contentOf } from '../content/content.ts'
import { S3Error } from '../s3-error.ts'
import type { S3Caller, S3Content } from '../s3-request.ts'
import { claimOfHeader, unsupportedMechanism } from './authorization-header.ts'
import { claimOfQuery, isSignedInQuery } from './query-signature.ts'
import type { SignatureClaim } from './signature-claim.ts'
import { requireCurrent } from './signed-time.ts'
import { createSigningKeys, type SigningKeys } from './signing-key.ts'
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
  readonly requestId: string
}

/** Finds out who signed a request. Fails with an `S3Error` where a signature is there and is wrong. */
export type S3Authenticate = (presented: Presented) => Promise<Authenticated>

interface Dependencies {
  readonly tokens: Pick<Tokens, 'byId' | 'use'>
  readonly s3Keys: Pick<S3Keys, 'secretsOf'>
  readonly guesses: KeyGuesses
  readonly now: () => Date
}

export function createS3Authenticate({ s3Keys, ...dependencies }: Dependencies): S3Authenticate {
  const keysOf = createSigningKeys(s3Keys)
  return async (presented) => {
    const claim = claimOf(presented)
    if (claim === undefined)
      return { caller: callerOf(presented, undefined), content: contentOf(presented.request) }
    requireCurrent(claim, dependencies.now())
    const guess = dependencies.guesses.begin('S3', presented.clientAddress)
    const { token, key } = signerOf(presented, claim, { ...dependencies, keysOf })
    guess.wasGenuine()
    return {
      caller: callerOf(presented, token),
      content: contentOf(presented.request, { ...claim, key }),
    }
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

interface Signer {
  readonly token: FoundToken
  /** With which parts of the content are signed. */
  readonly key: Buffer
}

function signerOf(
  { request, url }: Presented,
  claim: SignatureClaim,
  { tokens, keysOf }: Pick<Dependencies, 'tokens'> & { readonly keysOf: SigningKeys },
): Signer {
  const { accessKeyId } = claim
  if (request.headers.has('x-amz-security-token') || url.searchParams.has('X-Amz-Security-Token'))
    throw new S3Error('InvalidToken', 'There are no temporary credentials here.')
  if (tokens.byId(accessKeyId)?.isForS3 !== true) throw unknownKey(accessKeyId)
  const key = verifySignature({ request, url }, claim, keysOf(accessKeyId, claim.scope))
  const token = tokens.use(accessKeyId)
  if (token === undefined) throw unknownKey(accessKeyId)
  return { token, key }
}

const unknownKey = (accessKeyId: string): S3Error =>
  new S3Error(
    'InvalidAccessKeyId',
    'The AWS Access Key Id you provided does not exist in our records.',
    { elements: { AWSAccessKeyId: accessKeyId } },
  )

const callerOf = (
  { request, clientAddress, requestId }: Presented,
  token: FoundToken | undefined,
): S3Caller => ({
  actor: {
    credentialId: token?.id ?? 'anonymous',
    zones: token?.zones,
    ip: clientAddress,
    userAgent: request.headers.get('user-agent') ?? undefined,
    requestId,
  },
  scopes: token?.scopes ?? new Set(),
  isAnonymous: token === undefined,
})
