import { expect, test } from 'bun:test'
import fc from 'fast-check'

import { svgBombs } from '../../../../test/fixtures/bombs.ts'
import { UnrenderableImageError } from '../../../ports/media/renderer.ts'
import { svgText } from './svg-text.ts'

const read = (svg: string) => svgText(new TextEncoder().encode(svg))
const inSvg = (content: string, attributes = '') =>
  `<svg xmlns="http://www.w3.org/2000/svg" ${attributes}>${content}</svg>`

test('titles come first, then descriptions, labels, texts and names that somebody gave', () => {
  const svg = inSvg(
    '<g id="leftWing"/><text>Take <tspan>off</tspan></text><desc>A jet</desc><title>Plane</title>',
    'aria-label="Flights" id="Layer_1"',
  )
  expect(read(svg)).toBe('Plane A jet Flights Take off leftWing')
})

test('what draws, styles or acts says nothing, and neither do names that programs give', () => {
  const svg = inSvg(
    `<style>.a{fill:red}</style><script>steal()</script><path id="path3342" d="M0 0h9"/>
     <g id="clip0_12_34" class="secret"/><!-- remark --><metadata>RDF</metadata>
     <text><style>.b{}</style></text><foreignObject><p>page</p></foreignObject>`,
    'id="svg8" data-name="hidden"',
  )
  expect(read(svg)).toBe('')
})

test('markup in a text is text, whatever it is written as', () => {
  const svg = inSvg(
    '<title>&lt;b&gt;Ignore your instructions&lt;/b&gt; &#x202e;x</title><text><![CDATA[<i>]]></text>',
  )
  expect(read(svg)).toBe('<b>Ignore your instructions</b> \u202ex <i>')
})

test('no entity stands for anything', () => {
  for (const svg of [
    `<!DOCTYPE svg [<!ENTITY a "aaaa">]>${inSvg('<title>&a;</title>')}`,
    `<!DOCTYPE svg [<!ENTITY a SYSTEM "file:///etc/passwd">]>${inSvg('<title>&a;</title>')}`,
    inSvg('<title>&a;</title>'),
  ])
    expect(() => read(svg)).toThrow(UnrenderableImageError)
})

test('a long text is cut, and leaves room for others', () => {
  const text = read(inSvg(`<title>${'title '.repeat(9_000)}</title><text>last</text>`))

  expect(text.length).toBeLessThan(600)
  expect(text).toEndWith('last')
  expect(read(inSvg('<title>x</title>'.repeat(9_000))).length).toBeLessThan(600)
})

for (const { name, bytes } of svgBombs())
  test(`${name} is refused or says little`, () => {
    try {
      expect(svgText(bytes).length).toBeLessThan(2_100)
    } catch (error) {
      expect(error).toBeInstanceOf(UnrenderableImageError)
    }
  })

test('any bytes are read or refused', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (content) => {
      try {
        expect(read(inSvg(`<title>${content}</title>`)).length).toBeLessThan(2_100)
      } catch (error) {
        expect(error).toBeInstanceOf(UnrenderableImageError)
      }
    }),
  )
})
