import { UnrenderableImageError } from '../../../ports/renderer.ts'
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
 * The text of an SVG that a drawing library may see: decoded by us, so that what is checked is what is
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

/** Drawing programs write a plain one, which says nothing; one with declarations inside is refused. */
function withoutDocumentType(svg: string): string {
  const found = /^(?<before>(?:\s|<!--[^]*?-->|<\?[^]*?\?>)*)<!DOCTYPE(?<inside>[^>]*)>/iu.exec(svg)
  if (found === null) return svg
  if (found.groups?.['inside']?.includes('[') === true)
    throw new UnrenderableImageError('forbidden-content', 'must not declare entities')
  return `${found.groups?.['before'] ?? ''}${svg.slice(found[0].length)}`
}
