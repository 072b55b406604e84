import type { BackupTarget } from '../../ports/backups/backup-target.ts'
import {
  type BackupCheck,
  type BackupManifest,
  checkNameOf,
  pieceNameOf,
} from './backup-manifest.ts'
import { jsonBytes, pieceOf, piecesOf } from './kept-backups.ts'
import type { Pace } from './pace.ts'

export interface VerifyOptions {
  readonly target: BackupTarget
  readonly now: () => Date
  readonly pace: Pace
  readonly onPiece?: (sizeBytes: number) => void
}

/** Reads every piece of a backup, and keeps beside it what was found. */
export async function verifyBackup(
  manifest: BackupManifest,
  options: VerifyOptions,
): Promise<BackupCheck> {
  const { target, now } = options
  const faults: string[] = []
  for (const sha256 of await piecesOrList(target, manifest))
    if (!(await isIntact(sha256, options))) faults.push(sha256)
  const check = { checkedAt: now().toISOString(), faults }
  await target.put(checkNameOf(manifest.id), pieceOf(jsonBytes(check)))
  return check
}

/** Where the list of files is damaged that alone is what is looked at: it is a fault. */
const piecesOrList = async (target: BackupTarget, manifest: BackupManifest) =>
  await piecesOf(target, manifest).catch(() => new Set([manifest.files.piece]))

/** Whether the target has the very bytes of a piece. */
export async function isIntact(
  sha256: string,
  { target, pace, onPiece }: Pick<VerifyOptions, 'target' | 'pace' | 'onPiece'>,
): Promise<boolean> {
  const opened = await target.open(pieceNameOf(sha256))
  if (opened === undefined) return false
  const hasher = new Bun.CryptoHasher('sha256')
  for await (const bytes of opened.body) {
    await pace.take(bytes.length)
    hasher.update(bytes)
  }
  onPiece?.(opened.sizeBytes)
  return hasher.digest('hex') === sha256
}
