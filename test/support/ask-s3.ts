import type { S3Client } from './s3-client.ts'
import { textsIn } from './xml-texts.ts'

export type S3Query = Readonly<Record<string, string>>

/** One signed request, read to its end. Of `query`, `body` is what is sent and no part of the URL. */
export async function askS3(
  client: S3Client,
  ...[method, path, { body, ...query } = {}]: readonly [
    method: string,
    path: string,
    query?: S3Query,
  ]
) {
  const response = await client.send(method, path, { query, ...(body !== undefined && { body }) })
  const text = await response.text()
  const [code] = textsIn(text, 'Code')
  return { status: response.status, headers: response.headers, text, code }
}
