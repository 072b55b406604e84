import { tagsOfDocument } from '../objects/object-tags.ts'
import { S3Error } from '../s3-error.ts'
import { readXml } from '../xml/read-xml.ts'

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
const notOfFile = /^x-amz-(?:algorithm|credential|date|signature|security-token|tagging)$/u

/** What a form says of its file, as a request would that puts it. Text is in UTF-8, as on the wire. */
export async function headersOfFields(fields: ReadonlyMap<string, string>): Promise<Headers> {
  const headers = new Headers()
  const tagging = fields.get('tagging')
  if (tagging !== undefined) headers.set('x-amz-tagging', await tagsIn(tagging))
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

/** A form has a document where a request has a query. */
async function tagsIn(tagging: string): Promise<string> {
  const bytes = new Blob([tagging])
  const content = { sizeBytes: bytes.size, stream: () => bytes.stream() }
  const tags = tagsOfDocument(await readXml(content, 'Tagging'))
  return new URLSearchParams(tags).toString()
}
