import type {
  OpenUploadPage,
  StagedUploadRecord,
  StagedUploadStore,
  UploadGroup,
} from '../../../ports/content/staged-upload-store.ts'

/** A StagedUploadStore for tests and demos. Nothing survives the process. */
export class MemoryStagedUploadStore implements StagedUploadStore {
  readonly #recordById = new Map<string, StagedUploadRecord>()

  async add(record: StagedUploadRecord): Promise<void> {
    this.#recordById.set(record.id, record)
  }

  async find(id: string): Promise<StagedUploadRecord | undefined> {
    return this.#recordById.get(id)
  }

  async replace(record: StagedUploadRecord): Promise<void> {
    if (this.#recordById.has(record.id)) this.#recordById.set(record.id, record)
  }

  async remove(id: string): Promise<void> {
    this.#recordById.delete(id)
  }

  async countOpen(group: UploadGroup, now: Date): Promise<number> {
    return [...this.#recordById.values()].filter(
      (record) =>
        record.outcome === undefined &&
        record.expiresAt > now &&
        ('zone' in group ? record.zone === group.zone : record.network === group.network),
    ).length
  }

  async openInParts(
    { zone, prefix, after, limit }: OpenUploadPage,
    now: Date,
  ): Promise<readonly StagedUploadRecord[]> {
    return [...this.#recordById.values()]
      .filter((record) => record.zone === zone && record.path.startsWith(prefix))
      .filter(({ inParts, outcome }) => inParts !== undefined && outcome === undefined)
      .filter((record) => record.expiresAt > now)
      .toSorted(inOrder)
      .filter((record) => after === undefined || inOrder(record, after) > 0)
      .slice(0, limit)
  }

  async expiredBefore(time: Date, limit: number): Promise<readonly StagedUploadRecord[]> {
    return [...this.#recordById.values()]
      .filter(({ expiresAt }) => expiresAt < time)
      .toSorted((a, b) => a.expiresAt.getTime() - b.expiresAt.getTime())
      .slice(0, limit)
  }
}

type Place = Pick<StagedUploadRecord, 'path' | 'id'>

const inOrder = (one: Place, other: Place): number =>
  Buffer.compare(Buffer.from(one.path), Buffer.from(other.path)) ||
  Buffer.compare(Buffer.from(one.id), Buffer.from(other.id))
