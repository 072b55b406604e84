import { Hono } from 'hono'
import { z } from 'zod'
import { createApp } from '../src/http/app.ts'
import { authenticateWith } from '../src/http/access/authorize.ts'
import { trustedProxies } from '../src/http/request/client-address.ts'
import { keyAuthenticator } from '../src/http/access/key-authenticator.ts'
import { operation } from '../src/http/operation.ts'
import { clampedInteger } from '../src/http/request/query.ts'
import { createMemoryRateWindows, createRateLimits } from '../src/http/access/rate-limits.ts'
import { createLog } from '../src/lib/log.ts'
import { Secret } from '../src/lib/secrets/secret.ts'
import { compare, type Contender, report } from './harness.ts'

/** What the wire costs: requests per CPU-second of a trivial operation, against bare Hono. */
const requestsPerRound = 20_000
const rounds = 11
const key = 'a-key-of-the-bench'

const responseOf = (id: string, page: number) => ({ Name: id, Page: page })

const thing = z.object({
  HttpCode: z.literal(200),
  Message: z.string(),
  Name: z.string(),
  Page: z.int(),
})

const app = createApp({
  endpoints: [
    operation({
      id: 'getThing',
      plane: 'core',
      method: 'get',
      path: '/api/core/things/{id}',
      summary: '',
      access: { keys: ['account'] },
      envelope: 'standard',
      params: z.object({ id: z.string() }),
      query: z.object({ page: clampedInteger({ min: 1, max: 100, default: 1 }) }),
      responses: { 200: { description: '', schema: thing } },
    })
      .handledBy(() => async ({ params, query, respond }) => {
        const found = responseOf(params.id, query.page)
        return respond(200, { HttpCode: 200, Message: 'Found', ...found })
      })
      .endpoint({}),
  ],
  authenticate: authenticateWith([
    keyAuthenticator({
      access: new Secret('other-1'),
      account: new Secret(key),
      purge: new Secret('other-2'),
      analytics: new Secret('other-3'),
      accountKeyIsAdmin: false,
    }),
  ]),
  rateLimits: createRateLimits({
    rows: [],
    windows: createMemoryRateWindows(),
    now: () => new Date(),
  }),
  trustedProxies: trustedProxies([]),
  now: () => new Date(),
  newId: () => crypto.randomUUID(),
  log: createLog({ level: 'info', pretty: false, write: () => undefined }),
})

const bare = new Hono()
bare.get('/api/core/things/:id', (context) =>
  context.json({
    HttpCode: 200,
    Message: 'Found',
    ...responseOf(context.req.param('id'), Number(context.req.query('page'))),
  }),
)

function contender(
  name: string,
  fetch: (request: Request) => Response | Promise<Response>,
): Contender {
  return {
    name,
    async run() {
      const start = process.cpuUsage()
      for (let count = 0; count < requestsPerRound; count += 1) {
        const request = new Request('http://127.0.0.1:8788/api/core/things/one?page=2', {
          headers: { AccountKey: key, Accept: '*/*', 'User-Agent': 'bench' },
        })
        const response = await fetch(request)
        if (response.status !== 200) throw new Error(`${name} answered ${response.status}`)
        await response.text()
      }
      const { user, system } = process.cpuUsage(start)
      return requestsPerRound / ((user + system) / 1e6)
    },
  }
}

const ours = contender('createApp', (request) => app.fetch(request, '127.0.0.1'))
const peer = contender('bare Hono, nothing checked', (request) => bare.fetch(request))
await ours.run(0)
await peer.run(0)
const ratios = await compare({
  title: 'GET of a small JSON answer, in process (requests per CPU-second)',
  ours,
  peers: [peer],
  rounds,
})
await report('wire', [
  {
    what: 'trivial operation through the wire against bare Hono, in process',
    figure: '(for information)',
    measured: `${(ratios.get(peer.name) ?? Number.NaN).toFixed(2)}x`,
  },
])
