import { open } from 'node:fs/promises'

const pieceBytes = 256 * 1024

/**
 * A file from one place up to another, with a buffer of its own: a stream of a file takes memory as fast as
 * it reads. Each piece is good until the next one is asked for.
 */
export async function* piecesOfFile(
  path: string,
  start: number,
  end: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  await using handle = await open(path, 'r')
  const buffer = new Uint8Array(pieceBytes)
  for (let place = start; place < end;) {
    const wanted = Math.min(buffer.length, end - place)
    const { bytesRead } = await handle.read(buffer, 0, wanted, place)
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
    place += bytesRead
  }
}
