import { expect, test } from 'bun:test'

import { sealTicket, sessionKeys } from '../../domain/access/session-cookie.ts'
import { Secret } from '../../lib/secrets/secret.ts'
import { isFromDashboard } from './from-dashboard.ts'

const secret = new Secret('session secret')
const isOwn = isFromDashboard([secret])

const cookieOf = (made: Secret): string => {
  const [key = new Uint8Array()] = sessionKeys([made])
  return `cdn_session=${sealTicket({ id: 'a'.repeat(32), turn: 0 }, key)}`
}

const asked = (headers: Readonly<Record<string, string>>): boolean =>
  isOwn(new Request('https://cdn.example/api/transform?url=/acme/v1/a.jpg&w=320', { headers }))

const fromDashboard = { Referer: 'https://cdn.example/dashboard/assets?view=list' }

test('what a page of the dashboard shows a signed-in operator is its own', () => {
  expect(asked({ ...fromDashboard, Cookie: cookieOf(secret) })).toBe(true)
  expect(asked({ ...fromDashboard, Cookie: `theme=dark; ${cookieOf(secret)}` })).toBe(true)
})

test('nobody can hide traffic who is not an operator', () => {
  expect(asked(fromDashboard)).toBe(false)
  expect(asked({ ...fromDashboard, Cookie: cookieOf(new Secret('another')) })).toBe(false)
  expect(asked({ ...fromDashboard, Cookie: 'cdn_session=s1.x.0.y' })).toBe(false)
  expect(
    isFromDashboard([])(
      new Request('https://cdn.example/', {
        headers: { ...fromDashboard, Cookie: cookieOf(secret) },
      }),
    ),
  ).toBe(false)
})

test('what an operator opens by itself, or on a page of a site, is a visit', () => {
  const Cookie = cookieOf(secret)
  expect(asked({ Cookie })).toBe(false)
  expect(asked({ Cookie, Referer: 'https://www.example/shop' })).toBe(false)
  expect(asked({ Cookie, Referer: 'https://www.example/?/dashboard/' })).toBe(false)
  expect(asked({ Cookie, Referer: 'nonsense' })).toBe(false)
  expect(asked({ ...fromDashboard, Cookie, 'Sec-Fetch-Mode': 'navigate' })).toBe(false)
})
