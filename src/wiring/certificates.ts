import { readFile } from 'node:fs/promises'
import type { ShowCertificates } from '../domain/certificates/certificate-set.ts'
import { createChallengeBoard } from '../domain/certificates/challenge-board.ts'
import { openCertificateManager } from '../domain/certificates/certificate-manager.ts'
import type { CertificateAuthority } from '../ports/domains/certificate-authority.ts'
import type { CertificateStore, StoredCertificate } from '../ports/domains/certificate-store.ts'
import { openCertificateStore } from './content/certificate-store.ts'
import type { Publishing } from './content/publishing.ts'
import type { Stores } from './content/stores.ts'
import type { World } from './world.ts'

export interface Certificates {
  /** The response to a challenge; 404 where nobody waits for that one. */
  respondToChallenge(request: Request): Response
  all(): readonly StoredCertificate[]
  get(hostname: string): StoredCertificate | undefined
  /** Names how they are shown to clients. Until then nobody sees them. */
  showWith(show: ShowCertificates): void
}

interface Opened {
  readonly stores: Pick<Stores, 'database'>
  readonly publishing: Publishing
  readonly opening: AsyncDisposableStack
}

const tickMs = 500

/** The certificates of custom domains: kept, ordered where an authority is set, and renewed. */
export async function openCertificates(
  world: World,
  { stores, publishing, opening }: Opened,
): Promise<Certificates> {
  const { config, log, now } = world
  const store = await openCertificateStore(world, stores.database)
  const challenges = createChallengeBoard()
  let show: ShowCertificates | undefined
  const manager = await openCertificateManager({
    domains: publishing.domains,
    feed: publishing.feed,
    store,
    authority: await openAuthority(world, store, opening),
    resolver: publishing.resolver,
    cnameTarget: config.cnameTarget,
    challenges,
    show: async (certificates) => await show?.(certificates),
    now,
    random: Math.random,
    log,
  })
  opening.use(manager)
  const timer = setInterval(() => manager.tick(), tickMs)
  opening.defer(() => clearInterval(timer))
  return {
    all: () => manager.certificates.all(),
    get: (hostname) => manager.certificates.get(hostname),
    showWith: (given) => void (show = given),
    respondToChallenge(request) {
      const authorization = challenges.keyAuthorizationOf(URL.parse(request.url)?.pathname ?? '')
      return authorization === undefined || authorization === null
        ? new Response('Nobody waits for this challenge\n', { status: 404, headers })
        : new Response(authorization, { headers })
    },
  }
}

const headers = { 'Content-Type': 'text/plain', 'Cache-Control': 'no-store' }

/** Loaded where it is wanted: it takes longer than all else that a start needs. */
async function openAuthority(
  { config, now }: World,
  keys: CertificateStore,
  opening: AsyncDisposableStack,
): Promise<CertificateAuthority | undefined> {
  const { acmeDirectory: directoryUrl, acmeEmail: email, acmeCaFile } = config
  if (directoryUrl === undefined) return undefined
  const { AcmeAuthority } = await import('../adapters/acme/acme-authority.ts')
  const trusted = acmeCaFile === undefined ? undefined : await readFile(acmeCaFile, 'utf8')
  return opening.use(new AcmeAuthority({ directoryUrl, email, trusted, keys, now }))
}
