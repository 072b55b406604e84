import { createHash } from 'node:crypto'

import { ServiceError } from '../../../src/domain/errors.ts'
import { readField, readForm } from '../../../src/http/request/multipart.ts'
import { type FuzzTarget, type Input, inPieces, outcomeOf, textOf } from '../fuzz-target.ts'

/** The first line is the type of the content. What is read of a form does not depend on how it comes. */
export const multipart: FuzzTarget = {
  name: 'multipart',
  words: [
    'multipart/form-data; boundary=',
    '\r\n--a',
    '--a--',
    '\r\n\r\n',
    'Content-Disposition: form-data; name="',
    '; filename="',
    '"',
    'Content-Type: text/plain\r\n',
    '\r\n',
    '--',
    '%22',
    '%0D%0A',
    '\r',
    '\n',
    '\r\n--',
  ],
  async look(input) {
    const end = input.indexOf(0x0a)
    const type = textOf(input.subarray(0, Math.max(0, end)))
    return await inPieces(input.slice(end + 1), (pieces) => read(pieces, type))
  },
}

const maxFieldBytes = 1000

async function read(pieces: AsyncIterable<Input>, type: string): Promise<string> {
  const parts = createHash('sha256')
  let count = 0
  const outcome = await outcomeOf(async () => {
    for await (const part of readForm(pieces, type)) {
      count += 1
      parts.update(`${part.name}\n${part.fileName}\n${part.contentType}\n`)
      if (part.fileName === undefined) parts.update(await readField(part, maxFieldBytes))
      else for await (const chunk of part.content) parts.update(chunk)
    }
    return 'read'
  }, isRefusal)
  // Of what breaks off, more or less was passed on before.
  return outcome === 'read' ? `${count} parts ${parts.digest('hex')}` : outcome
}

const isRefusal = (thrown: unknown): thrown is Error =>
  thrown instanceof ServiceError &&
  (thrown.code === 'InvalidParameter' || thrown.code === 'UnsupportedMediaType')
