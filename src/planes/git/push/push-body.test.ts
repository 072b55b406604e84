import { expect, test } from 'bun:test'

import { PacketReader } from './packet-reader.ts'
import { readPushBody } from './push-body.ts'

const pushType = 'application/x-git-receive-pack-request'

/** A body whose pieces come so many milliseconds apart. */
function bodyOf(pieces: readonly Uint8Array[], everyMs: number) {
  let nowMs = 0
  const stream = new ReadableStream<Uint8Array>({
    pull(controller) {
      const [piece] = remaining.splice(0, 1)
      nowMs += everyMs
      if (piece === undefined) controller.close()
      else controller.enqueue(piece)
    },
  })
  const remaining = [...pieces]
  const request = new Request('http://localhost/git/git-receive-pack', {
    method: 'POST',
    headers: { 'Content-Type': pushType },
    body: stream,
  })
  return readPushBody(request, () => nowMs)
}

test('who sends for a minute hardly anything is cut off, and who sends slowly but steadily is not', async () => {
  const drops = Array.from({ length: 100 }, () => new Uint8Array(10))
  expect(Array.fromAsync(bodyOf(drops, 1_000))).rejects.toMatchObject({ code: 'InvalidParameter' })
  const steady = Array.from({ length: 100 }, () => new Uint8Array(20_000))
  expect(await Array.fromAsync(bodyOf(steady, 1_000))).toHaveLength(100)
})

test('packets are read wherever the pieces of a body end, and what follows them as it comes', async () => {
  const text = '0008abcd0000PACK'
  for (let cut = 1; cut < text.length; cut += 1) {
    const pieces = [text.slice(0, cut), text.slice(cut)].map((each) => Buffer.from(each))
    const packets = new PacketReader(bodyOf(pieces, 0))
    expect((await packets.next())?.toString()).toBe('abcd')
    expect(await packets.next()).toBeUndefined()
    expect(Buffer.concat(await Array.fromAsync(packets.rest())).toString()).toBe('PACK')
  }
})
