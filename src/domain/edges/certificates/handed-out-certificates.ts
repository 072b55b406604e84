import type { StoredCertificate } from '../../../ports/domains/certificate-store.ts'
import { type EdgeOrigin, EdgeOriginError } from '../../../ports/edges/edge-origin.ts'
import { ServiceError } from '../../errors.ts'
import type { CertificateSet } from '../../certificates/certificate-set.ts'
import {
  certificateDigest,
  CertificateMessageError,
  readCertificate,
  readDigests,
  writeCertificate,
  writeDigests,
} from './certificate-messages.ts'

/** The certificates of custom domains that edges may ask for. */
export interface HandedOutCertificates {
  digests(): Promise<ReadonlyMap<string, string>>
  find(hostname: string): Promise<StoredCertificate | undefined>
}

/** Those of the service itself. */
export const ownCertificates = (
  certificates: Pick<CertificateSet, 'all' | 'get'>,
): HandedOutCertificates => ({
  digests: async () =>
    new Map(certificates.all().map((each) => [each.hostname, certificateDigest(each)])),
  find: async (hostname) => certificates.get(hostname),
})

/**
 * Those of the origin, for edges behind an edge: passed on and not kept, since not every edge in between
 * shows them. Rejects with `Unavailable` where the origin cannot hand them out.
 */
export const passedOnCertificates = (
  origin: Pick<EdgeOrigin, 'certificates' | 'certificate'>,
): HandedOutCertificates => ({
  digests: () => orUnavailable(origin.certificates().then(readDigests)),
  async find(hostname) {
    const text = await orUnavailable(origin.certificate(hostname))
    if (text === undefined) return undefined
    return await orUnavailable(Promise.try(readCertificate, text, hostname))
  },
})

/** As an origin says them, for whoever follows one and has them at hand. */
export const asOrigin = (
  handedOut: HandedOutCertificates,
): Pick<EdgeOrigin, 'certificates' | 'certificate'> => ({
  certificates: async () => JSON.stringify(writeDigests(await handedOut.digests())),
  async certificate(hostname) {
    const certificate = await handedOut.find(hostname)
    return certificate && JSON.stringify(writeCertificate(certificate))
  },
})

async function orUnavailable<T>(asked: Promise<T>): Promise<T> {
  try {
    return await asked
  } catch (cause) {
    if (!(cause instanceof EdgeOriginError || cause instanceof CertificateMessageError)) throw cause
    throw new ServiceError('Unavailable', 'The certificates cannot be had from the origin now', {
      cause,
    })
  }
}
