// What the AWS SDK for JavaScript does with a bucket, as it is configured by default but for the style of URLs.
// What it finds wrong ends it.
import assert from 'node:assert/strict'
import { Readable } from 'node:stream'

import {
  CopyObjectCommand,
  DeleteObjectCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  GetObjectTaggingCommand,
  HeadObjectCommand,
  ListObjectVersionsCommand,
  PutObjectCommand,
  PutObjectTaggingCommand,
  S3Client,
  paginateListObjectsV2,
} from '@aws-sdk/client-s3'
import { Upload } from '@aws-sdk/lib-storage'
import { getSignedUrl } from '@aws-sdk/s3-request-presigner'

const [, , bucket, prefix] = process.argv
const s3 = new S3Client({ forcePathStyle: true })
const send = (Command, input) => s3.send(new Command({ Bucket: bucket, ...input }))

async function versions() {
  const Key = `${prefix}/a.txt`
  const first = await send(PutObjectCommand, {
    Key,
    Body: 'first',
    ContentType: 'text/plain',
    Metadata: { author: 'Ines' },
    CacheControl: 'max-age=60',
  })
  const second = await send(PutObjectCommand, { Key, Body: 'second', IfMatch: first.ETag })
  await assert.rejects(send(PutObjectCommand, { Key, Body: 'third', IfNoneMatch: '*' }), {
    name: 'PreconditionFailed',
  })
  const head = await send(HeadObjectCommand, { Key, VersionId: first.VersionId })
  assert.equal(head.Metadata.author, 'Ines')
  assert.equal(head.CacheControl, 'max-age=60')
  const former = await send(GetObjectCommand, { Key, VersionId: first.VersionId })
  assert.equal(await former.Body.transformToString(), 'first')
  const deleted = await send(DeleteObjectCommand, { Key })
  assert.equal(deleted.DeleteMarker, true)
  await assert.rejects(send(GetObjectCommand, { Key }), { name: 'NoSuchKey' })
  const { Versions, DeleteMarkers } = await send(ListObjectVersionsCommand, { Prefix: Key })
  assert.deepEqual(
    Versions.map(({ VersionId }) => VersionId),
    [second.VersionId, first.VersionId],
  )
  await send(DeleteObjectCommand, { Key, VersionId: DeleteMarkers[0].VersionId })
  const back = await send(GetObjectCommand, { Key })
  assert.equal(await back.Body.transformToString(), 'second')
}

async function checksums() {
  for (const ChecksumAlgorithm of ['CRC32', 'CRC32C', 'CRC64NVME', 'SHA1', 'SHA256']) {
    const Key = `${prefix}/checked/${ChecksumAlgorithm}`
    const stored = await send(PutObjectCommand, { Key, Body: 'checked', ChecksumAlgorithm })
    const name = `Checksum${ChecksumAlgorithm}`
    assert.ok(stored[name], name)
    const head = await send(HeadObjectCommand, { Key, ChecksumMode: 'ENABLED' })
    assert.equal(head[name], stored[name])
  }
}

async function parts() {
  const content = Buffer.alloc(11 * 2 ** 20, 'as parts ')
  const Key = `${prefix}/large.bin`
  const params = { Bucket: bucket, Key, Body: Readable.from(slicesOf(content)) }
  const { ETag } = await new Upload({ client: s3, params }).done()
  assert.match(ETag, /^"[0-9a-f]{32}-3"$/u)
  const whole = await send(GetObjectCommand, { Key })
  assert.ok(content.equals(Buffer.from(await whole.Body.transformToByteArray())))
  const range = await send(GetObjectCommand, { Key, Range: 'bytes=3-6' })
  assert.equal(await range.Body.transformToString(), 'part')
  const part = await send(HeadObjectCommand, { Key, PartNumber: 1 })
  assert.deepEqual([part.PartsCount, part.ContentLength], [3, 5 * 2 ** 20])
}

function* slicesOf(content) {
  for (let at = 0; at < content.length; at += 70_000) yield content.subarray(at, at + 70_000)
}

async function many() {
  const keys = ['ä b+c.txt', 'js.txt', "it's (1).txt", 'q?&=#%.txt'].map(
    (name) => `${prefix}/many/${name}`,
  )
  for (const Key of keys) {
    const CopySource = encodeURI(`${bucket}/${prefix}/a.txt`)
    await send(CopyObjectCommand, { Key, CopySource })
    await send(PutObjectTaggingCommand, { Key, Tagging: { TagSet: [{ Key: 'a', Value: 'b c' }] } })
  }
  const { TagSet } = await send(GetObjectTaggingCommand, { Key: keys[0] })
  assert.deepEqual(TagSet, [{ Key: 'a', Value: 'b c' }])
  const listed = []
  const pages = paginateListObjectsV2(
    { client: s3, pageSize: 2 },
    { Bucket: bucket, Prefix: `${prefix}/many/` },
  )
  for await (const page of pages) listed.push(...page.Contents.map(({ Key }) => Key))
  assert.deepEqual(
    listed,
    keys.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
  )
  const Objects = keys.map((Key) => ({ Key }))
  const { Deleted, Errors } = await send(DeleteObjectsCommand, { Delete: { Objects } })
  assert.deepEqual([Deleted.length, Errors], [keys.length, undefined])
}

async function presigned() {
  const place = { Bucket: bucket, Key: `${prefix}/presigned.txt` }
  const put = await getSignedUrl(s3, new PutObjectCommand(place))
  const stored = await fetch(put, { method: 'PUT', body: 'by URL' })
  assert.equal(stored.status, 200, await stored.text())
  const get = await getSignedUrl(s3, new GetObjectCommand(place), { expiresIn: 60 })
  assert.equal(await (await fetch(get)).text(), 'by URL')
  assert.equal((await fetch(get.replace('presigned.txt', 'a.txt'))).status, 403)
}

await versions()
await checksums()
await parts()
await many()
await presigned()
console.log('all is well')
