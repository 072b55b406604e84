// Does with a bucket what S3-Uploads does for WordPress, with the settings of the PHP that is named first: it
// writes, asks, lists, copies and removes objects by the AWS SDK. Prints the key of what it leaves.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'

import {
  CopyObjectCommand,
  DeleteObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3'

const [, , settings, file] = process.argv
const php = readFileSync(settings, 'utf8')
const defined = (name) => new RegExp(`'${name}', '([^']*)'`, 'u').exec(php)?.[1]
const [Bucket, prefix] = defined('S3_UPLOADS_BUCKET').split('/')
const s3 = new S3Client({
  region: defined('S3_UPLOADS_REGION'),
  endpoint: /\['endpoint'\] = '([^']*)'/u.exec(php)?.[1],
  forcePathStyle: /\['use_path_style_endpoint'\] = true/u.test(php),
})
const send = (Command, input) => s3.send(new Command({ Bucket, ...input }))

const directory = `${prefix}/uploads/2026/11`
const first = `${directory}/photo-edited.png`
const Key = `${directory}/photo.png`
const Body = readFileSync(file)
await send(PutObjectCommand, { Key: first, Body, ACL: 'public-read', ContentType: 'image/png' })
assert.equal((await send(HeadObjectCommand, { Key: first })).ContentLength, Body.length)
const CopySource = `${Bucket}/${first}`
await send(CopyObjectCommand, { Key, CopySource, ACL: 'public-read' })
await send(DeleteObjectCommand, { Key: first })
const listed = await send(ListObjectsV2Command, { Prefix: `${directory}/`, Delimiter: '/' })
assert.deepEqual(
  listed.Contents.map((object) => object.Key),
  [Key],
)
console.log(`${defined('S3_UPLOADS_BUCKET_URL')}${Key.slice(prefix.length)}`)
