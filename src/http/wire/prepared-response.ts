import { dateLength, dateOf, fieldLines, statusLine, type WireResponse } from './wire-response.ts'

const dateName = 'Date: '
/** A Date is written there with each sending. */
const dateRoom = ' '.repeat(dateLength)
const headEnd = '\r\n\r\n'

/** The head of a 200 up to its Content-Length, which {@link headWith} adds. */
export const headWithoutLength = (headers: Headers): string =>
  statusLine(200) + fieldLines(headers, undefined)

/** A whole head, one character a byte. */
export const headWith = (head: string, bodyBytes: number): string =>
  `${head}Content-Length: ${bodyBytes}\r\n${dateName}${dateRoom}${headEnd}`

/**
 * A 200 whose head, made by {@link headWith}, and body lie at `bytes` until whoever has it is asked for the next one:
 * what is not sent by then has to be copied.
 */
export function preparedResponse(bytes: Buffer, headBytes: number): WireResponse {
  const dateAt = headBytes - headEnd.length - dateLength
  return {
    status: 200,
    headBytes,
    bodyBytes: bytes.length - headBytes,
    bytes,
    isLent: true,
    setDate: (second) => void bytes.write(dateOf(second), dateAt, 'latin1'),
  }
}
