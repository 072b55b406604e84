import { expect, test } from 'bun:test'
import { bearerAuthenticator } from './bearer-authenticator.ts'

const grant = { id: 'token:1', scopes: new Set(['logs:read']), zones: undefined }
const authenticate = bearerAuthenticator((secret) => (secret === 'right' ? grant : undefined))
const ask = (authorization: string) =>
  authenticate(new Request('http://sedge.test/', { headers: { authorization } }))

test('the scheme is read in any case, the token exactly', () => {
  for (const field of ['Bearer right', 'bearer right', 'BEARER  right '])
    expect(ask(field)).toEqual([{ kind: 'token', ...grant }])
  for (const field of [
    'Bearer Right',
    'Bearer',
    'Bearer ',
    'right',
    'Basic right',
    'Bearer a right',
  ])
    expect(ask(field)).toEqual([])
})

test('without the field there is no token', () => {
  expect(authenticate(new Request('http://sedge.test/'))).toEqual([])
})
