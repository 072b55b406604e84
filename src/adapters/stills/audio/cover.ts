/** A picture that came with a recording, encoded as it was put there. */
export interface Cover {
  readonly bytes: Uint8Array
  /** Of what it is a picture (ID3v2.4 §4.14, which FLAC shares); 3 is the front. */
  readonly of: number
}

const frontCover = 3

/** The front where it is marked as one, else the first. */
export const bestOf = (covers: readonly Cover[]): Cover | undefined =>
  covers.find(({ of }) => of === frontCover) ?? covers[0]

const magics = [
  ['jpeg', 'ffd8ff'],
  ['png', '89504e470d0a1a0a'],
  ['gif', '47494638'],
] as const

/** As its bytes say: players write any media type. `undefined` for what the renderer does not read. */
export function coverFormat(bytes: Uint8Array): 'jpeg' | 'png' | 'gif' | 'webp' | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(12, bytes.length))
  const hex = start.toString('hex')
  const isWebp = hex.startsWith('52494646') && hex.endsWith('57454250')
  return isWebp ? 'webp' : magics.find(([, magic]) => hex.startsWith(magic))?.[0]
}
