import type { BlobRef } from '../../../ports/content/blob-store.ts'
import type {
  PreviewIdentity,
  PreviewNotice,
  PreviewPacks,
  PreviewStore,
} from '../../../ports/previews/preview-store.ts'
import type { FeedEntry } from '../../../ports/records/feed.ts'
import type { PreviewKey, PreviewRecord } from '../../../ports/records/preview.ts'
import { byBytes, type MemoryDatabase } from './memory-database.ts'

/** A PreviewStore for tests and demos. */
export class MemoryPreviewStore implements PreviewStore {
  readonly #database: MemoryDatabase
  readonly #packsByKey = new Map<string, readonly BlobRef[]>()

  constructor(database: MemoryDatabase) {
    this.#database = database
  }

  async add(preview: PreviewRecord, notice: PreviewNotice): Promise<FeedEntry | undefined> {
    const { previewByKey, zoneByName } = this.#database
    if (previewByKey.has(keyOf(preview)) || !zoneByName.has(preview.zone)) return undefined
    previewByKey.set(keyOf(preview), structuredClone(preview))
    return this.#announce(notice)
  }

  async replace(preview: PreviewRecord, notice: PreviewNotice): Promise<FeedEntry | undefined> {
    const known = this.#find(preview)
    if (known === undefined) return undefined
    const { createdBy } = known
    this.#database.previewByKey.set(keyOf(preview), structuredClone({ ...preview, createdBy }))
    if (notice.packs !== undefined) this.#packsByKey.set(keyOf(preview), notice.packs)
    return this.#announce(notice)
  }

  async remove(preview: PreviewIdentity, notice: PreviewNotice): Promise<FeedEntry | undefined> {
    if (this.#find(preview) === undefined) return undefined
    this.#database.previewByKey.delete(keyOf(preview))
    return this.#announce(notice)
  }

  async list(): Promise<readonly PreviewRecord[]> {
    return [...this.#database.previewByKey.values()].toSorted(
      (a, b) => byBytes(a.zone, b.zone) || byBytes(a.name, b.name),
    )
  }

  async packs(): Promise<readonly PreviewPacks[]> {
    return (await this.list()).map(({ zone, name, headCommitId }) => ({
      zone,
      name,
      headCommitId,
      packs: this.#packsByKey.get(keyOf({ zone, name })) ?? [],
    }))
  }

  async ofZones(zones: readonly string[]): Promise<readonly PreviewRecord[]> {
    return (await this.list()).filter(({ zone }) => zones.includes(zone))
  }

  #find(preview: PreviewIdentity): PreviewRecord | undefined {
    const known = this.#database.previewByKey.get(keyOf(preview))
    return known?.createdAt.getTime() === preview.createdAt.getTime() ? known : undefined
  }

  #announce({ feed, audit }: PreviewNotice): FeedEntry | undefined {
    return this.#database.announce([feed], audit)[0]
  }
}

const keyOf = ({ zone, name }: PreviewKey): string => `${zone}/${name}`
