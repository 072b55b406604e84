import type { ExportedTable } from '../../ports/backups/backup-source.ts'

/** What is known of one backup. It is written last: a backup without one is none. */
export interface BackupManifest {
  readonly format: 1
  /** When it was begun, and something random: `20261123T190312Z-1f0c`. */
  readonly id: string
  /** Of the program that made it. */
  readonly version: string
  readonly startedAt: string
  readonly finishedAt: string
  /** The commit published last, and the number of the last entry of the feed, in its rows. */
  readonly commitId: string | null
  readonly feedSeq: number
  /** The step that brought the tables to their form. */
  readonly migration: string
  readonly tables: readonly ExportedTable[]
  /** The piece that lists its files, see {@link FileOfBackup}. */
  readonly files: { readonly piece: string; readonly count: number }
  /** Of all pieces, each once. */
  readonly sizeBytes: number
  readonly pieceCount: number
  /** What was not in the target before. */
  readonly newBytes: number
  /** Whether keys and certificates are among the files. */
  readonly hasSecrets: boolean
  /** Large files whose bytes were lost before. */
  readonly missing: readonly string[]
}

/** A file below the data directory, or, where `path` begins with `blobs/`, a blob by its SHA-256. */
export interface FileOfBackup {
  readonly path: string
  readonly sizeBytes: number
  readonly sha256: string
  /** Its bytes in base64, where they are so few that they are no piece. */
  readonly inline?: string
}

/** What a look at all its pieces has found. */
export interface BackupCheck {
  readonly checkedAt: string
  /** The SHA-256 of pieces that are gone or have other bytes. */
  readonly faults: readonly string[]
}

export const backupIdPattern = /^\d{8}T\d{6}Z-[0-9a-f]{4}$/u
const manifestName = /^manifests\/(\d{8}T\d{6}Z-[0-9a-f]{4})\.([0-9a-f]{64})\.json$/u

export const manifestsStart = 'manifests/'
export const piecesStart = 'pieces/'
export const checkNameOf = (id: string): string => `checks/${id}.json`
export const manifestNameOf = (id: string, sha256: string): string =>
  `${manifestsStart}${id}.${sha256}.json`
export const pieceNameOf = (sha256: string): string =>
  `${piecesStart}${sha256.slice(0, 2)}/${sha256}`

/** Which backup, and the SHA-256 of its manifest; `undefined` where it is the name of something else. */
export function readManifestName(name: string) {
  const [, id, sha256] = manifestName.exec(name) ?? []
  return id === undefined || sha256 === undefined ? undefined : { id, sha256 }
}

export const sha256OfPieceName = (name: string): string | undefined =>
  /^pieces\/[0-9a-f]{2}\/([0-9a-f]{64})$/u.exec(name)?.[1]

export const backupIdAt = (at: Date, random: string): string =>
  `${at.toISOString().slice(0, 19).replaceAll(/[-:]/gu, '')}Z-${random}`
