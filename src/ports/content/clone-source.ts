/** What a client says besides its request, and how long it waits for the response. */
export interface CloneExchange {
  /** The client's `Git-Protocol` field. */
  readonly protocol: string | undefined
  /** Ends the work at once. */
  readonly signal: AbortSignal
}

/**
 * Speaks git's protocol with those who read the repository. Each response comes as it is made; leaving
 * it early ends the work. Where git takes it for no request of its protocol it fails with
 * {@link CloneRequestError}, mostly before the first bytes.
 */
export interface CloneSource {
  /** What there is to fetch, as the body of `GET info/refs`. */
  advertise(exchange: CloneExchange): AsyncGenerator<Uint8Array, void, undefined>
  /** The response to the body of `POST git-upload-pack`. */
  respond(request: Uint8Array, exchange: CloneExchange): AsyncGenerator<Uint8Array, void, undefined>
}

/** The message says what git made of the request. */
export class CloneRequestError extends Error {
  override readonly name = 'CloneRequestError'
}
