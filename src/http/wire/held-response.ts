/** A request that may be responded to with a {@link HeldResponse}: whoever sent it sends that from where it is. */
export class DirectRequest extends Request {
  /** Whether the response may be silent for long. */
  isKeptOpen = false
}

/**
 * A response whose body is in memory and stays there: to give it to Bun is to have it copied. For nobody but who sends
 * what a {@link DirectRequest} gets: to all others it has no body.
 */
export class HeldResponse extends Response {
  /** Nobody writes to it any more. */
  readonly held: Uint8Array | string

  constructor(held: Uint8Array | string, init: ResponseInit) {
    super(null, init)
    this.held = held
  }
}

/** The response from memory where the request may have one. */
export const heldWhereTaken = (
  request: Request,
  body: Uint8Array<ArrayBuffer> | string,
  init: ResponseInit,
): Response =>
  request instanceof DirectRequest ? new HeldResponse(body, init) : new Response(body, init)

/** A response with a body that can still be asked where it is: of a `Response` only a stream can be had. */
export class BlobResponse extends Response {
  readonly content: Blob

  constructor(content: Blob, init: ResponseInit) {
    super(content, init)
    this.content = content
  }
}

/** The response that tells of its body where the request may have one. */
export const blobWhereTaken = (
  request: unknown,
  body: BodyInit | null,
  init: ResponseInit,
): Response =>
  request instanceof DirectRequest && body instanceof Blob
    ? new BlobResponse(body, init)
    : new Response(body, init)
