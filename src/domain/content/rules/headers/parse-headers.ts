import { faultOfName, faultOfValue, faultOfZoneName } from './field-rules.ts'
import { compilePattern, type Pattern } from '../pattern.ts'
import { readHeaderUrl } from '../rule-url.ts'
import { dropped, readLines, type RuleDiagnostic, type RuleLine } from '../rule-diagnostic.ts'

/** One path and what is done to the header fields of responses at it. */
export interface HeaderBlock extends RuleLine {
  readonly pattern: Pattern
  /** Lower-case names. */
  readonly unset: readonly string[]
  /** Lower-case names; several values were several lines. */
  readonly set: ReadonlyMap<string, readonly string[]>
}

export interface ParsedHeaders {
  readonly blocks: readonly HeaderBlock[]
  readonly diagnostics: readonly RuleDiagnostic[]
}

/** A path line is refused once so many blocks are finished; so one more than this gets through. */
const maxFinishedBlocks = 100

interface OpenBlock extends RuleLine {
  readonly pattern: Pattern
  readonly unset: string[]
  readonly set: Map<string, string[]>
}

interface State {
  readonly zone: string | undefined
  readonly blocks: HeaderBlock[]
  readonly diagnostics: RuleDiagnostic[]
  open: OpenBlock | undefined
}

/**
 * Parses a `_headers` file, that of all zones or of one. Every line that has no effect is among the
 * diagnostics.
 */
export function parseHeaders(content: string, zone?: string): ParsedHeaders {
  const { lines, tooLong, lineCount } = readLines(content)
  const state: State = { zone, blocks: [], diagnostics: [...tooLong], open: undefined }
  for (const line of lines) {
    if (!isPathLine(line.text)) readField(state, line)
    else if (state.blocks.length < maxFinishedBlocks) startBlock(state, line)
    else {
      state.diagnostics.push(beyondLimit(line, lineCount))
      break
    }
  }
  finishBlock(state)
  return { blocks: state.blocks, diagnostics: state.diagnostics.toSorted(byLine) }
}

export const byLine = (a: RuleDiagnostic, b: RuleDiagnostic): number => a.line - b.line

const isPathLine = (text: string): boolean => /^(?:\S+:\/\/|\/)/u.test(text)

const beyondLimit = (line: RuleLine, lineCount: number): RuleDiagnostic =>
  dropped(
    line,
    `comes after ${maxFinishedBlocks} finished blocks, the most a file may have; ${lineCount - line.line + 1} lines from here on are dropped`,
  )

function startBlock(state: State, line: RuleLine): void {
  finishBlock(state)
  const url = readHeaderUrl(line.text)
  const compiled = 'url' in url ? compilePattern(url.url) : url
  if ('reason' in compiled) state.diagnostics.push(dropped(line, compiled.reason))
  else state.open = { ...line, pattern: compiled.pattern, unset: [], set: new Map() }
}

function finishBlock(state: State): void {
  const { open } = state
  state.open = undefined
  if (open === undefined) return
  if (open.set.size > 0 || open.unset.length > 0) state.blocks.push(open)
  else state.diagnostics.push(dropped(open, 'has no header lines below it'))
}

function readField(state: State, line: RuleLine): void {
  const { open, diagnostics, zone } = state
  const fault = faultOfField(line.text, zone === undefined ? faultOfName : faultOfZoneName)
  if (fault !== undefined) diagnostics.push(dropped(line, fault))
  else if (open === undefined)
    diagnostics.push(dropped(line, 'comes before any valid path line, so it is for no path'))
  else addField(open, line.text)
}

function faultOfField(text: string, faultOf: typeof faultOfName): string | undefined {
  const field = splitField(text)
  if (field !== undefined) return faultOf(field.name) ?? faultOfValue(field.value)
  if (text.startsWith('! ')) return faultOf(text.slice(2).trim().toLowerCase())
  return 'is neither a path, nor "Name: value", nor "! Name"'
}

function splitField(text: string): { readonly name: string; readonly value: string } | undefined {
  const colon = text.indexOf(':')
  if (colon < 0) return undefined
  return { name: text.slice(0, colon).trim().toLowerCase(), value: text.slice(colon + 1).trim() }
}

function addField(open: OpenBlock, text: string): void {
  const field = splitField(text)
  if (field === undefined) open.unset.push(text.slice(2).trim().toLowerCase())
  else open.set.set(field.name, [...(open.set.get(field.name) ?? []), field.value])
}
