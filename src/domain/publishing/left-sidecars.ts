import type { Log } from '../../lib/log.ts'
import type { ContentStore, Delete, Tree } from '../../ports/content/content-store.ts'
import type { PublicationStore } from '../../ports/content/publication-store.ts'
import type { FeedEntry } from '../../ports/records/feed.ts'
import type { Feed } from '../../ports/records/manifest.ts'
import { ruleFileNames } from '../../ports/records/zone.ts'
import type { Actor } from '../access/actor.ts'
import { type AssetPath, repositoryPath } from '../content/asset-path.ts'
import type { Committer } from '../content/committer.ts'
import { type Later, onTimer } from '../content/delivered/expiry-schedule.ts'
import {
  fieldsPath,
  hasZone,
  sidecarPath,
  ownRulesPath,
} from '../content/metadata/sidecar-paths.ts'
import { zoneDirectory } from '../content/zone-settings.ts'

interface Dependencies {
  readonly content: Pick<ContentStore, 'at' | 'find' | 'history' | 'versions'>
  readonly publisher: Committer
  readonly store: Pick<PublicationStore, 'position' | 'feedAfter'>
  readonly feed: Pick<Feed, 'subscribe'>
  readonly log: Pick<Log, 'warn'>
  readonly later?: Later
}

/** A file of the service's own, and the deletion after which it may have been left. */
interface Suspect {
  readonly file: string
  /** What it is about; of a zone's fields there is none. */
  readonly asset: string | undefined
  readonly zone: string
  readonly commitId: string
}

/** One that nobody has touched since what it is about was deleted. */
interface Left extends Suspect {
  readonly contentId: string
  readonly assetId: string | undefined
}

/** A process may have been killed after a deletion was published and before this one is through with it. */
const lookedBackAt = 20_000
const entriesAtOnce = 1_000
const filesAtOnce = 500
/** How many commits of a zone may have come since its end. */
const zoneCommits = 100
const retryMs = 1_000

/** The service itself: nobody asked for it. */
const actor: Actor = {
  credentialId: 'sedge',
  zones: undefined,
  ip: '',
  userAgent: undefined,
  requestId: 'forget-deleted',
}

/**
 * Takes away what was known of files that git deleted without it, so that a later file of that name does
 * not begin with it. What somebody has written since is for that later file, and stays; and so does all
 * where the very same bytes are back. Disposed, it is first through with what it knows of.
 */
export function forgetLeftSidecars(dependencies: Dependencies): AsyncDisposable {
  const { feed, store, log, later = onTimer } = dependencies
  const suspects = new Map<string, Suspect>()
  let isClosed = false
  let hasLookedBack = false
  let working: Promise<void> | undefined
  let cancelRetry: (() => void) | undefined

  function note(entries: readonly FeedEntry[]): void {
    for (const entry of entries)
      for (const suspect of suspectsOf(entry)) suspects.set(suspect.file, suspect)
  }

  async function lookBack(): Promise<void> {
    const { seq: newest } = await store.position()
    const recent = new Map(suspects)
    for (let seq = Math.max(0, newest - lookedBackAt); seq < newest;) {
      const entries = await store.feedAfter(seq, entriesAtOnce)
      note(entries)
      seq = entries.at(-1)?.seq ?? newest
    }
    for (const [file, suspect] of recent) suspects.set(file, suspect)
    hasLookedBack = true
  }

  async function forgetSome(): Promise<void> {
    const some = [...suspects.values().take(filesAtOnce)]
    await forget(some, dependencies)
    for (const suspect of some)
      if (suspects.get(suspect.file) === suspect) suspects.delete(suspect.file)
  }

  async function work(): Promise<void> {
    try {
      if (!hasLookedBack) await lookBack()
      while (suspects.size > 0) await forgetSome()
    } catch (error) {
      log.warn('what was known of deleted files could not be forgotten yet', { error })
      if (!isClosed) cancelRetry = later(retryMs, start)
    }
  }

  function start(): void {
    working ??= work().finally(() => {
      working = undefined
    })
  }

  const subscription = feed.subscribe((entries) => {
    note(entries)
    if (suspects.size > 0) start()
  })
  start()
  return {
    async [Symbol.asyncDispose]() {
      isClosed = true
      subscription[Symbol.dispose]()
      cancelRetry?.()
      await working
    },
  }
}

function suspectsOf({ event, path, zone, commitId }: FeedEntry): readonly Suspect[] {
  if (commitId === undefined || zone === undefined) return []
  if (event === 'zone.deleted')
    return ownFilesOf(zone).map((file) => ({
      file,
      asset: undefined,
      zone,
      commitId,
    }))
  if (event !== 'asset.deleted' || path === undefined) return []
  const asset = repositoryPath(path as AssetPath)
  return [{ file: sidecarPath(path as AssetPath), asset, zone, commitId }]
}

const ownFilesOf = (zone: string): readonly string[] => [
  fieldsPath(zone),
  ...ruleFileNames.map((file) => ownRulesPath(zone, file)),
]

async function forget(
  suspects: readonly Suspect[],
  { content, publisher }: Pick<Dependencies, 'content' | 'publisher'>,
): Promise<void> {
  const left = await leftOf(suspects, content)
  const [first] = left
  if (first === undefined) return
  const what = left.length === 1 ? first.file : `${left.length} deleted files`
  await publisher.commit(
    {
      action: 'asset.forget',
      target: [...new Set(left.map(({ zone }) => zone))].join(', '),
      subject: `Forget what was known of ${what}`,
      actor,
      meta: { files: left.length },
    },
    async (tree) => (await Promise.all(left.map((each) => removalOf(each, tree)))).flat(),
  )
}

/** Most deletions take what was known with them: then nothing more has to be looked at. */
async function leftOf(
  suspects: readonly Suspect[],
  content: Dependencies['content'],
): Promise<readonly Left[]> {
  const treesBefore = new Map<string, Tree | undefined>()
  const left: Left[] = []
  for (const suspect of suspects) {
    const { file, asset, commitId } = suspect
    const contentId = await contentIdAt(file, content)
    if (contentId === undefined) continue
    if (!treesBefore.has(commitId)) treesBefore.set(commitId, await treeBefore(suspect, content))
    const before = treesBefore.get(commitId)
    if (before === undefined || (await contentIdAt(file, before)) !== contentId) continue
    const assetId = asset === undefined ? undefined : await contentIdAt(asset, before)
    left.push({ ...suspect, contentId, assetId })
  }
  return left
}

async function treeBefore(
  { asset, zone, commitId }: Suspect,
  content: Dependencies['content'],
): Promise<Tree | undefined> {
  const commits =
    asset === undefined
      ? await content.history(zoneDirectory(zone), zoneCommits)
      : await content.versions(asset, { limit: 1, until: commitId })
  const parentId = commits.find(({ id }) => id === commitId)?.parentId
  return parentId === undefined ? undefined : await content.at(parentId)
}

async function removalOf(left: Left, tree: Tree): Promise<readonly Delete[]> {
  const { file, asset, contentId, assetId, zone } = left
  if ((await contentIdAt(file, tree)) !== contentId) return []
  const isBack =
    asset === undefined
      ? await hasZone(tree, zone)
      : assetId !== undefined && (await contentIdAt(asset, tree)) === assetId
  return isBack ? [] : [{ kind: 'delete', path: file }]
}

async function contentIdAt(path: string, tree: Pick<Tree, 'find'>): Promise<string | undefined> {
  const found = await tree.find(path)
  return found?.kind === 'file' ? found.contentId : undefined
}
