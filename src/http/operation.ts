import type { z } from 'zod'
import type { Trace } from './request/request-id.ts'

/** Keys the operator holds. Each opens its own plane and no other. */
export type KeyName = 'access' | 'account' | 'purge' | 'analytics'

/**
 * Who may call an operation. Any one sufficient credential is enough; a good credential that is not
 * among these is 403, none or a wrong one 401.
 */
export type Access =
  | 'public'
  | {
      readonly keys: readonly KeyName[]
      /** The scope a bearer token needs; without one no token is enough. */
      readonly scope?: string
      /** Whether the session of a signed-in operator is enough. */
      readonly session?: boolean
    }

export type Method = 'get' | 'put' | 'post' | 'patch' | 'delete'

export type Envelope = 'standard' | 'flat'

/** JSON is read whole, checked for depth and against the schema; bytes are handed on as a stream. */
export type BodySpec =
  | {
      readonly kind: 'json'
      readonly schema: z.ZodType
      readonly maxBytes?: number
      /**
       * Whether any `Content-Type` will do, and nothing at all stands for `{}`. For what browsers send
       * without asking first (`navigator.sendBeacon` says `text/plain`).
       */
      readonly isLenient?: boolean
    }
  | {
      readonly kind: 'bytes'
      readonly maxBytes: number
      readonly description: string
      /** For the API's description alone: `application/octet-stream` where left out. */
      readonly contentType?: string
      readonly schema?: z.ZodType
    }

export interface ResponseSpec {
  readonly description: string
  readonly schema?: z.ZodType
  /** `application/json` where left out. */
  readonly contentType?: string
  /** What the same status answers where nobody asks for that one. For the description. */
  readonly otherContentTypes?: readonly string[]
}

/** Who is calling, from where. `zones` narrows every answer and every write to those tenants. */
export interface Caller {
  /** The credential's id, e.g. `access-key` or `token:…`; `anonymous` where none was needed. */
  readonly credentialId: string
  readonly zones: ReadonlySet<string> | undefined
  readonly ip: string
  /** Whether nobody on the way could read along. */
  readonly cameOverTls?: boolean
  readonly userAgent: string | undefined
  readonly requestId: string
  /** The distributed trace the caller is part of, where it said so. */
  readonly trace?: Trace
}

/** Whether a credential for all zones came with the request, whatever it opens. */
export const isOperator = ({ credentialId, zones }: Pick<Caller, 'credentialId' | 'zones'>) =>
  credentialId !== 'anonymous' && zones === undefined

/** One request of one operation, checked. */
export interface Call<Params, Query, Body> {
  readonly params: Params
  readonly query: Query
  readonly body: Body
  readonly caller: Caller
  readonly request: Request
  /** Says what asset the answer is about where the request does not, so that it is counted there. */
  readonly noteAsset: (path: string) => void
}

/** What a handler answers: a JSON value, or a finished `Response` for bytes and streams. */
export type Answer =
  | Response
  | {
      readonly status?: number
      readonly json: unknown
      readonly headers?: Readonly<Record<string, string>>
    }

type Shape = z.ZodType | undefined
type Parsed<S extends Shape> = S extends z.ZodType ? z.output<S> : undefined
type ParsedBody<B extends BodySpec | undefined> = B extends {
  readonly kind: 'json'
  readonly schema: infer S extends z.ZodType
}
  ? z.output<S>
  : B extends { readonly kind: 'bytes' }
    ? ReadableStream<Uint8Array>
    : undefined

/** A call that works as it is on a service with the zone and the file that other examples make. */
export interface Example {
  readonly params?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string | number>>
  readonly body?: unknown
  /** Of a body of bytes. */
  readonly contentType?: string
}

export interface OperationSpec<
  P extends Shape = Shape,
  Q extends Shape = Shape,
  B extends BodySpec | undefined = BodySpec | undefined,
> {
  /** `operationId` of the OpenAPI document and name in the generated client, e.g. `putFile`. */
  readonly id: string
  readonly plane: string
  readonly method: Method
  /** OpenAPI spelling. `{path}` as the last segment takes the rest of the path, slashes included. */
  readonly path: string
  readonly summary: string
  readonly description?: string
  /** For the description. */
  readonly example?: Example
  /** Names `HEAD` in the description where clients ask for it by itself; it is answered everywhere. */
  readonly head?: { readonly id: string; readonly summary: string }
  readonly access: Access
  /** Whether it opens or ends a browser's session; like what takes one, no other site may read it. */
  readonly changesSession?: boolean
  readonly envelope: Envelope
  /** The rows of the rate-limit table that are charged before the handler runs. */
  readonly rateLimits?: readonly string[]
  readonly params?: P
  readonly query?: Q
  readonly body?: B
  /** Request headers the handler reads, each with what it does. For the description. */
  readonly requestHeaders?: Readonly<Record<string, string>>
  readonly responses: Readonly<Record<number, ResponseSpec>>
  handle(call: Call<Parsed<P>, Parsed<Q>, ParsedBody<B>>): Promise<Answer>
}

/**
 * An endpoint as one value: the server, the authorisation, the OpenAPI document and the command line
 * read nothing else. A `GET` operation answers `HEAD` too.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- the list of operations holds every shape
export type Operation = OperationSpec<any, any, any>

export const operation = <
  P extends Shape = undefined,
  Q extends Shape = undefined,
  B extends BodySpec | undefined = undefined,
>(
  spec: OperationSpec<P, Q, B>,
): OperationSpec<P, Q, B> => spec

/** The success envelope: `HttpCode`, `Message`, then the operation's own fields. */
export const success = (
  status: number,
  message: string,
  fields: Readonly<Record<string, unknown>> = {},
): Answer => ({ status, json: { HttpCode: status, Message: message, ...fields } })
