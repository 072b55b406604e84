import { join } from 'node:path'

import { completeConfig, readSettings } from '../../src/config/config.ts'
import { createLog } from '../../src/lib/log.ts'
import { openService } from '../../src/service.ts'
import { access, account, temporaryDirectory, testKeys } from './service-process.ts'
import { storesElsewhere } from './stores-elsewhere.ts'

/** The real service on real git and SQLite, asked without a socket. */
export interface InProcessService extends AsyncDisposable {
  /** What the service logged, a JSON line each. */
  readonly logged: readonly string[]
  /** From this machine where no other URL is said. */
  fetch(path: string, init?: RequestInit, peerAddress?: string): Promise<Response>
  /** With the data-plane key. */
  storage(method: string, path: string, init?: StorageRequest): Promise<Response>
  /** With the control-plane key; `body` is sent as JSON. */
  core(method: string, path: string, body?: unknown): Promise<Response>
  createZone(name: string): Promise<void>
}

/** A body, and headers besides the key. */
interface StorageRequest {
  readonly body?: BodyInit
  readonly headers?: Readonly<Record<string, string>>
}

interface Options {
  readonly environment?: Readonly<Record<string, string>>
}

export async function openInProcess({ environment }: Options = {}): Promise<InProcessService> {
  await using opening = new AsyncDisposableStack()
  const directory = opening.use(await temporaryDirectory())
  const settings = readSettings({
    DATA_DIR: join(directory.path, 'data'),
    ...testKeys,
    CHECK_RESPONSES: 'true',
    // A model that each test loads anew takes seconds; tests of meaning ask for it.
    SEARCH_BY_NAME_ONLY: 'true',
    // Nobody answers there: what names lead to is no business of most tests.
    DNS_SERVERS: '127.0.0.1:9',
    ...(await storesElsewhere(directory.path)),
    ...environment,
  })
  const { config } = await completeConfig(settings)
  const logged: string[] = []
  const service = opening.use(
    await openService({
      config,
      log: createLog({ level: 'debug', pretty: false, write: (line) => logged.push(line) }),
      now: () => new Date(),
      newId: () => crypto.randomUUID(),
      monotonicMs: () => performance.now(),
      onFatal: (cause) => {
        throw cause
      },
    }),
  )
  const ask = async (path: string, init: RequestInit = {}, peerAddress = '127.0.0.1') =>
    service.fetch(new Request(`http://127.0.0.1:8788${path}`, init), peerAddress)
  const opened = opening.move()
  return {
    logged,
    fetch: ask,
    storage: (method, path, init = {}) =>
      ask(`/api/storage/${path}`, { ...init, method, headers: { ...access, ...init.headers } }),
    core: (method, path, body) =>
      ask(`/api/core/${path}`, {
        method,
        headers: account,
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      }),
    async createZone(name) {
      await ask('/api/core/zones', {
        method: 'POST',
        headers: account,
        body: JSON.stringify({ Name: name }),
      })
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
