import { counted } from '../../lib/text/visible-text.ts'
import type { BlobStore } from '../../ports/content/blob-store.ts'
import type { StagedBytes } from '../../ports/content/staged-bytes.ts'
import type { ErasableHistory } from '../../ports/erasing/erasable-history.ts'
import type { ErasureRecord } from '../../ports/records/erasure.ts'
import { erasedMarker } from './erased-marker.ts'
import { type ErasingPlace, singlePlace } from './erasing-place.ts'

/** Every commit that had the bytes, and with it all after it. */
export const repositoryPlace = (
  content: ErasableHistory,
  /** Records what commits are called now. */
  rename: () => Promise<void>,
): ErasingPlace =>
  singlePlace('repository', async (erasure) => {
    const { commits } = await content.erase({ blobs: erasure.blobs, marker: erasedMarker(erasure) })
    await rename()
    const detail =
      commits === 0
        ? 'no commit has the bytes'
        : `${counted(commits, 'commit')} written anew with a text in the place of the bytes; clones have the former history`
    // Of what is gone through twice, the first time knows how many.
    return commits === 0 && erasure.commits !== undefined
      ? { detail: 'rewritten before' }
      : { detail, commits }
  })

interface BlobPlaces {
  readonly blobs: Pick<BlobStore, 'remove' | 'stat'>
  readonly staged: StagedBytes
}

/** The blob store with its copies on this machine, and uploads that are whole and not finished. */
export const blobsPlace = ({ blobs, staged }: BlobPlaces): ErasingPlace =>
  singlePlace('blobs', async (erasure) => {
    for (const { sha256 } of erasure.blobs) await blobs.remove(sha256)
    const dropped = await dropStaged(staged, erasure)
    return { detail: dropped === 0 ? 'removed' : `removed, and ${dropped} uploads that had them` }
  })

/** Those with the number of bytes are hashed; of what is not whole yet nobody knows what it will be. */
async function dropStaged(staged: StagedBytes, { blobs }: ErasureRecord): Promise<number> {
  const sizes = new Set(blobs.map(({ sizeBytes }) => sizeBytes))
  const erased = new Set(blobs.map(({ sha256 }) => sha256))
  let dropped = 0
  for await (const { id, sizeBytes } of staged.list()) {
    if (!sizes.has(sizeBytes)) continue
    await using whole = await staged.finish(id)
    if (whole === undefined || !erased.has(whole.sha256)) continue
    await staged.drop(id)
    dropped += 1
  }
  return dropped
}

/** What was made of the bytes, or found out about them. */
export const madePlace = (forget: (sha256: string) => Promise<void>): ErasingPlace =>
  singlePlace('made', async ({ blobs }) => {
    for (const { sha256 } of blobs) await forget(sha256)
    return { detail: 'variants, codings, copies, indexes and texts made of them are removed' }
  })

/** `scrub` runs what deletes rows, and then leaves nothing of them in what the database has written. */
export const databasePlace = (
  forget: (sha256: string) => Promise<void>,
  scrub: (work: () => Promise<void>) => Promise<void>,
): ErasingPlace =>
  singlePlace('database', async ({ blobs }) => {
    await scrub(async () => {
      for (const { sha256 } of blobs) await forget(sha256)
    })
    return { detail: 'rows are removed, and what the database kept of them' }
  })

interface EdgeStandings {
  list(): Promise<
    readonly { readonly name: string; readonly seq: number; readonly isLive: boolean }[]
  >
}

const edgePrefix = 'edge:'

/** Edges, and nodes that stand by: each says what number of the feed it serves once it has forgotten. */
export const edgePlaces = (edges: EdgeStandings): ErasingPlace => ({
  names: async () => (await edges.list()).map(({ name }) => `${edgePrefix}${name}`),
  async forget({ feedSeq = Number.POSITIVE_INFINITY }, name) {
    const all = await edges.list()
    const edge = all.find((each) => `${edgePrefix}${each.name}` === name)
    if (edge !== undefined && edge.seq >= feedSeq)
      return { state: 'confirmed', detail: 'it has said so' }
    const detail = edge?.isLive === true ? '' : 'away; it forgets them before it serves again'
    return { state: 'waiting', detail }
  },
})

/** Somewhere that is out of reach. */
export const placeOutOfReach = (name: string, detail: string): ErasingPlace =>
  singlePlace(name, async () => ({ state: 'told', detail }))
