import { expect, test } from 'bun:test'

import { openS3Tenant, refusal } from './s3-tenant.ts'

const completion = (etag: string) =>
  `<CompleteMultipartUpload><Part><PartNumber>1</PartNumber><ETag>${etag}</ETag></Part></CompleteMultipartUpload>`

test('an upload is not completed with what no part has as its ETag', async () => {
  await using tenant = await openS3Tenant()
  const { s3 } = tenant
  const begun = await s3.send('POST', '/acme/docs/parts.bin', { query: { uploads: '' } })
  const [, uploadId = ''] = /<UploadId>([^<]+)</u.exec(await begun.text()) ?? []
  const part = { query: { partNumber: '1', uploadId }, body: 'of one part' }
  expect((await s3.send('PUT', '/acme/docs/parts.bin', part)).status).toBe(200)
  for (const etag of ['invalidETag', 'odd', '"0123"', 'f'.repeat(32), 'f'.repeat(33)]) {
    const complete = { query: { uploadId }, body: completion(etag) }
    const response = s3.send('POST', '/acme/docs/parts.bin', complete)
    expect(await refusal(response)).toBe('400 InvalidPart')
  }
})
