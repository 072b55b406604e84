import {
  type LogQuery,
  type LogRecord,
  type LogStore,
  maxLogRecords,
} from '../../../ports/traffic/log-store.ts'

/** A LogStore for tests and demos. */
export class MemoryLogStore implements LogStore {
  #records: LogRecord[] = []

  async append(records: readonly LogRecord[]): Promise<void> {
    const all = [...this.#records, ...structuredClone(records)]
    const kept = new Set(
      [...Map.groupBy(all, ({ level }) => level).values()].flatMap((ofLevel) =>
        ofLevel.slice(-maxLogRecords),
      ),
    )
    this.#records = all.filter((record) => kept.has(record))
  }

  async query({ since, level, zones, limit }: LogQuery): Promise<readonly LogRecord[]> {
    return this.#records
      .filter((record) => record.at >= since && (level ?? record.level) === record.level)
      .filter(({ zone }) => zones === undefined || (zone !== undefined && zones.has(zone)))
      .toReversed()
      .toSorted((a, b) => b.at.getTime() - a.at.getTime())
      .slice(0, limit)
  }

  async forgetBefore(time: Date): Promise<number> {
    const before = this.#records.length
    this.#records = this.#records.filter(({ at }) => at >= time)
    return before - this.#records.length
  }
}
