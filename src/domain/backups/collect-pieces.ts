import type { BackupTarget } from '../../ports/backups/backup-target.ts'
import { pieceNameOf } from './backup-manifest.ts'
import { listManifestNames, piecesOf, readManifest, removeBackup } from './kept-backups.ts'
import { listPieces } from './piece-writer.ts'
import { outdatedBackups, type Retention } from './thin-backups.ts'

/**
 * Removes backups that nobody keeps, then pieces that no backup has, those of one that was broken off among
 * them. Answers how many pieces. Where a manifest cannot be read no piece is removed: it may be of that one.
 */
export async function collectPieces(target: BackupTarget, retention: Retention): Promise<number> {
  await target.clear()
  const names = await listManifestNames(target)
  for (const id of outdatedBackups([...names.keys()], retention)) await removeBackup(target, id)
  const used = new Set<string>()
  for (const name of (await listManifestNames(target)).values()) {
    const manifest = await readManifest(target, name)
    const pieces = manifest && (await piecesOf(target, manifest).catch(() => undefined))
    if (pieces === undefined) return 0
    for (const sha256 of pieces) used.add(sha256)
  }
  const unused = [...(await listPieces(target)).keys()].filter((sha256) => !used.has(sha256))
  for (const sha256 of unused) await target.remove(pieceNameOf(sha256))
  return unused.length
}
