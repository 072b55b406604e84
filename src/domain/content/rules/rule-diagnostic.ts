/** `never-takes-effect`: the line is dropped. `warning`: it works, but maybe not as its author thinks. */
export type Severity = 'never-takes-effect' | 'warning'

/** What is wrong with one line of a rule file. */
export interface RuleDiagnostic {
  /** From 1. */
  readonly line: number
  readonly text: string
  readonly reason: string
  readonly severity: Severity
}

export interface RuleLine {
  /** From 1. */
  readonly line: number
  /** Without white space at its ends. */
  readonly text: string
}

/** Characters, after trimming; comments may be longer. */
const maxLineLength = 2000

/** The lines that say something, and those that are too long to. Indentation means nothing. */
export function readLines(content: string): {
  readonly lines: readonly RuleLine[]
  readonly tooLong: readonly RuleDiagnostic[]
  readonly lineCount: number
} {
  const all = content.split('\n').map((text, index) => ({ line: index + 1, text: text.trim() }))
  const said = all.filter(({ text }) => text !== '' && !text.startsWith('#'))
  return {
    lines: said.filter(({ text }) => text.length <= maxLineLength),
    tooLong: said.filter(({ text }) => text.length > maxLineLength).map(asTooLong),
    lineCount: all.length,
  }
}

const asTooLong = ({ line, text }: RuleLine): RuleDiagnostic => ({
  line,
  text: `${text.slice(0, 80)}…`,
  reason: `is ${text.length} characters long; a line may have ${maxLineLength}`,
  severity: 'never-takes-effect',
})

export const dropped = ({ line, text }: RuleLine, reason: string): RuleDiagnostic => ({
  line,
  text,
  reason,
  severity: 'never-takes-effect',
})

export const warning = ({ line, text }: RuleLine, reason: string): RuleDiagnostic => ({
  line,
  text,
  reason,
  severity: 'warning',
})
