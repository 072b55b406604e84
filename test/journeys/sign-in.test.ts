import { afterEach, beforeEach, expect, test } from 'bun:test'

import {
  createOneTimeSecrets,
  type OneTimeSecrets,
} from '../../src/lib/secrets/one-time-secrets.ts'
import { type LocalService, openLocalService } from '../support/local-service.ts'
import { account, temporaryDirectory, testKeys } from '../support/service-process.ts'
import { createSoftwareAuthenticator } from '../support/software-authenticator.ts'

let service: LocalService
let dataDirectory: string
let undo: AsyncDisposableStack
let signInLinks: OneTimeSecrets
beforeEach(async () => {
  undo = new AsyncDisposableStack()
  dataDirectory = undo.use(await temporaryDirectory()).path
  signInLinks = createOneTimeSecrets({ lifeMs: 600_000, now: () => new Date() })
  service = undo.use(await openLocalService({ dataDirectory, signInLinks }))
})
afterEach(() => undo.disposeAsync())

const password = testKeys.DASHBOARD_PASSWORD

interface Init extends RequestInit {
  readonly headers?: Readonly<Record<string, string>>
}

const ask = (method: string, path: string, init: Init = {}) =>
  fetch(`${service.url}${path}`, { method, redirect: 'manual', ...init })

// oxlint-disable-next-line typescript/no-explicit-any -- answers are looked at, not trusted
const json = async (response: Response) => (await response.json()) as Record<string, any>

const cookieOf = (response: Response): string =>
  response.headers.get('set-cookie')?.split(';')[0] ?? ''

const submit = (given: string, headers: Record<string, string> = {}) =>
  ask('POST', '/dashboard/login', { body: new URLSearchParams({ password: given }), headers })

const post = (path: string, body: unknown, headers: Record<string, string>) =>
  ask('POST', path, {
    body: JSON.stringify(body),
    headers: { 'Content-Type': 'application/json', ...headers },
  })

async function signIn(): Promise<{ readonly Cookie: string }> {
  const response = await submit(password)
  expect(response.status).toBe(303)
  return { Cookie: cookieOf(response) }
}

test('the password opens a session, sent as a form of either kind or as JSON', async () => {
  const form = new FormData()
  form.set('password', password)
  for (const response of [
    await submit(password),
    await ask('POST', '/dashboard/login', { body: form }),
    await post('/dashboard/login', { password }, {}),
  ]) {
    expect(response.status).toBe(303)
    expect(response.headers.get('location')).toBe('/dashboard/')
    expect(response.headers.get('set-cookie')).toMatch(
      /^cdn_session=s1\.[\w.-]+; HttpOnly; SameSite=Strict; Path=\/; Max-Age=604800$/u,
    )
    const listed = await ask('GET', '/api/core/zones', { headers: { Cookie: cookieOf(response) } })
    expect(listed.status).toBe(200)
  }
})

test('who was on the way to a page comes to it, and nobody is led anywhere else', async () => {
  const wanted = '/dashboard/zone?zone=acme&tab=settings'
  const led = await ask('GET', wanted)
  const login = led.headers.get('location') ?? ''
  expect(login).toBe(`/dashboard/login?to=${encodeURIComponent(wanted)}`)
  expect(await (await ask('GET', login)).text()).toContain(
    `action="/dashboard/login?to=${encodeURIComponent(wanted)}"`,
  )
  const pages = {
    [wanted]: wanted,
    'https://evil.example/': '/dashboard/',
    '//evil.example/dashboard/': '/dashboard/',
  }
  for (const [to, page] of Object.entries(pages)) {
    const body = new URLSearchParams({ password })
    const sent = await ask('POST', `/dashboard/login?to=${encodeURIComponent(to)}`, { body })
    expect(sent.headers.get('location')).toBe(page)
  }
  const refused = await ask('POST', login, {
    body: new URLSearchParams({ password: 'wrong' }),
    headers: { Accept: 'text/html' },
  })
  expect(await refused.text()).toContain(`?to=${encodeURIComponent(wanted)}"`)
  expect((await ask('GET', '/dashboard/')).headers.get('location')).toBe('/dashboard/login')
})

test('the pages to sign in at are in the language of whoever reads them', async () => {
  const texts = {
    'de-AT,de;q=0.9,en;q=0.8': ['de', 'Bei Sedge anmelden'],
    'pt,fr;q=0.5': ['fr', 'Se connecter à Sedge'],
    es: ['es', 'Iniciar sesión en Sedge'],
    'ja,en;q=0.1': ['ja', 'Sedge にサインイン'],
    'nl,*;q=0.5': ['en', 'Sign in to Sedge'],
  }
  for (const [field, [language = '', text = '']] of Object.entries(texts)) {
    const response = await ask('GET', '/dashboard/login', { headers: { 'Accept-Language': field } })
    const page = await response.text()
    expect(page).toContain(`<html lang="${language}">`)
    expect(page).toContain(text)
    expect(page).not.toContain('{{')
    expect(response.headers.get('vary')).toContain('Accept-Language')
  }
  const headers = { 'Accept-Language': 'de', Accept: 'text/html' }
  expect(await (await submit('wrong', headers)).text()).toContain('Das Passwort ist falsch')
  const invited = await ask('GET', '/dashboard/invitation', { headers })
  expect(await invited.text()).toContain('Sie sind eingeladen')
  const passkeys = await ask('GET', '/dashboard/passkeys', {
    headers: { ...headers, ...(await signIn()) },
  })
  expect(await passkeys.text()).toContain('Name des neuen Passkeys')
})

test('what the link of a start has opens one session, only when it is sent from here', async () => {
  const once = signInLinks.issue()
  const send = (headers: Record<string, string> = {}) =>
    ask('POST', '/dashboard/login', { body: new URLSearchParams({ once }), headers })
  // Whatever looks at the link only gets the page.
  const page = await ask('GET', `/dashboard/login?once=${once}`)
  expect({ status: page.status, cookie: page.headers.get('set-cookie') }).toEqual({
    status: 200,
    cookie: null,
  })
  expect((await send({ 'Sec-Fetch-Site': 'cross-site' })).status).toBe(403)

  const [first, second] = await Promise.all([send(), send()])
  expect(new Set([first.status, second.status])).toEqual(new Set([303, 401]))
  const headers = { Cookie: cookieOf(first.status === 303 ? first : second) }
  const { Sessions: sessions } = await json(await ask('GET', '/api/sessions', { headers }))
  expect(sessions).toMatchObject([{ method: 'link', current: true }])
  const again = await send({ Accept: 'text/html' })
  expect(again.status).toBe(401)
  expect(await again.text()).toContain('This link was used already or is older than ten minutes')
  const { Entries: entries } = await json(
    await ask('GET', '/api/core/audit-logs', { headers: account }),
  )
  const deeds = entries.map(({ action }: { action: string }) => action)
  expect(deeds).toEqual(expect.arrayContaining(['session.open', 'session.refuse']))
})

test('a session that a link opened ends when the password is another', async () => {
  const sent = await ask('POST', '/dashboard/login', {
    body: new URLSearchParams({ once: signInLinks.issue() }),
  })
  const headers = { Cookie: cookieOf(sent) }
  expect((await ask('GET', '/api/sessions', { headers })).status).toBe(200)
  await service[Symbol.asyncDispose]()
  await using changed = await openLocalService({
    dataDirectory,
    environment: { DASHBOARD_PASSWORD: 'another-password-0123456789' },
  })

  expect((await fetch(`${changed.url}/api/sessions`, { headers })).status).toBe(401)
})

test('the page to sign in at offers a passkey where one is registered and can work', async () => {
  const page = async (host = new URL(service.url).host): Promise<string> =>
    await (await ask('GET', '/dashboard/login', { headers: { Host: host } })).text()
  expect(await page()).toContain('data-passkeys="none"')
  expect(await page()).toContain('npx sedge keys show DASHBOARD_PASSWORD')
  expect(await page()).not.toContain('Passkeys do not work')
  await register()

  expect(await page()).toContain('data-passkeys="registered"')
  const numbered = await page(`127.0.0.1:${service.port}`)
  expect(numbered).toContain('data-passkeys="none"')
  expect(numbered).toContain(`href="http://localhost:${service.port}/dashboard/login"`)
  const named = await page(`assets.example:${service.port}`)
  expect(named).toContain('data-passkeys="none"')
  expect(named).toContain('<code>BASE_URL</code>')
})

test('behind an https URL the cookie is for https alone', async () => {
  await using directory = await temporaryDirectory()
  await using secure = await openLocalService({
    dataDirectory: directory.path,
    environment: { BASE_URL: 'https://cdn.example' },
  })
  const response = await fetch(`${secure.url}/dashboard/login`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ password }),
  })
  expect(response.headers.get('set-cookie')).toContain('; HttpOnly; Secure; SameSite=Strict')
})

test('a wrong password is 401, as a page for a browser and in the envelope for a program', async () => {
  const program = await submit('wrong')
  expect(program.status).toBe(401)
  expect(program.headers.get('www-authenticate')).toBe('Session realm="sedge"')
  expect(await json(program)).toMatchObject({ HttpCode: 401, error: { code: 'Unauthorized' } })

  const browser = await submit('wrong', { Accept: 'text/html,*/*' })
  expect(browser.status).toBe(401)
  expect(browser.headers.get('content-type')).toStartWith('text/html')
  expect(await browser.text()).toContain('The password is wrong')
  for (const response of [program, browser]) {
    expect(response.headers.get('set-cookie')).toBeNull()
    expect(response.headers.get('x-api-version')).toBe('2026-04-01')
  }
})

test('five failures lock an address out for a while, right passwords included', async () => {
  const statuses = await Promise.all(
    Array.from({ length: 12 }, async () => (await submit('wrong')).status),
  )
  expect(statuses.filter((status) => status === 401)).toHaveLength(5)
  expect(statuses.filter((status) => status === 429)).toHaveLength(7)
  const refused = await submit(password)
  expect(refused.status).toBe(429)
  expect(Number(refused.headers.get('retry-after'))).toBeWithin(890, 901)
  expect(refused.headers.get('ratelimit-policy')).toBe('"sign-in";q=5;w=900')
  expect(await json(refused)).toMatchObject({ error: 'limit_reached', HttpCode: 429 })
  service.wait(901_000)
  expect((await submit(password)).status).toBe(303)
})

test('malformed sign-ins are the caller’s fault and count as no attempt', async () => {
  const type = (value: string) => ({ headers: { 'Content-Type': value } })
  const bodies: readonly Init[] = [
    { body: '' },
    { body: '{' },
    { body: '{"password":1}', ...type('application/json') },
    { body: 'passwort=x', ...type('application/x-www-form-urlencoded') },
    { body: 'x', ...type('multipart/form-data') },
    { body: '--x', ...type('multipart/form-data; boundary=x') },
    { body: '[]' },
  ]
  for (const init of bodies) expect((await ask('POST', '/dashboard/login', init)).status).toBe(400)
  expect((await submit('x'.repeat(10_000))).status).toBe(413)
  expect((await submit(password)).status).toBe(303)
})

test('signing in ends the session the browser had, so none can be planted', async () => {
  const first = await signIn()
  const second = await submit(password, first)
  expect(cookieOf(second)).not.toBe(first.Cookie)
  expect((await ask('GET', '/api/sessions', { headers: first })).status).toBe(401)
  expect(
    (await ask('GET', '/api/sessions', { headers: { Cookie: cookieOf(second) } })).status,
  ).toBe(200)
})

test('pages of other sites can neither sign in nor out nor change anything', async () => {
  const session = await signIn()
  const evil = { 'Sec-Fetch-Site': 'cross-site', Origin: 'https://evil.example' }
  expect((await submit(password, evil)).status).toBe(403)
  const signOut = await ask('POST', '/dashboard/logout', { headers: { ...session, ...evil } })
  expect(signOut.status).toBe(403)
  const token = { name: 'x', scopes: ['logs:read'] }
  expect((await post('/api/tokens', token, { ...session, ...evil })).status).toBe(403)
  const sameSite = { ...session, 'Sec-Fetch-Site': 'same-site' }
  expect((await post('/api/tokens', token, sameSite)).status).toBe(403)
  const own = { ...session, 'Sec-Fetch-Site': 'same-origin', Origin: service.url }
  expect((await post('/api/tokens', token, own)).status).toBe(201)
})

test('what takes a session or makes one is never shown to other origins', async () => {
  for (const [method, path] of [
    ['POST', '/dashboard/login'],
    ['POST', '/api/passkeys/auth/begin'],
    ['GET', '/api/sessions'],
    ['GET', '/api/tokens'],
  ] as const) {
    const headers = { Origin: 'https://evil.example', 'Sec-Fetch-Site': 'cross-site' }
    const response = await ask(method, path, { headers })
    expect(response.headers.get('access-control-allow-origin')).toBeNull()
  }
})

test('sessions are listed and ended, one’s own and others', async () => {
  const [mine, other] = [await signIn(), await signIn()]
  const { Sessions: listed, Count } = await json(
    await ask('GET', '/api/sessions', { headers: mine }),
  )
  expect(Count).toBe(2)
  const current = listed.find((each: { current: boolean }) => each.current)
  const foreign = listed.find((each: { current: boolean }) => !each.current)
  expect(current).toMatchObject({ method: 'password', ip: '127.0.0.1' })
  expect(mine.Cookie).toContain(current.id)

  const ended = await ask('DELETE', `/api/sessions/${foreign.id}`, { headers: mine })
  expect(await json(ended)).toMatchObject({ HttpCode: 200, id: foreign.id })
  expect((await ask('GET', '/api/sessions', { headers: other })).status).toBe(401)
  const again = await ask('DELETE', `/api/sessions?id=${foreign.id}`, { headers: account })
  expect(again.status).toBe(404)

  const out = await ask('POST', '/dashboard/logout', { headers: mine })
  expect(out.status).toBe(303)
  expect(out.headers.get('set-cookie')).toContain('Max-Age=0')
  expect((await ask('GET', '/api/sessions', { headers: mine })).status).toBe(401)
})

test('the cookie is replaced after an hour, in a response of the interface or of a page', async () => {
  for (const path of ['/api/sessions', '/dashboard/']) {
    const session = await signIn()
    service.wait(3_600_000)
    const next = cookieOf(await ask('GET', path, { headers: session }))
    expect(next).toStartWith('cdn_session=s1.')
    expect(next).not.toBe(session.Cookie)
    expect((await ask('GET', '/api/sessions', { headers: { Cookie: next } })).status).toBe(200)
    service.wait(60_000)
    expect((await ask('GET', '/api/sessions', { headers: session })).status).toBe(401)
    expect((await ask('GET', '/api/sessions', { headers: { Cookie: next } })).status).toBe(401)
  }
})

test('a session outlives a restart, and another password ends it', async () => {
  const session = await signIn()
  const statusAfter = async (environment: Record<string, string>) => {
    await undo.disposeAsync()
    undo = new AsyncDisposableStack()
    service = undo.use(await openLocalService({ dataDirectory, environment }))
    return (await ask('GET', '/api/sessions', { headers: session })).status
  }
  // The directory is needed a while longer than the first service.
  await using kept = await temporaryDirectory()
  await Bun.$`cp -r ${dataDirectory}/. ${kept.path}`.quiet()
  dataDirectory = kept.path
  expect(await statusAfter({})).toBe(200)
  expect(await statusAfter({ DASHBOARD_PASSWORD: 'another-password' })).toBe(401)
})

test('pages: signed out one is led to sign in, and every response says which request it was', async () => {
  const session = await signIn()
  const id = '11111111-2222-4333-8444-555555555555'
  for (const [path, signedOut, signedIn] of [
    ['/dashboard', 308, 308],
    ['/dashboard/', 303, 200],
    ['/dashboard/login', 200, 200],
    ['/dashboard/passkeys', 303, 200],
    ['/dashboard/sign-in.js', 200, 200],
    ['/dashboard/passkeys.js', 200, 200],
    ['/dashboard/access.css', 200, 200],
    ['/dashboard/nothing', 404, 404],
    ['/dashboard/__proto__', 404, 404],
    ['/dashboard/..%2f..%2fpackage.json', 404, 404],
  ] as const)
    for (const [headers, status] of [
      [{}, signedOut],
      [session, signedIn],
    ] as const)
      for (const method of ['GET', 'HEAD']) {
        const response = await ask(method, path, { headers: { ...headers, 'X-Request-ID': id } })
        expect({ method, path, status: response.status }).toEqual({ method, path, status })
        expect(response.headers.get('x-request-id')).toBe(id)
        expect(response.headers.get('x-api-version')).toBe('2026-04-01')
        expect(method === 'GET' || (await response.text()) === '').toBe(true)
      }
})

test('a page runs only scripts of ours, is never in a frame, and is asked for anew', async () => {
  const page = await ask('GET', '/dashboard/login')
  const policy = page.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("script-src 'self'")
  expect(policy).toContain("frame-ancestors 'none'")
  expect(policy).not.toContain('unsafe')
  expect(await page.text()).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\son\w+=/u)
  const headers = { 'If-None-Match': page.headers.get('etag') ?? '' }
  expect((await ask('GET', '/dashboard/login', { headers })).status).toBe(304)
})

test('a zone’s own host name has no dashboard', async () => {
  await post('/api/core/zones', { Name: 'acme' }, account)
  await post('/api/core/zones/acme/domains', { Hostname: 'cdn.acme.example' }, account)
  const response = await ask('GET', '/dashboard/login', { headers: { Host: 'cdn.acme.example' } })
  expect(response.status).toBe(404)
})

async function register(authenticator = createSoftwareAuthenticator()) {
  const site = { origin: service.url, rpId: 'localhost' }
  const begun = await json(await post('/api/passkeys/register/begin', {}, account))
  const response = authenticator.register({ challenge: begun['challenge'], ...site })
  const completed = await post(
    '/api/passkeys/register/complete',
    { ...response, name: 'laptop' },
    account,
  )
  return { authenticator, site, begun, completed }
}

async function authenticate({ authenticator, site }: Awaited<ReturnType<typeof register>>) {
  const { challenge } = await json(await post('/api/passkeys/auth/begin', {}, {}))
  const response = authenticator.authenticate({ challenge, ...site })
  return await post('/api/passkeys/auth/complete', response, {})
}

test('a passkey is registered, signs in, is listed and removed, and its sessions end with it', async () => {
  const registered = await register()
  expect(registered.begun['options'].challenge).toBe(registered.begun['challenge'])
  expect(await json(registered.completed)).toMatchObject({
    HttpCode: 201,
    Passkey: { name: 'laptop', lastUsedAt: null },
  })
  const signedIn = await authenticate(registered)
  expect(await json(signedIn)).toMatchObject({ HttpCode: 200, verified: true, name: 'laptop' })
  const session = { Cookie: cookieOf(signedIn) }
  const { Passkeys: listed } = await json(await ask('GET', '/api/passkeys', { headers: session }))
  expect(listed).toMatchObject([{ name: 'laptop', lastUsedAt: expect.any(String) }])

  const { id } = registered.authenticator
  const removed = await ask('DELETE', `/api/passkeys?id=${id}`, { headers: account })
  expect(await json(removed)).toMatchObject({ HttpCode: 200, id })
  expect((await ask('GET', '/api/passkeys', { headers: session })).status).toBe(401)
  expect((await authenticate(registered)).status).toBe(401)
  expect((await ask('DELETE', `/api/passkeys/${id}`, { headers: account })).status).toBe(404)
})

test('a refused passkey says nothing but that, and sets no cookie', async () => {
  const registered = await register()
  const { site, authenticator } = registered
  const bodies = new Set<string>()
  for (const parts of [
    { origin: 'https://evil.example' },
    { rpId: 'evil.example' },
    { id: 'bm9ib2R5' },
    { userVerified: false },
  ]) {
    const { challenge } = await json(await post('/api/passkeys/auth/begin', {}, {}))
    const response = authenticator.authenticate({ challenge, ...site, ...parts })
    const refused = await post('/api/passkeys/auth/complete', response, {})
    expect(refused.status).toBe(401)
    expect(refused.headers.get('set-cookie')).toBeNull()
    bodies.add(String((await json(refused))['Message']))
  }
  expect([...bodies]).toEqual(['The passkey was not accepted'])
  expect((await authenticate(registered)).status).toBe(200)
})

test('passkeys need a host name that cannot be made up', async () => {
  for (const Host of ['evil.example', '127.0.0.1:8788', '[::1]:8788']) {
    const response = await post('/api/passkeys/auth/begin', {}, { Host })
    expect(response.status).toBe(400)
    expect(await json(response)).toMatchObject({ error: { target: 'Host' } })
  }
})

test('strangers can ask for thirty challenges a minute, not more', async () => {
  const statuses = await Promise.all(
    Array.from({ length: 40 }, async () => (await post('/api/passkeys/auth/begin', {}, {})).status),
  )
  expect(statuses.filter((status) => status === 200)).toHaveLength(30)
  expect(statuses.filter((status) => status === 429)).toHaveLength(10)
})

test('who came in, and who did not, is in the audit log', async () => {
  await submit('wrong')
  await signIn()
  await register()
  const { Entries: entries } = await json(
    await ask('GET', '/api/core/audit-logs', { headers: account }),
  )
  const actions = entries.map(({ action }: { action: string }) => action).toReversed()
  expect(actions).toEqual(['session.refuse', 'session.open', 'passkey.add'])
})

test('a token’s secret is shown once, and its record never holds it', async () => {
  const created = await json(
    await post('/api/tokens', { name: 'ci', scopes: ['storage:write', 'storage:write'] }, account),
  )
  expect(created).toMatchObject({
    HttpCode: 201,
    name: 'ci',
    scopes: ['storage:write'],
    Token: { secret: created['token'], zones: null, prefix: created['token'].slice(0, 10) },
  })
  expect(created['token']).toMatch(/^cdnsk_[0-9A-Za-z]{40}$/u)
  const lifeMs = Date.parse(created['Token'].expiresAt) - Date.parse(created['Token'].createdAt)
  expect(lifeMs).toBe(365 * 86_400_000)
  const list = await (await ask('GET', '/api/tokens', { headers: account })).text()
  expect(list).not.toContain(created['token'])
  expect(JSON.parse(list)).toMatchObject({ Count: 1, tokens: [{ id: created['id'] }] })
  const database = await Bun.file(`${dataDirectory}/sedge.db-wal`).text()
  expect(database).not.toContain(created['token'])
})

test('token requests that make no sense are 400 and name the field', async () => {
  const good = { name: 'x', scopes: ['logs:read'] }
  for (const [target, body] of [
    ['name', { ...good, name: '' }],
    ['name', { ...good, name: 'x'.repeat(101) }],
    ['name', { ...good, name: 'a\u0000b' }],
    ['scopes', { ...good, scopes: [] }],
    ['scopes', { name: 'x' }],
    ['scopes[0]', { ...good, scopes: ['everything'] }],
    ['expiresInDays', { ...good, expiresInDays: 0 }],
    ['expiresInDays', { ...good, expiresInDays: 366 }],
    ['expiresInDays', { ...good, expiresInDays: 1.5 }],
    ['zones', { ...good, zones: [] }],
    ['zones', { ...good, zones: ['nowhere'] }],
    ['zones', { ...good, zones: ['__proto__'] }],
  ] as const) {
    const response = await post('/api/tokens', body, account)
    expect({ target, status: response.status }).toEqual({ target, status: 400 })
    expect(await json(response)).toMatchObject({ error: { code: 'InvalidParameter', target } })
  }
  for (const path of ['/api/tokens', '/api/sessions', '/api/passkeys'])
    expect((await ask('DELETE', path, { headers: account })).status).toBe(400)
})
