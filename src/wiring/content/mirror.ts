import { join } from 'node:path'

import { GitRemote } from '../../adapters/git/remote/git-remote.ts'
import { mergeSidecars } from '../../domain/content/metadata/merge-sidecars.ts'
import { isSidecar } from '../../domain/content/metadata/sidecar-paths.ts'
import type { ReturnedBytes } from '../../domain/mirror/import-foreign.ts'
import type { FileMerger } from '../../domain/mirror/merge-files.ts'
import type { MirrorState } from '../../domain/mirror/mirror-record.ts'
import { type Mirror, startMirror } from '../../domain/mirror/mirror.ts'
import type { Measuring } from '../metrics/measuring.ts'
import type { Publishing } from './publishing.ts'
import { newestCommit } from '../git/newest-commit.ts'
import { remoteTimes, type Stores } from './stores.ts'
import type { World } from '../world.ts'

interface Opened {
  readonly stores: Stores
  readonly publishing: Publishing
  readonly returned: ReturnedBytes
  readonly measuring: Measuring | undefined
  readonly opening: AsyncDisposableStack
}

const lastPushMs = 5_000

/** The repository elsewhere that everything is pushed to; `undefined` where none is set. */
export function openMirror(world: World, opened: Opened): Mirror | undefined {
  const { config, log, now, monotonicMs } = world
  const { stores, publishing, returned, measuring, opening } = opened
  if (config.gitRemote === undefined) return undefined
  const mirror = opening.use(
    startMirror({
      content: stores.content,
      history: stores.content.rewriting,
      returned,
      merger: sidecarMerger(stores),
      newest: () => newestCommit(stores),
      remote: new GitRemote({
        directory: join(config.dataDirectory, 'repository.git'),
        url: config.gitRemote,
        token: config.gitRemoteToken,
        blobs: stores.blobs,
        former: stores.content.former,
        rewriting: stores.content.rewriting,
        limits: { ...remoteTimes, maxFileBytes: config.gitRemoteMaxBytes },
      }),
      maxOutsideBytes: config.maxFileMb * 2 ** 20,
      takesUp: config.gitRemoteImport,
      after,
      monotonicMs,
      now,
      random: Math.random,
      log,
      lastPushMs,
    }),
  )
  opening.use(
    publishing.feed.subscribe((entries) => {
      const commits = new Set(entries.map(({ commitId }) => commitId))
      commits.delete(undefined)
      if (commits.size > 0) mirror.noteCommits(commits.size)
    }),
  )
  if (measuring !== undefined) measure(mirror, measuring)
  return mirror
}

/** What is known of an asset is said by many; what both sides said stays. */
const sidecarMerger = ({ blobs, content }: Stores): FileMerger => ({
  merges: (path) => isSidecar(path),
  merge: mergeSidecars,
  at: (commitId) => content.at(commitId),
  read: (sha256) => blobs.read(sha256),
  async store(bytes) {
    await using incoming = await blobs.receive(bytes)
    return await incoming.keepLazily()
  },
})

export function after(ms: number, callBack: () => void): Disposable {
  const timer = setTimeout(callBack, ms)
  return { [Symbol.dispose]: () => clearTimeout(timer) }
}

/** Trouble on the way passes; one that lasts, or that somebody has to decide about, does not. */
const lastingFailures = 3

/** Rejects where the mirror is left behind. */
export async function probeMirror({ state }: Mirror): Promise<void> {
  const isLeftBehind = state.condition === 'refused' || state.failures >= lastingFailures
  if (isLeftBehind) throw new Error(state.error)
}

/** Rejects where the mirror has commits whose bytes it does not have. */
export async function probeMirroredFiles({ state }: Mirror): Promise<void> {
  if (state.lacks !== undefined) throw new Error(`The mirror lacks ${state.lacks}`)
}

function measure(mirror: Mirror, measuring: Measuring): void {
  const gauge = (name: string, help: string, read: (state: MirrorState) => number) =>
    measuring.gauge({ name: `sedge_mirror_${name}`, help }, () => read(mirror.state))
  gauge('pending_commits', 'Commits that are not pushed yet.', (state) => state.pendingCommits)
  gauge('failures', 'Attempts that failed since the last that did not.', (state) => state.failures)
  gauge('incomplete', '1 where it lacks bytes of large files.', ({ lacks }) =>
    Number(lacks !== undefined),
  )
  gauge('refused', '1 where somebody has to decide about the remote.', ({ condition }) =>
    Number(condition === 'refused'),
  )
  gauge(
    'pushed_timestamp_seconds',
    'When commits were last pushed; 0 for never.',
    ({ pushedAt }) => (pushedAt === undefined ? 0 : pushedAt.getTime() / 1000),
  )
  gauge(
    'commits_taken_up',
    'Commits of others that were published.',
    (state) => state.takenUpCommits,
  )
  gauge('paths_left_out', 'Paths of theirs that were not.', (state) => state.leftOutPaths)
}
