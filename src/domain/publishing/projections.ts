import { setImmediate } from 'node:timers/promises'

import type { Log } from '../../lib/log.ts'
import type { BlobStore } from '../../ports/content/blob-store.ts'
import type { Commit, ContentStore } from '../../ports/content/content-store.ts'
import type { DomainStore } from '../../ports/domains/domain-store.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'
import type { AuditRecord } from '../../ports/records/audit.ts'
import type { FeedEntry } from '../../ports/records/feed.ts'
import type { BoundDelivery } from '../../ports/records/zone.ts'
import type { Publication, PublicationStore } from '../../ports/content/publication-store.ts'
import { Mutex } from '../../lib/async/mutex.ts'
import { showInParts } from '../catalog/order/publication-parts.ts'
import type { LocalFeed } from '../feed.ts'
import { hasZone } from '../content/metadata/sidecar-paths.ts'
import { followZoneFiles, type ZoneFiles } from './translation/zone-files.ts'
import { type PublishedView, publicationOf } from './translation/publication-of.ts'
import { createPublishedOverlay } from './published-overlay.ts'
import { createDeliveryRevisions, createRevisions, type Revision } from './revisions.ts'

/** What publishing needs of the catalogue. */
export interface PublishedCatalog extends PublishedView {
  apply(publications: readonly Publication[]): void
  ready(query: { readonly sort: 'path'; readonly order: 'asc' }): Promise<void>
  zoneFiles(zone: string): readonly AssetRecord[]
  clear(): void
}

export interface ProjectionDependencies {
  readonly content: ContentStore
  readonly blobs: Pick<BlobStore, 'read' | 'checkpoint' | 'awaitsCheckpoint' | 'lastCheckpoint'>
  readonly store: PublicationStore
  readonly domains: Pick<DomainStore, 'list'>
  readonly catalog: PublishedCatalog
  readonly feed: LocalFeed
  /** Whether the store does not lie beside the repository: another one is then a mistake of the setup. */
  readonly isShared?: boolean
  readonly now: () => Date
  readonly log: Pick<Log, 'warn'>
}

/** So many changes are published in one transaction when the past is replayed. */
const replayChunk = 5_000

/** So many entries are told before anything else has its turn: listeners take their time for each. */
const entriesPerTurn = 150

/** Catalogue, listings and feed, kept to what the repository says. */
export interface Projections {
  /** Whether every commit that was told is published. */
  readonly isCurrent: boolean
  /** The newest published commit. */
  readonly commitId: string | undefined
  /** Publishes what the repository has and the projections have not. */
  start(): Promise<void>
  follow(commits: readonly Commit[]): Promise<void>
  /** Tries again what could not be published; nothing to do where everything is. */
  catchUp(): Promise<void>
  /** See {@link Publisher.renamed}. */
  renamed(): Promise<void>
  /** Makes everything anew from the repository, announcing nothing. */
  rebuild(): Promise<void>
  /** See {@link Publisher.revise}. */
  revise(path: string, revise: Revision): Promise<void>
  /** See {@link Publisher.setDelivery}. */
  setDelivery(zone: string, delivery: BoundDelivery | undefined): Promise<void>
}

export function createProjections(dependencies: ProjectionDependencies): Projections {
  const { content, store, catalog, feed, now } = dependencies
  let publishedCommitId: string | undefined
  let publishedSeq = 0

  async function publish(commits: readonly Commit[], by: Telling): Promise<void> {
    const publications = await translateAll(commits, { ...dependencies, ...by })
    const written = by.announce ? withDeployment(publications, now()) : publications
    const entries = await store.publish(written)
    feed.begin(entries.at(-1)?.seq ?? 0)
    await showInParts(publications, catalog)
    for await (const some of inTurns(entries)) stand(commits.at(-1)?.id, some)
  }

  function stand(commitId = publishedCommitId, entries: readonly FeedEntry[] = []): void {
    publishedCommitId = commitId
    publishedSeq = entries.at(-1)?.seq ?? publishedSeq
    feed.announce(entries)
  }

  /** What was written although the response to it got lost is shown and told; it is not written again. */
  async function catchUp(): Promise<void> {
    const lost = await writtenSince(dependencies, publishedCommitId, publishedSeq)
    if (lost !== undefined) {
      catalog.apply(await translateAll(lost.commits, { ...dependencies, announce: true }))
      stand(lost.commitId, lost.entries)
    }
    await replay({ announce: true })
  }

  async function replay(by: Telling): Promise<void> {
    for await (const commits of inChunks(content.commitsAfter(publishedCommitId)))
      await publish(commits, by)
  }

  async function rebuild(): Promise<void> {
    await store.forgetProjections()
    catalog.clear()
    publishedCommitId = undefined
    await replay({ announce: false, zoneFiles: followZoneFiles() })
  }

  const attempts = createAttempts()
  return {
    get isCurrent() {
      return attempts.isCurrent
    },
    get commitId() {
      return publishedCommitId
    },
    rebuild,
    async start() {
      ;({ commitId: publishedCommitId, seq: publishedSeq } = await store.position())
      const isToGoOn = await canGoOn(publishedCommitId, dependencies)
      await (isToGoOn ? replay({ announce: true }) : rebuild())
    },
    /** Some may have been published by a replay already, or earlier ones not yet: both heal here. */
    follow: (commits) =>
      attempts.run(async () => {
        const isNext = attempts.isCurrent && (await followsOn(publishedCommitId, commits, content))
        await (isNext ? publish(commits, { announce: true }) : catchUp())
      }),
    catchUp: () => attempts.run(catchUp),
    renamed: () =>
      attempts.between(async () => stand(await recordId(publishedCommitId, dependencies))),
    ...revising(dependencies, attempts, (entries) => stand(undefined, entries)),
  }
}

/** What is published without a commit, between those that are. */
function revising(
  dependencies: ProjectionDependencies,
  attempts: Pick<ReturnType<typeof createAttempts>, 'between'>,
  stand: (entries: readonly FeedEntry[]) => void,
): Pick<Projections, 'revise' | 'setDelivery'> {
  const revise = createRevisions(dependencies)
  const setDelivery = createDeliveryRevisions(dependencies)
  return {
    revise: (path, by) => attempts.between(async () => stand(await revise(path, by))),
    setDelivery: (zone, delivery) =>
      attempts.between(async () => stand(await setDelivery(zone, delivery))),
  }
}

/** Whether what is published leads on; else it is made anew. */
async function canGoOn(
  id: string | undefined,
  dependencies: ProjectionDependencies,
): Promise<boolean> {
  const isKnown = await isReachable(dependencies.content, id)
  if (!isKnown) refuseOrWarn(dependencies, id)
  return isKnown && id !== undefined
}

/** Writes down what a commit is called now; answers that. */
async function recordId(
  id: string | undefined,
  { content, store }: Pick<ProjectionDependencies, 'content' | 'store'>,
): Promise<string | undefined> {
  const commitId = await idNow(id, content)
  if (commitId !== undefined && commitId !== id)
    await store.publish([{ commitId, isAnew: true, feed: [] }])
  return commitId
}

/** The commit before may have another id by now. */
const followsOn = async (
  id: string | undefined,
  [first]: readonly Commit[],
  content: Pick<ContentStore, 'commitNamed'>,
): Promise<boolean> => first?.parentId === id || first?.parentId === (await idNow(id, content))

/** Of a commit that was written anew. */
async function idNow(
  id: string | undefined,
  content: Pick<ContentStore, 'commitNamed'>,
): Promise<string | undefined> {
  const commit = id === undefined ? undefined : await content.commitNamed(id)
  return typeof commit === 'object' ? commit.id : id
}

async function* inTurns(entries: readonly FeedEntry[]): AsyncGenerator<readonly FeedEntry[]> {
  for (let start = 0; start === 0 || start < entries.length; start += entriesPerTurn) {
    if (entries.length > entriesPerTurn) await setImmediate()
    yield entries.slice(start, start + entriesPerTurn)
  }
}

function refuseOrWarn({ isShared, log }: ProjectionDependencies, commitId?: string): void {
  if (isShared === true)
    throw new Error(
      `What is published stands at commit ${commitId}, which this repository does not have: put the repository back, or run "sedge rebuild"`,
    )
  log.warn('the projections belong to another repository and are made anew', {})
}

/** One at a time; whether the last one succeeded is remembered. */
function createAttempts() {
  const turns = new Mutex()
  let isCurrent = true
  return {
    get isCurrent() {
      return isCurrent
    },
    async run(task: () => Promise<void>): Promise<void> {
      using _turn = await turns.acquire()
      isCurrent = await task().then(
        () => true,
        (cause) => {
          isCurrent = false
          throw cause
        },
      )
    },
    /** What does not concern whether commits are published. */
    async between(task: () => Promise<void>): Promise<void> {
      using _turn = await turns.acquire()
      await task()
    },
  }
}

interface Written {
  readonly commitId: string
  readonly commits: readonly Commit[]
  readonly entries: readonly FeedEntry[]
}

/** What the store has of commits after `commitId`, and of entries about them after `seq`. */
async function writtenSince(
  { content, store }: Pick<ProjectionDependencies, 'content' | 'store'>,
  ...[knownCommitId, seq]: [string | undefined, number]
): Promise<Written | undefined> {
  const { commitId } = await store.position()
  if (commitId === undefined || commitId === knownCommitId) return undefined
  const lastId = await idNow(commitId, content)
  const commits: Commit[] = []
  for await (const commit of content.commitsAfter(knownCommitId)) {
    commits.push(commit)
    if (commit.id === lastId) break
  }
  if (commits.at(-1)?.id !== lastId)
    throw new Error(`What is published stands at ${commitId}, which is not in this repository`)
  const ids = new Set(commits.map(({ id }) => id))
  const entries = await store.feedAfter(seq, Number.MAX_SAFE_INTEGER)
  return { commitId, commits, entries: entries.filter((entry) => ids.has(entry.commitId ?? '')) }
}

async function* inChunks(commits: AsyncIterable<Commit>): AsyncIterable<readonly Commit[]> {
  let chunk: Commit[] = []
  let changeCount = 0
  for await (const commit of commits) {
    chunk.push(commit)
    changeCount += commit.changes.length
    if (changeCount < replayChunk) continue
    yield chunk
    chunk = []
    changeCount = 0
  }
  if (chunk.length > 0) yield chunk
}

/** Whether the published commit is one the repository knows; after a restore it may not be. */
async function isReachable(content: ContentStore, commitId: string | undefined): Promise<boolean> {
  if (commitId === undefined || commitId === (await content.head())) return true
  try {
    for await (const _ of content.commitsAfter(commitId)) break
    return true
  } catch {
    return false
  }
}

interface Telling {
  readonly announce: boolean
  /** Where the commits come from the first on. */
  readonly zoneFiles?: ZoneFiles
}

type TranslateContext = ProjectionDependencies & Telling

/** Each commit is translated as if those before it were published already. */
async function translateAll(
  commits: readonly Commit[],
  { catalog, content, blobs, domains, announce, zoneFiles, log }: TranslateContext,
): Promise<readonly Publication[]> {
  const view = createPublishedOverlay(catalog)
  const domainsOf = async (zone: string) =>
    (await domains.list()).filter((domain) => domain.zone === zone)
  const isThere = async (zone: string): Promise<boolean> =>
    zoneFiles === undefined ? await hasZone(content, zone) : zoneFiles.has(zone)
  const publications: Publication[] = []
  for (const commit of commits) {
    await zoneFiles?.applyInTurns(commit, (path) => view.asset(path) !== undefined)
    const audit = withCommit(commit.request.audit ?? auditOf(commit), commit.id)
    const context = {
      published: view,
      domainsOf,
      blobs,
      tree: content,
      isThere,
      audit,
      announce,
      log,
    }
    const publication = await publicationOf(commit, context)
    publications.push(publication)
    if (publications.length < commits.length) view.apply(publication)
  }
  return publications
}

/** What can be told of a commit that no request of this process made. */
const auditOf = ({ request, committedAt }: Commit): AuditRecord => ({
  at: committedAt,
  action: 'repository.commit',
  actor: request.author,
  target: request.subject,
  ip: undefined,
  userAgent: undefined,
  requestId: request.requestId,
  meta: {},
})

const withCommit = (record: AuditRecord, commit: string): AuditRecord => ({
  ...record,
  meta: { commit, ...record.meta },
})

/** One announcement for the group: everything up to its last commit is live on this node. */
function withDeployment(publications: readonly Publication[], at: Date): readonly Publication[] {
  const last = publications.at(-1)
  if (!last) return publications
  const data = { commit: last.commitId, commits: publications.length }
  const entry = {
    at,
    event: 'deploy.completed' as const,
    zone: undefined,
    path: undefined,
    commitId: last.commitId,
    data,
  }
  return [...publications.slice(0, -1), { ...last, feed: [...last.feed, entry] }]
}
