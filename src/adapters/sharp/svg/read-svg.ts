import { UnrenderableImageError } from '../../../ports/media/renderer.ts'
import { checkSvg } from './check-svg.ts'

const maxSvgBytes = 2 ** 20

/** Encodings that cannot make other tags of the same bytes than those that are checked. */
const encodings: ReadonlySet<string> = new Set([
  'utf-8',
  'utf8',
  'us-ascii',
  'ascii',
  'iso-8859-1',
  'windows-1252',
  'utf-16',
])

/**
 * The text of an SVG that a graphics library may see: decoded by us, so that what is checked is what is
 * drawn, without document type, and within the limits of {@link checkSvg}.
 */
export function readSafeSvg(bytes: Uint8Array): string {
  if (bytes.length > maxSvgBytes)
    throw new UnrenderableImageError('too-complex', 'must have at most 1 MB as SVG')
  const svg = withoutDocumentType(withoutDeclaration(decode(bytes)))
  checkSvg(svg)
  return svg
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder(encodingOf(bytes), { fatal: true }).decode(bytes)
  } catch (cause) {
    throw new UnrenderableImageError('damaged', 'must be SVG in UTF-8', { cause })
  }
}

function encodingOf(bytes: Uint8Array): string {
  const start = String.fromCharCode(...bytes.subarray(0, 200))
  if (start.startsWith('\u00ff\u00fe')) return 'utf-16le'
  if (start.startsWith('\u00fe\u00ff')) return 'utf-16be'
  const declaration = /^(?:\u00ef\u00bb\u00bf)?\s*<\?xml[^>]*?\sencoding\s*=\s*["']([^"']*)["']/u
  const encoding = declaration.exec(start)?.[1]?.toLowerCase() ?? 'utf-8'
  if (!encodings.has(encoding)) throw new Error(`Encoding ${encoding}`)
  return encoding.endsWith('ascii') ? 'utf-8' : encoding
}

const withoutDeclaration = (svg: string): string => svg.replace(/^\uFEFF?\s*<\?xml\b[^>]*\?>/u, '')

/** Vector editors write a plain one, which says nothing; one with declarations inside is refused. */
function withoutDocumentType(svg: string): string {
  const start = endOfProlog(svg)
  const end = svg.indexOf('>', start)
  const isDocumentType =
    svg.slice(start, start + documentType.length).toUpperCase() === documentType
  if (!isDocumentType || end === -1) return svg
  if (svg.slice(start, end).includes('['))
    throw new UnrenderableImageError('forbidden-content', 'must not declare entities')
  return svg.slice(0, start) + svg.slice(end + 1)
}

const documentType = '<!DOCTYPE'
const skipped: readonly (readonly [start: string, end: string])[] = [
  ['<!--', '-->'],
  ['<?', '?>'],
]

/**
 * Where blanks, comments and instructions at the beginning end. They are found one by one: an expression
 * for all of them would try every way to tell one comment from the next.
 */
function endOfProlog(svg: string): number {
  let place = 0
  for (;;) {
    while (/^\s/u.test(svg.charAt(place))) place += 1
    const kind = skipped.find(([start]) => svg.startsWith(start, place))
    const end = kind ? svg.indexOf(kind[1], place + kind[0].length) : -1
    if (kind === undefined || end === -1) return place
    place = end + kind[1].length
  }
}
