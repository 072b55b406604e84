import type { AccessLogOutlet } from './access-log-files.ts'
import type { Log } from '../../../lib/log.ts'

/** Writes text in order and resolves once whoever reads has taken it. */
type WriteText = (text: string) => Promise<void>

/** What a reader that is slow keeps waiting must not fill the memory. */
const maxWaitingCharacters = 4 * 2 ** 20

/** Lines of text for who reads them as they come. */
export function createAccessLogStream(write: WriteText, log: Pick<Log, 'warn'>): AccessLogOutlet {
  let waiting = 0
  let lost = 0
  let isBehind = false
  let last: Promise<void> = Promise.resolve()

  async function writeOut(text: string): Promise<void> {
    try {
      await write(text)
    } catch (error) {
      log.warn('the access log could not be written', { error })
    }
    waiting -= text.length
  }

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
      last = writeOut(text)
    },
    get lost() {
      return lost
    },
    [Symbol.asyncDispose]: () => last,
  }
}
