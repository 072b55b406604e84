import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { openS3Client, type S3Client } from '../support/s3-client.ts'
import { md5, openS3Tenant, refusal, type S3Tenant } from './s3-tenant.ts'

let tenant: S3Tenant
let s3: S3Client

beforeAll(async () => {
  tenant = await openS3Tenant()
  s3 = tenant.s3
})

afterAll(() => tenant[Symbol.asyncDispose]())

const version = (response: Response) => response.headers.get('x-amz-version-id') ?? ''
const at = (object: string, versionId: string, { method = 'GET', query = {} } = {}) =>
  s3.send(method, `/acme/${object}`, { query: { versionId, ...query } })

/** Two versions and a deletion. */
async function history(object: string) {
  const first = version(
    await s3.put(`acme/${object}`, 'first', { 'x-amz-meta-a': '1', 'x-amz-tagging': 'a=1' }),
  )
  const second = version(
    await s3.put(`acme/${object}`, 'second!', { 'content-type': 'text/x-odd' }),
  )
  const deletion = version(await s3.delete(`acme/${object}`))
  return { first, second, deletion }
}

describe('a version', () => {
  test('is read with what was said of it then', async () => {
    const { first, second } = await history('v/read.txt')
    const one = await at('v/read.txt', first)
    expect(await one.text()).toBe('first')
    expect(Object.fromEntries(one.headers)).toMatchObject({
      etag: `"${md5('first')}"`,
      'x-amz-meta-a': '1',
      'x-amz-tagging-count': '1',
      'x-amz-version-id': first,
    })
    const two = await at('v/read.txt', second, { method: 'HEAD' })
    expect([two.headers.get('content-length'), two.headers.get('content-type')]).toEqual([
      '7',
      'text/x-odd',
    ])
    expect(two.headers.get('x-amz-meta-a')).toBeNull()
    const tags = await at('v/read.txt', first, { query: { tagging: '' } })
    expect(await tags.text()).toContain('<Key>a</Key>')
    const part = await s3.send('GET', '/acme/v/read.txt', {
      query: { versionId: first },
      headers: { range: 'bytes=1-2' },
    })
    expect([part.status, await part.text()]).toEqual([206, 'ir'])
  })

  test('that is a deletion has nothing to read, and what it took away says so', async () => {
    const { deletion } = await history('v/gone.txt')
    const absent = await s3.get('acme/v/gone.txt')
    expect(absent.headers.get('x-amz-delete-marker')).toBe('true')
    expect(version(absent)).toBe(deletion)
    expect(await refusal(absent)).toBe('404 NoSuchKey')
    const marker = await at('v/gone.txt', deletion)
    expect(marker.headers.get('x-amz-delete-marker')).toBe('true')
    expect(marker.headers.get('allow')).toBe('DELETE')
    expect(await refusal(marker)).toBe('405 MethodNotAllowed')
    expect((await at('v/gone.txt', deletion, { method: 'HEAD' })).status).toBe(405)
  })

  test('that never was, or is none, is refused', async () => {
    const { first } = await history('v/other.txt')
    await s3.put('acme/v/there.txt', 'x')
    expect(await refusal(at('v/there.txt', first))).toBe('404 NoSuchVersion')
    expect(await refusal(at('v/there.txt', 'f'.repeat(40)))).toBe('404 NoSuchVersion')
    for (const bad of ['null', '', 'HEAD', `${first}0`, '../../x', 'F'.repeat(40)])
      expect(await refusal(at('v/there.txt', bad))).toBe('400 InvalidArgument')
    const anonymous = tenant.anonymously(`acme/v/other.txt?versionId=${first}`)
    expect(await refusal(anonymous)).toBe('403 AccessDenied')
  })

  test('is copied, to another key and over what came after it', async () => {
    const { first } = await history('v/copied.txt')
    const source = { 'x-amz-copy-source': `acme/v/copied.txt?versionId=${first}` }
    const copy = await s3.put('acme/v/copy.txt', '', source)
    expect([copy.status, copy.headers.get('x-amz-copy-source-version-id')]).toEqual([200, first])
    const found = await s3.get('acme/v/copy.txt')
    expect([await found.text(), found.headers.get('x-amz-meta-a')]).toEqual(['first', '1'])
    expect((await s3.put('acme/v/copied.txt', '', source)).status).toBe(200)
    expect(await (await s3.get('acme/v/copied.txt')).text()).toBe('first')
    const bad = { 'x-amz-copy-source': `acme/v/copied.txt?versionId=${'e'.repeat(40)}` }
    expect(await refusal(s3.put('acme/v/copy.txt', '', bad))).toBe('404 NoSuchVersion')
  })

  test('of a former zone of the name is none', async () => {
    await tenant.createZone('again')
    const first = version(await s3.put('again/a.txt', 'x'))
    await tenant.deleteZone('again')
    await tenant.createZone('again')
    const asked = s3.send('GET', '/again/a.txt', { query: { versionId: first } })
    expect(await refusal(asked)).toBe('404 NoSuchVersion')
  })
})

describe('the deletion of a version', () => {
  const remove = (object: string, versionId: string) => s3.delete(`acme/${object}`, { versionId })
  const text = async (object: string) => (await s3.get(`acme/${object}`)).text()

  test('that is a deletion brings the object back, with all that was said of it', async () => {
    const { deletion } = await history('d/back.txt')
    const removed = await remove('d/back.txt', deletion)
    expect(removed.status).toBe(204)
    expect(removed.headers.get('x-amz-delete-marker')).toBe('true')
    expect(version(removed)).toBe(deletion)
    const found = await s3.get('acme/d/back.txt')
    expect(await found.text()).toBe('second!')
    expect(found.headers.get('content-type')).toBe('text/x-odd')
  })

  test('that is the newest makes the one before it the newest', async () => {
    await s3.put('acme/d/newest.txt', 'first', { 'x-amz-meta-a': '1' })
    const second = version(await s3.put('acme/d/newest.txt', 'second'))
    expect((await remove('d/newest.txt', second)).status).toBe(204)
    expect(await text('d/newest.txt')).toBe('first')
    expect((await s3.head('acme/d/newest.txt')).headers.get('x-amz-meta-a')).toBe('1')
  })

  test('that is the only one takes the object away', async () => {
    const only = version(await s3.put('acme/d/only.txt', 'x'))
    expect((await remove('d/only.txt', only)).status).toBe(204)
    expect((await s3.head('acme/d/only.txt')).status).toBe(404)
  })

  test('that is history forgets it alone, and of one that never was nothing', async () => {
    const { first, second, deletion } = await history('d/history.txt')
    const third = version(await s3.put('acme/d/history.txt', 'third'))
    const removed = await remove('d/history.txt', first)
    expect([removed.status, version(removed)]).toEqual([204, first])
    expect(removed.headers.get('x-amz-delete-marker')).toBeNull()
    const marker = await remove('d/history.txt', deletion)
    expect(marker.headers.get('x-amz-delete-marker')).toBe('true')
    expect(await refusal(at('d/history.txt', first))).toBe('404 NoSuchVersion')
    expect(await (await at('d/history.txt', second)).text()).toBe('second!')
    const query = { versions: '', prefix: 'd/history.txt' }
    const listed = await (await s3.send('GET', '/acme', { query })).text()
    const ids = [...listed.matchAll(/<VersionId>(\w+)<\/VersionId>/gu)].map(([, id]) => id)
    expect(ids).toEqual([third, second])
    await remove('d/history.txt', third)
    expect(await text('d/history.txt')).toBe('second!')
    expect((await remove('d/history.txt', first)).status).toBe(204)
    expect((await remove('d/history.txt', 'f'.repeat(40))).status).toBe(204)
    expect(await refusal(remove('d/history.txt', 'nonsense'))).toBe('400 InvalidArgument')
  })

  test('that is history takes a key that may remove zones too', async () => {
    const { first, deletion } = await history('d/kept.txt')
    const scopes = ['storage:read', 'storage:write']
    const writer = await openS3Client(tenant.service, { scopes })
    const tried = writer.delete('acme/d/kept.txt', { versionId: first })
    expect(await refusal(tried)).toBe('403 AccessDenied')
    expect((await at('d/kept.txt', first)).status).toBe(200)
    expect((await writer.delete('acme/d/kept.txt', { versionId: deletion })).status).toBe(204)
  })

  test('of many says of each what became of it', async () => {
    const { first, deletion } = await history('d/many.txt')
    const object = (id: string) =>
      `<Object><Key>d/many.txt</Key><VersionId>${id}</VersionId></Object>`
    const body = `<Delete>${[first, deletion, 'bad'].map(object).join('')}</Delete>`
    const response = await s3.send('POST', '/acme', { query: { delete: '' }, body })
    const answer = await response.text()
    expect(answer).toContain(
      `<Deleted><Key>d/many.txt</Key><VersionId>${first}</VersionId></Deleted>`,
    )
    expect(answer).toContain(`<VersionId>${deletion}</VersionId><DeleteMarker>true</DeleteMarker>`)
    expect(answer).toContain('<VersionId>bad</VersionId><Code>InvalidArgument</Code>')
    expect(await text('d/many.txt')).toBe('second!')
  })

  test('of a directory marker takes it away, and brings it back', async () => {
    const put = version(await s3.put('acme/d/dir/', '', { 'x-amz-meta-mode': '16877' }))
    expect((await at('d/dir/', put, { method: 'HEAD' })).status).toBe(200)
    await remove('d/dir/', put)
    const absent = await s3.head('acme/d/dir/')
    expect(absent.status).toBe(404)
    await remove('d/dir/', version(absent))
    const back = await s3.head('acme/d/dir/')
    expect([back.status, back.headers.get('x-amz-meta-mode')]).toEqual([200, '16877'])
  })
})
