import { completeConfig, readSettings } from '../../src/config/config.ts'
import { createLog } from '../../src/lib/log.ts'
import type { OneTimeSecrets } from '../../src/lib/secrets/one-time-secrets.ts'
import type { Service } from '../../src/server/responder.ts'
import { openService } from '../../src/service.ts'
import { openListener } from '../../src/server/listener.ts'
import { testKeys } from './service-process.ts'
import { storesElsewhere } from './stores-elsewhere.ts'

export interface LocalService extends AsyncDisposable {
  readonly url: string
  readonly port: number
  /** Asks without the socket. */
  readonly fetch: Service['fetch']
  readonly respondOnWire: Service['respondOnWire']
  /** Moves the service's clock ahead. */
  wait(ms: number): void
  /** What was logged. */
  readonly lines: readonly string[]
}

interface Options {
  readonly dataDirectory: string
  readonly environment?: Readonly<Record<string, string>>
  /** What a start at a terminal would have shown. */
  readonly signInLinks?: OneTimeSecrets
  /** Any free one where left out. */
  readonly port?: number
  /** Which lines of the log are kept; all where left out. */
  readonly keeps?: (line: string) => boolean
}

/** A real service behind a real socket, in this process, with a clock that can be moved. */
export async function openLocalService({
  dataDirectory,
  environment,
  signInLinks,
  port = 0,
  keeps = () => true,
}: Options): Promise<LocalService> {
  const settings = readSettings({
    DATA_DIR: dataDirectory,
    ...testKeys,
    CHECK_RESPONSES: 'true',
    // What the machine of the tests lacks is no business of webhooks that tests listen with.
    NOTIFY_WEBHOOK_KINDS: 'none',
    ...(await storesElsewhere(dataDirectory)),
    ...environment,
  })
  const { config } = await completeConfig(settings)
  const lines: string[] = []
  let aheadMs = 0
  const service = await openService({
    config,
    log: createLog({
      level: 'warn',
      pretty: false,
      write: (line) => void (keeps(line) && lines.push(line)),
    }),
    now: () => new Date(Date.now() + aheadMs),
    newId: () => crypto.randomUUID(),
    monotonicMs: () => performance.now(),
    ...(signInLinks && { signInLinks }),
    onFatal: (cause) => void lines.push(`fatal: ${String(cause)}`),
  })
  const listener = await openListener({
    port,
    hostname: '127.0.0.1',
    sharesPort: false,
    respond: (request, peerAddress) => service.fetch(request, peerAddress),
    respondOnWire: config.hotLine ? service.respondOnWire : undefined,
  })
  return {
    url: `http://localhost:${listener.port}`,
    port: listener.port,
    fetch: (request, peerAddress) => service.fetch(request, peerAddress),
    respondOnWire: service.respondOnWire,
    lines,
    wait: (ms) => void (aheadMs += ms),
    async [Symbol.asyncDispose]() {
      await listener.stop(0)
      await service[Symbol.asyncDispose]()
    },
  }
}
