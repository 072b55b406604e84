import type { GitZoneRepositories } from '../../adapters/git/zones/zone-repositories.ts'
import { createPushes } from '../../domain/pushes/pushes.ts'
import { createRuleFiles } from '../../domain/content/rule-files.ts'
import type { BroughtObjects } from '../../domain/content/brought-objects.ts'
import type { StoredObjects } from '../../domain/content/stored-objects.ts'
import { Slots } from '../../lib/async/slots.ts'
import { networkOf } from '../../lib/net/address-list.ts'
import type { GitAccessDependencies } from '../../planes/git/git-credential.ts'
import { createPushService, type PushService } from '../../planes/git/push/push-service.ts'
import type { Limits } from '../access/limits.ts'
import type { World } from '../world.ts'
import type { Publishing } from '../content/publishing.ts'
import type { Stores } from '../content/stores.ts'

interface Opened {
  readonly stores: Stores
  readonly publishing: Publishing
  readonly limits: Pick<Limits, 'rates'>
  readonly access: GitAccessDependencies
  readonly objects: Pick<StoredObjects, 'sizes'>
  readonly brought: BroughtObjects
  readonly zones: Pick<GitZoneRepositories, 'pushed'>
}

/** Whose packs are coming in or looked at; each may be as large as any. */
const maxPushes = 8
const maxPushesOfNetwork = 4
/** Each is a git process or two. */
const maxExamined = 2
const patience = { maxWaiting: 64, maxWaitMs: 30_000 }
const mebibyte = 2 ** 20
/** As for a file that `PUT` stores. */
const maxFileBytes = 26_214_400

const examination = {
  maxObjects: 1_000_000,
  maxCommits: 10_000,
  maxDifferences: 100_000,
  maxCommitBytes: 4 * mebibyte,
  maxDirectoryBytes: 16 * mebibyte,
  maxMemoryBytes: 1024 * mebibyte,
  maxCpuSeconds: 300,
  longestMs: 600_000,
}

/** The repository for those who push to it over HTTP. */
export function openPushes(world: World, opened: Opened): PushService {
  const { config, log, now, monotonicMs } = world
  const { stores, publishing, limits, access, objects, brought } = opened
  const { blobs, content } = stores
  const { publisher, ownHosts } = publishing
  const maxBytes = config.pushMaxMb * mebibyte
  const ruleFiles = createRuleFiles({
    blobs,
    publisher,
    head: () => content.head(),
    isOwnHost: (hostname) => ownHosts.has(hostname),
    now,
  })
  // What a pack is completed with is no larger than what it changes, and is in the file as well.
  const receiver = content.pushes({ ...examination, maxBytes, maxFileBytes: 2 * maxBytes }, blobs)
  const judging: Pick<Parameters<typeof createPushes>[0], 'slots' | 'rules' | 'committerOf'> = {
    committerOf: async ({ zone, name }, pusher) =>
      (await publishing.previewing.verbsOf(zone, name, pusher)).publisher,
    slots: new Slots(maxExamined),
    rules: {
      maxFileBytes,
      maxOutsideBytes: config.maxFileMb * mebibyte,
      maxBytes,
      checkRules: (rules) => ruleFiles.check(rules),
      readableBy: async (pusher, sha256s) =>
        new Set([
          ...(await objects.sizes(sha256s, pusher)).keys(),
          ...sha256s.filter((sha256) => brought.has(sha256, pusher.zones ?? [])),
        ]),
      now,
    },
  }
  const whole = createPushes({ ...judging, receiver, content, publisher })
  return createPushService({
    ...access,
    manifest: publishing.manifest,
    async pushesTo(zone) {
      if (zone === undefined) return whole
      const pushed = opened.zones.pushed(zone)
      return createPushes({
        ...judging,
        receiver: receiver.ofZone(pushed),
        content: pushed,
        // All that its repository has is published.
        publisher: { commitId: await pushed.newest() },
      })
    },
    enter: createDoor(),
    charge: (address) => void limits.rates.charge('push', address),
    baseUrl: config.baseUrl,
    version: config.version,
    monotonicMs,
    log,
  })
}

/** Lets so many of a network push, and so many of all; the others wait a while. */
function createDoor(): (address: string) => Promise<Disposable | undefined> {
  const all = new Slots(maxPushes)
  const slotsByNetwork = new Map<string, Slots>()
  return async (address) => {
    const network = networkOf(address)
    const slots = slotsByNetwork.get(network) ?? new Slots(maxPushesOfNetwork)
    slotsByNetwork.set(network, slots)
    const own = await slots.takeWithin(patience)
    const shared = own && (await all.takeWithin(patience))
    const leave = () => {
      shared?.[Symbol.dispose]()
      own?.[Symbol.dispose]()
      if (slots.taken === 0) slotsByNetwork.delete(network)
    }
    if (shared !== undefined) return { [Symbol.dispose]: leave }
    leave()
    return undefined
  }
}
