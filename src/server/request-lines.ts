import type { Respond } from './full-server.ts'
import type { RequestHead } from '../http/wire/request-head.ts'
import type { RespondOnWire } from '../http/wire/wire-response.ts'

export interface RequestLines {
  readonly write: (line: string) => void
  readonly now: () => Date
  readonly monotonicMs: () => number
}

const maxMethodLength = 8
const maxPathLength = 160

/** Has a line written for each response once it begins, for whoever sits at a terminal. */
export const withRequestLines =
  (respond: Respond, lines: RequestLines): Respond =>
  async (request, peerAddress, keepOpen) => {
    const start = lines.monotonicMs()
    const response = await respond(request, peerAddress, keepOpen)
    writeLine(lines, { request, status: response.status, start })
    return response
  }

/** The same for what is at hand. */
export const withLinesOnWire =
  (respond: RespondOnWire, lines: RequestLines): RespondOnWire =>
  (request, peerAddress) => {
    const start = lines.monotonicMs()
    const response = respond(request, peerAddress)
    if (response !== undefined) writeLine(lines, { request, status: response.status, start })
    return response
  }

interface Answered {
  readonly request: RequestHead
  readonly status: number
  readonly start: number
}

function writeLine(
  { write, now, monotonicMs }: RequestLines,
  { request, status, start }: Answered,
): void {
  const ms = `${(monotonicMs() - start).toFixed(1)} ms`
  const method = request.method.slice(0, maxMethodLength).padEnd(maxMethodLength)
  const clock = now().toTimeString().slice(0, 8)
  write(`${clock}  ${status}  ${method} ${ms.padStart(10)}  ${pathOf(request.url)}\n`)
}

/** Without what comes after `?`, where secrets are; a terminal would act on other characters than these. */
function pathOf(url: string): string {
  const path = url.slice(url.indexOf('/', url.indexOf('//') + 2)).slice(0, maxPathLength)
  const end = path.indexOf('?')
  return (end === -1 ? path : path.slice(0, end)).replaceAll(/[^\u0021-\u007e]/gu, '?')
}
