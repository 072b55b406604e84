import type {
  PartPage,
  UploadPart,
  UploadPartStore,
} from '../../../ports/content/upload-part-store.ts'

/** An UploadPartStore for tests and demos. Nothing survives the process. */
export class MemoryUploadPartStore implements UploadPartStore {
  readonly #partsById = new Map<string, Map<number, UploadPart>>()

  async put(uploadId: string, part: UploadPart): Promise<UploadPart | undefined> {
    const parts = this.#partsById.get(uploadId) ?? new Map<number, UploadPart>()
    const former = parts.get(part.number)
    this.#partsById.set(uploadId, parts.set(part.number, part))
    return former
  }

  async find(uploadId: string, number: number): Promise<UploadPart | undefined> {
    return this.#partsById.get(uploadId)?.get(number)
  }

  async list(uploadId: string, { after, limit }: PartPage): Promise<readonly UploadPart[]> {
    return [...(this.#partsById.get(uploadId)?.values() ?? [])]
      .filter(({ number }) => number > after)
      .toSorted((one, other) => one.number - other.number)
      .slice(0, limit)
  }

  async removeAll(uploadId: string): Promise<void> {
    this.#partsById.delete(uploadId)
  }
}
