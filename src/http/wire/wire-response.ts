import { STATUS_CODES } from 'node:http'

import { formatHttpDate } from '../request/http-date.ts'
import type { RequestHead } from './request-head.ts'
import type { SendableFile } from '../../lib/files/sendable-file.ts'

/** A response as the bytes that HTTP/1.1 sends for it (RFC 9112 §4). */
export interface WireResponse {
  readonly status: number
  /** How many bytes come before the body. */
  readonly headBytes: number
  readonly bodyBytes: number
  /** Head and body. The Date is as it was last set: what of the head is not sent by then has to be copied. */
  readonly bytes: Uint8Array
  /** Whether others are sent from the same place next, so that what is not sent by then has to be copied. */
  readonly isLent?: boolean
  /** Sets the Date to that second since 1970. */
  setDate(second: number): void
  /** What the body is of, where it is not among the bytes. Whoever gets the response closes it. */
  readonly file?: SendableFile
}

/** What is asked for over a connection of HTTP/1.1. */
export interface WireRequest extends RequestHead {
  /** Aborted where the client is gone before it has got all. */
  readonly signal: AbortSignal
  /** Whether files can be sent from where they are. */
  readonly takesFiles: boolean
}

/** A response where all of it is at hand; `undefined` where whoever reads all of HTTP has to respond. */
export type RespondOnWire = (request: WireRequest, peerAddress: string) => WireResponse | undefined

export interface WireParts {
  readonly status: number
  /** As they would be given to a `Response`. A Date among them is left out: it is told with each sending. */
  readonly headers: Headers
  /** Absent where no body is sent, whatever Content-Length says (HEAD, 304), or a file of so many bytes is. */
  readonly body?: Uint8Array | undefined
  readonly fileBytes?: number | undefined
}

export const dateLength = 'Tue, 24 Nov 2026 00:00:00 GMT'.length
const dateName = 'Date: '

/** Made once for all who get the same response. */
export function createWireResponse({ status, headers, body, fileBytes }: WireParts): WireResponse {
  const fields = fieldLines(headers, body?.length ?? fileBytes)
  const before = `${statusLine(status)}${fields}${dateName}`
  const dateAt = before.length
  const headBytes = dateAt + dateLength + '\r\n\r\n'.length
  const heldBytes = body?.length ?? 0
  const whole = Buffer.allocUnsafeSlow(headBytes + heldBytes)
  whole.write(before, 0, 'latin1')
  whole.write('\r\n\r\n', dateAt + dateLength, 'latin1')
  if (body !== undefined) whole.set(body, headBytes)
  return {
    status,
    headBytes,
    bodyBytes: fileBytes ?? heldBytes,
    bytes: whole,
    setDate: createDateSetter(whole, dateAt),
  }
}

/** A body with room before it for the head of whatever response it is sent in. */
export interface RoomyBody {
  readonly bytes: Buffer
  /** Where the body begins. */
  readonly start: number
  /** Whose head stands before it. */
  head?: WireResponse | undefined
}

/** Heads are shorter; one that is not has its bytes copied. */
const usualHeadBytes = 4096

export function withRoom(body: Uint8Array): RoomyBody {
  const bytes = Buffer.allocUnsafeSlow(usualHeadBytes + body.length)
  bytes.set(body, usualHeadBytes)
  return { bytes, start: usualHeadBytes }
}

/**
 * Of responses that differ in nothing but the id of their request. All that are made with one body, and all of one
 * template, share their bytes: one has to be sent, or copied, before the next is made.
 */
export type WireTemplate = (requestId: string) => WireResponse

interface TemplateParts {
  readonly status: number
  readonly headers: Headers
  readonly body: RoomyBody | undefined
}

/** The fields are written once. An X-Request-ID among them is left out. */
export function createWireTemplate({ status, headers, body }: TemplateParts): WireTemplate {
  const bodyBytes = body === undefined ? 0 : body.bytes.length - body.start
  const fields = fieldLines(withoutRequestId(headers), body && bodyBytes)
  const start = `${statusLine(status)}${fields}X-Request-ID: `
  let latest: Made | undefined

  function make(idLength: number): Made {
    const dateAt = start.length + idLength + `\r\n${dateName}`.length
    const headBytes = dateAt + dateLength + '\r\n\r\n'.length
    const bytes = placeFor(headBytes, body)
    bytes.write(start, 0, 'latin1')
    bytes.write(`\r\n${dateName}`, start.length + idLength, 'latin1')
    bytes.write('\r\n\r\n', dateAt + dateLength, 'latin1')
    const setDate = createDateSetter(bytes, dateAt)
    return { idLength, bytes, response: { status, headBytes, bodyBytes, bytes, setDate } }
  }

  return (requestId) => {
    const isThere = body === undefined || body.head === latest?.response
    if (latest?.idLength !== requestId.length || !isThere) latest = make(requestId.length)
    const { response, bytes } = latest
    if (body !== undefined) body.head = response
    bytes.write(requestId, start.length, 'latin1')
    return response
  }
}

function withoutRequestId(headers: Headers): Headers {
  const own = new Headers(headers)
  own.delete('x-request-id')
  return own
}

interface Made {
  readonly idLength: number
  readonly bytes: Buffer
  readonly response: WireResponse
}

/** What a head and the body are written to, the body already. */
function placeFor(headBytes: number, body: RoomyBody | undefined): Buffer {
  if (body === undefined) return Buffer.allocUnsafeSlow(headBytes)
  const { bytes, start } = body
  return headBytes <= start
    ? bytes.subarray(start - headBytes)
    : Buffer.concat([Buffer.allocUnsafe(headBytes), bytes.subarray(start)])
}

/** Writes the Date where it is another than the one that stands there. */
function createDateSetter(bytes: Buffer, dateAt: number): (second: number) => void {
  let shown: number | undefined
  return (second) => {
    if (second === shown) return
    bytes.write(dateOf(second), dateAt, 'latin1')
    shown = second
  }
}

export const statusLine = (status: number): string =>
  `HTTP/1.1 ${status} ${STATUS_CODES[status] ?? ''}\r\n`

/** Asked for the same second again and again. */
export function dateOf(second: number): string {
  if (latest.second !== second) latest = { second, text: formatHttpDate(new Date(second * 1000)) }
  return latest.text
}

let latest = { second: -1, text: '' }

/** The same with the file that its body is of. */
export const withFile = (wire: WireResponse, file: SendableFile): WireResponse => ({
  ...wire,
  file,
})

/** Their values are texts of bytes, which `Headers` has made sure of. */
export function fieldLines(headers: Headers, bodyLength: number | undefined): string {
  let lines = ''
  for (const [name, value] of headers)
    if (name !== 'date') lines += `${writtenNames.get(name) ?? name}: ${value}\r\n`
  return bodyLength === undefined || headers.has('content-length')
    ? lines
    : `${lines}Content-Length: ${bodyLength}\r\n`
}

/** Names are compared without their case (RFC 9110 §5.1). These are as people know them. */
const writtenNames: ReadonlyMap<string, string> = new Map(
  [
    'Accept-Ranges',
    'Access-Control-Allow-Origin',
    'Access-Control-Expose-Headers',
    'Cache-Control',
    'Cache-Status',
    'Cache-Tag',
    'Content-Disposition',
    'Content-Encoding',
    'Content-Length',
    'Content-Range',
    'Content-Security-Policy',
    'Content-Type',
    'Cross-Origin-Resource-Policy',
    'ETag',
    'Last-Modified',
    'Link',
    'Server-Timing',
    'Surrogate-Key',
    'Timing-Allow-Origin',
    'Vary',
    'X-Content-Type-Options',
  ].map((name) => [name.toLowerCase(), name]),
)
