import { expect, test } from 'bun:test'

import type { BlobBytes } from '../../ports/content/blob-store.ts'
import { beginReading } from './begun-bytes.ts'

/** Bytes from elsewhere that come in pieces of three, and what was done to them. */
function elsewhere(text: string) {
  const done: string[] = []
  const part = (start: number, end: number): BlobBytes => {
    const all = new Blob([text.slice(start, end)])
    return {
      size: end - start,
      slice: (from = 0, to = end - start) => part(start + from, start + to),
      bytes: () => all.bytes(),
      text: () => all.text(),
      stream() {
        let at = start
        return new ReadableStream<Uint8Array<ArrayBuffer>>(
          {
            pull(controller) {
              if (at >= end) return controller.close()
              done.push(`read ${at}`)
              controller.enqueue(Buffer.from(text.slice(at, Math.min(at + 3, end))))
              at += 3
            },
            cancel: (reason) => void done.push(`left: ${reason}`),
          },
          { highWaterMark: 0 },
        )
      },
    }
  }
  return { body: part(0, text.length), done }
}

const textOf = async (bytes: BlobBytes) => await new Response(bytes.stream()).text()

test('what is there at once is a Blob, read once and to its end', async () => {
  const { body, done } = elsewhere('abcdefghi')
  const part = (await beginReading(body, { start: 2, end: 5 })).slice(2, 5)

  expect(part).toBeInstanceOf(Blob)
  expect(await part.text()).toBe('cde')
  expect(done).toEqual(['read 2'])
})

test('what is more goes on behind the bytes that were read', async () => {
  const { body, done } = elsewhere('abcdefghi')
  const begun = await beginReading(body, { start: 1, end: 9 })
  expect(done).toEqual(['read 1'])

  const part = begun.slice(1, 9)
  expect(part.size).toBe(8)
  expect(await textOf(part)).toBe('bcdefghi')
  expect(done).toEqual(['read 1', 'read 4', 'read 7'])
})

test('the whole goes on likewise, and any other part is one of its own', async () => {
  const { body, done } = elsewhere('abcdefghi')
  const begun = await beginReading(body, { start: 0, end: 9 })

  expect(await begun.slice(3, 4).text()).toBe('d')
  expect(begun.size).toBe(9)
  expect(await textOf(begun)).toBe('abcdefghi')
  expect(done).toEqual(['read 0', 'read 3', 'read 6'])
})

test('who leaves ends the reading, and what cannot be had is refused at once', async () => {
  const { body, done } = elsewhere('abcdefghi')
  const begun = await beginReading(body, { start: 0, end: 9 })
  await begun.stream().cancel('enough')
  expect(done).toEqual(['read 0', 'left: enough'])

  const stream = () =>
    new ReadableStream<Uint8Array<ArrayBuffer>>({
      pull: () => Promise.reject(new Error('not here')),
    })
  const lost: BlobBytes = { ...body, stream, slice: () => lost }
  expect(beginReading(lost, { start: 0, end: 9 })).rejects.toThrow('not here')
})
