import type { BackupTarget, PieceSource } from '../../ports/backups/backup-target.ts'
import {
  type BackupCheck,
  type BackupManifest,
  checkNameOf,
  type FileOfBackup,
  manifestNameOf,
  manifestsStart,
  pieceNameOf,
  readManifestName,
} from './backup-manifest.ts'

/** Longer lists and manifests are nobody's. */
const maxDocumentBytes = 512 * 2 ** 20

/** Bytes in memory as a piece. */
export function pieceOf(bytes: Uint8Array<ArrayBuffer>): PieceSource {
  return {
    sizeBytes: bytes.length,
    sha256: sha256Of(bytes),
    bytes: async (start, end) => bytes.slice(start, end),
  }
}

export const sha256Of = (bytes: Uint8Array): string =>
  new Bun.CryptoHasher('sha256').update(bytes).digest('hex')

export const jsonBytes = (value: unknown): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(JSON.stringify(value))

/** All the bytes of a name; `undefined` where there is nothing, or more than a document has. */
export async function readWhole(
  target: Pick<BackupTarget, 'open'>,
  name: string,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const opened = await target.open(name)
  if (opened === undefined || opened.sizeBytes > maxDocumentBytes) return undefined
  return new Uint8Array(Buffer.concat(await Array.fromAsync(opened.body)))
}

/** Throws where the piece is gone or has other bytes. */
export async function readPiece(
  target: Pick<BackupTarget, 'open'>,
  sha256: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const bytes = await readWhole(target, pieceNameOf(sha256))
  if (bytes === undefined) throw new Error(`The piece ${sha256} is not there`)
  if (sha256Of(bytes) !== sha256) throw new Error(`The piece ${sha256} has other bytes`)
  return bytes
}

/** The names of all manifests by the ids of their backups, oldest first. */
export async function listManifestNames(
  target: Pick<BackupTarget, 'list'>,
): Promise<ReadonlyMap<string, string>> {
  const names: [string, string][] = []
  for await (const { name } of target.list(manifestsStart)) {
    const read = readManifestName(name)
    if (read !== undefined) names.push([read.id, name])
  }
  return new Map(names.toSorted(([a], [b]) => (a < b ? -1 : 1)))
}

/** `undefined` where it is not as it was written. */
export async function readManifest(
  target: Pick<BackupTarget, 'open'>,
  name: string,
): Promise<BackupManifest | undefined> {
  const bytes = await readWhole(target, name)
  if (bytes === undefined || sha256Of(bytes) !== readManifestName(name)?.sha256) return undefined
  const manifest = JSON.parse(new TextDecoder().decode(bytes)) as BackupManifest
  if (manifest.format !== 1)
    throw new Error(`The backup ${manifest.id} was made by a newer version of Sedge`)
  return manifest
}

export async function writeManifest(
  target: BackupTarget,
  manifest: BackupManifest,
): Promise<string> {
  const source = pieceOf(jsonBytes(manifest))
  const name = manifestNameOf(manifest.id, source.sha256)
  await target.put(name, source)
  if ((await readManifest(target, name)) !== undefined) return name
  await target.remove(name)
  throw new Error('The target has other bytes than it was given')
}

/** Its list of files. Throws where that is gone or damaged. */
export async function filesOf(
  target: Pick<BackupTarget, 'open'>,
  { files }: BackupManifest,
): Promise<readonly FileOfBackup[]> {
  const packed = await readPiece(target, files.piece)
  const text = new TextDecoder().decode(await Bun.zstdDecompress(packed))
  return JSON.parse(text) as readonly FileOfBackup[]
}

/** Every piece of a backup, each once. Throws where its list of files cannot be read. */
export async function piecesOf(
  target: Pick<BackupTarget, 'open'>,
  manifest: BackupManifest,
): Promise<ReadonlySet<string>> {
  const files = await filesOf(target, manifest)
  return new Set([
    manifest.files.piece,
    ...manifest.tables.flatMap(({ pieces }) => pieces),
    ...files.flatMap(({ sha256, inline }) => (inline === undefined ? sha256 : [])),
  ])
}

export async function readCheck(
  target: Pick<BackupTarget, 'open'>,
  id: string,
): Promise<BackupCheck | undefined> {
  const bytes = await readWhole(target, checkNameOf(id))
  if (bytes === undefined) return undefined
  try {
    return JSON.parse(new TextDecoder().decode(bytes)) as BackupCheck
  } catch {
    return undefined
  }
}

export async function removeBackup(target: BackupTarget, id: string): Promise<boolean> {
  const name = (await listManifestNames(target)).get(id)
  if (name === undefined) return false
  await target.remove(name)
  await target.remove(checkNameOf(id))
  return true
}
