import { Fragment, type ReactNode } from 'react'

import { messageOf } from './language.ts'
import type { Names } from './text.ts'

/** The names of the elements of a text: `'Go to the <link>overview</link>.'` has `link`. */
type Elements<Text extends string> = Text extends `${string}</${infer Name}>${infer Rest}`
  ? Name | Elements<Rest>
  : never

type Parts<Text extends string> = Readonly<
  Record<Elements<Text>, (text: string) => ReactNode> & Record<Names<Text>, ReactNode>
>

/**
 * A text with elements in it, in the language that is shown: what stands in braces is put in as it is, what stands
 * between tags is wrapped, e.g. `rich('See the <link>page of {zone}</link>.', …)`. Another language may put them in
 * another order. Elements are not nested, and a name in braces within an element has to be a text.
 */
export function rich<const Text extends string>(text: Text, parts: Parts<Text>): ReactNode {
  const message = messageOf(text)
  const pieces = (typeof message === 'string' ? message : text).split(piece)
  return pieces.map((each, index) => <Fragment key={index}>{partOf(each, parts)}</Fragment>)
}

type AnyParts = Readonly<Record<string, ReactNode | ((text: string) => ReactNode)>>

const piece = /(\{[a-zA-Z]+\}|<[a-zA-Z]+>[^<]*<\/[a-zA-Z]+>)/u
const element = /^<(?<name>[a-zA-Z]+)>(?<inner>[^<]*)<\/\k<name>>$/u

function partOf(text: string, parts: AnyParts): ReactNode {
  const { name, inner } = element.exec(text)?.groups ?? {}
  if (name === undefined || inner === undefined) return valueOf(text, parts)
  const wrap = parts[name]
  return typeof wrap === 'function' ? wrap(withValues(inner, parts)) : inner
}

function valueOf(text: string, parts: AnyParts): ReactNode {
  if (!text.startsWith('{')) return text
  const value = parts[text.slice(1, -1)]
  return typeof value === 'function' ? text : value
}

const withValues = (text: string, parts: AnyParts): string =>
  text.replace(/\{([a-zA-Z]+)\}/gu, (whole, name: string) => {
    const value = parts[name]
    return typeof value === 'string' || typeof value === 'number' ? String(value) : whole
  })
