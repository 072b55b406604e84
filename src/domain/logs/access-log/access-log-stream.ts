import type { AccessLogOutlet } from './access-log-files.ts'
import type { Log } from '../../../lib/log.ts'

/** Writes text in order and resolves once whoever reads has taken it. */
export type WriteText = (text: string) => Promise<void>

/** What a reader that is slow keeps waiting must not fill the memory. */
const maxWaitingCharacters = 4 * 2 ** 20

/** Lines of text for who reads them as they come. */
export function createAccessLogStream(write: WriteText, log: Pick<Log, 'warn'>): AccessLogOutlet {
  let waiting = 0
  let lost = 0
  let isBehind = false
  let last: Promise<void> = Promise.resolve()
  return {
    add(lines) {
      if (lines.length === 0) return
      const text = lines.map((line) => `${line.text}\n`).join('')
      if (waiting > 0 && waiting + text.length > maxWaitingCharacters) {
        lost += lines.length
        if (!isBehind) log.warn('nobody reads the access log fast enough', { lost })
        isBehind = true
        return
      }
      isBehind = false
      waiting += text.length
      last = write(text)
        .catch((error: unknown) => log.warn('the access log could not be written', { error }))
        .then(() => {
          waiting -= text.length
        })
    },
    get lost() {
      return lost
    },
    [Symbol.asyncDispose]: () => last,
  }
}
