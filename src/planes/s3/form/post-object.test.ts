import { createHmac } from 'node:crypto'

import { expect, test } from 'bun:test'
import fc from 'fast-check'

import { createKeyGuesses } from '../../../http/access/key-guesses.ts'
import { Secret } from '../../../lib/secrets/secret.ts'
import type { TokenRecord } from '../../../ports/access/token-store.ts'
import { contentOf } from '../content/content.ts'
import { S3Error } from '../s3-error.ts'
import type { S3Request } from '../s3-request.ts'
import { callerOf } from '../signature/s3-caller.ts'
import { createS3Signers } from '../signature/signers.ts'
import { postObject } from './post-object.ts'

const accessKeyId = 'key-1'
const secret = 'secret of key-1'
const now = new Date('2026-04-01T12:00:00Z')

interface World {
  readonly scopes?: readonly string[]
  readonly zones?: readonly string[]
}

function open({ scopes = ['storage:write'], zones = ['acme'] }: World = {}) {
  const stored: object[] = []
  const [operation] = postObject({
    async put({ key, bucket, caller, content, request }: S3Request) {
      const text = await new Response(content.stream()).text()
      const headers = Object.fromEntries(request.headers)
      const by = caller.actor.credentialId
      stored.push({ bucket, key, text, by, headers, md5: content.digests().md5 })
      return new Response(null, { headers: { ETag: '"e"', 'x-amz-version-id': 'v' } })
    },
    signers: createS3Signers({
      tokens: {
        byId: (id) => (id === accessKeyId ? ({ id, isForS3: true } as TokenRecord) : undefined),
        use: (id) => ({ id: `token:${id}`, scopes: new Set(scopes), zones: new Set(zones) }),
      },
      s3Keys: { secretsOf: () => [new Secret(secret)] },
      guesses: createKeyGuesses({ now: () => now }),
    }),
    maxFileBytes: 1000,
    now: () => now,
  })
  const send = async (request: Request): Promise<Response> => {
    const url = new URL(request.url)
    const clientAddress = '192.0.2.1'
    const asked = { request, clientAddress, requestId: 'r1' }
    const place = { url, query: url.searchParams, bucket: 'acme', key: undefined }
    const caller = callerOf(asked, undefined)
    if (operation === undefined) throw new Error('there is one')
    return await operation.handle({ ...asked, ...place, caller, content: contentOf(request) })
  }
  return { stored, send }
}

const hmac = (key: string | Buffer, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest()

const scope = '20260401/eu/s3/aws4_request'
const signingFields = {
  'x-amz-algorithm': 'AWS4-HMAC-SHA256',
  'x-amz-credential': `${accessKeyId}/${scope}`,
  'x-amz-date': '20260401T120000Z',
}
const signatureOf = (policy: string): string =>
  hmac(
    scope.split('/').reduce<Buffer>((key, part) => hmac(key, part), Buffer.from(`AWS4${secret}`)),
    policy,
  ).toString('hex')

type Fields = Readonly<Record<string, string>>

interface Form {
  readonly fields?: Fields
  readonly conditions?: readonly unknown[]
  readonly expiration?: unknown
  readonly policy?: string
  /** Changes after signing; `undefined` leaves out. */
  readonly changes?: Readonly<Record<string, string | undefined>>
  readonly file?: string | undefined
  readonly fileName?: string
}

const usual = [{ bucket: 'acme' }, ['starts-with', '$key', 'user/']] as const

function policyOf({ conditions = usual, expiration = '2026-04-01T12:00:01Z' }: Form): string {
  const signing = Object.entries(signingFields).map(([name, value]) => ({ [name]: value }))
  return JSON.stringify({ expiration, conditions: [...conditions, ...signing] })
}

function formRequest(sent: Form = {}): Request {
  const { fields = { key: 'user/a.txt' }, file = 'hello', fileName = 'a.txt' } = sent
  const policy = Buffer.from(sent.policy ?? policyOf(sent)).toString('base64')
  const all: Readonly<Record<string, string | undefined>> = {
    ...fields,
    ...signingFields,
    policy,
    'x-amz-signature': signatureOf(policy),
    ...sent.changes,
  }
  const form = new FormData()
  for (const [name, value] of Object.entries(all)) if (value !== undefined) form.append(name, value)
  form.append('file', new Blob([file]), fileName)
  return new Request('http://localhost:8788/s3/acme', { method: 'POST', body: form })
}

const codeOf = async (form: Form | Request, world: World = {}): Promise<string> => {
  const { send, stored } = open(world)
  try {
    const response = await send(form instanceof Request ? form : formRequest(form))
    return String(response.status)
  } catch (thrown) {
    if (!(thrown instanceof S3Error)) throw thrown
    expect(stored).toEqual([])
    return thrown.code
  }
}

test('the file of a signed form is stored as a request would that puts it', async () => {
  const { send, stored } = open()
  const response = await send(
    formRequest({
      fields: {
        Key: 'user/${filename}',
        'Content-Type': 'text/plain',
        'x-amz-meta-from': 'ü',
        acl: 'private',
        tagging:
          '<Tagging><TagSet><Tag><Key>Stage</Key><Value>draft</Value></Tag></TagSet></Tagging>',
        success_action_status: '201',
        'x-ignore-me': '1',
      },
      conditions: [
        ...usual,
        ['eq', '$content-type', 'text/plain'],
        ['starts-with', '$x-amz-meta-from', ''],
        { acl: 'private' },
        ['starts-with', '$tagging', '<Tagging>'],
        { success_action_status: '201' },
        ['content-length-range', 1, 5],
      ],
      fileName: 'C:\\pictures\\a.txt',
    }),
  )
  expect(response.status).toBe(201)
  expect(response.headers.get('location')).toBe('http://localhost:8788/s3/acme/user/a.txt')
  expect(response.headers.get('x-amz-version-id')).toBe('v')
  expect(await response.text()).toContain(
    '<Bucket>acme</Bucket><Key>user/a.txt</Key><ETag>&quot;e&quot;</ETag>',
  )
  expect(stored).toEqual([
    {
      bucket: 'acme',
      key: 'user/a.txt',
      text: 'hello',
      by: `token:${accessKeyId}`,
      md5: '5d41402abc4b2a76b9719d911017c592',
      headers: {
        'content-type': 'text/plain',
        'x-amz-acl': 'private',
        'x-amz-meta-from': Buffer.from('ü').toString('latin1'),
        'x-amz-tagging': 'Stage=draft',
      },
    },
  ])
})

test('the form says where it leads to; what is no page is passed over', async () => {
  const answered = async (name: string, value: string) => {
    const fields = { key: 'user/a.txt', [name]: value }
    const conditions = [...usual, ['starts-with', `$${name}`, '']]
    return await open().send(formRequest({ fields, conditions }))
  }
  const redirect = await answered('success_action_redirect', 'https://example.com/done?x=1')
  expect(redirect.status).toBe(303)
  expect(redirect.headers.get('location')).toBe(
    'https://example.com/done?x=1&bucket=acme&key=user%2Fa.txt&etag=%22e%22',
  )
  for (const [name, value, status] of [
    ['redirect', 'http://example.com/', 303],
    ['redirect', 'javascript:alert(1)', 204],
    ['success_action_redirect', 'nowhere', 204],
    ['success_action_status', '200', 200],
    ['success_action_status', '404', 204],
  ] as const)
    expect((await answered(name, value)).status).toBe(status)
})

test('nothing is stored but what the policy lets in', async () => {
  for (const [form, code] of [
    [{}, '204'],
    [{ fields: { key: 'other/a.txt' } }, 'AccessDenied'],
    [{ fields: { key: 'user/a.txt', acl: 'private' } }, 'AccessDenied'],
    [{ conditions: [['starts-with', '$key', 'user/']] }, 'AccessDenied'],
    [{ conditions: [{ bucket: 'bolt' }, usual[1]] }, 'AccessDenied'],
    [{ changes: { bucket: 'bolt' } }, 'AccessDenied'],
    [{ expiration: '2026-04-01T12:00:00Z' }, 'AccessDenied'],
    [{ conditions: [...usual, ['content-length-range', 0, 4]] }, 'EntityTooLarge'],
    [{ conditions: [...usual, ['content-length-range', 6, 10]] }, 'EntityTooSmall'],
    [{ conditions: [...usual, ['Content-Length-Range', '5', '5']] }, '204'],
    [
      { conditions: [...usual, ['content-length-range', 0, 9], ['content-length-range', 6, 9]] },
      'EntityTooSmall',
    ],
    [{ file: 'x'.repeat(1001) }, 'EntityTooLarge'],
    [{ fields: {} }, 'AccessDenied'],
    [{ fields: {}, conditions: [{ bucket: 'acme' }] }, 'InvalidArgument'],
  ] as const)
    expect([form, await codeOf(form)]).toEqual([form, code])
})

test('a policy is what it should be', async () => {
  for (const [form, code] of [
    [{ policy: '{' }, 'InvalidPolicyDocument'],
    [{ policy: '[]' }, 'InvalidPolicyDocument'],
    [{ policy: '{"expiration":"2026-04-02T00:00:00Z"}' }, 'InvalidPolicyDocument'],
    [{ expiration: 'tomorrow' }, 'InvalidPolicyDocument'],
    [{ expiration: 1 }, 'InvalidPolicyDocument'],
    [{ conditions: [['ends-with', '$key', 'a']] }, 'InvalidPolicyDocument'],
    [{ conditions: [['eq', 'key', 'a']] }, 'InvalidPolicyDocument'],
    [{ conditions: [['eq', '$key']] }, 'InvalidPolicyDocument'],
    [{ conditions: [['content-length-range', -1, 5]] }, 'InvalidPolicyDocument'],
    [{ conditions: [['content-length-range', 1]] }, 'InvalidPolicyDocument'],
    [{ conditions: [{ key: 1 }] }, 'InvalidPolicyDocument'],
    [{ conditions: ['key'] }, 'InvalidPolicyDocument'],
    [
      { conditions: Array.from({ length: 300 }, () => ['eq', '$key', 'a']) },
      'InvalidPolicyDocument',
    ],
  ] as const)
    expect([form, await codeOf(form)]).toEqual([form, code])
})

test('whoever signed it has to have been let to, and to have signed this', async () => {
  const other = Buffer.from('{}').toString('base64')
  for (const [changes, code] of [
    [{ policy: other }, 'SignatureDoesNotMatch'],
    [{ 'x-amz-signature': '0'.repeat(64) }, 'SignatureDoesNotMatch'],
    [{ 'x-amz-signature': 'é' }, 'InvalidArgument'],
    [{ 'x-amz-signature': undefined }, 'InvalidArgument'],
    [{ policy: undefined }, 'InvalidArgument'],
    [{ 'x-amz-date': '20260402T000000Z' }, 'InvalidArgument'],
    [{ 'x-amz-credential': `other/${scope}` }, 'InvalidAccessKeyId'],
    [{ 'x-amz-credential': 'other' }, 'InvalidArgument'],
    [{ 'x-amz-algorithm': 'AWS4-HMAC-SHA1' }, 'InvalidRequest'],
    [{ 'x-amz-algorithm': undefined, AWSAccessKeyId: 'a', signature: 'b' }, 'InvalidRequest'],
    [
      { policy: undefined, 'x-amz-signature': undefined, 'x-amz-credential': undefined },
      'AccessDenied',
    ],
  ] as const)
    expect([changes, await codeOf({ changes })]).toEqual([changes, code])
  expect(await codeOf({}, { scopes: ['storage:read'] })).toBe('AccessDenied')
  expect(await codeOf({}, { zones: ['bolt'] })).toBe('AccessDenied')
})

test('what is no form, or too much of one, is refused', async () => {
  const request = (body: BodyInit, type = 'multipart/form-data; boundary=B') =>
    new Request('http://localhost/s3/acme', {
      method: 'POST',
      body,
      headers: { 'Content-Type': type },
    })
  const field = (name: string, value: string) =>
    `--B\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  for (const [sent, code] of [
    [request('a=b', 'application/x-www-form-urlencoded'), 'PreconditionFailed'],
    [request('x', 'multipart/form-data'), 'MalformedPOSTRequest'],
    [request('x'), 'MalformedPOSTRequest'],
    [request(`${field('key', 'a')}--B--`), 'InvalidArgument'],
    [request(field('key', 'a')), 'MalformedPOSTRequest'],
    [request(`${field('key', 'a')}${field('KEY', 'a')}--B--`), 'InvalidArgument'],
    [request(`${field('key', 'x'.repeat(30_000))}--B--`), 'MalformedPOSTRequest'],
    [request(`${field('x-ignore-a', 'x').repeat(200)}--B--`), 'InvalidArgument'],
    [
      request(Array.from({ length: 200 }, (_, index) => field(`x-ignore-${index}`, 'x')).join('')),
      'MalformedPOSTRequest',
    ],
  ] as const)
    expect(await codeOf(sent)).toBe(code)
})

test('a form that breaks off stores nothing, wherever it does', async () => {
  const bytes = Buffer.from(await formRequest().bytes())
  const boundary = /^--(\S+)\r\n/u.exec(bytes.toString('latin1'))?.[1] ?? ''
  const cut = (length: number) =>
    new Request('http://localhost/s3/acme', {
      method: 'POST',
      body: bytes.subarray(0, length),
      headers: { 'Content-Type': `multipart/form-data; boundary=${boundary}` },
    })
  const end = bytes.lastIndexOf(`\r\n--${boundary}`) + boundary.length + 4
  for (let length = 0; length < end; length += 37) expect(await codeOf(cut(length))).not.toBe('204')
  expect(await codeOf(cut(end - 1))).not.toBe('204')
  expect(await codeOf(cut(end))).toBe('204')
})

test('no policy whatever makes anything but a refusal', async () => {
  await fc.assert(
    fc.asyncProperty(fc.oneof(fc.string(), fc.json()), async (policy) => {
      expect(await codeOf({ policy })).toMatch(/^[A-Z]/u)
    }),
  )
})
