import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { DiskCertificateStore } from '../adapters/disk/disk-certificate-store.ts'
import { DnsNameResolver } from '../adapters/dns/dns-name-resolver.ts'
import type { ShowCertificates } from '../domain/certificates/certificate-set.ts'
import { createChallengeBoard } from '../domain/certificates/challenge-board.ts'
import { openCertificateKeeper } from '../domain/certificates/keeper.ts'
import { createTextSealer } from '../lib/text-sealer.ts'
import type { CertificateAuthority } from '../ports/certificate-authority.ts'
import type { CertificateStore, StoredCertificate } from '../ports/certificate-store.ts'
import type { Publishing } from './publishing.ts'
import type { World } from './world.ts'

export interface Certificates {
  /** The answer to a challenge; 404 where nobody waits for that one. */
  answerChallenge(request: Request): Response
  all(): readonly StoredCertificate[]
  /** Names how they are shown to clients. Until then nobody sees them. */
  showWith(show: ShowCertificates): void
}

interface Opened {
  readonly publishing: Publishing
  readonly opening: AsyncDisposableStack
}

const tickMs = 500

/** The certificates of custom domains: kept, ordered where an authority is set, and renewed. */
export async function openCertificates(
  world: World,
  { publishing, opening }: Opened,
): Promise<Certificates> {
  const { config, log, now } = world
  const store = await openStore(world)
  const challenges = createChallengeBoard()
  let show: ShowCertificates | undefined
  const keeper = await openCertificateKeeper({
    domains: publishing.domains,
    feed: publishing.feed,
    store,
    authority: await openAuthority(world, store, opening),
    resolver: new DnsNameResolver({ servers: config.dnsServers }),
    cnameTarget: config.cnameTarget,
    challenges,
    show: async (certificates) => await show?.(certificates),
    now,
    random: Math.random,
    warn: (message, facts) => log.warn(message, facts),
  })
  opening.use(keeper)
  const timer = setInterval(() => keeper.tick(), tickMs)
  opening.defer(() => clearInterval(timer))
  return {
    all: () => keeper.certificates.all(),
    showWith: (given) => void (show = given),
    answerChallenge(request) {
      const answer = challenges.answerTo(URL.parse(request.url)?.pathname ?? '')
      return answer === undefined || answer === null
        ? new Response('Nobody waits for this challenge\n', { status: 404, headers })
        : new Response(answer, { headers })
    },
  }
}

const headers = { 'Content-Type': 'text/plain', 'Cache-Control': 'no-store' }

async function openStore({ config, log }: World): Promise<CertificateStore> {
  const { secretsKey, secretsKeyPrevious: former } = config
  return await DiskCertificateStore.open({
    directory: join(config.dataDirectory, 'certificates'),
    sealer:
      secretsKey &&
      createTextSealer([secretsKey, ...(former === undefined ? [] : [former])], 'certificates'),
    onUnreadable: (file, why) => log.error('a kept certificate cannot be used', { file, why }),
  })
}

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
