import { humanSize } from '../../domain/catalog/human-size.ts'
import type { Terminal } from '../support/command.ts'

interface Made {
  readonly Id: string
  readonly Size: number | null
  readonly NewBytes: number | null
  readonly Files: number | null
  readonly Rows: number | null
  readonly DamagedPieces: number
  readonly HasSecrets: boolean | null
  readonly Missing: readonly string[]
}

/** One backup, for a person. */
export function backupFacts(made: Made): string {
  const { Id, Size, NewBytes, Files, Rows, DamagedPieces, HasSecrets, Missing } = made
  const lines = [
    `${Id}  ${humanSize(Size ?? 0)}, ${humanSize(NewBytes ?? 0)} of it new; ${Files ?? 0} files, ${Rows ?? 0} rows`,
    ...(DamagedPieces > 0 ? [`${DamagedPieces} pieces are damaged or gone`] : []),
    ...(Missing.length > 0
      ? [`${Missing.length} large files were lost before and are not in it`]
      : []),
    ...(HasSecrets === false
      ? [
          'keys.json and the keys of certificates are not in it (BACKUP_SECRETS): keep them elsewhere',
        ]
      : []),
  ]
  return lines.map((line) => `${line}\n`).join('')
}

interface Running {
  readonly Kind: string
  readonly Phase: string
  readonly DoneBytes: number
  readonly ExpectedBytes: number | null
}

export const progressOf = ({ Kind, Phase, DoneBytes, ExpectedBytes }: Running): string => {
  const of = ExpectedBytes === null ? '' : ` of about ${humanSize(ExpectedBytes)}`
  return `${Kind}: ${Phase}, ${humanSize(DoneBytes)}${of}`
}

/** A line that changes where somebody sits at the terminal; nothing elsewhere. */
export function sayWaiting({ error }: Pick<Terminal, 'error'>) {
  const clear = '\r\u001b[2K'
  return {
    show: (text: string) => void (error.isTTY && error.write(`${clear}${text}`)),
    end: () => void (error.isTTY && error.write(clear)),
  }
}
