import { expect, test } from 'bun:test'

import { UnrenderableImageError } from '../../../ports/media/renderer.ts'
import { sanitiseSvg } from './sanitise-svg.ts'

const clean = (svg: string) => new TextDecoder().decode(sanitiseSvg(new TextEncoder().encode(svg)))
const inSvg = (content: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink">${content}</svg>`

for (const [what, content] of [
  ['a script', '<script>alert(1)</script>'],
  ['a script in capitals', '<SCRIPT>alert(1)</SCRIPT>'],
  [
    'a script with a prefix',
    '<svg:script xmlns:svg="http://www.w3.org/2000/svg">alert(1)</svg:script>',
  ],
  ['a handler', '<rect onload="alert(1)" width="1"/>'],
  ['a handler in capitals', '<rect ONCLICK="alert(1)"/>'],
  [
    'foreign content',
    '<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"><iframe src="alert"/></body></foreignObject>',
  ],
  ['a link to follow', '<a xlink:href="javascript:alert(1)"><rect/></a>'],
  ['animation that sets a handler', '<rect><set attributeName="onload" to="alert(1)"/></rect>'],
  [
    'animation of a link',
    '<use href="#a"><animate attributeName="href" values="data:alert"/></use>',
  ],
  ['a copy from elsewhere', '<use href="https://elsewhere.example/alert.svg#x"/>'],
  ['a picture from elsewhere', '<image xlink:href="//elsewhere.example/alert.png"/>'],
  ['another SVG inside', '<image/><feImage href="  "/>'],
  ['an import in a style', '<style>@import url(https://elsewhere.example/alert.css);</style>'],
  ['an escaped import in a style', '<style>@\\69mport "alert.css";</style>'],
  ['a link in a style', '<style>rect{fill:url(https://elsewhere.example/alert)}</style>'],
  ['a link in a style attribute', '<rect style="background:url(//elsewhere.example/alert)"/>'],
  ['a split word in a style', '<style>rect{fill:u/**/rl(https://elsewhere.example/alert)}</style>'],
  ['a style in CDATA', '<style><![CDATA[@import "alert.css";]]></style>'],
  [
    'a style that ends early',
    '<style>a{}&lt;/style&gt;&lt;script&gt;@import alert&lt;/script&gt;</style>',
  ],
  ['another base', '<g xml:base="https://elsewhere.example/alert/"/>'],
  [
    'a handler of another namespace',
    '<g xmlns:ev="http://www.w3.org/2001/xml-events" ev:event="alert"/>',
  ],
  [
    'an unknown namespace',
    '<g xmlns="http://www.w3.org/1999/xhtml" class="x"><b title="alert"/></g>',
  ],
  ['a comment', '<!-- alert --><rect/>'],
  ['a processing instruction', '<?xml-stylesheet href="alert.css"?><rect/>'],
] as const)
  test(`${what} is taken out`, () => {
    expect(clean(inSvg(content))).not.toMatch(/alert|javascript|onload|elsewhere/iu)
  })

test('what only draws stays as it is, in its order', () => {
  const drawing = inSvg(
    '<defs><linearGradient id="a"><stop offset="0" stop-color="red"></stop></linearGradient></defs>' +
      '<style>.b{fill:url(#a);stroke:blue}</style><rect class="b" width="10" height="10"></rect>' +
      '<text x="1" y="2">a &lt; b &amp; c</text><use xlink:href="#a"></use>' +
      '<image href="data:image/png;base64,iVBORw0KGgo="></image>',
  )

  expect(clean(drawing)).toBe(drawing)
})

test('cleaning what is clean changes nothing', () => {
  const once = clean(inSvg('<g onclick="x"><rect title="&quot;&#10;" id="&lt;"/></g>'))

  expect(clean(once)).toBe(once)
})

for (const [what, svg] of [
  ['entities', '<!DOCTYPE svg [<!ENTITY x "y">]><svg/>'],
  ['something unfinished', '<svg><g>'],
  ['something else', 'hello'],
  ['an unknown encoding', '<?xml version="1.0" encoding="UTF-7"?><svg/>'],
] as const)
  test(`${what} is refused`, () => {
    expect(() => clean(svg)).toThrow(UnrenderableImageError)
  })

test('a plain document type, as drawing programs write it, is dropped', () => {
  const type =
    '<!DOCTYPE svg PUBLIC "-//W3C//DTD SVG 1.1//EN" "http://www.w3.org/Graphics/SVG/1.1/DTD/svg11.dtd">'

  expect(clean(`<?xml version="1.0"?>\n<!-- made by hand -->${type}<svg></svg>`)).toBe(
    '<svg></svg>',
  )
})

test('very many comments before the drawing take no time', () => {
  const comments = '<!---->'.repeat(2_000)

  expect(clean(`${comments}<svg></svg>`)).toBe('<svg></svg>')
  expect(clean(`${comments}<!DOCTYPE svg>${comments}<svg></svg>`)).toBe('<svg></svg>')
}, 2_000)

test('text in an older encoding is read as what it says it is', () => {
  const bytes = Buffer.from(
    '<?xml version="1.0" encoding="ISO-8859-1"?><svg><title>\u00e9t\u00e9</title></svg>',
    'latin1',
  )

  expect(new TextDecoder().decode(sanitiseSvg(bytes))).toBe(
    '<svg><title>\u00e9t\u00e9</title></svg>',
  )
})
