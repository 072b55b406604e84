import type { FoundToken } from '../../../domain/access/tokens/token-index.ts'
import type { S3Caller } from '../s3-request.ts'

interface Asking {
  readonly request: Request
  readonly clientAddress: string
  readonly requestId: string
}

/** Whoever signed with the token, or nobody in particular. */
export const callerOf = (
  { request, clientAddress, requestId }: Asking,
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
