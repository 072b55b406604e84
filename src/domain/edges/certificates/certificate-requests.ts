import { mapConcurrently } from '../../../lib/async/map-concurrently.ts'
import type { Log } from '../../../lib/log.ts'
import type { EdgeOrigin } from '../../../ports/edges/edge-origin.ts'
import {
  certificateDigest,
  CertificateMessageError,
  readCertificate,
  readDigests,
} from './certificate-messages.ts'
import type { HeldCertificates } from './held-certificates.ts'
import type { PublishedState } from '../manifest/manifest-parts.ts'
import type { WantedCertificates } from './wanted-certificates.ts'

interface Dependencies {
  readonly origin: Pick<EdgeOrigin, 'certificates' | 'certificate'>
  readonly held: HeldCertificates
  readonly published: Pick<PublishedState, 'host'>
  readonly log: Pick<Log, 'warn'>
}

/** What came of asking for certificates. */
interface Taken {
  readonly isChanged: boolean
  /** What could not be asked for. */
  readonly left: WantedCertificates
  /** Why not; `undefined` where nothing is left. */
  readonly error: unknown
}

const fetchesAtOnce = 4

/** Takes what is wanted from the origin. Never rejects. */
export function createCertificateTaking(dependencies: Dependencies) {
  const { origin, held, log } = dependencies

  async function takeEach(hostnames: readonly string[]): Promise<Taken> {
    const left: string[] = []
    let isChanged = false
    let error: unknown
    await mapConcurrently(hostnames, fetchesAtOnce, async (hostname) => {
      try {
        isChanged = (await takeOne(hostname, dependencies)) || isChanged
      } catch (thrown) {
        // What is no certificate will not be one a moment later: the next comparison asks again.
        if (thrown instanceof CertificateMessageError)
          return log.warn('a certificate of the origin is not shown', { hostname, error: thrown })
        left.push(hostname)
        error = thrown
      }
    })
    return { isChanged, left, error }
  }

  return async (wanted: WantedCertificates): Promise<Taken> => {
    if (wanted !== 'all') return await takeEach(wanted)
    try {
      const digests = readDigests(await origin.certificates())
      await held.keepRest()
      return await takeEach(differing(digests, dependencies))
    } catch (error) {
      return { isChanged: false, left: wanted, error }
    }
  }
}

function differing(
  digestByHost: ReadonlyMap<string, string>,
  { held, published }: Dependencies,
): readonly string[] {
  return [...digestByHost].flatMap(([hostname, digest]) => {
    const certificate = held.get(hostname)
    const isSame = certificate !== undefined && certificateDigest(certificate) === digest
    return isSame || published.host(hostname) === undefined ? [] : hostname
  })
}

/** Answers whether there is another one now. */
async function takeOne(
  hostname: string,
  { origin, held, published }: Dependencies,
): Promise<boolean> {
  const text = await origin.certificate(hostname)
  if (text === undefined || published.host(hostname) === undefined) return false
  const former = held.get(hostname)
  const certificate = readCertificate(text, hostname)
  if (former?.chain === certificate.chain) return false
  // An edge in between, or a repeated answer, may be older than what was shown already.
  if (former !== undefined && certificate.validFrom < former.validFrom)
    throw new CertificateMessageError('is older than the one that is here')
  await held.set(certificate)
  return true
}
