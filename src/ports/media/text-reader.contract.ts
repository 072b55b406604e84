import { expect, test } from 'bun:test'

import { type TextReader, TextReaderUnavailableError, UnreadableImageError } from './text-reader.ts'

export interface ReaderHouse {
  readonly reader: TextReader
  /** An image of the words `Summer Sale`. */
  readonly written: Uint8Array
  readonly blank: Uint8Array
  readonly damaged: Uint8Array
}

/** What every TextReader must do. The test of each adapter calls this once. */
export function textReaderContract(name: string, open: () => Promise<ReaderHouse>): void {
  test(`${name}: what is written is read, and where nothing is, nothing`, async () => {
    const { reader, written, blank } = await open()
    await using _closing = reader

    expect(await reader.read(written)).toBe('Summer Sale')
    expect(await reader.read(blank)).toBe('')
  })

  test(`${name}: a damaged image is refused, and those beside it are read`, async () => {
    const { reader, written, damaged } = await open()
    await using _closing = reader
    const answers = await Promise.allSettled(
      [written, damaged, written, new Uint8Array(0), written].map((png) => reader.read(png)),
    )

    expect(answers.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'rejected',
      'fulfilled',
    ])
    expect(await failureOf(reader.read(damaged))).toBeInstanceOf(UnreadableImageError)
  })

  test(`${name}: closed, it is not available, and whoever waits is told`, async () => {
    const { reader, written } = await open()
    const waiting = [written, written].map((png) => failureOf(reader.read(png)))
    await reader[Symbol.asyncDispose]()

    for (const failure of await Promise.all(waiting))
      if (failure !== undefined) expect(failure).toBeInstanceOf(TextReaderUnavailableError)
    expect(await failureOf(reader.read(written))).toBeInstanceOf(TextReaderUnavailableError)
  })
}

const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => undefined,
    (error: unknown) => error,
  )
