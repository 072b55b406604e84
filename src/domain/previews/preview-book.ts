import { KeyedQueue } from '../../lib/async/keyed-queue.ts'
import type {
  PreviewIdentity,
  PreviewNotice,
  PreviewStore,
} from '../../ports/previews/preview-store.ts'
import type { AuditRecord } from '../../ports/records/audit.ts'
import type { FeedEntry, NewFeedEntry } from '../../ports/records/feed.ts'
import type { PreviewKey, PreviewRecord } from '../../ports/records/preview.ts'
import { orUnavailable } from '../access/or-unavailable.ts'
import { createPreviewMap } from '../content/previews/preview-map.ts'
import type { LocalFeed } from '../feed.ts'

/** Which previews there are. Look-ups are answered from memory; each change is durable, then shown, then told. */
export interface PreviewBook {
  /** One that expired may still be here. */
  get(key: PreviewKey): PreviewRecord | undefined
  /** By name. */
  ofZone(zone: string): readonly PreviewRecord[]
  all(): readonly PreviewRecord[]
  /** `undefined` where there is one of its name, or no such zone. */
  add(preview: PreviewRecord, audit: readonly AuditRecord[]): Promise<PreviewRecord | undefined>
  /**
   * Changes of one preview come one after another; `change` is given it as it is by then. `undefined`
   * where it is gone, or another one has its name.
   */
  change(
    preview: PreviewIdentity,
    change: (current: PreviewRecord) => PreviewRecord,
    audit: readonly AuditRecord[],
  ): Promise<PreviewRecord | undefined>
  /** The same of its removal. */
  remove(
    preview: PreviewIdentity,
    told: { readonly at: Date; readonly audit: readonly AuditRecord[] },
  ): Promise<PreviewRecord | undefined>
  /** Tells of previews that went with their zone. */
  onZoneRemoved(listener: (previews: readonly PreviewRecord[]) => void): void
}

interface Dependencies {
  readonly store: PreviewStore
  readonly feed: LocalFeed
}

/** Reads the table once. */
export async function openPreviewBook({ store, feed }: Dependencies): Promise<PreviewBook> {
  const previews = createPreviewMap(await store.list())
  const turns = new KeyedQueue()
  const listeners = new Set<(previews: readonly PreviewRecord[]) => void>()
  feed.subscribe((entries) => {
    for (const { event, zone } of entries) {
      if (event !== 'zone.deleted' || zone === undefined) continue
      const gone = previews.ofZone(zone)
      previews.deleteZone(zone)
      for (const listener of listeners) listener(gone)
    }
  })

  function current({ createdAt, ...key }: PreviewIdentity): PreviewRecord | undefined {
    const known = previews.get(key)
    return known?.createdAt.getTime() === createdAt.getTime() ? known : undefined
  }

  /** Shown before it is told, and only where the row was written. */
  function show(entry: FeedEntry | undefined, apply: () => void): boolean {
    if (entry === undefined) return false
    apply()
    feed.announce([entry])
    return true
  }

  return {
    get: (key) => previews.get(key),
    ofZone: (zone) => previews.ofZone(zone),
    all: () => previews.all(),
    add: (preview, audit) =>
      turns.run(keyOf(preview), async () => {
        const entry = await orUnavailable(store.add(preview, noticeOf(preview, audit)))
        return show(entry, () => previews.set(preview)) ? preview : undefined
      }),
    change: (preview, change, audit) =>
      turns.run(keyOf(preview), async () => {
        const known = current(preview)
        if (known === undefined) return undefined
        const next = change(known)
        const entry = await orUnavailable(store.replace(next, noticeOf(next, audit)))
        return show(entry, () => previews.set(next)) ? next : undefined
      }),
    onZoneRemoved: (listener) => void listeners.add(listener),
    remove: (preview, { at, audit }) =>
      turns.run(keyOf(preview), async () => {
        const known = current(preview)
        if (known === undefined) return undefined
        const notice = { audit, feed: previewEntry({ ...known, changedAt: at }, true) }
        const entry = await orUnavailable(store.remove(known, notice))
        return show(entry, () => previews.delete(known)) ? known : undefined
      }),
  }
}

const keyOf = ({ zone, name }: PreviewKey): string => `${zone}/${name}`

const noticeOf = (preview: PreviewRecord, audit: readonly AuditRecord[]): PreviewNotice => ({
  audit,
  feed: previewEntry(preview, false),
})

/** What the feed is told of a preview as it stands, or of its end. */
const previewEntry = (preview: PreviewRecord, removed: boolean): NewFeedEntry => ({
  at: preview.changedAt,
  event: 'preview.updated',
  zone: preview.zone,
  path: undefined,
  commitId: undefined,
  data: {
    zone: preview.zone,
    name: preview.name,
    base: preview.baseCommitId,
    head: preview.headCommitId,
    expires: preview.expiresAt.toISOString(),
    signed: preview.isSigned,
    removed,
  },
})
