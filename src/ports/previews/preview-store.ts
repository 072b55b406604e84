import type { BlobRef } from '../content/blob-store.ts'
import type { AuditRecord } from '../records/audit.ts'
import type { FeedEntry, NewFeedEntry } from '../records/feed.ts'
import type { PreviewKey, PreviewRecord } from '../records/preview.ts'

/** What is recorded together with a change of a preview, in one transaction. */
export interface PreviewNotice {
  readonly audit: readonly AuditRecord[]
  readonly feed: NewFeedEntry
  /** In which packs other nodes find what leads from its base to its head; as before where left out. */
  readonly packs?: readonly BlobRef[]
}

/** What a preview shows, and where other nodes find it. */
export interface PreviewPacks extends PreviewKey {
  readonly headCommitId: string
  readonly packs: readonly BlobRef[]
}

/** A preview, and no other of its name. */
export type PreviewIdentity = Pick<PreviewRecord, 'zone' | 'name' | 'createdAt'>

/**
 * The previews of zones, and which commit each shows. Not rebuilt from git: its branches follow these
 * rows. Each change is recorded with its notice in one transaction, and answered, once durable, with the
 * feed entry that announces it. A zone that is removed takes its previews with it.
 */
export interface PreviewStore {
  /** `undefined`, and nothing changes, where the zone has one of that name, or is not there. */
  add(preview: PreviewRecord, notice: PreviewNotice): Promise<FeedEntry | undefined>
  /** Replaces all that can change; `undefined` where it is not there any more. */
  replace(preview: PreviewRecord, notice: PreviewNotice): Promise<FeedEntry | undefined>
  /** `undefined` where it is not there any more. */
  remove(preview: PreviewIdentity, notice: PreviewNotice): Promise<FeedEntry | undefined>
  /** Every preview, by zone and then by name, both in byte order. */
  list(): Promise<readonly PreviewRecord[]>
  /** The packs of each, in the same order; none where nothing was said of them. */
  packs(): Promise<readonly PreviewPacks[]>
  /** Those of some zones, in the same order. */
  ofZones(zones: readonly string[]): Promise<readonly PreviewRecord[]>
}
