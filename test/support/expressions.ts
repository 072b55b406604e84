import { Glob } from 'bun'
import { join } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'

/** A regular expression as it is written in a file. */
export interface WrittenExpression {
  /** `src/lib/log.ts:25` */
  readonly place: string
  /** `undefined` where it is put together from what the file does not say. */
  readonly source: string | undefined
  readonly flags: string
}

type Node = Readonly<Record<string, unknown>> & { readonly type: string; readonly start: number }

const root = join(import.meta.dir, '..', '..')
const isTest = (file: string): boolean =>
  /\.(?:test|contract|fixture)\.tsx?$|\/fixtures\//u.test(file)

/** Every regular expression of these folders but those of tests. */
export async function expressionsIn(folders: readonly string[]): Promise<WrittenExpression[]> {
  const found: WrittenExpression[] = []
  for (const folder of folders)
    for await (const file of new Glob(`${folder}/**/*.{ts,tsx}`).scan(root))
      if (!isTest(file)) found.push(...(await expressionsOf(file)))
  return found.toSorted((a, b) => a.place.localeCompare(b.place))
}

async function expressionsOf(file: string): Promise<WrittenExpression[]> {
  const text = await Bun.file(join(root, file)).text()
  const { program } = parseSync(file, text)
  const constants = new Map<string, Node>()
  const found: WrittenExpression[] = []
  const placeOf = ({ start }: { readonly start: number }): string =>
    `${file}:${text.slice(0, start).split('\n').length}`
  function note(node: Node): void {
    const [source, flags] = node['arguments'] as readonly Node[]
    if (!isNamed(node['callee'], 'RegExp')) return
    found.push({
      place: placeOf(node),
      source: source && textOf(source, constants),
      flags: (flags && textOf(flags, constants)) ?? '',
    })
  }
  new Visitor({
    VariableDeclarator({ id, init }) {
      if (id.type === 'Identifier' && init) constants.set(id.name, init as unknown as Node)
    },
  }).visit(program)
  new Visitor({
    Literal(node) {
      if ('regex' in node)
        found.push({ place: placeOf(node), source: node.regex.pattern, flags: node.regex.flags })
    },
    NewExpression: (node) => note(node as unknown as Node),
    CallExpression: (node) => note(node as unknown as Node),
  }).visit(program)
  return found
}

const isNamed = (node: unknown, name: string): boolean =>
  (node as Node).type === 'Identifier' && (node as Node)['name'] === name

/** The text a node stands for, where the file says it. */
function textOf(node: Node, constants: ReadonlyMap<string, Node>): string | undefined {
  if (node.type === 'Literal') return String(node['value'])
  if (node.type === 'TemplateLiteral') return templateText(node, 'cooked', constants)
  if (node.type === 'TaggedTemplateExpression')
    return templateText(node['quasi'] as Node, 'raw', constants)
  if (node.type === 'BinaryExpression')
    return joined([node['left'] as Node, node['right'] as Node], constants)
  const constant = node.type === 'Identifier' ? constants.get(String(node['name'])) : undefined
  return constant && constant !== node ? textOf(constant, constants) : undefined
}

function joined(nodes: readonly Node[], constants: ReadonlyMap<string, Node>): string | undefined {
  const texts = nodes.map((node) => textOf(node, constants))
  return texts.includes(undefined) ? undefined : texts.join('')
}

function templateText(
  node: Node,
  form: 'cooked' | 'raw',
  constants: ReadonlyMap<string, Node>,
): string | undefined {
  const quasis = node['quasis'] as readonly { readonly value: Readonly<Record<string, string>> }[]
  const values = (node['expressions'] as readonly Node[]).map((each) => textOf(each, constants))
  if (values.includes(undefined)) return undefined
  return quasis.map(({ value }, place) => `${value[form] ?? ''}${values[place] ?? ''}`).join('')
}
