import { expect, test } from 'bun:test'

import { packetLine } from '../../../../test/support/git-client.ts'
import { readZoneRequest } from './zone-requests.ts'

const id = (digit: string): string => digit.repeat(40)
const read = (...parts: readonly string[]) => readZoneRequest(Buffer.from(parts.join('')))
const text = (bytes: Uint8Array): string => Buffer.from(bytes).toString()

test('what is wanted and what the client has is found, in every version of the protocol', () => {
  const second = read(
    packetLine('command=fetch\n'),
    packetLine('object-format=sha1'),
    '0001',
    packetLine('thin-pack'),
    packetLine(`want ${id('a')}\n`),
    packetLine(`want ${id('B')}`),
    packetLine(`have ${id('c')}\n`),
    packetLine(`shallow ${id('d')}`),
    packetLine('filter blob:none\n'),
    packetLine('done\n'),
    '0000',
  )
  expect([...second.wanted]).toEqual([id('a'), id('b')])
  expect([...second.held]).toEqual([id('c'), id('d')])

  const first = read(
    packetLine(`want ${id('a')} multi_ack ofs-delta\n`),
    '0000',
    packetLine('done'),
  )
  expect([...first.wanted]).toEqual([id('a')])
})

test('what is not known is of no object in what the client has, and all else stays', () => {
  const request = [
    packetLine(`want ${id('a')}\n`),
    packetLine(`have ${id('c')}\n`),
    packetLine(`have ${id('d')}\n`),
    packetLine('done\n'),
    '0000',
  ]
  const parsed = read(...request)
  expect(text(parsed.knowing(() => true))).toBe(request.join(''))
  expect(text(parsed.knowing((known) => known === id('d')))).toBe(
    request.join('').replace(id('c'), id('f')),
  )
})

test('what names objects in another way, or is cut off, is refused', () => {
  const wrong = [
    packetLine(`want ${id('a').slice(1)}\n`),
    packetLine(`want ${id('a')}b\n`),
    packetLine(`want-ref refs/heads/main\n`),
    packetLine(`have  ${id('a')}\n`),
    packetLine(`have ${id('a')} more\n`),
    packetLine(`filter sparse:oid=${id('a')}\n`),
    packetLine(`filter combine:blob:none+sparse:oid=${id('a')}\n`),
    packetLine(`filter object:type=blob\n`),
    packetLine('command=object-info\n'),
    packetLine('command=fetch2'),
    packetLine(`oid ${id('a')}\n`),
    `${packetLine(`want ${id('a')}\n`)}00`,
    packetLine(`want ${id('a')}\n`).slice(0, -1),
    '0003',
    'zzzz',
    '0x10',
  ]
  for (const request of wrong) expect(() => read(request)).toThrow()
})
