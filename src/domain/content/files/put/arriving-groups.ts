import type { BlobRef } from '../../../../ports/content/blob-store.ts'
import type { AssetPath } from '../../asset-path.ts'
import { ServiceError } from '../../../errors.ts'

/** A file of many that come in one after another. */
export interface ArrivingFile {
  readonly path: AssetPath
  /** The bytes; what is left of a stream is its sender's to pass over. */
  readonly source: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>
  /** Lower-case hex; bytes with another SHA-256 are refused. */
  readonly expectedSha256?: string | undefined
}

/** A file that is not taken, and why. */
export interface RefusedFile {
  /** As its sender calls it, where it is no path of an asset. */
  readonly path: string
  readonly refusal: ServiceError
}

export interface KeptFile {
  readonly path: AssetPath
  readonly blob: BlobRef
}

/** In the order in which they came. */
export type ArrivedGroup = readonly (KeptFile | RefusedFile)[]

export interface Receiving {
  /** Keeps the bytes of a file; throws what is to be said of it. */
  readonly receive: (file: ArrivingFile) => Promise<BlobRef>
  /** Throws what can be refused before a byte is read. */
  readonly requireOpen: (path: AssetPath) => void
}

/** Of one commit. */
export const maxGroupFiles = 5_000
/** So much of a commit's files is held in memory while it is written. */
const maxGroupBytes = 16 * 2 ** 20
/** So many small files are on their way to the disk. */
const keptAtOnce = 16

/**
 * Keeps files as they come, and answers them in groups of what one commit may hold. A path is in a group once: a
 * file that comes again begins the next one, so that the last of them counts.
 */
export async function* arrivingGroups(
  files: AsyncIterable<ArrivingFile | RefusedFile>,
  receiving: Receiving,
): AsyncGenerator<ArrivedGroup, void, undefined> {
  let group = openGroup(receiving)
  for await (const file of files) {
    if (group.isFull || group.has(file.path)) {
      yield await group.close()
      group = openGroup(receiving)
    }
    await group.add(file)
  }
  const last = await group.close()
  if (last.length > 0) yield last
}

function openGroup({ receive, requireOpen }: Receiving) {
  const paths = new Set<string>()
  const arrived: (KeptFile | RefusedFile)[] = []
  const underWay = new Set<Promise<void>>()
  let sizeBytes = 0
  let fault: unknown

  async function keep(file: ArrivingFile, place: number): Promise<void> {
    const { path } = file
    try {
      const blob = await receive(file)
      sizeBytes += blob.sizeBytes
      arrived[place] = { path, blob }
    } catch (thrown) {
      if (isRefusal(thrown)) arrived[place] = { path, refusal: thrown }
      else fault ??= thrown
    }
  }

  /** A small file is kept while the next ones are read, a stream before. */
  async function take(file: ArrivingFile, place: number): Promise<void> {
    const keeping = keep(file, place)
    if (!(file.source instanceof Uint8Array)) return await keeping
    const counted = keeping.finally(() => underWay.delete(counted))
    underWay.add(counted)
    if (underWay.size >= keptAtOnce) await Promise.race(underWay)
  }

  return {
    get isFull(): boolean {
      return arrived.length >= maxGroupFiles || sizeBytes >= maxGroupBytes
    },
    has: (path: string): boolean => paths.has(path),
    async add(file: ArrivingFile | RefusedFile): Promise<void> {
      const { path } = file
      const place = arrived.push({ path, refusal: notKept() }) - 1
      paths.add(path)
      const asked = 'refusal' in file ? file : refusedBefore(file, requireOpen)
      if ('refusal' in asked) arrived[place] = asked
      else await take(asked, place)
      if (fault !== undefined) throw fault
    },
    async close(): Promise<ArrivedGroup> {
      await Promise.all(underWay)
      if (fault !== undefined) throw fault
      return arrived
    },
  }
}

/** The same file, or why it is not even read. */
function refusedBefore(
  file: ArrivingFile,
  requireOpen: Receiving['requireOpen'],
): ArrivingFile | RefusedFile {
  try {
    requireOpen(file.path)
    return file
  } catch (thrown) {
    if (isRefusal(thrown)) return { path: file.path, refusal: thrown }
    throw thrown
  }
}

/** Whether it is about one file: where nothing can be kept, no other file need be tried. */
export const isRefusal = (thrown: unknown): thrown is ServiceError =>
  thrown instanceof ServiceError && thrown.code !== 'Unavailable'

const notKept = () => new ServiceError('Unavailable', 'The file has not been kept')
