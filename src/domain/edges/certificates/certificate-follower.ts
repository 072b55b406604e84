import { setTimeout as pause } from 'node:timers/promises'

import type { Log } from '../../../lib/log.ts'
import type {
  CertificateStore,
  StoredCertificate,
} from '../../../ports/domains/certificate-store.ts'
import type { EdgeOrigin } from '../../../ports/edges/edge-origin.ts'
import type { Feed } from '../../../ports/records/manifest.ts'
import type { ShowCertificates } from '../../certificates/certificate-set.ts'
import { createCertificateTaking } from './certificate-requests.ts'
import { openHeldCertificates } from './held-certificates.ts'
import { createWantedCertificates } from './wanted-certificates.ts'
import type { PublishedState } from '../manifest/manifest-parts.ts'

/** The certificates of custom domains at an edge, as their origin has them. */
export interface CertificateFollower extends AsyncDisposable {
  all(): readonly StoredCertificate[]
  get(hostname: string): StoredCertificate | undefined
  /** Names how they are shown to clients. Until then nobody sees them. */
  showWith(show: ShowCertificates): void
  /** Resolves once the origin was asked for all that is wanted by now, whatever it answered. */
  settled(): Promise<void>
}

interface Dependencies {
  readonly origin: Pick<EdgeOrigin, 'certificates' | 'certificate'>
  readonly store: Pick<CertificateStore, 'list' | 'put' | 'remove'>
  readonly published: Pick<PublishedState, 'host'>
  readonly feed: Pick<Feed, 'subscribe'>
  readonly log: Pick<Log, 'warn'>
  /** How long to leave an origin alone that could not be asked; then twice as long, and so on. */
  readonly firstPauseMs?: number
}

/** However quiet the feed is, everything is compared so often. */
const compareEveryMs = 600_000
const maxPauseMs = 60_000

/**
 * Shows what was kept at once, and then what the origin has: all of it after a start or a comparison of
 * manifests, and what the feed names as it changes. What the origin cannot hand out stays as it is; only
 * a domain that is gone takes its certificate with it.
 */
export async function openCertificateFollower(
  dependencies: Dependencies,
): Promise<CertificateFollower> {
  const { feed, log, firstPauseMs = 1_000 } = dependencies
  const held = await openHeldCertificates(dependencies)
  const take = createCertificateTaking({ ...dependencies, held })
  const wanted = createWantedCertificates()
  const stopping = new AbortController()
  const { signal } = stopping
  const waiting = new Set<() => void>()
  let show: ShowCertificates | undefined
  let failures = 0

  async function round(): Promise<void> {
    const hasLost = await held.tidy()
    const { isChanged, left, error } = await take(wanted.take())
    wanted.add(left)
    if (hasLost || isChanged) await show?.(held.all())
    if (error !== undefined) throw error
  }

  function settle(): void {
    for (const resolve of waiting) resolve()
    waiting.clear()
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        await round()
        failures = 0
      } catch (error) {
        failures += 1
        if (failures === 1) log.warn('certificates could not be taken over', { error })
      }
      if (failures > 0 || wanted.isEmpty) settle()
      if (failures === 0) await wanted.next(signal)
      else await rest(Math.min(maxPauseMs, firstPauseMs * 2 ** (failures - 1)), signal)
    }
  }

  const subscription = feed.subscribe((entries) => wanted.note(entries))
  const timer = setInterval(() => wanted.add('all'), compareEveryMs)
  const running = run()
  return {
    all: () => held.all(),
    get: (hostname) => held.get(hostname),
    showWith: (given) => void (show = given),
    async settled() {
      const { promise, resolve } = Promise.withResolvers<void>()
      waiting.add(resolve)
      wanted.ring()
      await promise
    },
    async [Symbol.asyncDispose]() {
      stopping.abort()
      clearInterval(timer)
      subscription[Symbol.dispose]()
      await running
      settle()
    },
  }
}

const rest = async (milliseconds: number, signal: AbortSignal): Promise<void> =>
  await pause(milliseconds, undefined, { signal }).catch(() => undefined)
