import type { AssetRecord } from './asset.ts'
import type { FeedEntry } from './feed.ts'
import type { PreviewRecord } from './preview.ts'
import type { RuleFileName, ZoneRecord } from './zone.ts'

/**
 * What is published right now, in memory: one look-up per question, no waiting. A record is never
 * changed in place, so the same object means that nothing about it has changed.
 */
export interface Manifest {
  asset(path: string): AssetRecord | undefined
  zone(name: string): ZoneRecord | undefined
  /** The zone that owns a custom host name (A-label, lower case, no port). */
  zoneOfHost(hostname: string): string | undefined
  ruleFile(name: RuleFileName): string | undefined
  /** One that expired may still be here: see {@link PreviewRecord.expiresAt}. */
  preview(zone: string, name: string): PreviewRecord | undefined
  /**
   * Whether bytes, by their SHA-256, may be given to nobody any more, wherever they still are; or whether a
   * path had such bytes, so that nothing at it means more than that.
   */
  isErased(sha256OrPath: string): boolean
}

/** The ordered changes, live and from the past. */
export interface Feed {
  /**
   * Tells `listener` of every entry from now on, in order and without a gap, at once after the
   * manifest shows what the entry announces and before the writer is answered. Where very many entries are
   * announced together, `prepare` may be called with them before they show: what it answers is then called
   * in place of the listener.
   */
  subscribe(
    listener: (entries: readonly FeedEntry[]) => void,
    prepare?: (entries: readonly FeedEntry[]) => Promise<() => void>,
  ): Disposable
  /** Entries after `seq`, oldest first, at most `limit`. */
  after(seq: number, limit: number): Promise<readonly FeedEntry[]>
}
