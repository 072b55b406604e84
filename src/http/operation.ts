import type { z } from 'zod'
import type { Protocol } from './protocol.ts'
import { withPositionFields } from './position.ts'
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
      /** Scopes that are enough as well, by themselves. */
      readonly orScopes?: readonly string[]
      /** A scope that is enough where the request is about a preview, and says so. */
      readonly previewScope?: { readonly name: string; isMeant(request: Request): boolean }
      /** A scope that is enough for what is a preview's already: what it is about says so. */
      readonly ofPreviewScope?: string
      /** What the roles of a person must open, where `scope` says nothing of it. */
      readonly personScope?: string
      /** Whether it is about what is whoever's own, so that every person may. */
      readonly isOwn?: boolean
      /** Whether the session of a signed-in operator is enough. */
      readonly session?: boolean
      /**
       * Whether an upload grant in the URL is enough. Who sends one needs no key: with it no session counts,
       * and pages of any origin may call.
       */
      readonly grant?: boolean
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
      /** Where left out, what takes the bytes bounds them. */
      readonly maxBytes?: number
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
  /** What the same status sends where nobody asks for that one. For the description. */
  readonly otherContentTypes?: readonly string[]
  /** Of an event stream: the `data` of each event, by its name. */
  readonly events?: Readonly<Record<string, z.ZodType>>
  /** Of lines of JSON: what each is. */
  readonly lines?: z.ZodType
}

/** These zones, none where it is empty; or every one. */
export type Reach = ReadonlySet<string> | 'everywhere'

/** Who is calling, from where. `zones` narrows every response and every write to those tenants. */
export interface Caller {
  /** The credential's id, e.g. `access-key` or `token:…`; `anonymous` where none was needed. */
  readonly credentialId: string
  readonly zones: ReadonlySet<string> | undefined
  /** What a token was made for; absent of every other credential. */
  readonly scopes?: ReadonlySet<string>
  /** The person whose session it is. */
  readonly personId?: string | undefined
  /** The session's id. */
  readonly sessionId?: string | undefined
  /** Where a person sees anything at all. */
  readonly sees?: Reach | undefined
  /** Where previews alone may be changed. */
  readonly previewsOnly?: Reach | undefined
  /** Of an upload grant: the file it is for, or the directory, which has a slash at its end. */
  readonly grantedPath?: string
  readonly ip: string
  /** Whether it is among those that an operation shows more to. */
  readonly seesMore?: boolean
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

/** By status. A refusal that a handler throws need not be among them. */
export type Responses = Readonly<Record<number, ResponseSpec>>

/** The statuses whose JSON `respond` sends. */
type JsonStatus<R> = {
  [S in keyof R]: R[S] extends { readonly contentType: string }
    ? never
    : R[S] extends { readonly schema: z.ZodType }
      ? S
      : never
}[keyof R]

/** The statuses that a finished `Response` is for: bytes, streams, and what has no body. */
type BareStatus<R> = {
  [S in keyof R]: R[S] extends
    { readonly contentType: string } | { readonly otherContentTypes: readonly string[] }
    ? S
    : R[S] extends { readonly schema: z.ZodType }
      ? never
      : `${S & number}` extends `${4 | 5}${string}`
        ? never
        : S
}[keyof R]

/** What nobody writes to on its way out. */
type Sent<T> = T extends object ? { readonly [Name in keyof T]: Sent<T[Name]> } : T

type BodyOf<Spec> = Spec extends { readonly schema: infer S extends z.ZodType }
  ? Sent<z.input<S>>
  : never

declare const declared: unique symbol

/** JSON that an operation declares; the `respond` of a call alone makes one. */
export interface Reply {
  readonly [declared]: true
  readonly status: number
  readonly json: unknown
  readonly headers: HeaderFields | undefined
}

type HeaderFields = Readonly<Record<string, string>>

/** Sends a status that the operation declares, and a body that the schema of that status accepts. */
export type Respond<R = Responses> = <S extends JsonStatus<R>>(
  status: S,
  body: BodyOf<R[S]>,
  headers?: HeaderFields,
) => Reply

/** One request of one operation, checked. */
export interface Call<Params = unknown, Query = unknown, Body = unknown, R = Responses> {
  readonly params: Params
  readonly query: Query
  readonly body: Body
  readonly caller: Caller
  readonly request: Request
  /** Says what asset the response is about where the request does not, so that it is counted there. */
  readonly noteAsset: (path: string) => void
  readonly respond: Respond<R>
}

type Handled<R> = Reply | ([BareStatus<R>] extends [never] ? never : Response)

type Handler<
  P extends Shape,
  Q extends Shape,
  B extends BodySpec | undefined,
  R extends Responses,
> = (call: Call<Parsed<P>, Parsed<Q>, ParsedBody<B>, R>) => Promise<Handled<R>>

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
  R extends Responses = Responses,
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
  /** Names `HEAD` in the description where clients ask for it by itself; it works everywhere. */
  readonly head?: { readonly id: string; readonly summary: string }
  readonly access: Access
  /** Of what is public: who is shown more than all others are, and must not be a guess either. */
  readonly moreFor?: Exclude<Access, 'public'>
  /** Whether it opens or ends a browser's session; like what takes one, no other site may read it. */
  readonly changesSession?: boolean
  readonly envelope: Envelope
  /** The rows of the rate-limit table that are charged before the handler runs. */
  readonly rateLimits?: readonly string[]
  /**
   * Who can answer it truthfully where several nodes are one service: whoever writes alone, or, where it says
   * so, any of them, from what all of them know.
   */
  readonly answeredBy?: 'any node'
  readonly params?: P
  readonly query?: Q
  readonly body?: B
  /** Request headers the handler reads, each with what it does. Pages of other origins may send them. */
  readonly requestHeaders?: Readonly<Record<string, string>>
  /** Headers of responses, each with what it says. Pages of other origins may read them. */
  readonly responseHeaders?: Readonly<Record<string, string>>
  /** The standard it speaks, where that says more of responses than the rest of this value. */
  readonly protocol?: Protocol
  readonly responses: R
}

/**
 * All that is known of an endpoint without anything that serves it: the server, the authorisation, the
 * OpenAPI document, the client and the documentation read nothing else. A `GET` operation takes
 * `HEAD` too.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- the list of operations holds every shape
export type Operation = OperationSpec<any, any, any>

/** An operation that can be served, once its handler is given what it works with. */
export interface HandledOperation<Dependencies> extends Operation {
  readonly endpoint: (dependencies: Dependencies) => Endpoint
}

/** An operation and what serves it. */
export interface Endpoint extends Operation {
  handle(call: Call): Promise<Reply | Response>
  /** What `OPTIONS` tells of its URL beside the methods. */
  readonly discovery?: HeaderFields
}

interface Unhandled<
  P extends Shape,
  Q extends Shape,
  B extends BodySpec | undefined,
  R extends Responses,
> extends OperationSpec<P, Q, B, R> {
  /** `open` makes the handler, once for each service, and `discover` what `OPTIONS` tells of it. */
  handledBy<Dependencies>(
    open: (dependencies: Dependencies) => Handler<P, Q, B, R>,
    discover?: (dependencies: Dependencies) => HeaderFields,
  ): HandledOperation<Dependencies>
}

/**
 * Describes an endpoint; what `handledBy` is given serves it. A handler can only send what
 * `responses` declares: JSON by `respond`, anything else as a `Response`.
 */
export const operation = <
  R extends Responses,
  P extends Shape = undefined,
  Q extends Shape = undefined,
  B extends BodySpec | undefined = undefined,
>(
  spec: OperationSpec<P, Q, B, R>,
): Unhandled<P, Q, B, R> => ({
  ...withPositionFields(spec),
  handledBy: (open, discover) => ({
    ...withPositionFields(spec),
    endpoint: (dependencies) => ({
      ...withPositionFields(spec),
      // The app hands over calls that it has parsed with the very schemas of this operation.
      handle: open(dependencies),
      ...(discover && { discovery: discover(dependencies) }),
    }),
  }),
})

/** Operations that work with the same things, ready to be served. */
export const endpoints = <Dependencies>(
  operations: readonly HandledOperation<Dependencies>[],
  dependencies: NoInfer<Dependencies>,
): readonly Endpoint[] => operations.map(({ endpoint }) => endpoint(dependencies))

/** What the app hands to every handler as `respond`; the type of its call says what may be sent. */
export const respond = (status: number, json: unknown, headers?: HeaderFields): Reply =>
  ({ status, json, headers }) as Reply
