import type { TlsSettings } from '../config/config.ts'
import { trustedProxies } from '../http/request/client-address.ts'
import type { Log } from '../lib/log.ts'
import { readCertificates, withKept } from '../server/tls/certificates.ts'
import { followCertificates, ignoreHangUps } from '../server/tls/follow-certificates.ts'
import type { Connections } from '../server/connections.ts'
import { type Listener, openListener, type Respond } from '../server/listener.ts'
import { createPlainAnswers } from '../server/tls/plain-responses.ts'
import { holderOf } from '../server/tls/certificate-rotation.ts'
import { createSecureAnswers } from '../server/tls/secure-responses.ts'
import type { Presence } from './edge-node.ts'

export interface PresenceListeningSettings {
  readonly host: string
  readonly port: number
  /** Whether other edges listen on the same port. */
  readonly reusesPort: boolean
  /** Absent: plain HTTP. */
  readonly tls: TlsSettings | undefined
  /** Where plain HTTP is answered beside TLS. */
  readonly httpPort: number | undefined
  readonly hstsMaxAgeSeconds: number | undefined
  readonly trustedProxies: readonly string[]
  readonly baseUrl: string | undefined
}

interface Dependencies {
  readonly settings: PresenceListeningSettings
  readonly presence: Presence
  readonly log: Log
  readonly connections?: Connections
}

/** An edge on its port. */
export interface PresenceListening {
  readonly url: URL
  readonly plainUrl: URL | undefined
  stop(graceMs: number): Promise<void>
}

/** Rejects with a `CertificateError` where the files that are set are not what they should be. */
export async function listenAsPresence(dependencies: Dependencies): Promise<PresenceListening> {
  await using opening = new AsyncDisposableStack()
  const listener = await openMain(dependencies, opening)
  dependencies.presence.keepOpenWith(listener.keepOpen)
  const plain = openPlain(dependencies)
  const opened = opening.move()
  return {
    url: listener.url,
    plainUrl: plain?.url,
    async stop(graceMs) {
      await Promise.all([listener.stop(graceMs), plain?.stop(graceMs)])
      await opened.disposeAsync()
    },
  }
}

async function openMain(
  dependencies: Dependencies,
  opening: AsyncDisposableStack,
): Promise<Listener> {
  const { settings, presence, log, connections } = dependencies
  const { tls, host: hostname, port, reusesPort } = settings
  if (tls === undefined) {
    ignoreHangUps(opening)
    return openListener({
      port,
      hostname,
      sharesPort: reusesPort,
      respond: respondOf(presence),
      connections,
    })
  }
  const files = await readCertificates(tls)
  const kept = presence.certificates
  const certificates = withKept(files, kept?.all() ?? [])
  const secure = createSecureAnswers({
    respond: respondOf(presence),
    isDomain: (name) => presence.domainOf(name) !== undefined,
    trustedProxies: trustedProxies(settings.trustedProxies),
    hstsMaxAgeSeconds: settings.hstsMaxAgeSeconds,
  })
  secure.useCertificates(certificates)
  const { respond } = secure
  const listener = openListener({
    port,
    hostname,
    sharesPort: true,
    certificates,
    respond,
    connections,
  })
  followCertificates({
    tls,
    files,
    ...(kept !== undefined && { kept }),
    holders: [holderOf(listener, (newer) => secure.useCertificates(newer))],
    port: listener.port,
    isAlone: !reusesPort,
    log,
    opening,
  })
  return listener
}

const respondOf =
  (presence: Presence): Respond =>
  (request, peerAddress) =>
    presence.fetch(request, peerAddress)

function openPlain({ settings, presence, connections }: Dependencies): Listener | undefined {
  const { httpPort: port, host: hostname, reusesPort, baseUrl } = settings
  if (port === undefined) return undefined
  return openListener({
    port,
    hostname,
    sharesPort: reusesPort,
    connections,
    respond: createPlainAnswers({
      respond: respondOf(presence),
      domainOf: (name) => presence.domainOf(name),
      trustedProxies: trustedProxies(settings.trustedProxies),
      baseUrl,
    }),
  })
}
