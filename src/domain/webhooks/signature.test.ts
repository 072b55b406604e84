import { expect, test } from 'bun:test'

import fc from 'fast-check'
import { Webhook } from 'standardwebhooks'

import { signatureHeaders } from './signature.ts'

const at = new Date()
const body =
  '{"event":"asset.created","timestamp":"2026-10-01T00:00:00.000Z","data":{"path":"clients/akande/v1/logos/a.svg","size":10}}'

test('the plain signature is HMAC-SHA256 of the body under the characters of the secret', () => {
  const headers = signatureHeaders({ id: 'msg_1', at, body, secrets: ['a'.repeat(64)] })

  expect(headers['X-Webhook-Signature']).toBe(
    'sha256=ddd7e569d826d96d9851add1c1cc2509eb5d504df07221839f6da6fc03576d3a',
  )
})

test('the example of Standard Webhooks comes out as its specification has it', () => {
  const headers = signatureHeaders({
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    at: new Date(1_614_265_330_000),
    body: '{"test": 2432232314}',
    secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  })

  expect(headers).toMatchObject({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  })
})

const verifies = (secret: string, headers: Record<string, string>, format?: 'raw'): boolean => {
  try {
    new Webhook(secret, format && { format }).verify(body, headers)
    return true
  } catch {
    return false
  }
}

test('property: the reference library verifies what any secret signs, and no other secret', () => {
  const secrets = fc.uint8Array({ minLength: 24, maxLength: 64 })
  fc.assert(
    fc.property(secrets, secrets, (bytes, otherBytes) => {
      fc.pre(!Buffer.from(bytes).equals(Buffer.from(otherBytes)))
      const secret = `whsec_${Buffer.from(bytes).toString('base64')}`
      const other = `whsec_${Buffer.from(otherBytes).toString('base64')}`
      const headers = signatureHeaders({ id: 'msg_1', at, body, secrets: [secret] })
      expect(verifies(secret, headers)).toBe(true)
      expect(verifies(other, headers)).toBe(false)
    }),
  )
})

test('a secret without whsec_ verifies as text, and as base64 where it is that', () => {
  const hex = '0123456789abcdef'.repeat(4)
  const both = signatureHeaders({ id: 'msg_1', at, body, secrets: [hex] })
  expect(verifies(hex, both, 'raw')).toBe(true)
  expect(verifies(hex, both)).toBe(true)
  const text = 'a secret_that-is-no-base64-at-all'
  const one = signatureHeaders({ id: 'msg_1', at, body, secrets: [text] })
  expect(verifies(text, one, 'raw')).toBe(true)
  expect(one['webhook-signature']?.split(' ')).toHaveLength(1)
})

test('two secrets both sign, each in both ways', () => {
  const [newer, older] = [`whsec_${'A'.repeat(40)}`, `whsec_${'B'.repeat(40)}`]
  const headers = signatureHeaders({ id: 'msg_1', at, body, secrets: [newer, older] })

  expect(verifies(newer, headers)).toBe(true)
  expect(verifies(older, headers)).toBe(true)
  expect(headers['X-Webhook-Signature']).not.toBe(headers['X-Webhook-Signature-Previous'])
})
