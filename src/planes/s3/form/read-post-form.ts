import { ServiceError } from '../../../domain/errors.ts'
import { type FormPart, readField, readForm } from '../../../http/request/multipart.ts'
import { S3Error } from '../s3-error.ts'

/** A form as it stands before its file, which is the last of it that counts. */
export interface PostForm extends AsyncDisposable {
  /** By lower-case name; what stands for the name of the file is put in. */
  readonly fields: ReadonlyMap<string, string>
  readonly file: AsyncIterable<Uint8Array>
}

/** All fields together; S3 takes 20 KB. */
const maxFieldsBytes = 20_480
const maxParts = 100

/** Reads a form up to its file. */
export async function readPostForm({ headers, body }: Request): Promise<PostForm> {
  const contentType = headers.get('content-type')
  if (body === null || contentType?.startsWith('multipart/form-data') !== true) throw noForm()
  const parts = readForm(body, contentType, maxParts)
  const fields = new Map<string, string>()
  let leftBytes = maxFieldsBytes
  for (;;) {
    const part = await wellFormed(() => nextPart(parts))
    const name = part.name.toLowerCase()
    if (name === 'file' || part.fileName !== undefined)
      return {
        fields: expanded(fields, part.fileName ?? ''),
        file: wellFormedFile(part.content),
        [Symbol.asyncDispose]: async () => void (await parts.return()),
      }
    const value = await wellFormed(() => readField(part, leftBytes))
    leftBytes -= Buffer.byteLength(name) + Buffer.byteLength(value)
    if (leftBytes < 0) throw tooManyFields()
    if (fields.has(name)) throw twice(name)
    fields.set(name, value)
  }
}

async function nextPart(parts: AsyncGenerator<FormPart>): Promise<FormPart> {
  const { done, value } = await parts.next()
  if (done !== true) return value
  throw new S3Error('InvalidArgument', 'POST requires exactly one file upload per request.', {
    elements: { ArgumentName: 'file', ArgumentValue: '0' },
  })
}

async function* wellFormedFile(
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const pieces = content[Symbol.asyncIterator]()
  for (;;) {
    const { done, value } = await wellFormed(() => pieces.next())
    if (done === true) return
    yield value
  }
}

/** What breaks the rules of forms, as S3 says it. */
async function wellFormed<T>(attempt: () => Promise<T>): Promise<T> {
  try {
    return await attempt()
  } catch (thrown) {
    if (!(thrown instanceof ServiceError)) throw thrown
    throw new S3Error(
      'MalformedPOSTRequest',
      `The body of your POST request is not well-formed multipart/form-data: ${thrown.message}.`,
      { cause: thrown },
    )
  }
}

/** Before anything is held against the policy. */
function expanded(
  fields: ReadonlyMap<string, string>,
  fileName: string,
): ReadonlyMap<string, string> {
  const name = baseNameOf(fileName)
  return new Map(
    [...fields].map(([field, value]) => [field, value.replaceAll('${filename}', () => name)]),
  )
}

/** Some send the path on their own machine. */
const baseNameOf = (fileName: string): string =>
  fileName.slice(Math.max(fileName.lastIndexOf('/'), fileName.lastIndexOf('\\')) + 1)

const twice = (name: string): S3Error =>
  new S3Error('InvalidArgument', `The form must have the field "${name.slice(0, 64)}" once.`, {
    elements: { ArgumentName: name.slice(0, 64) },
  })

const noForm = (): S3Error =>
  new S3Error(
    'PreconditionFailed',
    'At least one of the pre-conditions you specified did not hold',
    { elements: { Condition: 'Bucket POST must be of the enclosure-type multipart/form-data' } },
  )

const tooManyFields = (): S3Error =>
  new S3Error(
    'MaxPostPreDataLengthExceededError',
    'Your POST request fields preceding the upload file were too large.',
  )
