import type { BackupSource, SourceFile } from '../../ports/backups/backup-source.ts'
import type { BackupTarget } from '../../ports/backups/backup-target.ts'
import { backupIdAt, type BackupManifest, type FileOfBackup } from './backup-manifest.ts'
import {
  filesOf,
  listManifestNames,
  piecesOf,
  readCheck,
  readManifest,
  sha256Of,
  writeManifest,
} from './kept-backups.ts'
import type { Pace } from './pace.ts'
import { openPieceWriter, type PieceWriter } from './piece-writer.ts'

export const backupPhases = ['rows', 'repository', 'large-files', 'check'] as const
export type BackupPhase = (typeof backupPhases)[number]

export interface BackupProgress {
  readonly onPhase: (phase: BackupPhase) => void
  /** So many bytes more are in the target. */
  readonly onBytes: (count: number) => void
}

export interface TakeOptions {
  readonly source: BackupSource
  readonly target: BackupTarget
  readonly pace: Pace
  readonly progress: BackupProgress
  readonly version: string
  readonly hasSecrets: boolean
  readonly now: () => Date
  /** Four hexadecimal digits. */
  readonly random: () => string
}

/** Files as small as this are in the list of files itself: references are many. */
const inlineBytes = 4096
/** A repository that is written anew all the time is looked at so often. */
const mostAttempts = 5

/**
 * Writes a backup and answers its manifest. What was acknowledged before it began is in it. The rows are
 * of one moment; the repository is of a later one, and publishes what it is ahead when it is started.
 */
export async function takeBackup(options: TakeOptions): Promise<BackupManifest> {
  const { source, target, now, progress } = options
  const startedAt = now()
  const former = await newestManifest(target)
  const trusted = await trustedPieces(target, former)
  const writer = await openPieceWriter({ ...options, trusted, onBytes: progress.onBytes })

  progress.onPhase('rows')
  const before = await source.references()
  const rows = await source.exportRows((bytes) => writer.keepBytes(bytes))
  progress.onPhase('repository')
  const files = await keepRepository({ ...options, writer, before, former })
  progress.onPhase('large-files')
  const large = await keepLargeFiles(source, writer)
  const list = [...files, ...large.files, ...(await keepSmall(await source.secretFiles(), writer))]
  const piece = await writer.keepJson(list)
  progress.onPhase('check')
  await writer.check()
  const manifest: BackupManifest = {
    format: 1,
    id: backupIdAt(startedAt, options.random()),
    version: options.version,
    startedAt: startedAt.toISOString(),
    finishedAt: now().toISOString(),
    commitId: rows.commitId ?? null,
    feedSeq: rows.feedSeq,
    migration: rows.migration,
    tables: rows.tables,
    files: { piece, count: list.length },
    sizeBytes: writer.sizeBytes,
    pieceCount: writer.pieces.size,
    newBytes: writer.newBytes,
    hasSecrets: options.hasSecrets,
    missing: large.missing,
  }
  await writeManifest(target, manifest)
  return manifest
}

async function newestManifest(target: BackupTarget): Promise<BackupManifest | undefined> {
  const name = [...(await listManifestNames(target)).values()].at(-1)
  return name === undefined ? undefined : await readManifest(target, name)
}

/** Those of the backup before that no verification has found damaged since. */
async function trustedPieces(
  target: BackupTarget,
  former: BackupManifest | undefined,
): Promise<ReadonlySet<string>> {
  if (former === undefined) return new Set()
  const damaged = new Set((await readCheck(target, former.id))?.faults)
  const pieces = await piecesOf(target, former).catch(() => new Set<string>())
  return new Set([...pieces].filter((sha256) => !damaged.has(sha256)))
}

interface RepositoryOptions extends TakeOptions {
  readonly writer: PieceWriter
  /** The references from before the rows: of a preview that was removed since, say. */
  readonly before: ReadonlyMap<string, Uint8Array<ArrayBuffer>>
  readonly former: BackupManifest | undefined
}

/** Begins again where packs were joined, and so are gone, before they were read. */
async function keepRepository(options: RepositoryOptions): Promise<readonly FileOfBackup[]> {
  const { source, target, writer, before, former } = options
  const known = former ? await filesOf(target, former).catch(() => []) : []
  const knownByPath = new Map(known.map((file) => [file.path, file]))
  for (let attempt = 1; ; attempt += 1) {
    const { small, files } = await source.repository(before)
    try {
      const kept: FileOfBackup[] = []
      for (const file of files) kept.push(await keepFile(file, { source, writer, knownByPath }))
      return [...kept, ...(await keepSmall(small, writer))]
    } catch (error) {
      if (!isGone(error) || attempt === mostAttempts) throw error
    }
  }
}

const isGone = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ENOENT'

interface Keeping {
  readonly source: BackupSource
  readonly writer: PieceWriter
  readonly knownByPath: ReadonlyMap<string, FileOfBackup>
}

/** What never changes and is there already is not even read. */
async function keepFile(
  file: SourceFile,
  { source, writer, knownByPath }: Keeping,
): Promise<FileOfBackup> {
  const { path, sizeBytes } = file
  const known = knownByPath.get(path)
  if (file.isImmutable && known?.sizeBytes === sizeBytes && writer.has(known.sha256, sizeBytes)) {
    writer.note(known.sha256, sizeBytes)
    return known
  }
  const opened = await source.openFile(file)
  await writer.keep(opened)
  return { path, sizeBytes: opened.sizeBytes, sha256: opened.sha256 }
}

async function keepSmall(
  files: ReadonlyMap<string, Uint8Array<ArrayBuffer>>,
  writer: PieceWriter,
): Promise<readonly FileOfBackup[]> {
  const kept: FileOfBackup[] = []
  for (const [path, bytes] of files) {
    const file = { path, sizeBytes: bytes.length }
    if (bytes.length > inlineBytes) kept.push({ ...file, sha256: await writer.keepBytes(bytes) })
    else kept.push({ ...file, sha256: sha256Of(bytes), inline: bytes.toBase64() })
  }
  return kept
}

async function keepLargeFiles(source: BackupSource, writer: PieceWriter) {
  const files: FileOfBackup[] = []
  const missing: string[] = []
  for await (const blob of source.largeBlobs()) {
    const { sha256, sizeBytes } = blob
    if (writer.has(sha256, sizeBytes)) writer.note(sha256, sizeBytes)
    else {
      const opened = await source.openBlob(blob)
      if (opened === undefined) {
        missing.push(sha256)
        continue
      }
      await writer.keep(opened)
    }
    files.push({ path: `blobs/${sha256}`, sizeBytes, sha256 })
  }
  return { files, missing }
}
