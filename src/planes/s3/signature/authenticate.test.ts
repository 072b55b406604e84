import { expect, test } from 'bun:test'

import { Secret } from '../../../lib/secrets/secret.ts'
import { createKeyGuesses } from '../../../http/access/key-guesses.ts'
import type { TokenRecord } from '../../../ports/access/token-store.ts'
import { S3Error } from '../s3-error.ts'
import { createS3Authenticate } from './authenticate.ts'
import { createS3Signers } from './signers.ts'

/** From the examples in the documentation of Amazon S3. */
const accessKeyId = 'AKIAIOSFODNN7EXAMPLE'
const secret = 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY'
const signedAt = new Date('2013-05-24T00:00:00Z')
const nothing = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'
const host = 'examplebucket.s3.amazonaws.com'

interface Given {
  readonly now?: Date
  readonly isForS3?: boolean
  readonly secrets?: readonly string[]
}

function open({ now = signedAt, isForS3 = true, secrets = [secret] }: Given = {}) {
  const used: string[] = []
  const authenticate = createS3Authenticate({
    signers: createS3Signers({
      tokens: {
        byId: (id) => (id === accessKeyId ? ({ id, isForS3 } as TokenRecord) : undefined),
        use(id) {
          used.push(id)
          return { id: `token:${id}`, scopes: new Set(['storage:read']), zones: new Set(['acme']) }
        },
      },
      s3Keys: { secretsOf: () => secrets.map((each) => new Secret(each)) },
      guesses: createKeyGuesses({ now: () => now }),
    }),
    now: () => now,
  })
  const ask = (path: string, init: RequestInit = {}, forwardedHost?: string) => {
    const request = new Request(`https://${host}${path}`, init)
    return authenticate({
      request,
      url: new URL(request.url),
      clientAddress: '192.0.2.1',
      forwardedHost,
      requestId: 'r1',
    })
  }
  return { ask, used }
}

interface Fields {
  readonly signature: string
  readonly names?: string
  readonly headers?: Readonly<Record<string, string>>
}

const signedBy = ({
  signature,
  names = 'host;x-amz-content-sha256;x-amz-date',
  headers = {},
}: Fields): RequestInit => ({
  headers: {
    Host: host,
    'x-amz-date': '20130524T000000Z',
    'x-amz-content-sha256': nothing,
    Authorization: `AWS4-HMAC-SHA256 Credential=${accessKeyId}/20130524/us-east-1/s3/aws4_request,SignedHeaders=${names},Signature=${signature}`,
    ...headers,
  },
})

const getObject = signedBy({
  signature: 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
  names: 'host;range;x-amz-content-sha256;x-amz-date',
  headers: { Range: 'bytes=0-9' },
})

const refusalOf = async (promise: Promise<unknown>): Promise<S3Error> => {
  const thrown: unknown = await promise.then(
    () => undefined,
    (error: unknown) => error,
  )
  if (thrown instanceof S3Error) return thrown
  throw thrown ?? new Error('nothing was refused')
}

test('the examples of the documentation are recognised', async () => {
  const { ask, used } = open()
  const { caller } = await ask('/test.txt', getObject)
  expect(caller.actor).toMatchObject({ credentialId: `token:${accessKeyId}`, ip: '192.0.2.1' })
  expect(caller.actor.zones).toEqual(new Set(['acme']))
  expect(caller).toMatchObject({ isAnonymous: false, scopes: new Set(['storage:read']) })
  expect(used).toEqual([accessKeyId])

  const put = await ask('/test$file.text', {
    method: 'PUT',
    body: 'Welcome to Amazon S3.',
    ...signedBy({
      signature: '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
      names: 'date;host;x-amz-content-sha256;x-amz-date;x-amz-storage-class',
      headers: {
        Date: 'Fri, 24 May 2013 00:00:00 GMT',
        'x-amz-storage-class': 'REDUCED_REDUNDANCY',
        'x-amz-content-sha256': '44ce7dd67c959e0d3524ffac1771dfbba87d2b6b4b4e99e42034a8b803f8b072',
      },
    }),
  })
  expect(await new Response(put.content.stream()).text()).toBe('Welcome to Amazon S3.')

  const lifecycle = 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543'
  await ask('/?lifecycle', signedBy({ signature: lifecycle }))
  const list = '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7'
  await ask('/?max-keys=2&prefix=J', signedBy({ signature: list }))
  await ask('/?prefix=J&max-keys=2', signedBy({ signature: list }))
})

const presigned = (changes: Readonly<Record<string, string>> = {}): string => {
  const query = {
    'X-Amz-Algorithm': 'AWS4-HMAC-SHA256',
    'X-Amz-Credential': `${accessKeyId}/20130524/us-east-1/s3/aws4_request`,
    'X-Amz-Date': '20130524T000000Z',
    'X-Amz-Expires': '86400',
    'X-Amz-SignedHeaders': 'host',
    'X-Amz-Signature': 'aeeed9bbccd4d02ee5c0109b86d86835f995330da4c265957d157751f604d404',
    ...changes,
  }
  return `/test.txt?${new URLSearchParams(query)}`
}

test('the presigned URL of the documentation is recognised until it expires', async () => {
  const after = (seconds: number) => ({ now: new Date(signedAt.getTime() + seconds * 1000) })
  const asked = { headers: { Host: host } }
  await open(after(0)).ask(presigned(), asked)
  await open(after(86_400)).ask(presigned(), asked)
  expect(await refusalOf(open(after(86_401)).ask(presigned(), asked))).toMatchObject({
    code: 'AccessDenied',
    message: 'Request has expired',
  })
  await open(after(-900)).ask(presigned(), asked)
  expect(await refusalOf(open(after(-901)).ask(presigned(), asked))).toMatchObject({
    code: 'AccessDenied',
    message: 'Request is not valid yet',
  })
})

test('a presigned URL that was changed is refused, whatever of it was', async () => {
  const { ask } = open()
  const asked = { headers: { Host: host } }
  for (const [changes, code] of [
    [{ 'X-Amz-Expires': '86401' }, 'SignatureDoesNotMatch'],
    [{ 'X-Amz-Expires': '0' }, 'AuthorizationQueryParametersError'],
    [{ 'X-Amz-Expires': '604801' }, 'AuthorizationQueryParametersError'],
    [{ 'X-Amz-Expires': '-1' }, 'AuthorizationQueryParametersError'],
    [{ 'X-Amz-Date': '20130525T000000Z' }, 'AuthorizationQueryParametersError'],
    [{ 'X-Amz-Date': '20130524T000001Z' }, 'SignatureDoesNotMatch'],
    [{ 'X-Amz-SignedHeaders': 'range' }, 'AuthorizationQueryParametersError'],
    [{ 'X-Amz-Algorithm': 'AWS4-ECDSA-P256-SHA256' }, 'InvalidRequest'],
    [{ 'X-Amz-Credential': 'other/20130524/us-east-1/s3/aws4_request' }, 'InvalidAccessKeyId'],
    [{ 'X-Amz-Security-Token': 'x' }, 'InvalidToken'],
    [{ versionId: 'x' }, 'SignatureDoesNotMatch'],
  ] as const)
    expect(await refusalOf(ask(presigned(changes), asked))).toMatchObject({ code })
  expect(await refusalOf(ask(presigned(), { ...asked, method: 'HEAD' }))).toMatchObject({
    code: 'SignatureDoesNotMatch',
  })
  expect(
    await refusalOf(ask(presigned(), { headers: { Host: host, 'x-amz-acl': 'private' } })),
  ).toMatchObject({ code: 'AccessDenied', elements: { HeadersNotSigned: 'x-amz-acl' } })
})

test('a signature in two places, a former one and one of somebody else are refused by name', async () => {
  const { ask } = open()
  const withAuthorization = (value: string) => ({ headers: { Host: host, Authorization: value } })
  for (const [path, init, code] of [
    [presigned(), getObject, 'InvalidArgument'],
    [`/test.txt?AWSAccessKeyId=a&Expires=1&Signature=b`, getObject, 'InvalidArgument'],
    [`/test.txt?AWSAccessKeyId=a&Expires=1&Signature=b`, {}, 'InvalidRequest'],
    ['/test.txt', withAuthorization('AWS a:b'), 'InvalidRequest'],
    ['/test.txt', withAuthorization('Bearer cdnsk_x'), 'InvalidArgument'],
    ['/test.txt', withAuthorization('AWS4-HMAC-SHA256 '), 'AuthorizationHeaderMalformed'],
    ['/test.txt', withAuthorization('AWS4-HMAC-SHA256'), 'AuthorizationHeaderMalformed'],
  ] as const)
    expect(await refusalOf(ask(path, init))).toMatchObject({ code })
})

test('a header that is not as it must be is refused with what is wrong', async () => {
  const { ask } = open()
  const good = new Headers(getObject.headers)
  const authorization = good.get('authorization') ?? ''
  for (const [headers, code] of [
    [{ authorization: authorization.replace('/s3/', '/ec2/') }, 'AuthorizationHeaderMalformed'],
    [
      { authorization: authorization.replace('/20130524/', '/20130525/') },
      'AuthorizationHeaderMalformed',
    ],
    [{ authorization: authorization.replace('host;', '') }, 'AuthorizationHeaderMalformed'],
    [
      { authorization: authorization.replace('Signature=', 'Signature=0') },
      'AuthorizationHeaderMalformed',
    ],
    [{ authorization: authorization.replace('us-east-1', 'us-east-2') }, 'SignatureDoesNotMatch'],
    [{ authorization: `${authorization}${' '.repeat(5000)}x` }, 'AuthorizationHeaderMalformed'],
    [{ range: 'bytes=0-10' }, 'SignatureDoesNotMatch'],
    [{ 'x-amz-date': 'yesterday' }, 'AccessDenied'],
    [{ 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' }, 'SignatureDoesNotMatch'],
    [{ 'x-amz-meta-a': '1' }, 'AccessDenied'],
    [{ 'x-amz-security-token': '1' }, 'InvalidToken'],
  ] as const)
    expect(
      await refusalOf(ask('/test.txt', { headers: { ...Object.fromEntries(good), ...headers } })),
    ).toMatchObject({ code })
  for (const [absent, code] of [
    ['x-amz-content-sha256', 'InvalidRequest'],
    ['x-amz-date', 'AccessDenied'],
  ] as const) {
    const headers = new Headers(good)
    headers.delete(absent)
    expect(await refusalOf(ask('/test.txt', { headers }))).toMatchObject({ code })
  }
})

test('clocks may differ by fifteen minutes', async () => {
  const at = (minutes: number) => open({ now: new Date(signedAt.getTime() + minutes * 60_000) })
  for (const minutes of [-15, 15]) await at(minutes).ask('/test.txt', getObject)
  for (const minutes of [-15.1, 15.1])
    expect(await refusalOf(at(minutes).ask('/test.txt', getObject))).toMatchObject({
      code: 'RequestTimeTooSkewed',
      elements: { RequestTime: '20130524T000000Z', MaxAllowedSkewMilliseconds: '900000' },
    })
})

test('a former secret signs as long as it is good; a token that is not for S3 signs nothing', async () => {
  await open({ secrets: ['newer', secret] }).ask('/test.txt', getObject)
  expect(await refusalOf(open({ secrets: ['newer'] }).ask('/test.txt', getObject))).toMatchObject({
    code: 'SignatureDoesNotMatch',
  })
  expect(await refusalOf(open({ isForS3: false }).ask('/test.txt', getObject))).toMatchObject({
    code: 'InvalidAccessKeyId',
  })
})

test('what is shown of a wrong signature is the words of who sent it', async () => {
  const { elements } = await refusalOf(open({ secrets: ['other'] }).ask('/test.txt', getObject))
  expect(elements).toEqual({
    AWSAccessKeyId: accessKeyId,
    SignatureProvided: 'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    StringToSign:
      'AWS4-HMAC-SHA256\n20130524T000000Z\n20130524/us-east-1/s3/aws4_request\n7344ae5b7ee6c3e7e6b0fe0640412a37625d1fbfff95c48bbb2dc43964946972',
    CanonicalRequest: `GET\n/test.txt\n\nhost:${host}\nrange:bytes=0-9\nx-amz-content-sha256:${nothing}\nx-amz-date:20130524T000000Z\n\nhost;range;x-amz-content-sha256;x-amz-date\n${nothing}`,
  })
})

test('a network that guesses is slowed down, and nobody else', async () => {
  const { ask } = open({ secrets: ['other'] })
  for (let count = 0; count < 300; count += 1)
    expect((await refusalOf(ask('/test.txt', getObject))).code).toBe('SignatureDoesNotMatch')
  expect(ask('/test.txt', getObject)).rejects.toMatchObject({ code: 'limit_reached' })
})

test('behind a proxy that is trusted what was sent to it is signed', async () => {
  const { ask } = open()
  const rewritten = {
    headers: { ...Object.fromEntries(new Headers(getObject.headers)), host: 'a' },
  }
  expect((await refusalOf(ask('/test.txt', rewritten))).code).toBe('SignatureDoesNotMatch')
  expect((await refusalOf(ask('/test.txt', rewritten, 'b'))).code).toBe('SignatureDoesNotMatch')
  expect((await ask('/test.txt', rewritten, host)).caller.isAnonymous).toBe(false)
})

test('who signs nothing is nobody in particular', async () => {
  const { caller } = await open().ask('/test.txt')
  expect(caller).toMatchObject({ isAnonymous: true, scopes: new Set() })
  expect(caller.actor.credentialId).toBe('anonymous')
})

test('what says a part of itself twice is refused, though its last signature is right', async () => {
  const { ask, used } = open()
  const headers = new Headers(getObject.headers)
  headers.set('Authorization', (headers.get('Authorization') ?? '').repeat(2))
  const { code } = await refusalOf(ask('/test.txt', { headers }))
  expect(code).toBe('AuthorizationHeaderMalformed')
  expect(used).toEqual([])
})
