import type {
  ZoneCommit,
  ZoneCommitStore,
  ZoneProgress,
} from '../../../ports/zone-repositories/zone-commit-store.ts'

interface Kept {
  progress: ZoneProgress
  readonly commitIds: Map<string, string>
}

/** A ZoneCommitStore for tests and demos. Nothing survives the process. */
export class MemoryZoneCommitStore implements ZoneCommitStore {
  readonly #keptByZone = new Map<string, Kept>()

  async progress(zone: string): Promise<ZoneProgress | undefined> {
    return this.#keptByZone.get(zone)?.progress
  }

  async add(zone: string, commits: readonly ZoneCommit[], progress: ZoneProgress): Promise<void> {
    const kept = this.#keptByZone.get(zone) ?? { progress, commitIds: new Map<string, string>() }
    kept.progress = progress
    for (const { zoneCommitId, commitId } of commits)
      if (!kept.commitIds.has(zoneCommitId)) kept.commitIds.set(zoneCommitId, commitId)
    this.#keptByZone.set(zone, kept)
  }

  async known(zone: string, zoneCommitIds: readonly string[]): Promise<ReadonlySet<string>> {
    const kept = this.#keptByZone.get(zone)
    return new Set(zoneCommitIds.filter((id) => kept?.commitIds.has(id)))
  }

  async forget(zone: string): Promise<void> {
    this.#keptByZone.delete(zone)
  }
}
