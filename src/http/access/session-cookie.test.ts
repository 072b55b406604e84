import { expect, test } from 'bun:test'
import { authenticateWith } from './authorize.ts'
import { readSessionCookies, sessionAuthenticator, sessionCookie } from './session-cookie.ts'
import { success, uncheckedApp, testEndpoint, testKeyAuthenticator, testKeys } from '../testing.ts'

const settings = { lifeSeconds: 604_800, dashboardUrl: undefined }
const requestWith = (headers: Record<string, string>, method = 'GET', scheme = 'http') =>
  new Request(`${scheme}://sedge.test/api/thing`, { method, headers })

const common = { plane: 'test', summary: '', envelope: 'standard', responses: {} } as const
const access = { keys: ['account'], session: true } as const
const app = uncheckedApp(
  [
    testEndpoint({
      ...common,
      id: 'read',
      method: 'get',
      path: '/api/thing',
      access,
      handle: async ({ caller }) => success(200, 'ok', { by: caller.credentialId }),
    }),
    testEndpoint({
      ...common,
      id: 'change',
      method: 'post',
      path: '/api/thing',
      access,
      handle: async ({ caller }) => success(200, 'ok', { by: caller.credentialId }),
    }),
  ],
  {
    authenticate: authenticateWith([
      testKeyAuthenticator(),
      sessionAuthenticator(
        async (cookie) =>
          cookie === 'good' || cookie === 'due'
            ? { id: 's1', newCookie: cookie === 'due' ? 'fresh' : undefined }
            : undefined,
        { ...settings, hasDashboard: (url) => !url.includes('elsewhere') },
      ),
    ]),
  },
)
const ask = (headers: Record<string, string>, method?: string) =>
  app.fetch(requestWith(headers, method), '192.0.2.1')

test('a session counts where the dashboard is and nowhere else', async () => {
  const at = (url: string) =>
    app.fetch(new Request(url, { headers: { Cookie: 'cdn_session=good' } }), '192.0.2.1')
  expect((await at('http://sedge.test/api/thing')).status).toBe(200)
  expect((await at('http://elsewhere.test/api/thing')).status).toBe(401)
})

test('the cookie carries what keeps it from scripts and other sites', () => {
  expect(sessionCookie(requestWith({}), 'x', settings)).toBe(
    'cdn_session=x; HttpOnly; SameSite=Strict; Path=/; Max-Age=604800',
  )
  const secure = 'cdn_session=x; HttpOnly; Secure; SameSite=Strict; Path=/; Max-Age=604800'
  expect(sessionCookie(requestWith({}, 'GET', 'https'), 'x', settings)).toBe(secure)
  const behindProxy = { ...settings, dashboardUrl: 'https://cdn.example' }
  expect(sessionCookie(requestWith({}), 'x', behindProxy)).toBe(secure)
  expect(sessionCookie(requestWith({}), undefined, settings)).toContain('cdn_session=; ')
  expect(sessionCookie(requestWith({}), undefined, settings)).toEndWith('Max-Age=0')
})

const read = (cookie: string) => readSessionCookies(requestWith({ cookie }))

test('the cookie is found among others, and only by its whole name', () => {
  expect(read('a=1; cdn_session=x.y; b=2')).toEqual(['x.y'])
  expect(read('cdn_session=first; a=b; cdn_session=second')).toEqual(['first', 'second'])
  expect(read('cdn_session=x; '.repeat(1000))).toHaveLength(20)
  for (const cookie of ['', 'x_cdn_session=x', 'cdn_session', 'a=cdn_session=x'])
    expect(read(cookie)).toEqual([])
})

test('a session opens what takes one, and is nothing where it is not good', async () => {
  const answer = await ask({ cookie: 'cdn_session=good' })
  expect(await answer.json()).toMatchObject({ by: 'session:s1' })
  expect(answer.headers.get('set-cookie')).toBeNull()
  expect((await ask({ cookie: 'cdn_session=bad' })).status).toBe(401)
})

test('a cookie that a host name beside ours makes the browser send signs nobody out', async () => {
  const answer = await ask({ cookie: 'cdn_session=theirs; cdn_session=; cdn_session=good' })
  expect(await answer.json()).toMatchObject({ by: 'session:s1' })
})

test('a page of another site can change nothing with it', async () => {
  const cookie = 'cdn_session=good'
  expect((await ask({ cookie, 'Sec-Fetch-Site': 'same-origin' }, 'POST')).status).toBe(200)
  expect((await ask({ cookie, 'Sec-Fetch-Site': 'cross-site' }, 'POST')).status).toBe(403)
  expect((await ask({ cookie, Origin: 'http://evil.test' }, 'POST')).status).toBe(403)
  expect((await ask({ cookie, 'Sec-Fetch-Site': 'cross-site' })).status).toBe(200)
})

test('another credential that is enough is enough, wherever the page is from', async () => {
  const headers = {
    cookie: 'cdn_session=good',
    AccountKey: testKeys.account,
    'Sec-Fetch-Site': 'cross-site',
  }
  expect((await ask(headers, 'POST')).status).toBe(200)
})

test('a cookie that is due is replaced with whatever is answered', async () => {
  const expected = 'cdn_session=fresh; HttpOnly; SameSite=Strict; Path=/; Max-Age=604800'
  const answer = await ask({ cookie: 'cdn_session=due' })
  expect(answer.headers.get('set-cookie')).toBe(expected)
})
