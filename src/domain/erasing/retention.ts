import type { Log } from '../../lib/log.ts'
import type { ObjectVersions, ReleasedBlob } from '../../ports/content/object-versions.ts'
import type { BlobStore } from '../../ports/content/blob-store.ts'
import type {
  FoundOutdated,
  RetainedHistory,
  ZoneRetention,
} from '../../ports/erasing/retained-history.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'
import type { ZoneRecord } from '../../ports/records/zone.ts'
import type { Actor } from '../access/actor.ts'
import type { Committer } from '../content/committer.ts'
import { letGoMarker } from '../content/let-go.ts'
import { planSettings } from '../content/zones.ts'
import { zoneDirectory } from '../content/zone-settings.ts'

/** What came of looking for what no zone has to keep. */
interface RetentionOutcome {
  /** Commits that had it. */
  readonly commits: number
  readonly blobs: number
}

interface Dependencies {
  readonly content: RetainedHistory
  readonly published: { zones(): readonly ZoneRecord[]; all(): Iterable<AssetRecord> }
  readonly previews: { all(): AsyncIterable<string> }
  readonly publisher: Committer
  readonly blobs: BlobStore
  /** Records what commits are called now. */
  readonly rename: () => Promise<void>
  /** Forgets what was made of bytes, and what was found out of them. */
  readonly forget: (sha256s: readonly string[]) => Promise<void>
  readonly versions: Pick<ObjectVersions, 'letGo' | 'released' | 'settleReleased' | 'withBytes'>
  readonly now: () => Date
  readonly log: Pick<Log, 'info'>
}

const dayMs = 86_400_000
/** By then bytes that were kept are in a commit. */
const publishingMs = 3_600_000
/** The rest has its turn another day. */
const releasedAtOnce = 10_000
/** All commits have other ids each time, so what is over waits for a tenth of its time more, to go with others. */
const waitingShare = 0.1

/**
 * Lets bytes go that were replaced or deleted longer ago than their zones keep them, and that nothing else has. What is
 * broken off is done again; all of it can be done twice.
 */
export async function letGoOfOutdated(dependencies: Dependencies): Promise<RetentionOutcome> {
  const { content, published, now, log } = dependencies
  const askedAt = now()
  const retentions = published.zones().flatMap((zone) => retentionOf(zone, askedAt))
  const released = await releasedIn(dependencies)
  if (retentions.length + released.length === 0) return { commits: 0, blobs: 0 }
  const wanted = { marker: letGoMarker, askedAt, released }
  const found = await content.outdated(retentions, wanted)
  const outdated = await withoutUsed(found, dependencies)
  const { blobs } = outdated
  let commits = 0
  if (blobs.length > 0) {
    // Again afterwards: who read a former version meanwhile has brought it back.
    await forgetBytes(outdated, dependencies)
    ;({ commits } = await content.letGo(outdated))
    await dependencies.rename()
    await forgetBytes(outdated, dependencies)
    log.info('versions that no zone keeps were let go', { commits, contents: blobs.length })
  }
  const touched = blobs.length > 0 ? found.zones : []
  for (const retention of retentions)
    if (touched.includes(retention.zone) || isUntold(retention, found, published))
      await tellZone(retention.zone, retention.endedBefore, dependencies)
  for (const zone of new Set(released.map((each) => each.zone)))
    await tellZone(zone, askedAt, dependencies)
  await dependencies.versions.settleReleased(released.map(({ sha256 }) => sha256))
  return { commits, blobs: blobs.length }
}

/** What clients of S3 have removed the versions of, and no version has any more. */
async function releasedIn({
  versions,
}: Pick<Dependencies, 'versions'>): Promise<readonly ReleasedBlob[]> {
  const all = await versions.released(releasedAtOnce)
  const free: ReleasedBlob[] = []
  const stillUsed: string[] = []
  for (const each of all) {
    const [other] = await versions.withBytes([each.sha256], 1)
    if (other === undefined) free.push(each)
    else stillUsed.push(each.sha256)
  }
  await versions.settleReleased(stillUsed)
  return free
}

const retentionOf = ({ name, historyDays }: ZoneRecord, at: Date): readonly ZoneRetention[] => {
  if (historyDays === undefined) return []
  const keptMs = historyDays * dayMs
  const waitingMs = Math.max(dayMs, keptMs * waitingShare)
  const directory = `${zoneDirectory(name)}/v1`
  const endedBefore = new Date(at.getTime() - keptMs)
  return [
    { zone: name, directory, endedBefore, dueBefore: new Date(endedBefore.getTime() - waitingMs) },
  ]
}

/** The same bytes may be stored in another form, which git takes for others. */
async function withoutUsed(
  found: FoundOutdated,
  { published, previews }: Pick<Dependencies, 'published' | 'previews'>,
): Promise<FoundOutdated> {
  if (found.blobs.length === 0) return found
  const used = new Set<string>()
  for (const { sha256 } of published.all()) used.add(sha256)
  for await (const sha256 of previews.all()) used.add(sha256)
  return { ...found, blobs: found.blobs.filter(({ sha256 }) => !used.has(sha256)) }
}

async function forgetBytes(
  { blobs: outdated, askedAt }: FoundOutdated,
  { blobs, forget, versions }: Pick<Dependencies, 'blobs' | 'forget' | 'versions'>,
): Promise<void> {
  // Of a large file that is just being stored again the commit is to have a pointer alone: the bytes may be needed.
  const keptBefore = new Date(askedAt.getTime() - publishingMs)
  for (const { sha256, isLarge } of outdated)
    await blobs.remove(sha256, isLarge ? keptBefore : undefined)
  const sha256s = outdated.map(({ sha256 }) => sha256)
  await forget(sha256s)
  await versions.letGo(sha256s)
}

/** Whether what was done was broken off before the zone said so. */
function isUntold(
  { zone }: ZoneRetention,
  { markedUntil }: FoundOutdated,
  published: Dependencies['published'],
): boolean {
  const marked = markedUntil.get(zone)
  const since = published.zones().find(({ name }) => name === zone)?.historySince
  return marked !== undefined && (since === undefined || marked >= since)
}

/** Everybody who keeps what the zone had looks again: its record is another one. */
async function tellZone(
  zone: string,
  endedBefore: Date,
  { publisher, blobs, published }: Dependencies,
): Promise<void> {
  const current = published.zones().find(({ name }) => name === zone)
  if (current === undefined) return
  await publisher.commit(
    {
      action: 'zone.retention',
      target: zone,
      subject: `Let go of what zone ${zone} had replaced before ${endedBefore.toISOString().slice(0, 10)}`,
      actor: ofTheService,
      meta: { zone, before: endedBefore.toISOString() },
    },
    async (tree) =>
      await planSettings(tree, {
        name: zone,
        settings: { historySince: endedBefore },
        blobs,
        actor: ofTheService,
      }),
  )
}

const ofTheService: Actor = {
  credentialId: 'sedge',
  zones: undefined,
  ip: '',
  userAgent: undefined,
  requestId: '',
}
