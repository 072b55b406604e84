import type { PreviewRecord } from '../../ports/records/preview.ts'
import type { Actor } from '../access/actor.ts'
import { requireUnsuspendedFor } from '../access/suspended-zones.ts'
import {
  auditOfPreview,
  daysAfter,
  isExpired,
  previewNotFound,
  requireFuture,
  requireKnownZone,
} from './preview-access.ts'
import {
  createPreviewCreation,
  type NewPreview,
  type PreviewCreationDependencies,
} from './preview-creation.ts'

/** Branches of zones: what would be live, to be looked at before. */
export interface Previews {
  create(zone: string, wanted: NewPreview, actor: Actor): Promise<PreviewRecord>
  /** By name. */
  list(zone: string, actor: Actor): readonly PreviewRecord[]
  /** Refuses what is not there, or not any more, with `PreviewNotFound`. */
  find(zone: string, name: string, actor: Actor): PreviewRecord
  /** Changes what is given; with an `expiresAt` of `null` it expires as one of which nothing was said. */
  configure(
    preview: { readonly zone: string; readonly name: string },
    settings: PreviewSettings,
    actor: Actor,
  ): Promise<PreviewRecord>
  remove(zone: string, name: string, actor: Actor): Promise<PreviewRecord>
}

export interface PreviewSettings {
  readonly expiresAt?: Date | null | undefined
  readonly isSigned?: boolean | undefined
}

export function createPreviews(dependencies: PreviewCreationDependencies): Previews {
  const { book, published, days, now } = dependencies

  function find(zone: string, name: string, actor: Actor): PreviewRecord {
    requireKnownZone(zone, actor, published)
    const preview = book.get({ zone, name })
    if (preview === undefined || isExpired(preview, now())) throw previewNotFound(zone, name)
    return preview
  }

  return {
    find,
    list(zone, actor) {
      requireKnownZone(zone, actor, published)
      return book.ofZone(zone).filter((preview) => !isExpired(preview, now()))
    },
    create: createPreviewCreation(dependencies),
    async configure({ zone, name }, settings, actor) {
      const preview = find(zone, name, actor)
      requireUnsuspendedFor(actor, [zone], published)
      requireFuture(settings.expiresAt ?? undefined, now())
      const change = (current: PreviewRecord) => withSettings(current, settings, days)
      const audit = auditOfPreview('preview.update', change(preview), { actor, at: now() })
      const changed = await book.change(preview, change, [audit])
      if (changed === undefined) throw previewNotFound(zone, name)
      return changed
    },
    async remove(zone, name, actor) {
      const preview = find(zone, name, actor)
      requireUnsuspendedFor(actor, [zone], published)
      const at = now()
      const audit = [auditOfPreview('preview.delete', preview, { actor, at })]
      const removed = await book.remove(preview, { at, audit })
      if (removed === undefined) throw previewNotFound(zone, name)
      return removed
    },
  }
}

const withSettings = (
  current: PreviewRecord,
  { expiresAt, isSigned }: PreviewSettings,
  days: number,
): PreviewRecord => ({
  ...current,
  ...(expiresAt !== undefined && {
    expiresAt: expiresAt ?? daysAfter(current.changedAt, days),
    hasOwnExpiry: expiresAt !== null,
  }),
  ...(isSigned !== undefined && { isSigned }),
})
