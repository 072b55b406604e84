import type { BackupTarget, PieceSource } from '../../ports/backups/backup-target.ts'
import { pieceNameOf, piecesStart, sha256OfPieceName } from './backup-manifest.ts'
import { jsonBytes, pieceOf } from './kept-backups.ts'
import type { Pace } from './pace.ts'
import { isIntact } from './verify-backup.ts'

/** The target acknowledged bytes that it does not have. */
class UnfaithfulTargetError extends Error {
  override readonly name = 'UnfaithfulTargetError'
}

export interface PieceWriter {
  /** Sees to it that the target has these bytes; those it has already are not written again. */
  keep(source: PieceSource): Promise<void>
  keepBytes(bytes: Uint8Array<ArrayBuffer>): Promise<string>
  keepJson(value: unknown): Promise<string>
  /** Whether the target has the piece, as far as is known. */
  has(sha256: string, sizeBytes: number): boolean
  /** Takes for granted that the target has it. */
  note(sha256: string, sizeBytes: number): void
  readonly sizeBytes: number
  readonly newBytes: number
  /** Of all that were kept or noted. */
  readonly pieces: ReadonlyMap<string, number>
  /** Throws {@link UnfaithfulTargetError} where one of them is not there in its full size. */
  check(): Promise<void>
}

interface Options {
  readonly target: BackupTarget
  readonly pace: Pace
  /** The pieces of the backup before, but for damaged ones: all others that are there are read before they count. */
  readonly trusted: ReadonlySet<string>
  readonly onBytes: (count: number) => void
}

/** Pieces are written once, each read back before it counts. */
export async function openPieceWriter(options: Options): Promise<PieceWriter> {
  const { target, pace, trusted, onBytes } = options
  const present = await listPieces(target)
  const pieces = new Map<string, number>()
  let newBytes = 0

  function note(sha256: string, sizeBytes: number): void {
    if (pieces.has(sha256)) return
    pieces.set(sha256, sizeBytes)
  }
  const has = (sha256: string, sizeBytes: number): boolean =>
    present.get(sha256) === sizeBytes && trusted.has(sha256)
  async function keep(source: PieceSource): Promise<void> {
    const { sha256, sizeBytes } = source
    if (!has(sha256, sizeBytes) && !pieces.has(sha256)) {
      // One that was broken off may have left it.
      const isLeft = present.has(sha256) && (await isIntact(sha256, { target, pace }))
      if (!isLeft) await write(source)
      newBytes += sizeBytes
    }
    note(sha256, sizeBytes)
    onBytes(sizeBytes)
  }
  async function write(source: PieceSource): Promise<void> {
    const name = pieceNameOf(source.sha256)
    await target.put(name, paced(source, pace))
    if (await isIntact(source.sha256, { target, pace })) return
    await target.remove(name)
    throw new UnfaithfulTargetError(`${target.place} has other bytes than it was given (${name})`)
  }
  async function keepBytes(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
    const source = pieceOf(bytes)
    await keep(source)
    return source.sha256
  }
  return {
    keep,
    keepBytes,
    keepJson: async (value) =>
      await keepBytes(new Uint8Array(await Bun.zstdCompress(jsonBytes(value)))),
    has,
    note,
    get sizeBytes() {
      return [...pieces.values()].reduce((sum, each) => sum + each, 0)
    },
    get newBytes() {
      return newBytes
    },
    pieces,
    async check() {
      const there = await listPieces(target)
      for (const [sha256, sizeBytes] of pieces)
        if (there.get(sha256) !== sizeBytes)
          throw new UnfaithfulTargetError(`${target.place} has lost the piece ${sha256}`)
    },
  }
}

const paced = (source: PieceSource, pace: Pace): PieceSource => ({
  ...source,
  async bytes(start, end) {
    await pace.take(end - start)
    return await source.bytes(start, end)
  },
})

/** The size of each piece in the target. */
export async function listPieces(
  target: Pick<BackupTarget, 'list'>,
): Promise<ReadonlyMap<string, number>> {
  const sizes = new Map<string, number>()
  for await (const { name, sizeBytes } of target.list(piecesStart)) {
    const sha256 = sha256OfPieceName(name)
    if (sha256 !== undefined) sizes.set(sha256, sizeBytes)
  }
  return sizes
}
