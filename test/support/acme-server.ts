import { spawnSync } from 'node:child_process'
import { homedir } from 'node:os'
import { join } from 'node:path'

import { makeCertificate } from './certificates.ts'
import { startProgram, untilResponding } from './child-program.ts'
import { freePorts } from './free-port.ts'
import type { Need } from './needs.ts'
import { temporaryDirectory } from './service-process.ts'

/** Where `.ci/run` builds the two programs, besides wherever the system looks. */
const builtIn = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'sedge', 'bin')

function programOf(name: string): string | undefined {
  const built = join(builtIn, name)
  if (spawnSync(built, ['-help']).error === undefined) return built
  return spawnSync(name, ['-help']).error === undefined ? name : undefined
}

export const pebble: Need = {
  what: 'Pebble, an ACME server for tests',
  howToGetIt: `GOBIN=${builtIn} go install github.com/letsencrypt/pebble/v2/cmd/pebble@v2.10.1 github.com/letsencrypt/pebble/v2/cmd/pebble-challtestsrv@v2.10.1`,
  isThere: () =>
    programOf('pebble') !== undefined && programOf('pebble-challtestsrv') !== undefined,
}

export interface AcmeServer extends AsyncDisposable {
  readonly directoryUrl: string
  /** Whoever signed the server's own certificate, not those it issues. */
  readonly caFile: string
  /** Name servers for the service to ask. */
  readonly nameServer: string
  /** No name leads anywhere until it is told to; `target` then leads to this machine. */
  alias(hostname: string, target: string): Promise<void>
  removeAlias(hostname: string): Promise<void>
  /** The PEM of whoever signs what the server issues. */
  root(): Promise<string>
  isRevoked(serialNumber: string): Promise<boolean>
  stop(): Promise<void>
  start(): Promise<void>
}

interface Options {
  /** Where challenges are asked for. */
  readonly httpPort: number
  readonly validitySeconds?: number
}

const host = '127.0.0.1'

/** A real ACME server and a name server that says what it is told, both of this test alone. */
export async function startAcmeServer({
  httpPort,
  validitySeconds = 7_776_000,
}: Options): Promise<AcmeServer> {
  await using opening = new AsyncDisposableStack()
  const directory = opening.use(await temporaryDirectory())
  const [acmePort = 0, managementPort = 0, dnsPort = 0, namesPort = 0] = freePorts(4)
  const own = makeCertificate(directory.path, 'acme', 'localhost')
  const settings = join(directory.path, 'pebble.json')
  await Bun.write(
    settings,
    JSON.stringify({
      pebble: {
        listenAddress: `${host}:${acmePort}`,
        managementListenAddress: `${host}:${managementPort}`,
        certificate: own.certificateFile,
        privateKey: own.keyFile,
        httpPort,
        tlsPort: httpPort,
        ocspResponderURL: '',
        externalAccountBindingRequired: false,
        keyAlgorithm: 'ecdsa',
        retryAfter: { authz: 1, order: 1 },
        profiles: { default: { description: 'for tests', validityPeriod: validitySeconds } },
      },
    }),
  )
  opening.use(
    startProgram([
      programOf('pebble-challtestsrv') ?? '',
      `-dnsserver=${host}:${dnsPort}`,
      `-management=${host}:${namesPort}`,
      ...['http01', 'https01', 'tlsalpn01', 'doh', 'defaultIPv4', 'defaultIPv6'].map(
        (name) => `-${name}=`,
      ),
    ]),
  )
  await untilResponding(() => fetch(`http://${host}:${namesPort}/http-request-history`))
  const openServer = async () => {
    const server = startProgram(
      [programOf('pebble') ?? '', '-config', settings, '-dnsserver', `${host}:${dnsPort}`],
      { PEBBLE_VA_NOSLEEP: '1', PEBBLE_WFE_NONCEREJECT: '5', PEBBLE_AUTHZREUSE: '0' },
    )
    await untilResponding(() => fetch(`https://${host}:${acmePort}/dir`, { tls }))
    return server
  }
  let server = await openServer()
  opening.defer(async () => await server[Symbol.asyncDispose]())
  const ask = async (path: string) =>
    await fetch(`https://${host}:${managementPort}${path}`, { tls })
  const tell = async (path: string, body: unknown) => {
    const init = { method: 'POST', body: JSON.stringify(body) }
    const response = await fetch(`http://${host}:${namesPort}/${path}`, init)
    if (!response.ok) throw new Error(`${path} was answered with ${response.status}`)
  }
  const opened = opening.move()
  return {
    directoryUrl: `https://localhost:${acmePort}/dir`,
    caFile: own.certificateFile,
    nameServer: `${host}:${dnsPort}`,
    async alias(hostname, target) {
      await tell('add-a', { host: target, addresses: [host] })
      await tell('set-cname', { host: hostname, target })
    },
    removeAlias: (hostname) => tell('clear-cname', { host: hostname }),
    root: async () => await (await ask('/roots/0')).text(),
    async isRevoked(serialNumber) {
      const response = await ask(`/cert-status-by-serial/${serialNumber.toLowerCase()}`)
      return /"Status":\s*"Revoked"/u.test(await response.text())
    },
    stop: async () => await server[Symbol.asyncDispose](),
    async start() {
      server = await openServer()
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}

const tls = { rejectUnauthorized: false }
