import { parseHeaders, type HeaderBlock } from './parse-headers.ts'
import type { Captures } from '../match-tokens.ts'
import { hostPrefix, substitute } from '../pattern.ts'

/** Header fields: lower-case names; a name may occur more than once only if it is `set-cookie`. */
export type FieldList = readonly (readonly [name: string, value: string])[]

/** The request as rules see it: as it came, never what it was rewritten to. */
export interface RuleRequest {
  /** Lower case, no port. */
  readonly hostname: string
  /** Percent-encoded as received, no query. */
  readonly path: string
  /** Other ways to write the same address: rules for any of them hold for it. */
  readonly otherPaths?: readonly string[]
}

export interface MatchedBlock {
  readonly block: HeaderBlock
  readonly captures: Captures
}

/** A compiled `_headers` file. */
export interface HeaderRules {
  /** Every block for the request, in the order in which they apply. */
  matching(request: RuleRequest): readonly MatchedBlock[]
  apply(request: RuleRequest, fields: FieldList): FieldList
  readonly blocks: readonly HeaderBlock[]
}

/** Purges know an asset by its own tags and by those that rules add: so these are added, not replaced. */
const additiveFields: ReadonlyMap<string, string> = new Map([
  ['cache-tag', ','],
  ['surrogate-key', ' '],
])

/** `zone` is left out where the file is that of all zones. */
export function compileHeaderRules(content: string, zone?: string): HeaderRules {
  const blocks = lastOfEachPath(parseHeaders(content, zone).blocks)
  const matching = (request: RuleRequest): readonly MatchedBlock[] =>
    blocks.flatMap((block) => {
      const captures = matchAny(block, request)
      return captures === undefined ? [] : [{ block, captures }]
    })
  return {
    blocks,
    matching,
    apply: (request, fields) => applyBlocks(matching(request), fields),
  }
}

/** Of several ways to write the URL, the first that fits. */
function matchAny({ pattern }: HeaderBlock, request: RuleRequest): Captures | undefined {
  for (const path of pathsOf(request)) {
    const text = pattern.hasHost ? `${hostPrefix}${request.hostname}${path}` : path
    const captures = pattern.match(text)
    if (captures !== undefined) return captures
  }
  return undefined
}

/** Every way to write the URL that was asked for, as it came first. */
export const pathsOf = ({ path, otherPaths = [] }: RuleRequest): readonly string[] => [
  path,
  ...otherPaths,
]

/** A later block with the same path takes the place of the earlier one, whole. */
function lastOfEachPath(blocks: readonly HeaderBlock[]): readonly HeaderBlock[] {
  return [...new Map(blocks.map((block) => [block.pattern.source, block])).values()]
}

/** What a block does with fields, and what its path captured. */
export interface AppliedBlock {
  readonly block: Pick<HeaderBlock, 'set' | 'unset'>
  readonly captures: Captures
}

/**
 * Applies blocks in order, in each first what it unsets and then what it sets. A field that no rule
 * has set yet replaces the server's own; one that a rule has set (`before`: other rules) is added to.
 */
export function applyBlocks(
  matched: readonly AppliedBlock[],
  fields: FieldList,
  before: Iterable<string> = [],
): FieldList {
  const valuesByName = groupByName(fields)
  const setByRule = new Set(before)
  for (const { block, captures } of matched) {
    for (const name of block.unset) valuesByName.delete(name)
    for (const [name, templates] of block.set) {
      const values = templates.map((template) => substitute(template, captures))
      const kept = setByRule.has(name) || additiveFields.has(name) ? valuesByName.get(name) : []
      valuesByName.set(name, [...(kept ?? []), ...values])
      setByRule.add(name)
    }
  }
  return [...valuesByName].flatMap(([name, values]) => joined(name, values))
}

function groupByName(fields: FieldList): Map<string, readonly string[]> {
  const valuesByName = new Map<string, readonly string[]>()
  for (const [name, value] of fields) {
    const key = name.toLowerCase()
    valuesByName.set(key, [...(valuesByName.get(key) ?? []), value])
  }
  return valuesByName
}

/** Cookies cannot share a line (RFC 6265 §3). */
const joined = (name: string, values: readonly string[]): FieldList =>
  name === 'set-cookie'
    ? values.map((value) => [name, value] as const)
    : [[name, values.join(additiveFields.get(name) ?? ', ')]]
