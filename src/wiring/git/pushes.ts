import type { GitZoneRepositories } from '../../adapters/git/zones/zone-repositories.ts'
import { createPushes } from '../../domain/pushes/pushes.ts'
import { createRuleFiles } from '../../domain/content/rule-files.ts'
import type { BroughtObjects } from '../../domain/content/brought-objects.ts'
import type { StoredObjects } from '../../domain/content/stored-objects.ts'
import { checkTransforms } from '../../domain/media/named/parse-transforms.ts'
import type { GitAccessDependencies } from '../../planes/git/git-credential.ts'
import { createPushService, type PushService } from '../../planes/git/push/push-service.ts'
import type { Limits } from '../access/limits.ts'
import { createPushBounds } from './push-bounds.ts'
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
  const { publisher, ownHosts, manifest } = publishing
  const maxBytes = config.pushMaxMb * mebibyte
  const ruleFiles = createRuleFiles({
    blobs,
    publisher,
    published: manifest,
    head: () => content.head(),
    isOwnHost: (hostname) => ownHosts.has(hostname),
    checkTransforms,
    now,
  })
  // What a pack is completed with is no larger than what it changes, and is in the file as well.
  const receiver = content.pushes({ ...examination, maxBytes, maxFileBytes: 2 * maxBytes }, blobs)
  const bounds = createPushBounds(limits.rates)
  const judging: Pick<Parameters<typeof createPushes>[0], 'enter' | 'rules' | 'committerOf'> = {
    committerOf: async ({ zone, name }, pusher) =>
      (await publishing.previewing.verbsOf(zone, name, pusher)).publisher,
    enter: (pusher, signal) => bounds.examine(pusher, signal),
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
      requireFit: async (changes) => await publishing.doors.requireFit?.(changes),
      room: publishing.room,
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
    bounds,
    baseUrl: config.baseUrl,
    version: config.version,
    monotonicMs,
    log,
  })
}
