import type { RequestHead } from '../../http/wire/request-head.ts'

/** The head of a request that is understood. */
export interface UnderstoodHead {
  readonly request: RequestHead
  /** How many bytes follow that are its body; `undefined` of GET and HEAD, which have none. */
  readonly bodyBytes: number | undefined
  /** Whether the client wants the connection to end with the response. */
  readonly isLast: boolean
  /** Where in the text the next one begins. */
  readonly end: number
}

/** Reads the heads that come over one connection. */
export interface HeadReader {
  /**
   * The head that begins at `start` of what was read, one character a byte. `undefined` where it is not whole,
   * or there is the least doubt about what it says: then whoever reads all of HTTP has to.
   */
  read(text: string, start: number): UnderstoodHead | undefined
}

/** Longer ones are left to who bounds them. */
const maxHeadLength = 8_192

const requestLine = /^(GET|HEAD|PUT|POST|PATCH|DELETE|OPTIONS) (\/[!-~]*) HTTP\/1\.1$/u
/** RFC 9110 §8.6, and no more than a number holds. */
const contentLength = /^(?:0|[1-9]\d{0,14})$/u
/** RFC 9110 §5.1. */
const fieldName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/u
/** RFC 9110 §5.5, without the old ways of writing that some read otherwise: no folding, nothing but ASCII. */
const fieldValue = /^[\t -~]*$/u
/** A name or an IPv4 address, as it is written in URLs: no other spelling of it is meant. */
const host = /^(?!-)[a-z0-9.-]{1,253}(?::[1-9]\d{0,4})?$/u

/** With these a body has no length, another protocol follows, or it is not for this server alone to answer. */
const otherwiseRead: ReadonlySet<string> = new Set([
  'transfer-encoding',
  'te',
  'trailer',
  'upgrade',
  'expect',
  'keep-alive',
  'proxy-connection',
  'http2-settings',
])

interface Fields {
  readonly headers: Headers
  readonly origin: string
  readonly isLast: boolean
}

/**
 * A recogniser and no more: what it takes is plain HTTP/1.1 in its strict form (RFC 9112), of which there is
 * one reading. A client sends the same fields again and again, so the last ones are remembered.
 */
export function createHeadReader(known: KnownFields = createKnownFields()): HeadReader {
  let lastText = ''
  let last: Fields | undefined

  function fieldsOf(text: string): Fields | undefined {
    if (text !== lastText) {
      last = known.of(text)
      lastText = text
    }
    return last
  }

  return {
    read(text, start) {
      const lineEnd = text.indexOf('\r\n', start)
      const fieldsEnd = lineEnd === -1 ? -1 : text.indexOf('\r\n\r\n', lineEnd)
      if (fieldsEnd === -1 || fieldsEnd - start > maxHeadLength) return undefined
      const [, method, target] = requestLine.exec(text.slice(start, lineEnd)) ?? []
      if (method === undefined || target === undefined) return undefined
      const fieldText = text.slice(lineEnd + 2, fieldsEnd)
      // No two bodies are of one length and signature: what is said of one is not worth remembering.
      const fields = isRead(method) ? fieldsOf(fieldText) : readFields(fieldText)
      return fields && headOf({ method, target, end: fieldsEnd + '\r\n\r\n'.length }, fields)
    },
  }
}

interface Line {
  readonly method: string
  readonly target: string
  readonly end: number
}

/** GET and HEAD have no body: with one they may be read in two ways. */
function headOf(
  { method, target, end }: Line,
  { headers, origin, isLast }: Fields,
): UnderstoodHead | undefined {
  const request = { method, url: origin + target, headers }
  const length = headers.get('content-length')
  if (!isRead(method)) return { request, bodyBytes: Number(length ?? 0), isLast, end }
  return length === null ? { request, bodyBytes: undefined, isLast, end } : undefined
}

export const isRead = (method: string): boolean => method === 'GET' || method === 'HEAD'

/** What the fields of all connections say: clients of one kind send the same ones over each that they open. */
export interface KnownFields {
  of(text: string): Fields | undefined
}

/** Of so many texts the latest are known; none is longer than a head. */
const maxTexts = 128

export function createKnownFields(): KnownFields {
  const fieldsByText = new Map<string, Fields | undefined>()
  return {
    of(text) {
      if (fieldsByText.has(text)) return fieldsByText.get(text)
      const fields = readFields(text)
      if (fieldsByText.size === maxTexts)
        fieldsByText.delete(fieldsByText.keys().next().value ?? '')
      fieldsByText.set(text, fields)
      return fields
    },
  }
}

/** `undefined` where a field comes twice: what that means is for each field to say. */
function readFields(text: string): Fields | undefined {
  const headers = new RememberingHeaders()
  for (const line of text.split('\r\n')) {
    const colon = line.indexOf(':')
    const name = line.slice(0, Math.max(colon, 0))
    const value = line.slice(colon + 1)
    if (!fieldName.test(name) || !fieldValue.test(value)) return undefined
    if (headers.has(name) || otherwiseRead.has(name.toLowerCase())) return undefined
    headers.set(name, value.trim())
  }
  return understood(headers)
}

function understood(headers: Headers): Fields | undefined {
  const connection = headers.get('connection')?.toLowerCase()
  const named = headers.get('host') ?? ''
  const length = headers.get('content-length') ?? '0'
  if (!isPlainConnection(connection) || !isPlainHost(named) || !contentLength.test(length))
    return undefined
  return { headers, origin: `http://${named}`, isLast: connection === 'close' }
}

/** They are asked for the same few fields for each request, and do not change. */
class RememberingHeaders extends Headers {
  readonly #known = new Map<string, string | null>()

  override get(name: string): string | null {
    const known = this.#known.get(name)
    if (known !== undefined) return known
    const value = super.get(name)
    this.#known.set(name, value)
    return value
  }

  override has(name: string): boolean {
    return this.get(name) !== null
  }

  override set(name: string, value: string): void {
    super.set(name, value)
    this.#known.clear()
  }
}

const isPlainConnection = (value: string | undefined): boolean =>
  value === undefined || value === 'keep-alive' || value === 'close'

/** The port that a URL leaves out is left to who knows. */
const isPlainHost = (value: string): boolean => host.test(value) && !value.endsWith(':80')
