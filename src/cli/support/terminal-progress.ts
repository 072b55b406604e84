import { createProgress, type Progress } from '../../lib/progress.ts'
import type { Terminal } from './command.ts'

interface Described {
  readonly label: string
  readonly total: number
  readonly unit: string
}

/** A bar for whoever sits at the terminal; nothing elsewhere, so that logs and pipes stay clean. */
export const terminalProgress = (described: Described, { error }: Terminal): Progress =>
  error.isTTY && described.total > 0
    ? createProgress({ ...described, output: error, monotonicMs: () => performance.now() })
    : { advance: () => {}, finish: () => {} }
