import { SaxesParser } from 'saxes'

import { UnrenderableImageError } from '../../../ports/media/renderer.ts'
import { countExpanded, type SvgNode } from './count-expanded.ts'

const svgLimits = {
  elements: 20_000,
  depth: 256,
  pathDataBytes: 200_000,
  filters: 50,
  /** Elements drawn once every reference has been followed. */
  expandedElements: 10_000,
  dashes: 100_000,
} as const

/** What has been counted so far. */
interface Census {
  readonly root: SvgNode
  readonly nodeById: Map<string, SvgNode>
  readonly open: SvgNode[]
  elements: number
  filters: number
  pathDataBytes: number
  pathLength: number
  shortestDash: number
}

type Attributes = Readonly<Record<string, string>>

/** Refuses an SVG that could cost much more than its size suggests, or that reaches outside itself. */
export function checkSvg(svg: string): void {
  const root: SvgNode = { children: [], references: [] }
  const census: Census = {
    root,
    nodeById: new Map(),
    open: [root],
    elements: 0,
    filters: 0,
    pathDataBytes: 0,
    pathLength: 0,
    shortestDash: Infinity,
  }
  parse(svg, census)
  if (census.pathLength / census.shortestDash > svgLimits.dashes) throw tooComplex('dashes')
  if (countExpanded(census.root, census.nodeById) > svgLimits.expandedElements)
    throw tooComplex('copies of elements')
}

function parse(svg: string, census: Census): void {
  const parser = new SaxesParser({})
  parser.on('error', (cause) => {
    throw new UnrenderableImageError('damaged', 'must be well-formed SVG', { cause })
  })
  parser.on('doctype', () => {
    throw forbidden('a document type')
  })
  parser.on('opentag', ({ name, attributes }) => enter(census, localName(name), attributes))
  parser.on('closetag', () => census.open.pop())
  parser.on('text', (text) => noteDashes(census, text))
  parser.on('cdata', (text) => noteDashes(census, text))
  parser.write(svg).close()
}

function enter(census: Census, name: string, attributes: Attributes): void {
  census.elements += 1
  if (census.elements > svgLimits.elements) throw tooComplex('elements')
  if (census.open.length > svgLimits.depth) throw tooComplex('levels')
  if (name === 'include') throw forbidden('inclusions')
  if (name.startsWith('fe') && (census.filters += 1) > svgLimits.filters)
    throw tooComplex('filters')
  const node: SvgNode = { children: [], references: [] }
  census.open.at(-1)?.children.push(node)
  census.open.push(node)
  for (const [attribute, value] of Object.entries(attributes))
    noteAttribute(census, { element: name, node, attribute: localName(attribute), value })
}

interface NamedAttribute {
  readonly element: string
  readonly node: SvgNode
  readonly attribute: string
  readonly value: string
}

function noteAttribute(census: Census, named: NamedAttribute): void {
  readers.get(named.attribute)?.(census, named)
  for (const [, id] of named.value.matchAll(/url\(\s*["']?#([^"')]+)/gu))
    named.node.references.push(id ?? '')
}

const noteSide = (census: Census, { value }: NamedAttribute) => {
  census.pathLength += 4 * Math.abs(Number.parseFloat(value)) || 0
}

type Reader = (census: Census, named: NamedAttribute) => void

const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>(
  Object.entries({
    id: (census, { node, value }) => census.nodeById.set(value, node),
    href: (_census, named) => noteLink(named),
    d: (census, { value }) => notePath(census, value),
    points: (census, { value }) => notePath(census, value),
    pathLength: noteSide,
    r: noteSide,
    rx: noteSide,
    ry: noteSide,
    width: noteSide,
    height: noteSide,
    x2: noteSide,
    y2: noteSide,
    'stroke-dasharray': (census, { value }) => noteDash(census, value),
    style: (census, { value }) => noteDashes(census, value),
  } satisfies Readonly<Record<string, Reader>>),
)

/** Elements that draw what they link to; a link of any other leads nowhere that is drawn. */
const drawsItsTarget: ReadonlySet<string> = new Set(['use', 'pattern', 'feImage'])

/** An image inside may be a bitmap; another SVG would come in unchecked. */
function noteLink({ element, node, value }: NamedAttribute): void {
  const link = value.trim()
  if (link.startsWith('#') && drawsItsTarget.has(element)) node.references.push(link.slice(1))
  if (/^data:/iu.test(link) && !/^data:image\/(?:png|jpe?g|gif|webp)\b/iu.test(link))
    throw forbidden('data other than bitmaps')
}

function notePath(census: Census, data: string): void {
  census.pathDataBytes += data.length
  if (census.pathDataBytes > svgLimits.pathDataBytes) throw tooComplex('path data')
  census.pathLength += pathLength(data)
}

function noteDashes(census: Census, css: string): void {
  for (const [, dashes] of css.matchAll(/stroke-dasharray\s*:\s*([^;}]*)/giu))
    noteDash(census, dashes ?? '')
}

function noteDash(census: Census, dashes: string): void {
  const lengths = dashes.split(/[\s,]+/u).map((each) => Math.abs(Number.parseFloat(each)) || 0)
  const sum = lengths.reduce((total, each) => total + each, 0)
  if (sum > 0) census.shortestDash = Math.min(census.shortestDash, sum)
}

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

const tooComplex = (what: string) =>
  new UnrenderableImageError('too-complex', `must be simpler: it has too many ${what}`)

const forbidden = (what: string) =>
  new UnrenderableImageError('forbidden-content', `must not contain ${what}`)

/**
 * About how far the pen moves for path data or a list of points; at least half of the truth for
 * lines. Capital letters give places, small ones distances (SVG 2 §9.3).
 */
function pathLength(data: string): number {
  let isRelative = false
  let length = 0
  let before: readonly [number, number] = [0, 0]
  for (const [token] of data.matchAll(/[a-zA-Z]|[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?/gu)) {
    if (/^[a-zA-Z]/u.test(token)) {
      isRelative = token === token.toLowerCase()
      continue
    }
    const number = Number(token)
    length += Math.abs(isRelative ? number : number - before[0])
    before = [before[1], number]
  }
  return length
}
