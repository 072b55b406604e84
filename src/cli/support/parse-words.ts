import { parseArgs, type ParseArgsConfig } from 'node:util'

import { nearestWord } from '../../lib/text/edit-distance.ts'
import { type Arguments, UsageError } from './command.ts'

export type Options = NonNullable<ParseArgsConfig['options']>

/** Options by name, and the other words in their order. A slip in an option is answered with what was meant. */
export function parseWords<const O extends Options>(args: Arguments, options: O) {
  try {
    return parseArgs({ args: [...args], allowPositionals: true, options })
  } catch (cause) {
    if (!(cause instanceof Error)) throw cause
    const [, unknown = ''] = /^Unknown option '--?([^']*)'/u.exec(cause.message) ?? []
    const meant = meantOption(unknown, Object.keys(options))
    const [sentence = cause.message] = cause.message.split('. To specify')
    throw new UsageError(
      meant === undefined ? sentence : `There is no option --${unknown}. Did you mean --${meant}?`,
      { cause },
    )
  }
}

/** What other tools call the same. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  expires: ['for', 'days'],
  ttl: ['for', 'days'],
  duration: ['for'],
  force: ['yes'],
  project: ['zone'],
  since: ['days'],
  count: ['limit'],
  all: ['everything', 'recursive'],
  everything: ['all'],
  host: ['url'],
  endpoint: ['url'],
}

function meantOption(unknown: string, names: readonly string[]): string | undefined {
  const same = Object.hasOwn(synonyms, unknown) ? synonyms[unknown] : undefined
  return same?.find((name) => names.includes(name)) ?? nearestWord(unknown, names)
}

interface Range {
  readonly name: string
  readonly min: number
  readonly max: number
}

/** `undefined` stays that. */
export function wholeNumber(text: string | undefined, { name, min, max }: Range) {
  if (text === undefined) return undefined
  const value = /^\d{1,9}$/u.test(text) ? Number(text) : Number.NaN
  if (!(value >= min && value <= max))
    throw new UsageError(`--${name} must be a whole number from ${min} to ${max}`)
  return value
}

/** The one of `actions` that the first word names, `otherwise` where there is no word. */
export function namedAction<T>(
  name: string | undefined,
  actions: Readonly<Record<string, T>>,
  otherwise?: string,
): T {
  const key = name ?? otherwise ?? ''
  const action = Object.hasOwn(actions, key) ? actions[key] : undefined
  if (action !== undefined) return action
  const names = Object.keys(actions)
  const meant = nearestWord(key, names)
  const hint = meant === undefined ? `Say ${listed(names)}` : `Did you mean ${meant}?`
  throw new UsageError(
    name === undefined ? `Say ${listed(names)}` : `There is no "${name}". ${hint}`,
  )
}

const listed = (names: readonly string[]): string =>
  names.length < 2 ? names.join('') : `${names.slice(0, -1).join(', ')} or ${names.at(-1)}`
