import { expect, test } from 'bun:test'

import { readTar } from './read-tar.ts'
import { TarFault } from './tar-blocks.ts'

const encoder = new TextEncoder()

interface Header {
  readonly name?: string
  readonly type?: string
  readonly size?: string
  readonly magic?: string
  readonly prefix?: string
}

/** A header block whose checksum is right, whatever else is in it. */
function header({
  name = 'a',
  type = '0',
  size = '0',
  magic = 'ustar\u000000',
  prefix = '',
}: Header) {
  const block = new Uint8Array(512)
  const put = (text: string, at: number) => void encoder.encodeInto(text, block.subarray(at))
  put(name, 0)
  put(size, 124)
  put('        ', 148)
  put(type, 156)
  put(magic, 257)
  put(prefix, 345)
  const sum = block.reduce((all, byte) => all + byte, 0)
  put(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}

function padded(text: string): Uint8Array {
  const bytes = encoder.encode(text)
  const whole = new Uint8Array(Math.ceil(bytes.length / 512) * 512)
  whole.set(bytes)
  return whole
}

const entry = (head: Header, text: string) => [
  header({ ...head, size: encoder.encode(text).length.toString(8) }),
  padded(text),
]
const pax = (...records: readonly string[]) => entry({ type: 'x', name: 'pax' }, records.join(''))
const end = new Uint8Array(1024)

/** In chunks of so many bytes, so that whatever is read is cut somewhere. */
function streamOf(parts: readonly Uint8Array[], chunkBytes = 700): ReadableStream<Uint8Array> {
  const bytes = new Uint8Array(Buffer.concat(parts))
  return new ReadableStream({
    start(controller) {
      for (let at = 0; at < bytes.length; at += chunkBytes)
        controller.enqueue(bytes.slice(at, at + chunkBytes))
      controller.close()
    },
  })
}

async function read(parts: readonly Uint8Array[], maxWholeBytes = 1000) {
  const found: (readonly [string, string])[] = []
  for await (const each of readTar(streamOf(parts), { maxWholeBytes })) {
    const text = each.kind === 'file' ? await new Response(await each.open()).text() : each.kind
    found.push([each.name, text])
  }
  return found
}

const faultOf = async (parts: readonly Uint8Array[]): Promise<string> => {
  try {
    await read(parts)
  } catch (error) {
    if (error instanceof TarFault) return error.message
    throw error
  }
  return 'none'
}

test('files are read in their order, whole or as a stream, wherever the chunks are cut', async () => {
  const long = 'x'.repeat(1234)
  const parts = [
    ...entry({ name: 'a' }, 'hello'),
    ...entry({ name: 'b' }, long),
    ...entry({}, ''),
    end,
  ]
  for (const maxWholeBytes of [0, 10, 10_000])
    expect(await read(parts, maxWholeBytes)).toEqual([
      ['a', 'hello'],
      ['b', long],
      ['a', ''],
    ])
})

test('an entry that nobody opens is passed over, and so is the rest of one that is left', async () => {
  const parts = [...entry({ name: 'a' }, 'x'.repeat(3000)), ...entry({ name: 'b' }, 'b'), end]
  const names: string[] = []
  for await (const each of readTar(streamOf(parts), { maxWholeBytes: 10 })) {
    names.push(each.name)
    if (each.name !== 'a') continue
    const opened = await each.open()
    if (opened instanceof ReadableStream) await opened.getReader().read()
  }
  expect(names).toEqual(['a', 'b'])
})

test('long names are those of the prefix, of pax and of GNU, and of pax only for the next entry', async () => {
  const path = `${'é'.repeat(80)}/x`
  const length = encoder.encode(` path=${path}\n`).length + 3
  const parts = [
    ...entry({ name: 'name', prefix: 'deep/down' }, '1'),
    ...pax(`${length} path=${path}\n`),
    ...entry({ name: 'cut' }, '2'),
    ...entry({ type: 'L', name: '././@LongLink', magic: 'ustar  ' }, 'gnu/long\0'),
    ...entry({ name: 'gnu/l', magic: 'ustar  ' }, '3'),
    ...entry({ name: 'last', magic: '', prefix: 'not ustar' }, '4'),
    end,
  ]
  expect((await read(parts)).map(([name]) => name)).toEqual([
    'deep/down/name',
    path,
    'gnu/long',
    'last',
  ])
})

test('directories are passed over; links, devices and files with holes are none', async () => {
  const kinds = ['1', '2', '3', '4', '6', 'S'].map((type) => header({ type, name: `of ${type}` }))
  const parts = [
    header({ type: '5', name: 'directory' }),
    header({ type: '0', name: 'directory/' }),
    ...kinds,
    ...pax('22 GNU.sparse.major=1\n'),
    ...entry({ name: 'sparse' }, 'x'),
    end,
  ]
  const found = await read(parts)
  expect(found).toHaveLength(7)
  expect(new Set(found.map(([, kind]) => kind))).toEqual(new Set(['other']))
})

test('a size is octal, binary, or what pax says, and never absurd', async () => {
  const binary = header({ name: 'a' })
  binary.set([0x80, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3], 124)
  expect(await read([resummed(binary), padded('abc'), end])).toEqual([['a', 'abc']])
  expect(await read([...pax('9 size=3\n'), header({}), padded('abc'), end])).toEqual([['a', 'abc']])

  const absurd = header({ name: 'a' })
  absurd.set(new Uint8Array(12).fill(0xff), 124)
  expect(await faultOf([resummed(absurd)])).toContain('size is malformed')
  expect(await faultOf([header({ size: '77777777777' })])).toContain('before its end')
  expect(await faultOf([header({ size: '-1' })])).toContain('size is malformed')
  expect(await faultOf([...pax('10 size=x\n'), header({})])).toContain('malformed')
})

test('what is damaged, compressed or cut is refused as a whole', async () => {
  const good = [...entry({ name: 'a' }, 'hello'), end]
  const whole = new Uint8Array(Buffer.concat(good))
  for (const cut of [0, 100, 512, 515, 1000, 1024])
    expect(await faultOf([whole.slice(0, cut)])).toBe('ends before its end')
  expect(await faultOf([Bun.gzipSync(whole), end])).toContain('checksum')
  expect(await faultOf([whole.with(3, 1)])).toContain('checksum')
  for (const record of ['', '0 a=b\n', '99 a=b\n', '6 a=b', 'x a=b\n', '5 ab\n', '6 ab \n'])
    expect(await faultOf([...pax(`${record} `), header({}), end])).toContain('malformed')
})

test('extended headers are bounded, in one piece and in a row', async () => {
  const large = header({ type: 'x', size: (70_000).toString(8) })
  expect(await faultOf([large, new Uint8Array(70_144), end])).toContain('more than 65536 bytes')
  const row = Array.from({ length: 200 }, () => pax('6 a=b\n')).flat()
  expect(await faultOf([...row, end])).toContain('in a row')
})

function resummed(block: Uint8Array): Uint8Array {
  block.fill(0x20, 148, 156)
  const sum = block.reduce((all, byte) => all + byte, 0)
  encoder.encodeInto(`${sum.toString(8).padStart(6, '0')}\0 `, block.subarray(148))
  return block
}
