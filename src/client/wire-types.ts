/**
 * The bytes of a file: whatever `fetch` takes. A stream is sent as it comes and cannot be sent twice, so
 * such a call is not tried again; a function that answers a new stream each time lifts that.
 */
export type Bytes = RequestBytes | (() => RequestBytes)
type RequestBytes =
  string | Blob | ArrayBuffer | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>

/** One event of a stream of Server-Sent Events. `data` is read as JSON where it is JSON. */
export interface ServerSentEvent {
  readonly event: string
  readonly data: unknown
}
