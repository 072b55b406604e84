import { addressList } from '../lib/net/address-list.ts'
import { createLog, type Log } from '../lib/log.ts'
import { Secret } from '../lib/secrets/secret.ts'
import { createResponseCheck } from './response-check.ts'
import { type App, type AppOptions, createApp } from './app.ts'
import { authenticateWith } from './access/authorize.ts'
import { keyAuthenticator } from './access/key-authenticator.ts'
import { type Call, type Endpoint, operation, type OperationSpec, respond } from './operation.ts'
import { createMemoryRateWindows, createRateLimits } from './access/rate-limits.ts'

export const testKeys = {
  access: 'access-key-of-tests',
  account: 'account-key-of-tests',
  purge: 'purge-key-of-tests',
  analytics: 'analytics-key-of-tests',
} as const

export const testKeyAuthenticator = (accountKeyIsAdmin = false) =>
  keyAuthenticator({
    access: new Secret(testKeys.access),
    account: new Secret(testKeys.account),
    purge: new Secret(testKeys.purge),
    analytics: new Secret(testKeys.analytics),
    accountKeyIsAdmin,
  })

/** A log whose lines a test can read. */
export function listeningLog(): { readonly log: Log; readonly lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = []
  const write = (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>)
  return { log: createLog({ level: 'debug', pretty: false, write }), lines }
}

const testNow = new Date('2026-04-01T12:00:00.000Z')

/** An app of just these operations, which holds their responses against what they declare. */
export const testApp = (all: readonly Endpoint[], options: Partial<AppOptions> = {}): App =>
  uncheckedApp(all, { responseCheck: createResponseCheck(listeningLog().log), ...options })

/** An app of just these endpoints, at a fixed time and with ids that count up. */
export function uncheckedApp(all: readonly Endpoint[], options: Partial<AppOptions> = {}): App {
  const now = options.now ?? (() => testNow)
  let count = 0
  return createApp({
    endpoints: all,
    authenticate: authenticateWith([testKeyAuthenticator()]),
    rateLimits: createRateLimits({
      rows: [{ name: 'search', quota: 100, window: 60, per: 'client' }],
      windows: createMemoryRateWindows(),
      now,
    }),
    trustedProxies: addressList([]),
    now,
    newId: () => `00000000-0000-4000-8000-${String((count += 1)).padStart(12, '0')}`,
    log: listeningLog().log,
    ...options,
  })
}

type TestReply =
  | Response
  | { readonly status?: number; readonly json: unknown; readonly headers?: Record<string, string> }

/** An endpoint that answers anything, for what is the same whatever operations declare. */
export const testEndpoint = (
  // oxlint-disable-next-line typescript/no-explicit-any -- of any shape
  spec: OperationSpec<any, any, any> & {
    // oxlint-disable-next-line typescript/no-explicit-any -- of any shape
    readonly handle: (call: Call<any, any, any>) => Promise<TestReply>
  },
): Endpoint => ({
  ...operation(spec),
  async handle(call) {
    const reply = await spec.handle(call)
    return reply instanceof Response
      ? reply
      : respond(reply.status ?? 200, reply.json, reply.headers)
  },
})

/** The success envelope. */
export const success = (status: number, message: string, fields: object = {}): TestReply => ({
  status,
  json: { HttpCode: status, Message: message, ...fields },
})
