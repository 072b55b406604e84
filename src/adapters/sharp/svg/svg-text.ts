import { SaxesParser } from 'saxes'

import { UnrenderableImageError } from '../../../ports/media/renderer.ts'
import { readSafeSvg } from './read-svg.ts'

/** Where an SVG says something, the most telling first. */
const places = ['title', 'desc', 'label', 'text', 'id'] as const
type Place = (typeof places)[number]

/** Of each place so many characters are kept, so that none takes all the room. */
const maxLengthByPlace: Readonly<Record<Place, number>> = {
  title: 500,
  desc: 500,
  label: 300,
  text: 500,
  id: 200,
}

/** What vector editors call parts that nobody gave a name. */
const namesOfNobody: ReadonlySet<string> = new Set(
  'artboard bitmap bounds capa circle clip clippath defs ebene ellipse fill filter frame gradient group image layer line linear linearGradient mask metadata namedview page paint path pattern polygon polyline radial rect rectangle shape slice sodipodi stroke style subtract svg svgid symbol text tspan union use vector'.split(
    ' ',
  ),
)

/**
 * What an SVG says of itself, as plain text of others: nothing in it is followed, and no entity but
 * those of XML stands for anything. Throws as {@link readSafeSvg} does.
 */
export function svgText(bytes: Uint8Array): string {
  const parser = new SaxesParser({})
  const said: Record<Place, string> = { title: '', desc: '', label: '', text: '', id: '' }
  const open: string[] = []

  const say = (place: Place, text: string): void => {
    const room = maxLengthByPlace[place] - said[place].length
    if (room > 0) said[place] += text.slice(0, room)
  }
  const onText = (text: string): void => {
    const place = open.findLast(isPlace)
    if (place !== undefined && !open.some(isCode)) say(place, text)
  }
  parser.on('error', (cause) => {
    throw new UnrenderableImageError('damaged', 'must be well-formed SVG', { cause })
  })
  parser.on('opentag', ({ name, attributes }) => {
    open.push(localName(name))
    say('label', ` ${attributes['aria-label'] ?? ''}`)
    say('id', ` ${givenWords(attributes['id'] ?? '')}`)
  })
  parser.on('closetag', () => {
    const place = open.pop()
    if (place !== undefined && isPlace(place)) say(place, ' ')
  })
  parser.on('text', onText)
  parser.on('cdata', onText)
  parser.write(readSafeSvg(bytes)).close()
  return places
    .map((place) => said[place].trim())
    .filter(Boolean)
    .join(' ')
}

const isPlace = (name: string): name is 'title' | 'desc' | 'text' =>
  name === 'title' || name === 'desc' || name === 'text'

const isCode = (name: string): boolean => name === 'style' || name === 'script'

const localName = (name: string): string => name.slice(name.indexOf(':') + 1)

/** The words of a name that somebody gave. */
const givenWords = (id: string): string =>
  (id.slice(0, 100).match(/\p{L}{3,}/gu) ?? [])
    .filter((word) => !namesOfNobody.has(word.toLowerCase()))
    .join(' ')
