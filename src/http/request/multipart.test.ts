import { expect, test } from 'bun:test'
import fc from 'fast-check'

import { ServiceError } from '../../domain/errors.ts'
import { readField, readForm } from './multipart.ts'

const type = 'multipart/form-data; boundary=B'

async function* inPieces(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size)
}

async function partsOf(text: string | Uint8Array, { size = 7, contentType = type } = {}) {
  const parts: object[] = []
  for await (const part of readForm(inPieces(Buffer.from(text), size), contentType)) {
    const { content, ...header } = part
    parts.push({ ...header, text: Buffer.concat(await Array.fromAsync(content)).toString() })
  }
  return parts
}

const field = (name: string, value: string) =>
  `--B\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const file = (name: string, value: string) =>
  `--B\r\nContent-Disposition: form-data; name="file"; filename="${name}"\r\nContent-Type: text/plain\r\n\r\n${value}\r\n`

test('the parts of a form come in order, however the bytes are cut', async () => {
  const form = `${field('path', 'ü.txt')}${file('a "b".txt', 'x\r\n--b\r\n-')}${field('empty', '')}--B--\r\n`
  for (let size = 1; size < form.length; size += 1)
    expect(await partsOf(form.replaceAll('"b"', '%22b%22'), { size })).toEqual([
      { name: 'path', fileName: undefined, contentType: undefined, text: 'ü.txt' },
      { name: 'file', fileName: 'a "b".txt', contentType: 'text/plain', text: 'x\r\n--b\r\n-' },
      { name: 'empty', fileName: undefined, contentType: undefined, text: '' },
    ])
})

test('any file comes out as it went in', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 200 }),
      fc.integer({ min: 1, max: 50 }),
      async (bytes, size) => {
        fc.pre(!Buffer.from(bytes).includes('\r\n--B'))
        const form = new FormData()
        form.set('file', new Blob([bytes]), 'a.bin')
        const written = await new Response(form).blob()
        const sent = inPieces(await written.bytes(), size)
        for await (const part of readForm(sent, written.type))
          expect(Buffer.concat(await Array.fromAsync(part.content))).toEqual(Buffer.from(bytes))
      },
    ),
  )
})

test('what is left unread of a part is skipped', async () => {
  const form = `${file('a', 'x'.repeat(1000))}${field('b', 'y')}--B--`
  const names: string[] = []
  for await (const { name } of readForm(inPieces(Buffer.from(form), 10), type)) names.push(name)

  expect(names).toEqual(['file', 'b'])
})

test.each([
  ['nothing', ''],
  ['no end', field('a', 'x')],
  ['an end cut short', `${field('a', 'x')}--B-`],
  ['a part cut short', '--B\r\nContent-Disposition: form-data; name="a"\r\n\r\nx'],
  ['no header', '--B\r\n\r\nx\r\n--B--'],
  ['another disposition', '--B\r\nContent-Disposition: attachment; name="a"\r\n\r\nx\r\n--B--'],
  ['no name', '--B\r\nContent-Disposition: form-data\r\n\r\nx\r\n--B--'],
  ['a long header', `--B\r\nX: ${'x'.repeat(10_000)}\r\n\r\nx\r\n--B--`],
  ['an endless header', `--B\r\nX: ${'x'.repeat(100_000)}`],
  ['a long preamble', `${'x'.repeat(5000)}\r\n${field('a', 'x')}--B--`],
  ['a delimiter with more', `${field('a', 'x')}--BB\r\n\r\n--B--`],
  ['many parts', `${field('a', 'x').repeat(40)}--B--`],
])('a form with %s is refused', async (_what, form) => {
  for (const size of [1, 4096])
    await expect(partsOf(form, { size })).rejects.toMatchObject({ code: 'InvalidParameter' })
})

test.each([
  'application/x-www-form-urlencoded',
  'multipart/form-data',
  'multipart/form-data; boundary=',
  `multipart/form-data; boundary=${'x'.repeat(71)}`,
  'multipart/mixed; boundary=B',
  'text/plain; boundary=B',
])('%s is no form', async (contentType) => {
  await expect(partsOf('--B--', { contentType })).rejects.toMatchObject({
    code: 'UnsupportedMediaType',
  })
})

test('a field is as long as it may be', async () => {
  const read = async (length: number) => {
    const form = Buffer.from(`${field('a', 'x'.repeat(length))}--B--`)
    for await (const part of readForm(inPieces(form, 5), type)) return await readField(part, 10)
    return undefined
  }
  expect(await read(10)).toBe('xxxxxxxxxx')
  await expect(read(11)).rejects.toBeInstanceOf(ServiceError)
})

test('of a form in another encoding the bytes are taken, and no text', async () => {
  const latin = (header: string) =>
    Buffer.from(`--B\r\nContent-Disposition: form-data; ${header}\r\n\r\n\xfc\r\n--B--`, 'latin1')
  const [part] = await partsOf(latin('name="file"; filename="\xfc.txt"'))
  expect(part).toMatchObject({ name: 'file', fileName: '\ufffd.txt' })
  const [first] = await Array.fromAsync(readForm(inPieces(latin('name="a"'), 100), type))
  expect(first?.name).toBe('a')
  for await (const each of readForm(inPieces(latin('name="a"'), 100), type))
    await expect(readField(each, 10)).rejects.toThrow('accept-charset')
})

test('whoever stops reading lets the body go', async () => {
  let isOver = false
  async function* body() {
    try {
      for (;;) yield Buffer.from(file('a', 'x'))
    } finally {
      isOver = true
    }
  }
  for await (const _ of readForm(body(), type)) break

  expect(isOver).toBe(true)
})
