import { expect, test } from 'bun:test'

import { canonicalRequests } from './canonical-request.ts'
import type { SignatureClaim } from './signature-claim.ts'

const claim: SignatureClaim = {
  accessKeyId: 'a',
  scope: { date: '20260401', region: 'us-east-1' },
  signedHeaders: ['host', 'x-amz-meta-name'],
  signature: '',
  time: '20260401T120000Z',
  payloadHash: 'UNSIGNED-PAYLOAD',
  expiresSeconds: undefined,
}

const fieldsOf = (headers: Headers): readonly string[] =>
  canonicalRequests(
    { method: 'GET', url: new URL('https://s3.test/acme/a'), headers, forwardedHost: undefined },
    claim,
  ).map((each) => /^x-amz-meta-name:.*$/mu.exec(each)?.[0] ?? '')

test('a field that came several times was signed without a space after each comma', () => {
  const headers = new Headers({ host: 's3.test' })
  for (const value of ['one', 'two']) headers.append('x-amz-meta-name', value)

  expect(fieldsOf(headers)).toContain('x-amz-meta-name:one,two')
})

test('a field that came once was signed as it is', () => {
  const headers = new Headers({ host: 's3.test', 'x-amz-meta-name': 'one, two' })

  expect(fieldsOf(headers)).toContain('x-amz-meta-name:one, two')
  headers.set('x-amz-meta-name', 'one')
  expect(fieldsOf(headers)).toEqual(['x-amz-meta-name:one'])
})
