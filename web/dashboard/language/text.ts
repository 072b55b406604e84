import { currentLanguage, locale, messageOf, type PluralForms } from './language.ts'

/** The names in braces of a text: `'Delete {name}'` has `name`. */
export type Names<Text extends string> = Text extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Names<Rest>
  : never

type Values<Text extends string, Given extends string = never> = [
  Exclude<Names<Text>, Given>,
] extends [never]
  ? []
  : [values: Readonly<Record<Exclude<Names<Text>, Given>, string | number>>]

/**
 * A text of the dashboard in the language that is shown. The English text is its own key in the message files, so
 * it is written whole, as one literal: what changes in it stands in braces, e.g. `t('Delete {name}', { name })`.
 */
export function t<const Text extends string>(text: Text, ...[values]: Values<Text>): string {
  const message = messageOf(text)
  return filled(typeof message === 'string' ? message : text, values)
}

interface Forms<One extends string, Other extends string> {
  readonly one: One
  readonly other: Other
}

/**
 * A text with a count, in the form that the count asks for: `plural(n, { one: '{count} file', other: '{count}
 * files' })`. The form `other` is the key; the count is written as numbers are in the language.
 */
export function plural<const One extends string, const Other extends string>(
  count: number,
  english: Forms<One, Other>,
  ...[values]: Values<One | Other, 'count'>
): string {
  const message = messageOf(english.other)
  const forms: PluralForms = typeof message === 'object' ? message : english
  const form = forms[categoryOf(count)] ?? forms.other ?? english.other
  return filled(form, { ...values, count: numbers().format(count) })
}

let rules: Intl.PluralRules | undefined
let format: Intl.NumberFormat | undefined

const numbers = (): Intl.NumberFormat => (format ??= new Intl.NumberFormat(locale()))

function categoryOf(count: number): Intl.LDMLPluralRule {
  rules ??= new Intl.PluralRules(currentLanguage())
  return rules.select(count)
}

const placeholder = /\{([a-zA-Z]+)\}/gu

const filled = (text: string, values: Readonly<Record<string, string | number>> = {}): string =>
  text.replace(placeholder, (whole, name: string) =>
    Object.hasOwn(values, name) ? String(values[name]) : whole,
  )
