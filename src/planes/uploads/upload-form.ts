import { invalid } from '../../domain/errors.ts'
import { readableStreamOf } from '../../lib/bytes/byte-streams.ts'
import { type FormPart, readField, readForm } from '../../http/request/multipart.ts'

/** A form that brings one file. */
export interface UploadForm extends AsyncDisposable {
  /** Fields come before the file; those after it are there once `file` has ended. */
  readonly fields: ReadonlyMap<string, string>
  readonly fileName: string
  readonly contentType: string | undefined
  /** Ends only once the whole form is there, so that one that breaks off never looks whole. */
  readonly file: ReadableStream<Uint8Array>
}

const maxFieldBytes = 4096

/** Reads a form up to its file. `accept` is told of each field, and throws to refuse it. */
export async function readUploadForm(
  body: ReadableStream<Uint8Array>,
  contentType: string | null,
  accept: (name: string, value: string) => void,
): Promise<UploadForm> {
  const parts = readForm(body, contentType)
  const fields = new Map<string, string>()
  async function takeField(part: FormPart): Promise<void> {
    const value = await readField(part, maxFieldBytes)
    accept(part.name, value)
    fields.set(part.name, value)
  }
  async function* fileAndRest(file: FormPart): AsyncGenerator<Uint8Array, void, undefined> {
    yield* file.content
    for await (const part of parts) {
      if (part.fileName !== undefined) throw invalid('file', 'must be one: each form brings one')
      await takeField(part)
    }
  }
  for (;;) {
    const { done, value: part } = await parts.next()
    if (done === true) throw invalid('file', 'must be in the form, and after all other fields')
    if (part.fileName === undefined) await takeField(part)
    else {
      const fileName = baseNameOf(part.fileName)
      if (fileName === '') throw invalid('file', 'must be chosen')
      const file = readableStreamOf(fileAndRest(part))
      const letGo = async () => void (await parts.return())
      const { contentType: type } = part
      return { fields, fileName, contentType: type, file, [Symbol.asyncDispose]: letGo }
    }
  }
}

/** Some send the path on their own machine. */
const baseNameOf = (fileName: string): string =>
  fileName.slice(Math.max(fileName.lastIndexOf('/'), fileName.lastIndexOf('\\')) + 1)
