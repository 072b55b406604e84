import { type DirectoryPath, parseAssetPath } from '../../domain/content/asset-path.ts'
import type { ArrivingFile, RefusedFile } from '../../domain/content/files/put/arriving-groups.ts'
import { invalid, ServiceError } from '../../domain/errors.ts'
import { readTar, type TarEntry } from '../../lib/bytes/read-tar.ts'
import { maxFileBytes } from './schemas.ts'

/** The keyword of an extended header that says which SHA-256 a file has, in hex (pax, "VENDOR.keyword"). */
export const checksumKeyword = 'SEDGE.sha256'

/** Up to so many bytes a file is in memory while it is stored. */
const maxWholeBytes = 256 * 1024
/** Of a path that is refused so much is repeated. */
const maxToldLength = 1024

/** The files of an archive below `directory`, as they come. What cannot be one is refused, and nothing of it read. */
export async function* archiveFiles(
  body: ReadableStream<Uint8Array>,
  directory: DirectoryPath,
): AsyncGenerator<ArrivingFile | RefusedFile, void, undefined> {
  for await (const entry of readTar(body, { maxWholeBytes })) {
    const named = nameOf(entry, directory)
    yield 'refusal' in named ? named : { ...named, source: await entry.open() }
  }
}

function nameOf(
  entry: TarEntry,
  directory: DirectoryPath,
): Omit<ArrivingFile, 'source'> | RefusedFile {
  // `tar c .` writes `./` before each name.
  const name = entry.name.replace(/^(?:\.\/+)+/u, '')
  const path = directory === '' ? name : `${directory}/${name}`
  try {
    requireStorable(entry)
    return { path: parseAssetPath(path), expectedSha256: checksumOf(entry) }
  } catch (thrown) {
    if (!(thrown instanceof ServiceError)) throw thrown
    return { path: path.slice(0, maxToldLength), refusal: thrown }
  }
}

function requireStorable({ kind, sizeBytes }: TarEntry): void {
  if (kind === 'other') throw invalid('path', 'must be that of a file, not of a link or a device')
  if (sizeBytes > maxFileBytes)
    throw new ServiceError(
      'PayloadTooLarge',
      `The file is ${sizeBytes} bytes, over the limit of ${maxFileBytes}`,
      { target: 'body', context: { MaxSize: maxFileBytes } },
    )
}

function checksumOf({ records }: TarEntry): string | undefined {
  const sha256 = records.get(checksumKeyword)
  if (sha256 === undefined || /^[0-9a-f]{64}$/u.test(sha256)) return sha256
  throw invalid(checksumKeyword, 'must be a SHA-256 as 64 lower-case hexadecimal digits')
}
