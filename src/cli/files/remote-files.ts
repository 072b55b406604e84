import type { Client } from '../../client/types.ts'
import { mapConcurrently } from '../../lib/async/map-concurrently.ts'
import { UsageError } from '../support/command.ts'

export interface RemoteFile {
  /** `<zone>/v1/…` */
  readonly path: string
  readonly sizeBytes: number
  readonly sha256: string | undefined
  readonly contentType: string
  readonly changedAt: string
}

const directoriesAtOnce = 8

/** `<zone>/v1/…` of the ways a path is written; a directory keeps its last slash. */
export function cleanPath(text: string): string {
  const path = text
    .replace(/^\/?(?:clients\/)?/u, '')
    .replace(/^\/+/u, '')
    .normalize('NFC')
  if (path.split('/').some((segment) => segment === '.' || segment === '..'))
    throw new UsageError(`"${text}" must not have . or .. in it`)
  return path
}

/** Every file below a directory, by path; none where there is no such directory. */
export async function filesOf(client: Client, directory: string): Promise<readonly RemoteFile[]> {
  const files: RemoteFile[] = []
  let level = [directory.replace(/(?<!\/)\/+$/u, '')]
  while (level.length > 0) {
    const listings = await mapConcurrently(level, directoriesAtOnce, (path) =>
      entriesOf(client, path),
    )
    const found = listings.flat()
    files.push(...found.filter(({ isDirectory }) => !isDirectory))
    level = found.filter(({ isDirectory }) => isDirectory).map(({ path }) => path)
  }
  return files.toSorted((a, b) => (a.path < b.path ? -1 : 1))
}

const entriesOf = async (client: Client, directory: string) =>
  (await client.listDirectory(directory)).map((entry) => ({
    path: directory === '' ? entry.ObjectName : `${directory}/${entry.ObjectName}`,
    isDirectory: entry.IsDirectory,
    sizeBytes: entry.Length,
    sha256: entry.Checksum ?? undefined,
    contentType: entry.ContentType,
    changedAt: entry.LastChanged,
  }))
