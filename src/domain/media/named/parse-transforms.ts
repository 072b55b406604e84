import type { RuleReport } from '../../content/rules/check-rules.ts'
import {
  dropped,
  readLines,
  type RuleDiagnostic,
  type RuleLine,
} from '../../content/rules/rule-diagnostic.ts'
import { invalid, ServiceError } from '../../errors.ts'
import { parseRecipe } from '../recipe/recipe.ts'
import { allTransformParameters } from '../recipe/transform-parameters.ts'

/** A line of `_transforms`: a name, and the parameters that it stands for. */
export interface NamedTransform extends RuleLine {
  readonly name: string
  /** As a query would have them. */
  readonly parameters: URLSearchParams
}

export interface ParsedTransforms {
  readonly transformByName: ReadonlyMap<string, NamedTransform>
  /** Every line that has no effect. */
  readonly diagnostics: readonly RuleDiagnostic[]
}

/** The parameter that gives the name of a transform. What begins with a digit there is seconds of a video. */
export const nameParameter = 't'
export const transformName = /^[a-z][a-z0-9-]{0,39}$/u

const maxTransforms = 200
const maxShown = 40

/**
 * Parses a `_transforms` file: `card  w=400 h=300 fit=cover`, one name a line. The parameters are written as
 * in a query, with white space or `&` between them; `#` after white space begins a comment.
 */
export function parseTransforms(content: string): ParsedTransforms {
  const { lines, tooLong } = readLines(content)
  const transformByName = new Map<string, NamedTransform>()
  const diagnostics = [...tooLong]
  for (const line of lines) {
    const read = readTransform(line, transformByName)
    if (typeof read === 'string') diagnostics.push(dropped(line, read))
    else transformByName.set(read.name, read)
  }
  return { transformByName, diagnostics: diagnostics.toSorted((a, b) => a.line - b.line) }
}

/** As {@link checkRules} reports of the other rule files. */
export function checkTransforms(content: string): RuleReport {
  const { transformByName, diagnostics } = parseTransforms(content)
  return { errors: diagnostics, warnings: [], ruleCount: transformByName.size }
}

/** The transform of a line, or why there is none. */
function readTransform(
  line: RuleLine,
  before: ReadonlyMap<string, NamedTransform>,
): NamedTransform | string {
  const comment = line.text.search(/\s#/u)
  const text = comment < 0 ? line.text : line.text.slice(0, comment)
  const [name = '', ...pairs] = text.trim().split(/\s+/u)
  if (!transformName.test(name))
    return `has the name "${shortened(name)}"; a name is a letter and up to 39 more letters, digits and hyphens, all lower case`
  if (before.has(name)) return 'has the same name as an earlier line, which wins'
  if (before.size >= maxTransforms)
    return `comes after ${maxTransforms} transforms, the most a file may have`
  const fault = faultOf(name, pairs)
  return fault ?? { ...line, name, parameters: new URLSearchParams(pairs.join('&')) }
}

function faultOf(name: string, pairs: readonly string[]): string | undefined {
  if (pairs.length === 0) return 'has a name and no parameters'
  const bare = pairs.find((pair) => !/^[^=&]+=/u.test(pair))
  if (bare !== undefined) return `has "${shortened(bare)}", which is not written name=value`
  const parameters = new URLSearchParams(pairs.join('&'))
  for (const [parameter, value] of parameters) {
    if (parameter === nameParameter && !/^\d/u.test(value))
      return value === name
        ? 'refers to itself'
        : 'refers to another named transform; the parameters themselves have to be there'
    if (!known.has(parameter))
      return `has the parameter "${shortened(parameter)}", which no transform has`
  }
  return faultOfValues(parameters)
}

const known: ReadonlySet<string> = new Set(allTransformParameters.map(({ name }) => name))

function faultOfValues(parameters: URLSearchParams): string | undefined {
  try {
    parseRecipe(parameters)
    return undefined
  } catch (error) {
    if (error instanceof ServiceError) return `cannot be made: ${error.message}`
    throw error
  }
}

const shortened = (text: string): string =>
  text.length <= maxShown ? text : `${text.slice(0, maxShown)}…`

/** The one name that a query gives, if any. */
export function nameIn(query: URLSearchParams): string | undefined {
  const names = query.getAll(nameParameter).filter((value) => !/^\d/u.test(value))
  if (names.length > 1) throw invalid(nameParameter, 'must give one name alone')
  return names[0]
}
