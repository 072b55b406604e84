import { open } from 'node:fs/promises'

const pieceBytes = 1e6
/** So many `getRandomValues` gives at once, and a whole number of them is a piece. */
const randomBytes = 50_000

/** Writes a file that nothing makes smaller; `sizeBytes` is rounded up to a whole megabyte. */
export async function writeRandom(path: string, sizeBytes: number): Promise<void> {
  await using handle = await open(path, 'w')
  const piece = new Uint8Array(pieceBytes)
  for (let written = 0; written < sizeBytes; written += pieceBytes) {
    for (let place = 0; place < pieceBytes; place += randomBytes)
      crypto.getRandomValues(piece.subarray(place, place + randomBytes))
    await handle.write(piece)
  }
}

/** Changes the first bytes: equal ones would be stored already. */
export async function makeDifferent(path: string, round: number): Promise<void> {
  await using handle = await open(path, 'r+')
  await handle.write(`round ${round}`, 0)
}
