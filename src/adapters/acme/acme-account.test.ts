import { createPublicKey, generateKeyPairSync, verify } from 'node:crypto'
import { expect, test } from 'bun:test'

import { AcmeAccount } from './acme-account.ts'
import type { AcmeResponse } from './acme-problem.ts'

const keyPem = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey.export({
  type: 'pkcs8',
  format: 'pem',
})
const directory = {
  newNonce: 'https://ca.example/nonce',
  newAccount: 'https://ca.example/account',
  newOrder: 'https://ca.example/order',
  revokeCert: 'https://ca.example/revoke',
}

type JsonWebKey = Readonly<Record<string, string>>

interface Signed {
  readonly protected: string
  readonly payload: string
  readonly signature: string
}

interface Head {
  readonly alg: string
  readonly nonce: string
  readonly url: string
  readonly kid?: string
  readonly jwk?: JsonWebKey
}

/** An authority that takes each nonce once, and refuses the first `refusals` of those it gave. */
function openAuthority(refusals = 0) {
  const nonces = new Set<string>()
  const seen: (Head & { readonly payload: string })[] = []
  let given = 0
  let refused = 0
  let key: JsonWebKey = {}
  const answer = (status: number, data: unknown = {}): AcmeResponse => {
    const nonce = `nonce-${(given += 1)}`
    nonces.add(nonce)
    const location = 'https://ca.example/account/7'
    return { status, headers: { 'replay-nonce': nonce, location }, data }
  }
  const transport = async (
    url: string,
    { method, body = '' }: { method?: string; body?: string } = {},
  ) => {
    if (method === 'HEAD') return answer(200)
    const signed = JSON.parse(body) as Signed
    const head = JSON.parse(Buffer.from(signed.protected, 'base64url').toString()) as Head
    key = head.jwk ?? key
    const isSigned = verify(
      'sha256',
      Buffer.from(`${signed.protected}.${signed.payload}`),
      { key: createPublicKey({ key, format: 'jwk' }), dsaEncoding: 'ieee-p1363' },
      Buffer.from(signed.signature, 'base64url'),
    )
    expect({ isSigned, url: head.url, alg: head.alg }).toEqual({
      isSigned: true,
      url,
      alg: 'ES256',
    })
    if (!nonces.delete(head.nonce) || (refused += 1) <= refusals)
      return answer(400, { type: 'urn:ietf:params:acme:error:badNonce' })
    seen.push({ ...head, payload: Buffer.from(signed.payload, 'base64url').toString() })
    return answer(200)
  }
  return { transport, seen, given: () => given }
}

const register = (authority: ReturnType<typeof openAuthority>, email?: string) =>
  AcmeAccount.register({ transport: authority.transport, directory, keyPem, email })

test('an account shows its key once, and is known by its address from then on', async () => {
  const authority = openAuthority()
  const account = await register(authority, 'a@example.com')
  await account.post(directory.newOrder, { a: 1 })
  await account.post('https://ca.example/order/1')

  expect(authority.seen.map(({ kid, jwk, payload }) => [kid, jwk?.['kty'], payload])).toEqual([
    [undefined, 'EC', '{"termsOfServiceAgreed":true,"contact":["mailto:a@example.com"]}'],
    ['https://ca.example/account/7', undefined, '{"a":1}'],
    ['https://ca.example/account/7', undefined, ''],
  ])
})

test('a nonce is used once, and the one that comes with an answer is the next', async () => {
  const authority = openAuthority()
  const account = await register(authority)
  for (let count = 0; count < 3; count += 1) await account.post(directory.newOrder, {})

  expect(new Set(authority.seen.map(({ nonce }) => nonce)).size).toBe(4)
  // One was asked for; all others came with the four answers.
  expect(authority.given()).toBe(5)
})

test('requests at the same time have nonces of their own', async () => {
  const authority = openAuthority()
  const account = await register(authority)
  await Promise.all([1, 2, 3].map((each) => account.post(directory.newOrder, { each })))

  expect(new Set(authority.seen.map(({ nonce }) => nonce)).size).toBe(4)
})

test('a nonce that is refused is replaced, but not for ever', async () => {
  const authority = openAuthority(4)
  await register(authority)
  expect(authority.seen).toHaveLength(1)

  expect(register(openAuthority(5))).rejects.toThrow('it takes none of its own nonces')
})

test('the answer to a challenge holds the thumbprint of the key', async () => {
  const authority = openAuthority()
  const account = await register(authority)
  const { crv, kty, x, y }: JsonWebKey = authority.seen[0]?.jwk ?? {}
  const print = new Bun.CryptoHasher('sha256')
    .update(`{"crv":"${crv}","kty":"${kty}","x":"${x}","y":"${y}"}`)
    .digest('base64url')

  expect(account.keyAuthorization('token')).toBe(`token.${print}`)
})
