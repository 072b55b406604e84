import type { S3Caller, S3Content } from '../s3-request.ts'

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

/** Takes whoever comes for nobody in particular. */
export const anonymously: S3Authenticate = async ({ request, clientAddress, requestId }) => ({
  caller: {
    actor: {
      credentialId: 'anonymous',
      zones: undefined,
      ip: clientAddress,
      userAgent: request.headers.get('user-agent') ?? undefined,
      requestId,
    },
    scopes: new Set(),
    isAnonymous: true,
  },
  content: plainContent(request),
})

const plainContent = ({ body, headers }: Request): S3Content => {
  const length = headers.get('content-length')
  return {
    sizeBytes: length === null ? undefined : Number(length),
    stream: () => body ?? new Blob([]).stream(),
    digests: () => ({ md5: '', checksum: undefined }),
  }
}
