import { readXml, type XmlElement } from '../../../src/planes/s3/xml/read-xml.ts'
import { S3Error } from '../../../src/planes/s3/s3-error.ts'
import { type FuzzTarget, type Input, inPieces, outcomeOf, promise } from '../fuzz-target.ts'

/** A body of S3 is read within its bounds, however it comes, or it is `MalformedXML`. */
export const xml: FuzzTarget = {
  name: 'xml',
  words: [
    '<Delete>',
    '</Delete>',
    '<Object>',
    '</Object>',
    '<Key>',
    '</Key>',
    '<Delete xmlns="a">',
    '<a:b xmlns:a="c">',
    '<!DOCTYPE a>',
    '<!ENTITY a "b">',
    '&a;',
    '&#0;',
    '&#x10ffff;',
    '&amp;',
    '<![CDATA[',
    ']]>',
    '<?a b?>',
    '<!--',
    '-->',
    '<?xml version="1.0" encoding="utf-16"?>',
    '\ufeff',
    ' xmlns:xml="a"',
    '/>',
    ':',
    '__proto__',
  ],
  look: (input) => inPieces(input, read),
}

const maxItems = 50

const read = (pieces: AsyncIterable<Input>): Promise<string> =>
  outcomeOf(async () => {
    const content = { sizeBytes: undefined, stream: () => streamOf(pieces) }
    const root = await readXml(content, 'Delete', { maxBytes: 65_536, maxItems })
    return `read: ${shapeOf(root, 0)}`
  }, isRefusal)

const streamOf = (pieces: AsyncIterable<Input>) =>
  new ReadableStream<Input>({
    async start(controller) {
      for await (const piece of pieces) controller.enqueue(piece)
      controller.close()
    },
  })

function shapeOf({ name, text, children }: XmlElement, depth: number): string {
  promise(depth < 11 && children.length <= maxItems, 'it is beyond its bounds')
  const inside = [...new Set(children.map((child) => shapeOf(child, depth + 1)))]
  return `${name.slice(0, 20)}${text.trim() === '' ? '' : '+'}(${inside.join(' ')})`
}

const isRefusal = (thrown: unknown): thrown is Error =>
  thrown instanceof S3Error && thrown.code === 'MalformedXML'
