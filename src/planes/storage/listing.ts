import type { z } from 'zod'

import type { Directory } from '../../domain/catalog/directory.ts'
import { clientsDirectory } from '../../domain/content/asset-path.ts'
import type { fileEntry } from './schemas.ts'

type FileEntry = z.infer<typeof fileEntry>

/** The namespace of the entries' name-based identifiers (RFC 9562 §5.5). */
const guidNamespace = 'b7b1c0de-5ed6-5000-8000-5ed6e0000001'

/** The entries of a directory (`''`: all zones), directories first, then by name. */
export function listingOf(path: string, { directories, files }: Directory): readonly FileEntry[] {
  const zone = path.split('/')[0] ?? ''
  const parent = path === '' ? `/${clientsDirectory}/` : `/${clientsDirectory}/${path}/`
  return [
    ...directories.map(({ name, createdAt, changedAt }) =>
      entry(
        { zone: zone === '' ? name : zone, parent, name },
        {
          IsDirectory: true,
          Length: 0,
          LastChanged: changedAt.toISOString(),
          DateCreated: createdAt.toISOString(),
          ContentType: '',
          Checksum: null,
        },
      ),
    ),
    ...files.map((file) =>
      entry(
        { zone, parent, name: file.name },
        {
          IsDirectory: false,
          Length: file.sizeBytes,
          LastChanged: file.changedAt.toISOString(),
          DateCreated: file.createdAt.toISOString(),
          ContentType: file.contentType,
          Checksum: file.sha256,
        },
      ),
    ),
  ]
}

interface Place {
  readonly zone: string
  readonly parent: string
  readonly name: string
}

type Facts = Pick<
  FileEntry,
  'IsDirectory' | 'Length' | 'LastChanged' | 'DateCreated' | 'ContentType' | 'Checksum'
>

const entry = ({ zone, parent, name }: Place, facts: Facts): FileEntry => ({
  Guid: Bun.randomUUIDv5(`${zone}:${parent}${name}`, guidNamespace),
  StorageZoneName: zone,
  Path: parent,
  ObjectName: name,
  ...facts,
  ServerId: 0,
  ArrayNumber: 0,
  UserId: zone,
  StorageZoneId: 0,
  ReplicatedZones: '',
})
