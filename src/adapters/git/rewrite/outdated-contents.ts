import type { BlobRef } from '../../../ports/content/blob-store.ts'
import type {
  FoundOutdated,
  OutdatedBlob,
  ZoneRetention,
} from '../../../ports/erasing/retained-history.ts'
import { parsePointer } from '../lfs/pointer.ts'
import { linesOf } from '../lfs/pointers-in.ts'
import { streamGit } from '../objects/git-command.ts'
import type { ObjectReader } from '../objects/object-reader.ts'
import { type Difference, logFormat, type LoggedCommit, LogParser } from '../read/log-parser.ts'
import { erasedObjectIds, sha256OfObject } from './erased-objects.ts'

interface Dependencies {
  readonly repository: string
  readonly objects: Pick<ObjectReader, 'read' | 'stream' | 'sizeOf'>
  /** What git calls the marker. */
  readonly markerId: string
}

/** What ended in the zones, by what git calls it. */
interface Ended {
  readonly zones: Set<string>
  /** Whether it has waited long enough. */
  isDue: boolean
}

type Found = Pick<FoundOutdated, 'blobs' | 'zones' | 'markedUntil'>

/**
 * The contents that were replaced or deleted in every place of the given zones before their retention, and that
 * neither a branch nor a commit of other zones has. A history of many files is gone through three times by git, as it
 * comes; held in memory is only what ended.
 */
export async function findOutdated(
  retentions: readonly ZoneRetention[],
  needs: Dependencies,
): Promise<Found> {
  if (retentions.length === 0) return { blobs: [], zones: [], markedUntil: new Map() }
  const retentionOf = retentionsByPath(retentions)
  const { ended, markedUntil } = await endedIn(retentions, { ...needs, retentionOf })
  if (ended.size > 0) await leaveOutShown(ended, needs)
  if (ended.size > 0) await leaveOutForeign(ended, { ...needs, retentionOf })
  if (!Array.from(ended.values()).some(({ isDue }) => isDue))
    return { blobs: [], zones: [], markedUntil }
  const blobs: OutdatedBlob[] = []
  for (const id of ended.keys()) {
    const blob = await outdatedBlob(id, needs)
    if (blob !== undefined) blobs.push(blob)
  }
  const zones = new Set(Array.from(ended.values()).flatMap((each) => [...each.zones]))
  return { blobs, zones: [...zones].toSorted(), markedUntil }
}

/** By the directory that a path is below, which is as deep for every zone. */
function retentionsByPath(retentions: readonly ZoneRetention[]) {
  const byDirectory = new Map(retentions.map((each) => [each.directory, each]))
  const depth = Math.max(0, ...retentions.map(({ directory }) => directory.split('/').length))
  return (path: Buffer): ZoneRetention | undefined => {
    const names = path.toString('latin1').split('/', depth + 1)
    return names.length > depth ? byDirectory.get(names.slice(0, depth).join('/')) : undefined
  }
}

/** Contents with these bytes, and pointers to them, that no branch and no tag has. */
export async function findReleased(
  released: readonly BlobRef[],
  { repository, objects }: Omit<Dependencies, 'markerId'>,
): Promise<readonly OutdatedBlob[]> {
  if (released.length === 0) return []
  const found = new Map<string, Ended>()
  for (const id of await erasedObjectIds(repository, objects, released))
    found.set(id, { zones: new Set(), isDue: true })
  if (found.size > 0) await leaveOutShown(found, { repository })
  const blobs: OutdatedBlob[] = []
  for (const id of found.keys()) {
    const blob = await outdatedBlob(id, { objects })
    if (blob !== undefined) blobs.push(blob)
  }
  return blobs
}

interface Walking extends Dependencies {
  readonly retentionOf: (path: Buffer) => ZoneRetention | undefined
}

/** What had ended in the zones before their retention, and nowhere in them after it. */
async function endedIn(
  retentions: readonly ZoneRetention[],
  { repository, markerId, retentionOf }: Walking,
) {
  const ended = new Map<string, Ended>()
  const kept = new Set<string>()
  const markedUntil = new Map<string, Date>()
  const note = ({ oldId, newId }: Difference, retention: ZoneRetention, at: Date): void => {
    if (oldId === markerId) noteMarked(markedUntil, retention.zone, at)
    if (at >= retention.endedBefore) for (const id of idsOf({ oldId, newId })) kept.add(id)
    else if (oldId !== undefined && oldId !== markerId) noteEnded(ended, oldId, { retention, at })
  }
  const areas = retentions.map(({ directory }) => directory)
  for await (const { seconds, differences } of commitsOf(repository, areas))
    for (const difference of differences.filter(isOfFiles)) {
      const retention = retentionOf(difference.path)
      if (retention !== undefined) note(difference, retention, new Date(seconds * 1000))
    }
  for (const id of kept) ended.delete(id)
  return { ended, markedUntil }
}

function noteMarked(markedUntil: Map<string, Date>, zone: string, at: Date): void {
  const known = markedUntil.get(zone)
  if (known === undefined || known < at) markedUntil.set(zone, at)
}

function noteEnded(
  ended: Map<string, Ended>,
  id: string,
  { retention, at }: { readonly retention: ZoneRetention; readonly at: Date },
): void {
  const known = ended.get(id) ?? { zones: new Set<string>(), isDue: false }
  known.zones.add(retention.zone)
  known.isDue ||= at < retention.dueBefore
  ended.set(id, known)
}

/** What a branch or a tag has stays, wherever it has it. */
async function leaveOutShown(
  ended: Map<string, Ended>,
  { repository }: Pick<Dependencies, 'repository'>,
): Promise<void> {
  const listing = ['rev-list', '--no-walk', '--objects', '--all']
  for await (const line of linesOf(streamGit(repository, listing))) ended.delete(line.slice(0, 40))
}

/** What any commit did with it elsewhere keeps it. */
async function leaveOutForeign(
  ended: Map<string, Ended>,
  { repository, retentionOf }: Pick<Walking, 'repository' | 'retentionOf'>,
): Promise<void> {
  const isForeign = ({ path }: Difference) => retentionOf(path) === undefined
  for await (const { differences } of commitsOf(repository, []))
    for (const id of differences.filter((each) => isForeign(each)).flatMap(idsOf)) ended.delete(id)
}

const idsOf = ({ oldId, newId }: Pick<Difference, 'oldId' | 'newId'>): readonly string[] =>
  [oldId, newId].filter((id) => id !== undefined)

/** Every commit that a ref leads to, with what it did, against each of its parents. */
async function* commitsOf(
  repository: string,
  paths: readonly string[],
): AsyncGenerator<LoggedCommit, void> {
  const options = ['--all', '--full-history', '-m', '--root', '-r', '--raw', '-z']
  const format = ['--no-renames', '--no-abbrev', logFormat]
  const parser = new LogParser()
  for await (const chunk of streamGit(repository, ['log', ...options, ...format, '--', ...paths]))
    yield* parser.push(chunk)
  yield* parser.end()
}

/** Neither links nor other repositories, nor what git itself reads to know what files are. */
const isOfFiles = ({ oldMode, newMode, path }: Difference): boolean =>
  [oldMode, newMode].every((mode) => fileModes.has(mode)) && !ownName.test(path.toString('latin1'))

const fileModes: ReadonlySet<string> = new Set(['100644', '100755', '000000'])
const ownName = /(?:^|\/)\.git[^/]*$/u

async function outdatedBlob(
  id: string,
  { objects }: Pick<Dependencies, 'objects'>,
): Promise<OutdatedBlob | undefined> {
  const sizeBytes = await objects.sizeOf(id)
  // Nothing is what many files have, and tells nothing.
  if (sizeBytes === undefined || sizeBytes === 0) return undefined
  const read = sizeBytes <= 1024 ? await objects.read(id) : undefined
  const large = read && parsePointer(read.body)
  if (large !== undefined) return { ...large, contentId: id, isLarge: true }
  const sha256 = await sha256OfObject(id, sizeBytes, objects)
  return { contentId: id, sizeBytes, sha256, isLarge: false }
}
