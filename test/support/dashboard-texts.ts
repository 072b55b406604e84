import { Glob } from 'bun'
import { parseSync, Visitor } from 'oxc-parser'

/** A text of the dashboard: its key in the message files, and whether it has forms for a count. */
export interface DashboardText {
  readonly key: string
  readonly isCounted: boolean
  readonly place: string
}

export interface DashboardTexts {
  readonly texts: readonly DashboardText[]
  /** Places where a text is written that no message file can answer. */
  readonly outside: readonly string[]
}

const root = new URL('../../', import.meta.url).pathname
const isTest = (file: string) => /\.test\.tsx?$/u.test(file)

/** All texts that `t`, `plural` and `rich` are asked for, and those that a person would read without them. */
export async function dashboardTexts(): Promise<DashboardTexts> {
  const files = [...new Glob('web/dashboard/**/*.{ts,tsx}').scanSync(root)]
    .filter((file) => !isTest(file))
    .toSorted()
  const found = await Promise.all(files.map(textsOf))
  return {
    texts: found.flatMap(({ texts }) => texts),
    outside: found.flatMap(({ outside }) => outside),
  }
}

async function textsOf(file: string): Promise<DashboardTexts> {
  const code = await Bun.file(root + file).text()
  const { program } = parseSync(file, code)
  const texts: DashboardText[] = []
  const outside: string[] = []
  const placeOf = ({ start }: { readonly start: number }) =>
    `${file}:${code.slice(0, start).split('\n').length}`
  new Visitor({
    CallExpression(call) {
      const name = call.callee.type === 'Identifier' ? call.callee.name : ''
      if (name !== 't' && name !== 'rich' && name !== 'plural') return
      const key = literalOf(name === 'plural' ? otherOf(call.arguments[1]) : call.arguments[0])
      if (key !== undefined) texts.push({ key, isCounted: name === 'plural', place: placeOf(call) })
      else if (!file.includes('/language/'))
        outside.push(`${placeOf(call)}: ${name}() of what is not written there`)
    },
    JSXText(text) {
      if (letter.test(text.value.replaceAll(/&\w{1,10};/gu, '')))
        outside.push(`${placeOf(text)}: ${text.value.trim()}`)
    },
    JSXAttribute({ name, value }) {
      if (name.type !== 'JSXIdentifier' || !spokenAttributes.has(name.name)) return
      if (value?.type !== 'Literal') return
      const text = value.value
      // A form's `action` is a path.
      if (letter.test(text) && !text.startsWith('/'))
        outside.push(`${placeOf(value)}: ${name.name}="${text}"`)
    },
  }).visit(program)
  return { texts, outside: outside.filter((each) => !isName(each)) }
}

const letter = /\p{L}/u

/** What is shown or read out; a `placeholder` is often an example, which is the same in every language. */
const spokenAttributes = new Set(['aria-label', 'label', 'title', 'lead', 'alt', 'hint', 'action'])

/** Names of things, and what is typed as it stands. */
const names = new Set(['Sedge', 'DNS', 'SHA-256', 'URL', 'px', 'ms'])
const isName = (finding: string) => names.has(finding.slice(finding.indexOf(': ') + 2))

interface Node {
  readonly type: string
}

function literalOf(node: Node | undefined): string | undefined {
  if (node?.type !== 'Literal' || !('value' in node)) return undefined
  return typeof node.value === 'string' ? node.value : undefined
}

function otherOf(node: unknown): Node | undefined {
  if (!isNode(node) || !('properties' in node) || !Array.isArray(node.properties)) return undefined
  const property: unknown = node.properties.find((each) => each?.key?.name === 'other')
  return isNode(property) && 'value' in property && isNode(property.value)
    ? property.value
    : undefined
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value
