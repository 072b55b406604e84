import { S3Error } from '../s3-error.ts'

const fieldsAsHeaders: ReadonlySet<string> = new Set([
  'acl',
  'cache-control',
  'content-disposition',
  'content-encoding',
  'content-language',
  'content-md5',
  'content-type',
  'expires',
])

/** What authenticates the form says nothing of the file. */
const notOfFile = /^x-amz-(?:algorithm|credential|date|signature|security-token)$/u

/** What a form says of its file, as a request would that puts it. Text is in UTF-8, as on the wire. */
export function headersOfFields(fields: ReadonlyMap<string, string>): Headers {
  const headers = new Headers()
  for (const [name, value] of fields) {
    const isOfFile = name.startsWith('x-amz-') && !notOfFile.test(name)
    if (!isOfFile && !fieldsAsHeaders.has(name)) continue
    try {
      const text = Buffer.from(value).toString('latin1')
      headers.set(name === 'acl' ? 'x-amz-acl' : name, text)
    } catch (cause) {
      throw new S3Error('InvalidArgument', 'A field of the form cannot be kept with an object.', {
        elements: { ArgumentName: name.slice(0, 64) },
        cause,
      })
    }
  }
  return headers
}
