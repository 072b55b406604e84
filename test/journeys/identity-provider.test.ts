import { afterAll, beforeAll, beforeEach, expect, test } from 'bun:test'

import { freePort } from '../support/free-port.ts'
import { type LocalService, openLocalService } from '../support/local-service.ts'
import { openScriptedProvider, type ScriptedProvider } from '../support/scripted-provider.ts'
import { account, temporaryDirectory, testKeys } from '../support/service-process.ts'

const undo = new AsyncDisposableStack()
let service: LocalService
let provider: ScriptedProvider

beforeAll(async () => {
  const directory = undo.use(await temporaryDirectory())
  provider = undo.use(openScriptedProvider())
  const port = await freePort()
  service = undo.use(
    await openLocalService({
      dataDirectory: directory.path,
      port,
      environment: {
        BASE_URL: `http://localhost:${port}`,
        OIDC_ISSUER: provider.issuer,
        OIDC_NAME: 'Example <ID>',
        OIDC_CLIENT_ID: 'sedge',
        OIDC_CLIENT_SECRET: 'a secret',
        OIDC_ROLES: 'ops=admin; web=publisher:acme,gone',
        OIDC_EMAIL_DOMAINS: 'example.com',
        PASSKEY_CALLS_PER_MINUTE: '10000',
      },
    }),
  )
  await ask('POST', '/api/core/zones', { body: { Name: 'acme' } })
}, 30_000)
beforeEach(() => provider.reset())
afterAll(() => undo.disposeAsync())

const at = (path: string) => new URL(path, service.url).href
const get = (url: string, cookie = '') =>
  fetch(url, { redirect: 'manual', headers: { Cookie: cookie } })
const cookiesOf = (response: Response): string =>
  response.headers
    .getSetCookie()
    .map((each) => each.split(';')[0])
    .join('; ')

async function ask(
  method: string,
  path: string,
  { body, by = account }: { readonly body?: unknown; readonly by?: object } = {},
) {
  const response = await fetch(at(path), {
    method,
    headers: { ...by, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  return { status: response.status, json: (await response.json().catch(() => ({}))) as never }
}

/** Until the browser is sent back: where to, and what it holds. */
async function goThere(to?: string) {
  const started = await get(at(`/dashboard/oidc/start${to === undefined ? '' : `?to=${to}`}`))
  expect(started.status).toBe(303)
  const there = await get(started.headers.get('location') ?? '')
  return { back: there.headers.get('location') ?? '', held: cookiesOf(started) }
}

async function signIn(claims: Readonly<Record<string, unknown>> = {}, to?: string) {
  provider.script = { ...provider.script, claims }
  const { back, held } = await goThere(to)
  const response = await get(back, held)
  const cookie = cookiesOf(response)
  return { status: response.status, text: await response.text(), cookie, back, held }
}

const selfOf = async (cookie: string) =>
  await ask('GET', '/api/people/me', { by: { Cookie: cookie } })

test('the page to sign in at names the provider, and the password is there as well', async () => {
  const text = await (await fetch(at('/dashboard/login'))).text()

  expect(text).toContain('Sign in with Example &lt;ID&gt;')
  expect(text).toContain('name="password"')
})

test('whoever has a group with a role comes in, with what the groups say now', async () => {
  const first = await signIn({ groups: ['web'] })
  expect(first.status).toBe(200)
  const self = await selfOf(first.cookie)
  expect(self.json).toMatchObject({
    Person: {
      name: 'Ana Ruiz',
      email: 'ana@example.com',
      roles: [{ role: 'publisher', zones: ['acme'], source: 'provider' }],
    },
  })
  await signIn({ groups: ['ops'] })
  expect((await selfOf(first.cookie)).json).toMatchObject({
    Person: { roles: [{ role: 'admin', zones: null }] },
  })
  // Who has left every group has nothing any more, also in sessions from before.
  expect((await signIn({ groups: [] })).status).toBe(403)
  expect((await ask('GET', '/api/assets', { by: { Cookie: first.cookie } })).status).toBe(403)
})

test('who was invited by a verified address comes in with the roles of the invitation', async () => {
  const email = 'bo@example.com'
  await ask('POST', '/api/people', {
    body: { email, roles: [{ role: 'editor', zones: ['acme'] }] },
  })
  const claims = { sub: 'bo', email: 'Bo@Example.com', name: 'Bo' }
  expect((await signIn({ ...claims, email_verified: false })).status).toBe(403)
  const { status, cookie } = await signIn(claims)

  expect(status).toBe(200)
  expect((await selfOf(cookie)).json).toMatchObject({
    Person: { state: 'active', roles: [{ role: 'editor' }], signsInAt: provider.issuer },
  })
  // The same address is nobody else's.
  expect((await signIn({ ...claims, sub: 'mallory', groups: ['ops'] })).status).toBe(403)
})

test('strangers, other domains and who is disabled do not come in', async () => {
  expect((await signIn({ sub: 'stranger', email: 'stranger@example.com' })).status).toBe(403)
  const elsewhere = { sub: 'else', email: 'else@example.org', groups: ['ops'] }
  expect((await signIn(elsewhere)).status).toBe(403)
  expect((await signIn({ ...elsewhere, email: 'x@example.com@example.org' })).status).toBe(403)
  const ops = { sub: 'ops', email: 'ops@example.com', groups: ['ops'] }
  const { cookie } = await signIn(ops)
  const { Person } = (await selfOf(cookie)).json as { Person: { id: string } }
  await ask('PATCH', `/api/people/${Person.id}`, { body: { disabled: true } })

  expect((await signIn(ops)).status).toBe(403)
  expect((await selfOf(cookie)).status).toBe(401)
})

const hostile: Readonly<Record<string, Partial<ScriptedProvider['script']>>> = {
  'a token without a signature': { alg: 'none' },
  'a token that somebody else signed': { signsWithForeignKey: true },
  'another nonce': { claims: { nonce: 'another' } },
  'another issuer in the token': { claims: { iss: 'https://evil.example' } },
  'another issuer in the answer': { callback: { iss: 'https://evil.example' } },
  'another audience': { claims: { aud: 'somebody-else' } },
  'several audiences, for another party': { claims: { aud: ['sedge', 'x'], azp: 'x' } },
  'a token that has expired': { claims: { exp: Math.floor(Date.now() / 1000) - 120 } },
  'a token from the future': {
    claims: { iat: Math.floor(Date.now() / 1000) + 600, nbf: Math.floor(Date.now() / 1000) + 600 },
  },
  'the hash of another access token': { claims: { at_hash: 'AAAAAAAAAAAAAAAAAAAAAA' } },
  'another state': { callback: { state: 'another' } },
  'no subject': { claims: { sub: undefined } },
  'an error': { callback: { error: 'access_denied' } },
  'userinfo of somebody else': {
    claims: { email: undefined },
    userinfo: { sub: 'x', email: 'a@example.com' },
  },
}

for (const [what, script] of Object.entries(hostile))
  test(`nobody comes in by ${what}`, async () => {
    provider.script = { ...provider.script, ...script }
    const { back, held } = await goThere()
    provider.script = { ...provider.script, claims: { groups: ['ops'], ...script.claims } }
    const response = await get(back, held)

    expect(response.status).toBe(401)
    expect(cookiesOf(response)).not.toContain('cdn_session')
    expect(await response.text()).toContain('name="password"')
  })

test('a clock that is a little off is let be', async () => {
  const late = Math.floor(Date.now() / 1000) - 30
  expect((await signIn({ groups: ['ops'], exp: late })).status).toBe(200)
})

test('an answer counts once, for the browser that began, and for ten minutes', async () => {
  const { back, held } = await signIn({ groups: ['ops'] })
  expect((await get(back, held)).status).toBe(401)

  const other = await goThere()
  expect((await get(other.back)).status).toBe(401)
  expect((await get(other.back, held)).status).toBe(401)
  const mine = await goThere()
  expect((await get(other.back, mine.held)).status).toBe(401)
  const late = await goThere()
  service.wait(601_000)
  expect((await get(late.back, late.held)).status).toBe(401)
})

test('other keys of the provider count at once, and former ones no more', async () => {
  expect((await signIn({ groups: ['ops'] })).status).toBe(200)
  provider.rotateKeys()
  expect((await signIn({ groups: ['ops'] })).status).toBe(200)
})

test('a provider that fails or sends too much is said to, and the password is left', async () => {
  for (const script of [{ tokenStatus: 503 }, { tokenPadding: 400_000 }]) {
    provider.reset()
    const { back, held } = await goThere()
    provider.script = { ...provider.script, ...script }
    const response = await get(back, held)
    const text = await response.text()
    expect(response.status).toBe(503)
    expect(text).toContain('Example &lt;ID&gt; cannot be reached right now')
    expect(text).toContain('name="password"')
  }
})

test('keys and tokens at a private address that is not the issuer are not asked for', async () => {
  const inside = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => Response.json({}) })
  provider.script = {
    ...provider.script,
    metadata: { token_endpoint: `https://127.0.0.1:${inside.port}/token` },
  }
  service.wait(601_000)
  const { back, held } = await goThere()
  expect((await get(back, held)).status).toBe(503)
  await inside.stop(true)
  provider.reset()
  service.wait(601_000)
})

test('after signing in the browser is led to pages of the dashboard alone', async () => {
  const pages: Readonly<Record<string, string>> = {
    '/dashboard/zones?a=1': '/dashboard/zones?a=1',
    'https://evil.example/': '/dashboard/',
    '//evil.example/dashboard/': '/dashboard/',
    '/dashboard/..//evil.example': '/dashboard/',
    '/dashboard/\\evil.example': '/dashboard/',
    '/api/assets': '/dashboard/',
  }
  for (const [to, page] of Object.entries(pages)) {
    const { text } = await signIn({ groups: ['ops'] }, encodeURIComponent(to))
    expect({ to, text }).toEqual({ to, text: expect.stringContaining(`0;url=${page}"`) })
  }
})

test('who came in through the provider has to again after a day', async () => {
  const { cookie } = await signIn({ groups: ['ops'] })
  service.wait(23 * 3_600_000)
  expect((await selfOf(cookie)).status).toBe(200)
  service.wait(2 * 3_600_000)
  expect((await selfOf(cookie)).status).toBe(401)
})

test('one signs out at the provider as well where one wants to', async () => {
  const out = await fetch(at('/dashboard/logout'), { method: 'POST', redirect: 'manual' })
  const page = await (await fetch(at(out.headers.get('location') ?? ''))).text()
  expect(page).toContain('You are signed out.')
  expect(page).toContain('<a href="/dashboard/oidc/logout">Sign out of Example &lt;ID&gt; as well')
  const response = await get(at('/dashboard/oidc/logout'))

  expect(response.headers.get('location')).toStartWith(`${provider.issuer}/end?`)
})

test('while the provider is silent everybody is told soon, and the password opens', async () => {
  service.wait(601_000)
  provider.script = { ...provider.script, isSilent: true }
  const started = await get(at('/dashboard/oidc/start'))
  expect(started.status).toBe(503)
  const signedIn = await fetch(at('/dashboard/login'), {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ password: testKeys.DASHBOARD_PASSWORD }),
  })
  expect(signedIn.status).toBe(303)
}, 10_000)
