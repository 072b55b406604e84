import type { BlobBytes, BlobRef, BlobStore } from '../../ports/content/blob-store.ts'
import type { RepositoryCopy, RepositorySource } from '../../ports/content/repository-copy.ts'
import type { PreviewStore } from '../../ports/previews/preview-store.ts'
import type { PreviewKey, PreviewRecord } from '../../ports/records/preview.ts'

interface Dependencies {
  readonly store: PreviewStore
  readonly source: RepositorySource
  /** Where packs lie; apart from the blobs of what is published. */
  readonly packs: Pick<BlobStore, 'open' | 'receive'>
  readonly copy: Pick<RepositoryCopy, 'add' | 'has'>
  /** What a commit is called by now; its own id where left out. */
  readonly idNow?: (commitId: string) => Promise<string>
}

/** So many packs of a preview are read in no time; more are made one. */
const fewPacks = 24

/**
 * The same store, whose rows bring along what other nodes need of the repository: packs with what leads from
 * the preview's base, which all of them have, to its head. Before that it takes up what another node wrote.
 */
export async function replicatedPreviews(dependencies: Dependencies): Promise<PreviewStore> {
  const { store, source, packs, idNow = async (id) => id } = dependencies
  const kept = await takeUpPreviews(dependencies)

  async function pack(after: string, commitId: string): Promise<readonly BlobRef[]> {
    const refs: BlobRef[] = []
    for (const stream of await source.packsAnew(after, commitId)) {
      await using incoming = await packs.receive(stream)
      refs.push(await incoming.keep())
    }
    return refs
  }

  async function shipped({ headCommitId, ...preview }: PreviewRecord): Promise<Kept> {
    const known = kept.get(keyOf(preview))
    if (known?.headCommitId === headCommitId) return known
    // After commits were written anew, former packs lead to others than these.
    const isRenamed =
      known !== undefined && (await idNow(known.headCommitId)) !== known.headCommitId
    if (known === undefined || isRenamed || known.packs.length >= fewPacks)
      return { headCommitId, packs: await pack(preview.baseCommitId, headCommitId) }
    const more = await pack(known.headCommitId, headCommitId)
    return { headCommitId, packs: [...known.packs, ...more] }
  }

  return {
    list: () => store.list(),
    ofZones: (zones) => store.ofZones(zones),
    packs: () => store.packs(),
    async add(preview, notice) {
      const entry = await store.add(preview, notice)
      if (entry !== undefined)
        kept.set(keyOf(preview), { headCommitId: preview.headCommitId, packs: [] })
      return entry
    },
    async replace(preview, notice) {
      const now = await shipped(preview)
      const entry = await store.replace(preview, { ...notice, packs: now.packs })
      if (entry !== undefined) kept.set(keyOf(preview), now)
      return entry
    },
    async remove(preview, notice) {
      kept.delete(keyOf(preview))
      return await store.remove(preview, notice)
    },
  }
}

interface Kept {
  readonly headCommitId: string
  readonly packs: readonly BlobRef[]
}

/** What previews have that another node wrote comes into this repository. */
async function takeUpPreviews({ store, packs, copy }: Dependencies): Promise<Map<string, Kept>> {
  const kept = new Map<string, Kept>()
  for (const { zone, name, headCommitId, packs: refs } of await store.packs()) {
    kept.set(keyOf({ zone, name }), { headCommitId, packs: refs })
    if (await copy.has(headCommitId)) continue
    for (const { sha256 } of refs) await copy.add(await packOf(packs, sha256))
  }
  return kept
}

async function packOf(packs: Pick<BlobStore, 'open'>, sha256: string): Promise<BlobBytes> {
  const pack = await packs.open(sha256)
  if (pack === undefined) throw new Error(`The pack ${sha256} of a preview is not in the store`)
  return pack
}

const keyOf = ({ zone, name }: PreviewKey): string => `${zone}/${name}`
