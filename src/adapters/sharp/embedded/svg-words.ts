import { SaxesParser } from 'saxes'

import { UnrenderableImageError } from '../../../ports/media/renderer.ts'
import { readSafeSvg } from '../svg/read-svg.ts'
import { noWords, type Phrase, type Words } from './words.ts'

const maxTexts = 100
const maxTextLength = 20_000

/** `<title>` and `<desc>` of the SVG itself, not of its parts (SVG 2 §5.8). */
export function svgWords(bytes: Uint8Array): Words {
  const found: Record<'title' | 'desc', Phrase[]> = { title: [], desc: [] }
  const open: string[] = []
  let phrase: { text: string; language: string | undefined } | undefined
  const parser = new SaxesParser({})
  parser.on('error', (cause) => {
    throw new UnrenderableImageError('damaged', 'must be well-formed SVG', { cause })
  })
  parser.on('opentag', ({ name, attributes }) => {
    open.push(name.slice(name.indexOf(':') + 1))
    const language = attributes['xml:lang'] ?? attributes['lang']
    if (open.length === 2) phrase = { text: '', language }
  })
  const onText = (text: string) => {
    if (phrase && phrase.text.length < maxTextLength) phrase.text += text.slice(0, maxTextLength)
  }
  parser.on('text', onText)
  parser.on('cdata', onText)
  parser.on('closetag', () => {
    const name = open.at(-1)
    if (open.length === 2 && phrase && (name === 'title' || name === 'desc'))
      if (found[name].length < maxTexts) found[name].push(phrase)
    if (open.length === 2) phrase = undefined
    open.pop()
  })
  parser.write(readSafeSvg(bytes)).close()
  return { ...noWords, title: found.title, description: found.desc }
}
