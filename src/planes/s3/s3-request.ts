import type { Actor } from '../../domain/access/actor.ts'
import type { Scope } from '../../domain/access/tokens/scopes.ts'

/** Who asks, after the signature was found to be genuine, or nobody in particular. */
export interface S3Caller {
  readonly actor: Actor
  /** What the credential opens; nothing where there is none. */
  readonly scopes: ReadonlySet<string>
  /** Whether nothing was signed. What is open to all is so to this one. */
  readonly isAnonymous: boolean
}

/** What was found out about the content while it went by. */
export interface ContentDigests {
  /** Lower-case hex. */
  readonly md5: string
  /** What the client sent to be checked, and was right; as the header `x-amz-checksum-…` has it. */
  readonly checksum: ContentChecksum | undefined
}

export interface ContentChecksum {
  readonly algorithm: 'CRC32' | 'CRC32C' | 'CRC64NVME' | 'SHA1' | 'SHA256'
  /** Base64. */
  readonly value: string
}

/** The content of a request, without the framing of `aws-chunked`. */
export interface S3Content {
  /** Of the content itself; `undefined` where the request does not say. */
  readonly sizeBytes: number | undefined
  /**
   * To be taken once. Fails with an `S3Error` where what comes is not what was said or signed; what is
   * made of the content must not be found before its end.
   */
  stream(): ReadableStream<Uint8Array>
  /** Known once the stream has ended. */
  digests(): ContentDigests
}

/** One request, taken apart and checked for who asks. */
export interface S3Request {
  readonly request: Request
  readonly url: URL
  readonly query: URLSearchParams
  /** The zone; `undefined` of the service itself. Not looked up. */
  readonly bucket: string | undefined
  /** Decoded, as it was sent; `undefined` of the bucket itself. May break the grammar of asset paths. */
  readonly key: string | undefined
  readonly requestId: string
  readonly caller: S3Caller
  readonly content: S3Content
}

/** An operation of S3, by the name it has in the API Reference. */
export interface S3Operation {
  readonly name: string
  readonly method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  readonly target: 'service' | 'bucket' | 'object'
  /** Query parameters that must be there; `name=value` where the value counts. */
  readonly query?: readonly string[]
  /** A header that must be there. */
  readonly header?: string
  /** What a token must be for. */
  readonly scope: Scope
  /** What will do as well. */
  readonly orScope?: Scope
  /** Whether it may be asked without a signature; the handler says of what. */
  readonly isPublic?: true
  readonly handle: (request: S3Request) => Promise<Response> | Response
}

/** Some operations with what they work with. */
export type S3Operations<Dependencies> = (dependencies: Dependencies) => readonly S3Operation[]
