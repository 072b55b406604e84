import type { Config } from '../config/config.ts'
import { trustedProxies } from '../http/request/client-address.ts'
import type { Log } from '../lib/log.ts'
import type { Connections } from './connections.ts'
import type { Respond } from './full-server.ts'
import { type Listener, openListener, requireFreePort } from './listener.ts'
import { type RequestLines, withLinesOnWire, withRequestLines } from './request-lines.ts'
import type { Responder } from './responder.ts'
import { type CertificateHolder, holderOf } from './tls/certificate-rotation.ts'
import { type Certificate, readCertificates, withKept } from './tls/certificates.ts'
import { followCertificates, ignoreHangUps } from './tls/follow-certificates.ts'
import { createPlainResponses } from './tls/plain-responses.ts'
import { createSecureResponses } from './tls/secure-responses.ts'
import type { OpenWorkers } from './workers/open-workers.ts'
import type { RespondOnWire } from '../http/wire/wire-response.ts'

/** A responder on its port, and the processes that share it. */
export interface Listening {
  readonly url: URL
  /** Where plain HTTP is spoken beside TLS. */
  readonly plainUrl: URL | undefined
  /** Lets what is in flight end, for at most so long. */
  stop(graceMs: number): Promise<void>
}

export interface ListeningSettings extends Pick<
  Config,
  'host' | 'port' | 'httpPort' | 'tls' | 'hstsMaxAgeSeconds' | 'trustedProxies' | 'baseUrl'
> {
  readonly http3?: boolean
  /** Whether plain HTTP is answered from a hot line where it can be. */
  readonly hotLine?: boolean
  /** Whether others than this process and its workers listen on the same port. */
  readonly reusesPort?: boolean
}

interface Options {
  readonly settings: ListeningSettings
  readonly responder: Responder
  readonly log: Log
  readonly connections?: Connections
  /** Has a line written for each response; nothing is measured where nobody reads them. */
  readonly requestLines?: RequestLines | undefined
  /** Starts the processes that share the port. */
  readonly openWorkers?: OpenWorkers | undefined
}

/** So much longer than the main process workers may take to end. */
const workerGraceMs = 2_000

/** Rejects with a `CertificateError` where the files that are set are not what they should be. */
export async function listen(options: Options): Promise<Listening> {
  const { settings, responder, openWorkers } = options
  const { tls, reusesPort } = settings
  const sharesPort = reusesPort === true || openWorkers !== undefined || canRotate(settings)
  if (sharesPort && reusesPort !== true) await requireFreePort(settings.port, settings.host)
  const files = tls && (await readCertificates(tls))
  const { listener, holder, certificates } = openMain(options, { files, sharesPort })
  responder.keepOpenWith(listener.keepOpen)
  await using opening = new AsyncDisposableStack()
  const plain = openPlain(options)
  const { port } = listener
  const workers = await openWorkers?.({ port, certificates, opening })
  keepShowing(options, {
    files: sharesPort ? files : undefined,
    holders: workers === undefined ? [holder] : [holder, workers],
    port,
    opening,
  })
  const opened = opening.move()
  return {
    url: listener.url,
    plainUrl: plain?.url,
    async stop(graceMs) {
      const stopped = [listener.stop(graceMs), plain?.stop(graceMs)]
      await Promise.all([...stopped, workers?.stop(graceMs + workerGraceMs)])
      await opened.disposeAsync()
    },
  }
}

/** Whether a listener can be opened beside another one, to show other certificates. */
const canRotate = ({ tls }: ListeningSettings): boolean =>
  tls !== undefined && process.platform !== 'win32'

interface MainOptions {
  readonly files: readonly Certificate[] | undefined
  readonly sharesPort: boolean
}

/** What this process itself listens with on the port. */
function openMain(options: Options, { files, sharesPort }: MainOptions) {
  const { settings, responder, connections } = options
  const certificates = files && withKept(files, responder.certificates?.all() ?? [])
  const secure = createSecureResponses({
    respond: respondOf(options),
    isDomain: (hostname) => responder.domainOf(hostname) !== undefined,
    trustedProxies: trustedProxies(settings.trustedProxies),
    hstsMaxAgeSeconds: settings.hstsMaxAgeSeconds,
  })
  if (certificates !== undefined) secure.useCertificates(certificates)
  const listener = openListener({
    port: settings.port,
    hostname: settings.host,
    sharesPort,
    certificates,
    http3: settings.http3 === true,
    connections,
    respond: certificates === undefined ? respondOf(options) : secure.respond,
    respondOnWire: onWireOf(options),
  })
  const holder = holderOf(listener, (newer) => secure.useCertificates(newer))
  return { listener, holder, certificates }
}

interface Showing {
  /** `undefined` where other certificates cannot be shown, or none are. */
  readonly files: readonly Certificate[] | undefined
  readonly holders: readonly CertificateHolder[]
  readonly port: number
  readonly opening: AsyncDisposableStack
}

function keepShowing({ settings, responder, log }: Options, showing: Showing): void {
  const { tls, reusesPort } = settings
  const { files, opening } = showing
  if (tls === undefined || files === undefined) return ignoreHangUps(opening)
  const kept = responder.certificates
  followCertificates({ ...showing, tls, files, kept, isAlone: reusesPort !== true, log })
}

function openPlain(options: Options): Listener | undefined {
  const { settings, responder, connections } = options
  if (settings.httpPort === undefined) return undefined
  return openListener({
    port: settings.httpPort,
    hostname: settings.host,
    sharesPort: settings.reusesPort === true,
    connections,
    respond: createPlainResponses({
      respond: respondOf(options),
      domainOf: (hostname) => responder.domainOf(hostname),
      trustedProxies: trustedProxies(settings.trustedProxies),
      baseUrl: settings.baseUrl,
    }),
  })
}

function onWireOf({ settings, responder, requestLines }: Options): RespondOnWire | undefined {
  const { respondOnWire } = responder
  if (settings.hotLine !== true || respondOnWire === undefined) return undefined
  return requestLines === undefined ? respondOnWire : withLinesOnWire(respondOnWire, requestLines)
}

function respondOf({ responder, requestLines }: Options): Respond {
  const respond: Respond = (request, peerAddress) => responder.fetch(request, peerAddress)
  return requestLines === undefined ? respond : withRequestLines(respond, requestLines)
}
