import type {
  ObjectVersionQuery,
  ObjectVersions,
  ReleasedBlob,
} from '../../../ports/content/object-versions.ts'
import type { ObjectVersion } from '../../../ports/records/object-version.ts'
import { byBytes, type MemoryDatabase } from './memory-database.ts'

/** ObjectVersions for tests and demos. */
export class MemoryObjectVersions implements ObjectVersions {
  readonly #database: MemoryDatabase

  constructor(database: MemoryDatabase) {
    this.#database = database
  }

  async list({ from, before, after, limit }: ObjectVersionQuery) {
    const all = this.#all()
    return all
      .slice(after === undefined ? 0 : placeAfter(all, after))
      .filter(({ path }) => byBytes(path, from) >= 0)
      .filter(({ path }) => before === undefined || byBytes(path, before) < 0)
      .slice(0, limit)
  }

  async newest(path: string): Promise<ObjectVersion | undefined> {
    return this.#of(path)[0]
  }

  async find(path: string, commitId: string): Promise<ObjectVersion | undefined> {
    return this.#of(path).find((version) => version.commitId === commitId)
  }

  async withBytes(sha256s: readonly string[], limit: number): Promise<readonly ObjectVersion[]> {
    return this.#all()
      .filter(({ content }) => content !== undefined && sha256s.includes(content.sha256))
      .slice(0, limit)
  }

  async letGo(sha256s: readonly string[]): Promise<void> {
    const { versions } = this.#database
    const kept = versions.filter(({ content }) => !sha256s.includes(content?.sha256 ?? ''))
    versions.splice(0, versions.length, ...kept)
  }

  async release(path: string, commitId: string): Promise<void> {
    const { versions, releasedBySha256 } = this.#database
    const place = versions.findIndex((each) => each.path === path && each.commitId === commitId)
    const [version] = place === -1 ? [] : versions.splice(place, 1)
    if (version?.content === undefined) return
    const { sha256, sizeBytes } = version.content
    const zone = path.slice(0, path.indexOf('/'))
    if (!releasedBySha256.has(sha256)) releasedBySha256.set(sha256, { sha256, sizeBytes, zone })
  }

  async released(limit: number): Promise<readonly ReleasedBlob[]> {
    const all = [...this.#database.releasedBySha256.values()]
    return all.toSorted((one, other) => byBytes(one.sha256, other.sha256)).slice(0, limit)
  }

  async settleReleased(sha256s: readonly string[]): Promise<void> {
    for (const sha256 of sha256s) this.#database.releasedBySha256.delete(sha256)
  }

  async before(path: string, commitId: string): Promise<ObjectVersion | undefined> {
    const versions = this.#of(path)
    const place = versions.findIndex((version) => version.commitId === commitId)
    return place === -1 ? undefined : versions[place + 1]
  }

  #of(path: string): ObjectVersion[] {
    return this.#all().filter((version) => version.path === path)
  }

  /** Sorting is stable: of a path the newest stays first. */
  #all(): ObjectVersion[] {
    return this.#database.versions.toReversed().toSorted((a, b) => byBytes(a.path, b.path))
  }
}

function placeAfter(
  all: readonly ObjectVersion[],
  { path, commitId }: NonNullable<ObjectVersionQuery['after']>,
): number {
  const found = all.findIndex((each) => each.path === path && each.commitId === commitId)
  if (found !== -1) return found + 1
  const next = all.findIndex((each) => byBytes(each.path, path) > 0)
  return next === -1 ? all.length : next
}
