/** What a rule asks of the request besides its path. */
export interface Conditions {
  /** Pairs of the query that must all be there; a value `:name` captures. */
  readonly query: ReadonlyMap<string, string>
  /** Two letters, upper case; one of them must be the client's. */
  readonly countries: readonly string[]
  /** Language tags in lower case; one of them must be what the client likes best. */
  readonly languages: readonly string[]
  /** Names of cookies, one of which must be there. */
  readonly cookies: readonly string[]
}

/** A line cut into its parts, none of them checked yet. */
export interface RedirectTokens {
  readonly source: string
  /** Absent where the source is to be answered as it is. */
  readonly target: string | undefined
  readonly code: string | undefined
  readonly conditions: Conditions
}

/** How the names of conditions are spelled in a file. */
const conditionNames = ['country', 'language', 'cookie'] as const
type ConditionName = (typeof conditionNames)[number]

const pair = /^(?<name>[A-Za-z_][\w.[\]-]*)=(?<value>.*)$/u
const code = /^\d{3}!?$/u

/**
 * Cuts a line: `source [name=value …] target [code] [Country=…] [Language=…] [Cookie=…]`. A `#` after
 * white space begins a comment. Answers with a reason where the parts do not fit together.
 */
export function cutRedirect(text: string): RedirectTokens | { readonly reason: string } {
  const [source = '', ...rest] = withoutComment(text).split(/\s+/u)
  const query = takeWhile(rest, (token) => pair.test(token))
  const after = rest.slice(query.length)
  const plain = takeWhile(after, (token) => !pair.test(token))
  const conditions = after.slice(plain.length)
  const reason = faultOf({ source, plain, conditions })
  if (reason !== undefined) return { reason }
  const [first, second] = plain
  const isSelf = first !== undefined && second === undefined && isOwnTarget(source, first)
  return {
    source,
    target: isSelf ? undefined : first,
    code: isSelf ? first : second,
    conditions: { query: new Map(query.map(cutPair)), ...readConditions(conditions.map(cutPair)) },
  }
}

const withoutComment = (text: string): string => {
  const comment = text.search(/\s#/u)
  return (comment < 0 ? text : text.slice(0, comment)).trim()
}

interface Parts {
  readonly source: string
  readonly plain: readonly string[]
  readonly conditions: readonly string[]
}

function faultOf({ plain, conditions }: Parts): string | undefined {
  if (plain.length === 0 || plain.length > 2)
    return `has ${plain.length + 1} parts; a line is "source target" or "source target code"`
  for (const token of conditions) {
    const [name, value] = cutPair(token)
    if (!isConditionName(name.toLowerCase()))
      return `has the condition ${name}=…; those known are Country, Language and Cookie`
    if (value === '') return `has the condition ${name} without a value`
  }
  return undefined
}

/** `/docs/* 200` sends what is there, so that no later rule takes it. */
const isOwnTarget = (source: string, token: string): boolean =>
  source.endsWith('/*') && code.test(token) && token.startsWith('2')

const isConditionName = (name: string): name is ConditionName =>
  (conditionNames as readonly string[]).includes(name)

function readConditions(pairs: readonly (readonly [string, string])[]) {
  const valuesOf = (name: ConditionName): readonly string[] =>
    pairs
      .filter(([each]) => each.toLowerCase() === name)
      .flatMap(([, value]) => value.split(','))
      .map((value) => value.trim())
      .filter((value) => value !== '')
  return {
    countries: valuesOf('country').map((country) => country.toUpperCase()),
    languages: valuesOf('language').map((language) => language.toLowerCase()),
    cookies: valuesOf('cookie'),
  }
}

function cutPair(token: string): readonly [name: string, value: string] {
  const { name = '', value = '' } = pair.exec(token)?.groups ?? {}
  return [name, value]
}

function takeWhile(tokens: readonly string[], test: (token: string) => boolean): readonly string[] {
  const end = tokens.findIndex((token) => !test(token))
  return end < 0 ? tokens : tokens.slice(0, end)
}
