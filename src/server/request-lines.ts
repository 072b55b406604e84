import type { Respond } from './listener.ts'

export interface RequestLines {
  readonly write: (line: string) => void
  readonly now: () => Date
  readonly monotonicMs: () => number
}

const maxMethodLength = 8
const maxPathLength = 160

/** Has a line written for each response once it begins, for whoever sits at a terminal. */
export const withRequestLines =
  (respond: Respond, { write, now, monotonicMs }: RequestLines): Respond =>
  async (request, peerAddress, keepOpen) => {
    const start = monotonicMs()
    const response = await respond(request, peerAddress, keepOpen)
    const ms = `${(monotonicMs() - start).toFixed(1)} ms`
    const method = request.method.slice(0, maxMethodLength).padEnd(maxMethodLength)
    const clock = now().toTimeString().slice(0, 8)
    write(`${clock}  ${response.status}  ${method} ${ms.padStart(10)}  ${pathOf(request.url)}\n`)
    return response
  }

/** Without what comes after `?`, where secrets are; a terminal would act on other characters than these. */
function pathOf(url: string): string {
  const path = url.slice(url.indexOf('/', url.indexOf('//') + 2)).slice(0, maxPathLength)
  const end = path.indexOf('?')
  return (end === -1 ? path : path.slice(0, end)).replaceAll(/[^\u0021-\u007e]/gu, '?')
}
