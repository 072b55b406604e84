import { SaxesParser } from 'saxes'

import { sanitiseSvg } from '../../../src/adapters/sharp/svg/sanitise-svg.ts'
import { UnrenderableImageError } from '../../../src/ports/media/renderer.ts'
import { type FuzzTarget, outcomeOf, promise, textOf } from '../fuzz-target.ts'

/** What is sanitised does nothing and reaches nowhere, and stays as it is when it is sanitised again. */
export const svg: FuzzTarget = {
  name: 'svg',
  words: [
    '<script>',
    '</script>',
    '<foreignObject>',
    '<svg xmlns="http://www.w3.org/2000/svg">',
    '</svg>',
    ' onload="a()"',
    ' href="',
    'javascript:a()',
    'xlink:href="#a"',
    'https://example.org/a',
    'data:',
    '<use href="#a"/>',
    '<style>',
    '</style>',
    '@import url(a)',
    'url(#a)',
    'style="',
    '<g id="a">',
    '</g>',
    '<![CDATA[',
    ']]>',
    '<!--',
    '-->',
    '<?xml version="1.0" encoding="utf-16"?>',
    '<!DOCTYPE svg>',
    '<!ENTITY a "b">',
    '&#x6a;',
    '&amp;',
    '&a;',
    'xmlns:xlink="http://www.w3.org/1999/xlink"',
    '<a>',
    '\\75',
  ],
  look: (input) =>
    outcomeOf(() => {
      const sanitised = Uint8Array.from(sanitiseSvg(input))
      const again = Uint8Array.from(sanitiseSvg(sanitised))
      promise(textOf(again) === textOf(sanitised), 'it is otherwise when it is sanitised again')
      return `read: ${elementsHarmless(textOf(sanitised))}`
    }, isRefusal),
}

const isRefusal = (thrown: unknown): thrown is Error => thrown instanceof UnrenderableImageError
const acting = /^(?:script|foreignobject|iframe|handler|listener|embed|object)$/iu
const reaching = /^[\s\u0000-\u0020]*(?:[a-z][a-z0-9+.-]*:|\/\/)/iu

/** The names of the elements; rejects those that act or reach outside. */
function elementsHarmless(text: string): string {
  const names = new Set<string>()
  const parser = new SaxesParser({})
  parser.on('opentag', ({ name, attributes }) => {
    names.add(name)
    promise(!acting.test(name.replace(/^.*:/u, '')), `${name} is left`)
    for (const [attribute, value] of Object.entries(attributes)) {
      promise(!/^on/iu.test(attribute), `${attribute} is left`)
      const isLink = /^(?:xlink:)?href$/iu.test(attribute)
      const isHarmless = !isLink || !reaching.test(value) || /^data:image\//iu.test(value)
      promise(isHarmless, `a link to ${value} is left`)
    }
  })
  parser.on('error', (error) => {
    throw error
  })
  if (text !== '') parser.write(text).close()
  return [...names].toSorted().join(' ')
}
