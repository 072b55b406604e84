import type { BackupTarget } from '../../ports/backups/backup-target.ts'
import { type BackupManifest, pieceNameOf } from './backup-manifest.ts'
import { filesOf, listManifestNames, readManifest } from './kept-backups.ts'

/** Where what is restored goes. Both keep nothing where the bytes have another SHA-256, and reject. */
export interface RestoreSink {
  /** Whether the very bytes are there, from a restore that was broken off. */
  hasFile(path: string, sha256: string): Promise<boolean>
  putFile(path: string, sha256: string, bytes: AsyncIterable<Uint8Array>): Promise<void>
  hasBlob(sha256: string): Promise<boolean>
  putBlob(sha256: string, bytes: AsyncIterable<Uint8Array>): Promise<void>
}

/** A path that leads out of the data directory, or to what a start makes itself, is nobody's. */
const filePattern = /^(?:repository\.git|certificates)\/[^\\]{1,4000}$|^keys\.json$/u

/**
 * The backup of that id, or the newest made at or before a time; the newest of all where neither is given. Throws
 * where there is none, or where its manifest is not as it was written.
 */
export async function findBackup(
  target: Pick<BackupTarget, 'open' | 'list' | 'place'>,
  at: string | undefined,
): Promise<BackupManifest> {
  const names = [...(await listManifestNames(target))]
  const found = names.find(([id]) => id === at) ?? names.findLast(([id]) => id <= latestAt(at))
  if (found === undefined)
    throw new Error(`There is no backup${at === undefined ? '' : ` of ${at}`} in ${target.place}`)
  const manifest = await readManifest(target, found[1])
  if (manifest === undefined) throw new Error(`The manifest of ${found[0]} is damaged`)
  return manifest
}

/** The last id that a backup of that moment can have. */
function latestAt(at: string | undefined): string {
  if (at === undefined) return '~'
  const moment = new Date(at)
  if (Number.isNaN(moment.getTime()))
    throw new Error(`"${at}" is no id of a backup, and no time such as 2026-11-23T19:00:00Z`)
  return `${moment.toISOString().slice(0, 19).replaceAll(/[-:]/gu, '')}Z~`
}

interface Options {
  readonly target: Pick<BackupTarget, 'open'>
  readonly sink: RestoreSink
  /** A file is there, wherever it came from. */
  readonly onBytes: (count: number) => void
}

/** Puts files and blobs where they were; those that are there already are left. */
export async function restoreFiles(
  manifest: BackupManifest,
  { target, sink, onBytes }: Options,
): Promise<void> {
  for (const { path, sha256, sizeBytes, inline } of await filesOf(target, manifest)) {
    const read = async () =>
      inline === undefined ? await bytesOf(target, sha256) : pieces(Uint8Array.fromBase64(inline))
    if (path === `blobs/${sha256}`) {
      if (!(await sink.hasBlob(sha256))) await sink.putBlob(sha256, await read())
    } else {
      requireOwnPath(path)
      if (!(await sink.hasFile(path, sha256))) await sink.putFile(path, sha256, await read())
    }
    onBytes(sizeBytes)
  }
}

function requireOwnPath(path: string): void {
  const isOwn = filePattern.test(path) && !path.split('/').some((part) => /^\.{0,2}$/u.test(part))
  if (!isOwn) throw new Error(`The backup has a file that belongs nowhere: ${JSON.stringify(path)}`)
}

async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield bytes
}

async function bytesOf(target: Pick<BackupTarget, 'open'>, sha256: string) {
  const opened = await target.open(pieceNameOf(sha256))
  if (opened === undefined) throw new Error(`The piece ${sha256} is gone from the backup`)
  return opened.body
}
