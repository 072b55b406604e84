import type { AssetRecord } from '../../../ports/records/asset.ts'
import type { Actor } from '../../access/actor.ts'
import { ServiceError } from '../../errors.ts'

/** Files to be fetched as one. */
export interface Archive {
  /** Of the file that it becomes, without its extension. */
  readonly name: string
  /** By their names in it: `/`-separated, each once. */
  readonly files: ReadonlyMap<string, AssetRecord>
  readonly sizeBytes: number
}

interface PreparedArchive {
  /** Nobody guesses it, so whoever has it may fetch the archive. */
  readonly id: string
  readonly expiresAt: Date
}

/** Archives that were asked for and not fetched yet: the files as they are when somebody asks. */
export interface Archives {
  prepare(archive: Archive, actor: Pick<Actor, 'credentialId'>): PreparedArchive
  find(id: string): Archive | undefined
  /** As `find`, and it is gone from then on. */
  take(id: string): Archive | undefined
}

interface Dependencies {
  readonly newSecret: () => string
  readonly now: () => Date
}

const maxArchivedFiles = 20_000
const maxArchivedBytes = 20 * 2 ** 30
const lifeMs = 5 * 60_000
/** Of one credential, and of all of them. The oldest make way. */
const maxWaiting = { ofOne: 8, ofAll: 128 } as const

interface Waiting {
  readonly archive: Archive
  readonly owner: string
  readonly expiresAt: Date
}

export function createArchives({ newSecret, now }: Dependencies): Archives {
  const waiting = new Map<string, Waiting>()

  function makeRoom(owner: string): void {
    for (const [id, { expiresAt }] of waiting) if (expiresAt <= now()) waiting.delete(id)
    const own = [...waiting].filter(([, each]) => each.owner === owner)
    if (own.length >= maxWaiting.ofOne) waiting.delete(own[0]?.[0] ?? '')
    const [oldest] = waiting.keys()
    if (waiting.size >= maxWaiting.ofAll && oldest !== undefined) waiting.delete(oldest)
  }

  function find(id: string): Archive | undefined {
    const found = waiting.get(id)
    return found !== undefined && found.expiresAt > now() ? found.archive : undefined
  }

  return {
    prepare(archive, { credentialId: owner }) {
      makeRoom(owner)
      const [id, expiresAt] = [newSecret(), new Date(now().getTime() + lifeMs)]
      waiting.set(id, { archive, owner, expiresAt })
      return { id, expiresAt }
    },
    find,
    take(id) {
      const found = find(id)
      waiting.delete(id)
      return found
    },
  }
}

/** Files by their paths below the directory that all of them are in, which also names the archive. */
export function archiveOf(files: readonly AssetRecord[], name?: string): Archive {
  const directory = commonDirectory(files)
  const sizeBytes = files.reduce((sum, file) => sum + file.sizeBytes, 0)
  requireRoom('files', files.length, maxArchivedFiles)
  requireRoom('bytes', sizeBytes, maxArchivedBytes)
  return {
    name: name ?? nameOf(directory),
    files: new Map(files.map((file) => [file.path.slice(directory.length), file])),
    sizeBytes,
  }
}

/** With a slash at its end, or `''`. */
function commonDirectory(files: readonly AssetRecord[]): string {
  let common = directoryOf(files[0]?.path ?? '')
  for (const { path } of files)
    while (!path.startsWith(common)) common = directoryOf(common.slice(0, -1))
  return common
}

const directoryOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1)

/** The last folder that has a name of its own: `v1` is every zone's. */
const nameOf = (directory: string): string =>
  directory.split('/').findLast((segment, index) => segment !== '' && index !== 1) ?? 'assets'

function requireRoom(what: 'files' | 'bytes', count: number, limit: number): void {
  if (count <= limit) return
  throw new ServiceError(
    'LimitExceeded',
    `An archive may hold ${limit} ${what}, and these are ${count}; choose fewer`,
    { target: 'Paths', context: { Limit: limit } },
  )
}
