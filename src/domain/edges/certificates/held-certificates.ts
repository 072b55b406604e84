import type { Log } from '../../../lib/log.ts'
import type {
  CertificateStore,
  StoredCertificate,
} from '../../../ports/domains/certificate-store.ts'
import type { PublishedState } from '../manifest/manifest-parts.ts'

/** The certificates that an edge shows, and keeps for its next start as far as it can. */
export interface HeldCertificates {
  /** Those whose domain is published. */
  all(): readonly StoredCertificate[]
  get(hostname: string): StoredCertificate | undefined
  /** Never rejects: what cannot be kept is shown all the same. */
  set(certificate: StoredCertificate): Promise<void>
  /** Tries again to keep what could not be kept. */
  keepRest(): Promise<void>
  /** Lets go of those whose domain is gone; answers whether there were any. */
  tidy(): Promise<boolean>
}

interface Dependencies {
  readonly store: Pick<CertificateStore, 'list' | 'put' | 'remove'>
  readonly published: Pick<PublishedState, 'host'>
  readonly log: Pick<Log, 'warn'>
}

export async function openHeldCertificates({
  store,
  published,
  log,
}: Dependencies): Promise<HeldCertificates> {
  const kept = await store.list()
  const certificateByHost = new Map(kept.map((each) => [each.hostname, each]))
  /** Shown, but not kept, as where the disk is full. */
  const unkept = new Set<string>()

  async function keep(certificate: StoredCertificate): Promise<void> {
    const { hostname } = certificate
    try {
      await store.put(certificate)
      unkept.delete(hostname)
    } catch (error) {
      unkept.add(hostname)
      log.warn('a certificate is shown but could not be kept', { hostname, error })
    }
  }

  async function letGo(hostname: string): Promise<void> {
    certificateByHost.delete(hostname)
    unkept.delete(hostname)
    await store
      .remove(hostname)
      .catch((error: unknown) =>
        log.warn('a certificate could not be removed', { hostname, error }),
      )
  }

  return {
    all: () => [...certificateByHost.values()].filter(({ hostname }) => published.host(hostname)),
    get: (hostname) => certificateByHost.get(hostname),
    async set(certificate) {
      certificateByHost.set(certificate.hostname, certificate)
      await keep(certificate)
    },
    async keepRest() {
      for (const hostname of unkept) {
        const held = certificateByHost.get(hostname)
        if (held !== undefined) await keep(held)
      }
    },
    async tidy() {
      const gone = [...certificateByHost.keys()].filter((hostname) => !published.host(hostname))
      for (const hostname of gone) await letGo(hostname)
      return gone.length > 0
    },
  }
}
