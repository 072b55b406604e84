import type { BlobStore } from '../../ports/content/blob-store.ts'
import { AttributeCache } from './lfs/attribute-source.ts'
import { LargeFiles } from './lfs/large-files.ts'
import type { LargeFileHost } from './lfs/remote/large-file-host.ts'
import { PutForms } from './lfs/put-forms.ts'
import { BlobReader } from './objects/blob-reader.ts'
import { BranchRef, mainBranch } from './write/branch-ref.ts'
import { CommitLog } from './read/commit-log.ts'
import { DirectoryCache } from './tree/directory-source.ts'
import { Group, type Head, type Unready } from './write/commit-group.ts'
import { Housekeeping } from './upkeep/housekeeping.ts'
import { LargeBlobs } from './write/large-blobs.ts'
import { Landing } from './write/landing.ts'
import { FormerCommits } from './rewrite/former-commits.ts'
import { ErasedContents } from './rewrite/erased-contents.ts'
import { ObjectReader } from './objects/object-reader.ts'
import { PackStore } from './write/pack-store.ts'
import { RecentPacks } from './write/recent-packs.ts'
import { type TreeSources } from './tree/snapshot-tree.ts'
import type { StoreUnavailableError } from '../../ports/store-unavailable-error.ts'

export interface GitContentStoreOptions {
  /** The bare repository; made where it is not there. The caller alone may write through here. */
  readonly directory: string
  readonly blobs: BlobStore
  /** Files with more bytes than this are kept beside git, which has pointers to them; left out: 25 MiB. */
  readonly largeFileBytes?: number
  /** Where large files may be that the blob store has lost. */
  readonly largeFileHost?: Pick<LargeFileHost, 'open'> | undefined
  readonly now: () => Date
  /** Told of what the operator should know and nobody has to be refused for. */
  readonly onWarning: (message: string, cause?: unknown) => void
  /** Told once when only a restart helps. */
  readonly onFatal: (error: StoreUnavailableError) => void
}

export type Parts = Awaited<ReturnType<typeof openParts>>

/** What is remembered by ids that are others now. */
export function forgetCommits(parts: Parts, contentIds: ReadonlySet<string>): void {
  const { log, recent, sources } = parts
  log.forget()
  recent.forget()
  parts.forgetStaged()
  sources.blobs.forget(contentIds)
}

/** What a store is made of, each thing once. */
export async function openParts(
  {
    directory,
    blobs,
    largeFileBytes,
    largeFileHost: elsewhere,
    now,
    onWarning,
    onFatal,
  }: GitContentStoreOptions,
  opening: AsyncDisposableStack,
) {
  const objects = opening.use(new ObjectReader(directory))
  const directories = new DirectoryCache(objects)
  const sources = {
    directories,
    attributes: new AttributeCache(objects),
    blobs: new BlobReader(objects, blobs),
    largeFiles: new LargeFiles({
      repository: directory,
      blobs,
      now,
      aboveBytes: largeFileBytes,
      elsewhere,
      onWarning,
    }),
  }
  const packs = opening.use(await PackStore.open(directory))
  const takeNumber = createNumbers()
  const ref = opening.use(
    await BranchRef.open({ repository: directory, branch: mainBranch, takeNumber, onWarning }),
  )
  const recent = new RecentPacks()
  const log = new CommitLog({ repository: directory, sources, onWarning })
  const former = await FormerCommits.open(directory, await ref.read())
  const housekeeping = opening.use(new Housekeeping({ repository: directory, now, onWarning }))
  return {
    directory,
    objects,
    directories,
    sources,
    packs,
    recent,
    former,
    erased: await ErasedContents.open(directory),
    landing: new Landing(),
    takeNumber,
    housekeeping,
    onWarning,
    onFatal,
    ref,
    log,
    ...grouping({ packs, recent, blobs, now }, sources, log),
    onPackAdded: () => housekeeping.packAdded(),
  }
}

type Packing = Required<ConstructorParameters<typeof LargeBlobs>[0]>

/** How groups are made of main, and of the lines beside it. */
function grouping({ recent, ...packing }: Packing, sources: TreeSources, log: CommitLog) {
  const { blobs, now } = packing
  // What lines stage is in no pack that leads along main, so main has to have it in one of its own.
  const largeBlobs = new LargeBlobs({ ...packing, recent })
  const largeBlobsOfLines = new LargeBlobs(packing)
  const forms = new PutForms({ blobs, largeFiles: sources.largeFiles })
  const rootOf = async (id: string) => (await log.describe(id)).treeId
  const needs = { sources, blobs, forms, rootOf, now }
  return {
    createGroup: (head: Head) => new Group(head, { ...needs, largeBlobs }),
    createLineGroup: (head: Head) => new Group(head, { ...needs, largeBlobs: largeBlobsOfLines }),
    stage: stagingOf(largeBlobs, sources),
    stageForLine: stagingOf(largeBlobsOfLines, sources),
    forgetStaged() {
      largeBlobs.forget()
      largeBlobsOfLines.forget()
    },
  }
}

function createNumbers(): () => number {
  let last = 0
  return () => (last += 1)
}

/** Brings what a commit is to name to where it has to be before. */
const stagingOf =
  (largeBlobs: LargeBlobs, { largeFiles, blobs: reader }: TreeSources) =>
  async ({ blobs }: { readonly blobs: Unready }): Promise<void> => {
    await largeBlobs.stage(blobs.staged)
    for (const { blob, bytes, content } of blobs.secured)
      await largeFiles.secure(
        blob,
        async () => bytes ?? (content && (await reader.original(content.id))),
      )
  }
