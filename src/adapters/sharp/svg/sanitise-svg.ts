import { SaxesParser } from 'saxes'

import { UnrenderableImageError } from '../../../ports/media/renderer.ts'
import { isHarmlessCss, isKnownAttribute, isKnownElement, isLocalLink } from './svg-allow-list.ts'
import { readSafeSvg } from './read-svg.ts'

/**
 * The same SVG without anything that acts or reaches outside: elements and attributes that are not
 * on the list go, with what is in them. Idempotent.
 */
export function sanitiseSvg(bytes: Uint8Array): Uint8Array {
  const parser = new SaxesParser({})
  const parts: string[] = []
  /** How deep we are inside something that goes. */
  let dropped = 0
  let isStyle = false
  let style = ''

  parser.on('error', (cause) => {
    throw new UnrenderableImageError('damaged', 'must be well-formed SVG', { cause })
  })
  parser.on('opentag', ({ name, attributes }) => {
    if (dropped > 0 || !isKnownElement(name)) dropped += 1
    else {
      parts.push(openTag(name, attributes))
      isStyle = name === 'style'
    }
  })
  parser.on('closetag', ({ name }) => {
    if (dropped > 0) dropped -= 1
    else {
      if (isStyle && isHarmlessCss(style)) parts.push(escapeText(style))
      parts.push(`</${name}>`)
      isStyle = false
      style = ''
    }
  })
  const onText = (text: string) => {
    if (dropped > 0) return
    if (isStyle) style += text
    else parts.push(escapeText(text))
  }
  parser.on('text', onText)
  parser.on('cdata', onText)
  parser.write(readSafeSvg(bytes)).close()
  return new TextEncoder().encode(parts.join('').trim())
}

function openTag(name: string, attributes: Readonly<Record<string, string>>): string {
  const kept = Object.entries(attributes).filter(([attribute, value]) =>
    isHarmless(name, attribute, value),
  )
  const text = kept.map(([attribute, value]) => ` ${attribute}="${escapeAttribute(value)}"`)
  return `<${name}${text.join('')}>`
}

function isHarmless(element: string, attribute: string, value: string): boolean {
  if (attribute === 'href' || attribute === 'xlink:href') return isLocalLink(element, value)
  return isKnownAttribute(attribute, value) && isHarmlessCss(value)
}

const escapeText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

const escapeAttribute = (text: string): string =>
  escapeText(text)
    .replaceAll('"', '&quot;')
    .replace(/[\t\n\r]/gu, (character) => `&#${character.codePointAt(0)};`)
