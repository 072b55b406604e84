import { afterAll, beforeAll, expect, test } from 'bun:test'

import { createRandom, seedOf } from '../support/random.ts'
import type { S3Client } from '../support/s3-client.ts'
import { openS3Tenant, type S3Tenant } from './s3-tenant.ts'

let tenant: S3Tenant
let s3: S3Client

beforeAll(async () => {
  tenant = await openS3Tenant()
  s3 = tenant.s3
  await s3.put('acme/a.txt', 'hello', { 'x-amz-meta-a': '1' })
  await s3.put('acme/dir/', '')
})

afterAll(() => tenant[Symbol.asyncDispose]())

const long = 'x'.repeat(3000)
const keys = [
  'a.txt',
  'dir/',
  'a.txt/',
  'dir',
  'absent',
  'a.txt/b',
  '%00',
  '%ff',
  'a%2f%2fb',
  '%E2%80%AE',
  long,
  '.keep',
  'CON',
  'A.TXT',
  '%F0%9F%8C%BF',
  'a/../..//b',
  '__proto__',
  'private/x',
]
const values = [
  '',
  '*',
  '"',
  '""',
  'W/"a"',
  'a, b',
  '-1',
  '0',
  '99999999999999999999',
  'bytes=',
  'bytes=-0',
  'bytes=9-1',
  'bytes=0-0,1-1',
  'true',
  'COPY',
  'REPLACE',
  'private',
  'acme/a.txt',
  '/acme/a.txt?versionId=x',
  'acme/',
  '%',
  '%zz',
  'a=1&a=2',
  'a=%ff',
  '=',
  long,
  '{}',
  '<a/>',
  'ETag',
  'ETag,,',
  'Mon, 01 Jan 0000 00:00:00 GMT',
  '\u00e9\u00ff',
  '__proto__',
  'constructor',
]
const headers = [
  'range',
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-unmodified-since',
  'if-range',
  'content-type',
  'content-encoding',
  'content-disposition',
  'cache-control',
  'expires',
  'content-language',
  'x-amz-meta-a',
  'x-amz-meta-__proto__',
  'x-amz-meta-',
  'x-amz-tagging',
  'x-amz-acl',
  'x-amz-storage-class',
  'x-amz-copy-source',
  'x-amz-copy-source-if-match',
  'x-amz-copy-source-if-modified-since',
  'x-amz-metadata-directive',
  'x-amz-tagging-directive',
  'x-amz-checksum-mode',
  'x-amz-object-attributes',
  'x-amz-bypass-governance-retention',
  'x-amz-expected-bucket-owner',
  'x-amz-mfa',
]
const queries = [
  'versionId',
  'partNumber',
  'tagging',
  'acl',
  'attributes',
  'delete',
  'response-content-type',
  'response-expires',
  'response-content-disposition',
  'x-id',
  'uploadId',
  'max-parts',
  'retention',
  '',
]
const bodies = [
  '',
  'x',
  '<Delete>',
  '<Delete><Object><Key></Key></Object></Delete>',
  '<Delete><Object><Key>a.txt\u0001</Key></Object></Delete>',
  '<Delete><Object><Key>absent</Key><VersionId></VersionId></Object></Delete>',
  '<Tagging><TagSet><Tag><Key>__proto__</Key><Value>x</Value></Tag></TagSet></Tagging>',
  '<Tagging/>',
  '<!DOCTYPE a [<!ENTITY b "c">]><Tagging>&b;</Tagging>',
  '<AccessControlPolicy/>',
  '\u0000',
]
const methods = ['GET', 'HEAD', 'PUT', 'DELETE', 'POST']

const requests = 800

test(`${requests} requests that make no sense are refused, and none is a fault of the service`, async () => {
  const random = createRandom(seedOf('hostile objects'))
  const one = <T>(list: readonly T[]): T => list[random.integer(0, list.length - 1)] as T
  const some = (names: readonly string[], most: number) =>
    Object.fromEntries(
      Array.from({ length: random.integer(0, most) }, () => [one(names), one(values)]),
    )
  for (let count = 0; count < requests; count += 1) {
    const method = one(methods)
    const path = random.integer(0, 9) === 0 ? '/acme' : `/acme/${one(keys)}`
    const hasBody = method === 'PUT' || method === 'POST'
    const asked = {
      query: some(queries, 2),
      headers: some(headers, 3),
      ...(hasBody && { body: one(bodies) }),
    }
    const response = await s3.send(method, path, asked).catch((error: unknown) => error)
    // What no client can send is no request.
    if (!(response instanceof Response)) continue
    const text = await response.text()
    const isFine = response.status < 500 || response.status === 501
    if (!isFine)
      throw new Error(JSON.stringify({ method, path, asked, status: response.status, text }))
    if (response.status === 403) expect(text).not.toContain('InternalError')
  }
  expect(tenant.service.lines.filter((line) => line.includes('"level":"error"'))).toEqual([])
  const { status, headers: after } = await s3.head('acme/dir/')
  expect([200, 404]).toContain(status)
  expect(after.get('x-amz-request-id')).not.toBeNull()
}, 120_000)
