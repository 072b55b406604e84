import { readXml } from '../../src/planes/s3/xml/read-xml.ts'
import type { GotResponse } from './generated-requests.ts'

/** What is wrong with any answer of the S3 plane: no document, or a fault of the service in one. */
export async function faultsOfS3({
  headers,
  text,
  bytes,
}: GotResponse): Promise<readonly string[]> {
  if (text.includes('<Code>InternalError<')) return [`told of a fault: ${text.slice(0, 300)}`]
  if (headers.get('content-type') !== 'application/xml' || bytes.length === 0) return []
  const root = /<(?<name>[A-Za-z]+)/u.exec(text.replace(/<\?[^>]*\?>/u, ''))?.groups?.['name'] ?? ''
  const content = { sizeBytes: bytes.length, stream: () => new Blob([text]).stream() }
  try {
    await readXml(content, root, { maxItems: 10_000 })
    return []
  } catch (error) {
    return [`was answered with no document (${String(error)}): ${text.slice(0, 300)}`]
  }
}
