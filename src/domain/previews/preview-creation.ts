import type { KeyedQueue } from '../../lib/async/keyed-queue.ts'
import type { ContentStore } from '../../ports/content/content-store.ts'
import type { ContentLines } from '../../ports/previews/content-lines.ts'
import type { CommitPoint } from '../../ports/content/past-commits.ts'
import type { Manifest } from '../../ports/records/manifest.ts'
import type { PreviewRecord } from '../../ports/records/preview.ts'
import type { ZoneRecord } from '../../ports/records/zone.ts'
import type { Actor } from '../access/actor.ts'
import { orUnavailable } from '../access/or-unavailable.ts'
import { requireUnsuspended } from '../access/suspended-zones.ts'
import { isOfZone } from '../content/past/pin-source.ts'
import { parsePreviewName } from '../content/previews/preview-name.ts'
import { invalid, ServiceError, tooMany, zoneNotFound } from '../errors.ts'
import {
  auditOfPreview,
  daysAfter,
  isExpired,
  requireFuture,
  requireKnownZone,
} from './preview-access.ts'
import type { PreviewBook } from './preview-book.ts'
import { lineOf } from './preview-lines.ts'

export interface NewPreview {
  readonly name: string
  /** A commit by its id or the first digits of it, or the moment whose commit is meant; left out: live. */
  readonly from?: { readonly commit: string } | { readonly moment: Date } | undefined
  /** Left out: so long after its last change as {@link Previews} has it. */
  readonly expiresAt?: Date | undefined
  readonly isSigned?: boolean | undefined
}

export interface PreviewCreationDependencies {
  readonly book: PreviewBook
  readonly content: Pick<ContentStore, 'buildsOn' | 'commitAsOf' | 'commitNamed'>
  /** The newest commit that is published: one that is not may yet come to nothing. */
  readonly liveCommitId: () => string | undefined
  readonly lines: Pick<ContentLines, 'reset'>
  readonly published: Pick<Manifest, 'zone'>
  /** By zone: so that of many at once no more are made than there may be. */
  readonly turns: Pick<KeyedQueue, 'run'>
  readonly maxPerZone: number
  /** So many days after its last change a preview expires where nothing else is said. */
  readonly days: number
  readonly now: () => Date
}

export function createPreviewCreation(dependencies: PreviewCreationDependencies) {
  const { book, lines, published, turns, maxPerZone, days, now } = dependencies

  /** One that expired makes way. */
  async function requireRoom(zone: string, name: string): Promise<void> {
    const known = book.get({ zone, name })
    if (known !== undefined && !isExpired(known, now()))
      throw new ServiceError('PreviewExists', `Zone "${zone}" has a preview "${name}" already`, {
        target: 'Name',
      })
    if (known !== undefined) await book.remove(known, { at: now(), audit: [] })
    if (book.ofZone(zone).length >= maxPerZone)
      throw tooMany('Name', `Zone "${zone}" has ${maxPerZone} previews`, maxPerZone)
  }

  return async (zoneName: string, wanted: NewPreview, actor: Actor): Promise<PreviewRecord> => {
    const zone = requireKnownZone(zoneName, actor, published)
    const name = parsePreviewName(wanted.name)
    requireUnsuspended([zoneName], published)
    requireFuture(wanted.expiresAt, now())
    return await turns.run(zoneName, async () => {
      await requireRoom(zoneName, name)
      const base = await commitOf(zone, wanted.from, dependencies)
      const given = { ...wanted, name, zone: zoneName, base }
      const preview = newPreview(given, { actor, at: now(), days })
      const audit = [auditOfPreview('preview.create', preview, { actor, at: preview.createdAt })]
      // Whatever is there under its name is of a former one.
      await orUnavailable(lines.reset(lineOf(preview), base))
      const added = await book.add(preview, audit)
      if (added === undefined) throw zoneNotFound(zoneName)
      return added
    })
  }
}

async function commitOf(
  zone: ZoneRecord,
  from: NewPreview['from'],
  { content, liveCommitId }: Pick<PreviewCreationDependencies, 'content' | 'liveCommitId'>,
): Promise<CommitPoint['id']> {
  const head = liveCommitId()
  if (head === undefined) throw zoneNotFound(zone.name)
  if (from === undefined) return head
  const found =
    'commit' in from
      ? await content.commitNamed(from.commit)
      : await content.commitAsOf(from.moment)
  if (found === 'ambiguous') throw invalid('From', 'names several commits: write more digits')
  if (found === undefined || !(await isOfZone(zone, found, content)))
    throw new ServiceError('NotFound', `Zone "${zone.name}" has no such commit, or was not there`, {
      target: 'From',
    })
  if (!(await content.buildsOn(head, found.id)))
    throw invalid('From', 'must be a commit of what is live, not of a preview')
  return found.id
}

interface Wanted extends Omit<NewPreview, 'from'> {
  readonly zone: string
  readonly base: string
}

const newPreview = (
  { zone, name, base, expiresAt, isSigned }: Wanted,
  { actor, at, days }: { readonly actor: Actor; readonly at: Date; readonly days: number },
): PreviewRecord => ({
  zone,
  name,
  baseCommitId: base,
  headCommitId: base,
  createdAt: at,
  changedAt: at,
  expiresAt: expiresAt ?? daysAfter(at, days),
  hasOwnExpiry: expiresAt !== undefined,
  isSigned: isSigned ?? false,
  createdBy: actor.credentialId,
})
