/** Finds where a response ends among the bytes of a connection. */
export interface ResponseEnd {
  /**
   * To be told of all bytes in their order. `unknown` where that cannot be said of this response, or the
   * connection is not to be used again: then it ends with the connection.
   */
  take(bytes: Uint8Array): Progress
}

export type Progress = 'more' | 'ended' | 'unknown'

/** Our own server's heads are much shorter. */
const maxHeadLength = 65_536
const withoutBody: ReadonlySet<number> = new Set([204, 304])

/** Of one response to `method` (RFC 9112 §6.3) of this very program, whose framing can be believed. */
export function findResponseEnd(method: string): ResponseEnd {
  let head = ''
  let body: ResponseEnd | undefined
  return {
    take(bytes) {
      if (body !== undefined) return body.take(bytes)
      const before = head.length
      head += Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
      const headEnd = head.indexOf('\r\n\r\n')
      if (headEnd === -1) return head.length > maxHeadLength ? 'unknown' : 'more'
      body = bodyEnd(head.slice(0, headEnd + 2), method)
      head = ''
      return body?.take(bytes.subarray(headEnd + 4 - before)) ?? 'unknown'
    },
  }
}

/** `undefined` where no length is told, or more than one response follows (1xx). */
function bodyEnd(head: string, method: string): ResponseEnd | undefined {
  const status = Number(/^HTTP\/1\.1 (\d{3}) /u.exec(head)?.[1])
  if (!(status >= 200) || /\r\nconnection: *close\r/iu.test(head)) return undefined
  if (method === 'HEAD' || withoutBody.has(status)) return sized(0)
  if (/\r\ntransfer-encoding: *chunked\r/iu.test(head)) return chunked()
  const length = /\r\ncontent-length: *(\d+)\r\n/iu.exec(head)?.[1]
  return length === undefined ? undefined : sized(Number(length))
}

function sized(length: number): ResponseEnd {
  let left = length
  return {
    take(bytes) {
      left -= bytes.length
      if (left < 0) return 'unknown'
      return left === 0 ? 'ended' : 'more'
    },
  }
}

const lineFeed = 0x0a
const maxLineLength = 1024

/** RFC 9112 §7.1. */
function chunked(): ResponseEnd {
  /** Of the chunk's bytes, with the two that end it. */
  let left = 0
  let line = ''
  let isLast = false

  /** What the line says of what follows; `undefined` where it is none. */
  function endLine(): Progress | undefined {
    const text = line.trimEnd()
    line = ''
    if (isLast) return text === '' ? 'ended' : 'more'
    const length = /^[0-9a-f]{1,12}/iu.exec(text)?.[0]
    if (length === undefined) return undefined
    left = Number.parseInt(length, 16)
    isLast = left === 0
    if (!isLast) left += 2
    return 'more'
  }

  function takeLine(bytes: Uint8Array, start: number): number {
    const end = bytes.indexOf(lineFeed, start)
    const upTo = end === -1 ? bytes.length : end + 1
    line += Buffer.from(bytes.subarray(start, upTo)).toString('latin1')
    return upTo
  }

  return {
    take(bytes) {
      let at = 0
      while (at < bytes.length) {
        if (left > 0) {
          const taken = Math.min(left, bytes.length - at)
          left -= taken
          at += taken
          continue
        }
        at = takeLine(bytes, at)
        if (!line.endsWith('\n')) return line.length > maxLineLength ? 'unknown' : 'more'
        const progress = endLine()
        if (progress === 'ended') return at === bytes.length ? 'ended' : 'unknown'
        if (progress === undefined) return 'unknown'
      }
      return 'more'
    },
  }
}
