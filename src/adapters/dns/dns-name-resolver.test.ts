import { expect, test } from 'bun:test'

import { DnsNameResolver } from './dns-name-resolver.ts'

const [typeA, typeCname, typeTxt] = [1, 5, 16]
const headerBytes = 12

interface Zone {
  /** Answers with this code (RFC 1035 §4.1.1) to everything. */
  code?: number
  alias?: string
  /** The parts of its one TXT record. */
  text?: readonly string[]
  addresses?: readonly string[]
}

/** A name server that knows one name. */
async function openNameServer(zone: Zone) {
  let questions = 0
  const socket = await Bun.udpSocket({
    hostname: '127.0.0.1',
    port: 0,
    socket: {
      data(from, query, ...[port, address]) {
        questions += 1
        from.send(answerTo(Buffer.from(query), zone), port, address)
      },
    },
  })
  return {
    resolver: new DnsNameResolver({ servers: [`127.0.0.1:${socket.port}`] }),
    get questions() {
      return questions
    },
    [Symbol.dispose]: () => socket.close(),
  }
}

/** The question comes first, its name ended by an empty label, then type and class. */
function answerTo(query: Buffer, { code = 0, alias, text, addresses = [] }: Zone): Buffer {
  const end = query.indexOf(0, headerBytes) + 5
  const type = query.readUInt16BE(end - 4)
  const records =
    type === typeCname && alias !== undefined
      ? [record(typeCname, encodeName(alias))]
      : type === typeTxt && text !== undefined
        ? [record(typeTxt, Buffer.concat(text.map(characterString)))]
        : type === typeA
          ? addresses.map((address) => record(typeA, Buffer.from(address.split('.').map(Number))))
          : []
  const header = Buffer.alloc(headerBytes)
  query.copy(header, 0, 0, 2)
  header.writeUInt16BE(0x81_80 | code, 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(records.length, 6)
  return Buffer.concat([header, query.subarray(headerBytes, end), ...records])
}

/** About the name in the question, good for an hour. */
function record(type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(12)
  head.writeUInt16BE(0xc0_0c, 0)
  head.writeUInt16BE(type, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt32BE(3600, 6)
  head.writeUInt16BE(data.length, 10)
  return Buffer.concat([head, data])
}

/** RFC 1035 §3.3. */
const characterString = (text: string): Buffer =>
  Buffer.concat([Buffer.of(text.length), Buffer.from(text)])

const encodeName = (name: string): Buffer =>
  Buffer.concat([
    ...name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)])),
    Buffer.of(0),
  ])

test('aliases and addresses are found, aliases in their one spelling', async () => {
  using server = await openNameServer({ alias: 'Edge.CDN.example', addresses: ['192.0.2.1'] })
  const { resolver } = server

  expect(await resolver.alias('a.example')).toEqual({ kind: 'found', values: ['edge.cdn.example'] })
  expect(await resolver.addresses('a.example')).toEqual({ kind: 'found', values: ['192.0.2.1'] })
})

test('texts are found, each string for itself', async () => {
  using server = await openNameServer({ text: ['v=spf1', 'sedge-zone=acme'] })

  expect(await server.resolver.texts('_sedge.a.example')).toEqual({
    kind: 'found',
    values: ['v=spf1', 'sedge-zone=acme'],
  })
  using absent = await openNameServer({ code: 3 })
  expect(await absent.resolver.texts('_sedge.a.example')).toEqual({ kind: 'none' })
})

test('a name that is not there is told from one that nobody can tell of', async () => {
  using absent = await openNameServer({ code: 3 })
  expect(await absent.resolver.alias('a.example')).toEqual({ kind: 'none' })
  expect(await absent.resolver.addresses('a.example')).toEqual({ kind: 'none' })
  using faulty = await openNameServer({ code: 2 })
  const found = await faulty.resolver.alias('a.example')
  expect(found).toEqual({ kind: 'unknown', reason: expect.stringContaining('SERVFAIL') })
  // Nobody sits behind that port.
  const deaf = new DnsNameResolver({ servers: ['127.0.0.1:9'] })
  expect((await deaf.addresses('a.example')).kind).toBe('unknown')
}, 30_000)

test('a name that is set is seen at the next look', async () => {
  const zone: Zone = { code: 3 }
  using server = await openNameServer(zone)
  expect(await server.resolver.alias('a.example')).toEqual({ kind: 'none' })
  Object.assign(zone, { code: 0, alias: 'edge.cdn.example' })

  expect((await server.resolver.alias('a.example')).kind).toBe('found')
})
