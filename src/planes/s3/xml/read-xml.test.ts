import { describe, expect, test } from 'bun:test'

import { xmlDocument } from './write-xml.ts'
import { elementsOf, readXml, requiredTextIn, textIn } from './read-xml.ts'

const contentOf = (body: string | Uint8Array<ArrayBuffer>) => {
  const blob = new Blob([body])
  return { sizeBytes: blob.size, stream: () => blob.stream() }
}

const read = (body: string | Uint8Array<ArrayBuffer>) => readXml(contentOf(body), 'Delete')

const refused = async (body: string | Uint8Array<ArrayBuffer>): Promise<string> => {
  const thrown: unknown = await read(body).catch((error: unknown) => error)
  expect(thrown).toMatchObject({ code: 'MalformedXML', status: 400 })
  return (thrown as Error).message
}

describe('a document that was sent', () => {
  test('is read with and without the namespace of S3, and with a prefix for it', async () => {
    const inner = '<Quiet>true</Quiet><Object><Key>a</Key></Object><Object><Key>b</Key></Object>'
    const prefixed = inner.replaceAll(/<(\/?)/gu, '<$1s:')
    const documents = [
      `<Delete>${inner}</Delete>`,
      `<?xml version="1.0" encoding="UTF-8"?>\n<Delete xmlns="http://s3.amazonaws.com/doc/2006-03-01/">${inner}</Delete>\n`,
      `\ufeff<Delete>${inner}</Delete>`,
      `<s:Delete xmlns:s="http://s3.amazonaws.com/doc/2006-03-01/">${prefixed}</s:Delete>`,
    ]
    for (const document of documents) {
      const root = await read(document)
      expect(textIn(root, 'Quiet')).toBe('true')
      expect(textIn(root, 'Bypass')).toBeUndefined()
      const keys = elementsOf(root, 'Object').map((object) => requiredTextIn(object, 'Key'))
      expect(keys).toEqual(['a', 'b'])
    }
  })

  test('has blanks, character references and CDATA in its texts as they were meant', async () => {
    const root = await read(
      '<Delete><Key> a &amp; b&#xD;&#10;&lt;c&gt; &quot;&apos;<![CDATA[<&>]]></Key></Delete>',
    )
    expect(textIn(root, 'Key')).toBe(' a & b\r\n<c> "\'<&>')
  })

  test('says again what the writer of documents wrote', async () => {
    const key = 'a <b> & "c" \r\n\tä 🖼'
    const root = await read(xmlDocument('Delete', { Key: key }))
    expect(textIn(root, 'Key')).toBe(key)
  })
})

describe('refused as malformed is', () => {
  test('a document type, with whatever entities', async () => {
    const billionLaughs =
      '<!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]><Delete><Key>&b;</Key></Delete>'
    expect(await refused(billionLaughs)).toContain('document type')
    const external = '<!DOCTYPE d SYSTEM "file:///etc/passwd"><Delete><Key>x</Key></Delete>'
    expect(await refused(external)).toContain('document type')
  })

  test('an entity that nobody defined', async () => {
    await refused('<Delete><Key>&nbsp;</Key></Delete>')
    await refused('<Delete><Key>&#0;</Key></Delete>')
    await refused('<Delete><Key>&#x110000;</Key></Delete>')
  })

  test('what is cut off anywhere', async () => {
    const whole = '<Delete a="b"><Object><Key>a &amp; b</Key></Object></Delete>'
    for (let length = 0; length < whole.length; length += 1) await refused(whole.slice(0, length))
  })

  test('what is no XML, no UTF-8, or has two first elements', async () => {
    await refused('')
    await refused('{"Delete":{}}')
    await refused('<Delete></Remove>')
    await refused('<Delete/><Delete/>')
    await refused('<Delete><x:Key>a</x:Key></Delete>')
    await refused(new Uint8Array([0x3c, 0xff, 0xfe]))
  })

  test('another first element, and a second one of what there is one of', async () => {
    expect(await refused('<Remove/>')).toContain('Delete')
    const root = await read('<Delete><Quiet>true</Quiet><Quiet>false</Quiet></Delete>')
    expect(() => textIn(root, 'Quiet')).toThrow('one Quiet')
    expect(() => requiredTextIn(root, 'Object')).toThrow('must have a Object')
  })

  test('what is nested more than ten deep', async () => {
    const nested = (depth: number) => `${'<Delete>'.repeat(depth)}${'</Delete>'.repeat(depth)}`
    await read(nested(10))
    expect(await refused(nested(11))).toContain('deeply')
    expect(await refused(nested(50_000))).toContain('deeply')
  })

  test('more than a thousand items of a list', async () => {
    const items = (count: number) => `<Delete>${'<Object/>'.repeat(count)}</Delete>`
    expect((await read(items(1000))).children).toHaveLength(1000)
    expect(await refused(items(1001))).toContain('1000 items')
    const crowded = `<Object>${'<A/>'.repeat(900)}</Object>`
    expect(await refused(`<Delete>${crowded.repeat(14)}</Delete>`)).toContain('1000 items')
  })

  test('more than a mebibyte, which is read no further', async () => {
    const fitting = `<Delete><Key>${'x'.repeat(2 ** 20 - 30)}</Key></Delete>`
    await read(fitting)
    expect(await refused(`${fitting}   `)).toContain('bytes')
    let pulled = 0
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        pulled += 1
        controller.enqueue(new Uint8Array(2 ** 16).fill(0x20))
      },
    })
    const reading = readXml({ sizeBytes: undefined, stream: () => endless }, 'Delete')
    expect(reading).rejects.toMatchObject({ code: 'MalformedXML' })
    await reading.catch(() => undefined)
    expect(pulled).toBeLessThan(20)
  })
})

test('a list that may be longer says so', async () => {
  const parts = `<CompleteMultipartUpload>${'<Part/>'.repeat(10_000)}</CompleteMultipartUpload>`
  const root = await readXml(contentOf(parts), 'CompleteMultipartUpload', { maxItems: 10_000 })
  expect(root.children).toHaveLength(10_000)
})
