import { createHash } from 'node:crypto'
import { MemoryDatabase } from '../src/adapters/memory/content/memory-database.ts'
import { MemoryTokenStore } from '../src/adapters/memory/access/memory-token-store.ts'
import { scopes } from '../src/domain/access/tokens/scopes.ts'
import { openTokens } from '../src/domain/access/tokens/tokens.ts'
import {
  authenticateWith,
  type Authenticator,
  authorize,
  bearerAuthenticator,
} from '../src/http/access/authorize.ts'
import { keyAuthenticator } from '../src/http/access/key-authenticator.ts'
import { sessionAuthenticator } from '../src/http/access/session-cookie.ts'
import { Secret } from '../src/lib/secrets/secret.ts'
import { compare, type Contender, median, report } from './harness.ts'

/** What it costs to find out who asks and whether they may: in microseconds a request. */
const checksPerRound = 20_000
const rounds = 15
const tokenCount = 10_000

const access = { keys: ['account'], scope: 'zones:read', session: true } as const
const key = new Secret('a-key-of-the-bench-with-some-length-01234567')
const others = new Secret('another-key-of-the-bench-with-some-length-01')

const tokens = await openTokens({
  findStanding: () => undefined,
  published: { zone: () => undefined },
  maxPerZone: () => 1_000_000,
  store: new MemoryTokenStore(new MemoryDatabase()),
  feed: { subscribe: () => ({ [Symbol.dispose]() {} }) },
  now: () => new Date(),
  newId: () => crypto.randomUUID(),
})
const operator = {
  credentialId: 'account-key',
  zones: undefined,
  ip: '127.0.0.1',
  userAgent: undefined,
  requestId: '',
}
const secrets: string[] = []
for (let count = 0; count < tokenCount; count += 1) {
  const request = { name: 'bench', scopes, expiresInDays: 1 }
  secrets.push((await tokens.create(request, operator)).secret)
}

/** All of them, in the order of the service: what is found last has passed the others. */
const authenticators: readonly Authenticator[] = [
  keyAuthenticator({
    access: others,
    account: key,
    purge: others,
    analytics: others,
    accountKeyIsAdmin: false,
  }),
  bearerAuthenticator((secret) => tokens.find(secret)),
  sessionAuthenticator(async () => undefined, {
    lifeSeconds: 1,
    dashboardUrl: undefined,
    hasDashboard: () => true,
  }),
]
const authenticate = authenticateWith(authenticators)

const requestWith = (headers: Record<string, string>) =>
  new Request('http://127.0.0.1:8788/api/core/zones', {
    headers: { Accept: '*/*', 'User-Agent': 'bench', ...headers },
  })

const byKey = [requestWith({ AccountKey: key.reveal() })]
/** Tokens come and go, so not always the same one. */
const byToken = secrets.map((secret) => requestWith({ Authorization: `Bearer ${secret}` }))

function contender(
  name: string,
  requests: readonly Request[],
  check: (request: Request) => unknown,
): Contender {
  return {
    name,
    async run() {
      const start = process.cpuUsage()
      for (let count = 0; count < checksPerRound; count += 1)
        await check(requests[count % requests.length] as Request)
      const { user, system } = process.cpuUsage(start)
      return (user + system) / checksPerRound
    },
  }
}

const checked = (name: string, requests: readonly Request[]): Contender =>
  contender(name, requests, async (request) =>
    authorize(access, await authenticate(request, '192.0.2.1')),
  )

/** Keeps what each round cost, for the table. */
function remembered(inner: Contender): Contender & { readonly costs: number[] } {
  const costs: number[] = []
  return {
    name: inner.name,
    costs,
    async run(round) {
      const cost = await inner.run(round)
      costs.push(cost)
      return cost
    },
  }
}

const keyCheck = remembered(checked('a key', byKey))
const tokenCheck = remembered(checked(`a token, one of ${tokenCount}`, byToken))
const bare = contender('one SHA-256 of the header and no more', byToken, (request) =>
  createHash('sha256')
    .update(request.headers.get('authorization') ?? '')
    .digest('hex'),
)
for (const each of [keyCheck, tokenCheck, bare]) await each.run(0)
keyCheck.costs.length = 0
tokenCheck.costs.length = 0

await compare({
  title: 'Credential check (µs of CPU a request)',
  ours: tokenCheck,
  peers: [keyCheck, bare],
  rounds,
})
await report('access', [
  {
    what: 'credential check on the request path, a key',
    figure: '≤ 20 µs',
    measured: `${median(keyCheck.costs).toFixed(1)} µs`,
  },
  {
    what: `credential check on the request path, one of ${tokenCount} tokens`,
    figure: '≤ 60 µs',
    measured: `${median(tokenCheck.costs).toFixed(1)} µs`,
  },
])
