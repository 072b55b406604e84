import type { ObjectVersionQuery, ObjectVersions } from '../../../ports/content/object-versions.ts'
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
