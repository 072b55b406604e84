import { expect, test } from 'bun:test'
import fc from 'fast-check'

import { parseCommitMessage } from './commit-text.ts'
import { LogParser } from './log-parser.ts'

const [a, b] = ['a'.repeat(40), 'b'.repeat(40)]
const none = '0'.repeat(40)
/** As git 2.39 prints it: two commits with changes, one without, names and messages that look like format. */
const output = Buffer.concat([
  Buffer.from(`\x02${a}\0${b}\0\0Ann\x001700000000\0subject\n\nbody \x02\n\0\0\n`),
  Buffer.from(`:000000 100644 ${none} ${a} A\0:100644 name\nwith line\0`),
  Buffer.from(`:100644 000000 ${a} ${none} D\0\x02gone\0`),
  Buffer.from(`\x02${b}\0${b}\0${a}\0Bob\x001700000001\0empty\n\0\0`),
  Buffer.from(`\x02${'c'.repeat(40)}\0${b}\0${b} ${a}\0\x001700000002\0\0\0\n`),
  Buffer.from(`:100644 100755 ${a} ${b} M\0`),
  Buffer.of(0xff, 0xfe, 0),
])

test('a log is read alike however it is cut into chunks', () => {
  const whole = parse([output])
  expect(whole).toHaveLength(3)
  expect(whole[0]?.differences.map(({ path }) => path.toString())).toEqual([
    ':100644 name\nwith line',
    '\x02gone',
  ])
  expect(whole[0]?.differences[1]).toMatchObject({ oldId: a, newId: undefined })
  expect(whole[1]).toMatchObject({ id: b, parentIds: [a], author: 'Bob', differences: [] })
  expect(whole[2]?.parentIds).toEqual([b, a])
  expect(whole[2]?.differences[0]?.path).toEqual(Buffer.of(0xff, 0xfe))

  fc.assert(
    fc.property(fc.array(fc.nat(output.length), { maxLength: 20 }), (places) => {
      const cuts = [0, ...places.toSorted((one, other) => one - other), output.length]
      const chunks = cuts.slice(1).map((end, index) => output.subarray(cuts[index], end))
      expect(parse(chunks)).toEqual(whole)
    }),
  )
})

function parse(chunks: readonly Uint8Array[]) {
  const parser = new LogParser()
  return [...chunks.flatMap((chunk) => parser.push(Uint8Array.from(chunk))), ...parser.end()]
}

test('a message of somebody else’s making is read as far as it can be', () => {
  expect(parseCommitMessage('')).toEqual({
    subject: '',
    requestId: undefined,
    contentTypeByPath: new Map(),
    moves: [],
  })
  expect(parseCommitMessage('Content-Type: a b').contentTypeByPath.size).toBe(0)
  expect(
    parseCommitMessage('s\n\nContent-Type: text/plain %zz\nContent-Type: text/css a%20b'),
  ).toMatchObject({ subject: 's', contentTypeByPath: new Map([['a b', 'text/css']]) })
})
