import { takeTurns } from '../async/turns.ts'
import { readableStreamOf } from './byte-streams.ts'
import { takeBytes, type TakenBytes } from './taken-bytes.ts'
import {
  blockBytes,
  decimalOf,
  parseHeader,
  parsePaxRecords,
  TarFault,
  textOf,
  type TarHeader,
} from './tar-blocks.ts'

/** A file of an archive, or something that is none: a link, a device. Directories are passed over. */
export interface TarEntry {
  readonly name: string
  readonly kind: 'file' | 'other'
  readonly sizeBytes: number
  /** What an extended header says of it, by keyword. */
  readonly records: ReadonlyMap<string, string>
  /**
   * Its bytes, in one array where they are few, else as they come. What is not read of them is passed over
   * when the next entry is asked for. To be called once at most.
   */
  open(): Promise<Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>>
}

interface Options {
  /** Up to so many bytes an entry is read whole. */
  readonly maxWholeBytes: number
}

/** Nobody needs more to name a file. */
const maxExtendedBytes = 64 * 1024
/** What an entry is, by the type of its header. */
const files: ReadonlySet<string> = new Set(['0', '7'])
/** A megabyte that has come may hold thousands of entries. */
const entriesPerTurn = 200
const noRecords: ReadonlyMap<string, string> = new Map()

/**
 * The entries of a tar archive (ustar, pax, and the long names of GNU) as they come. One that ends before its end,
 * or cannot be understood, throws {@link TarFault} in the middle.
 */
export async function* readTar(
  source: ReadableStream<Uint8Array>,
  options: Options,
): AsyncGenerator<TarEntry, void, undefined> {
  const bytes = takeBytes(source)
  const turns = takeTurns(entriesPerTurn)
  let extended = noRecords
  let extendedBytes = 0
  for (let header = await nextHeader(bytes); header; header = await nextHeader(bytes)) {
    const { type, sizeBytes } = header
    await turns.after(1)
    if (extendedTypes.has(type)) {
      extendedBytes += sizeBytes + blockBytes
      if (extendedBytes > maxExtendedBytes)
        throw new TarFault(`has more than ${maxExtendedBytes} bytes of extended headers in a row`)
      const content = await extendedContent(bytes, header)
      if (type === 'x') extended = new Map([...extended, ...parsePaxRecords(content)])
      if (type === 'L') extended = new Map([...extended, ['path', textOf(content)]])
      continue
    }
    const whole = described(header, extended)
    extended = noRecords
    extendedBytes = 0
    if (type === '5' || isOldDirectory(whole)) {
      await passOver(bytes, sizeBytes)
      continue
    }
    yield* entryOf(bytes, whole, options)
  }
  // Archives are padded to the block that a tape had.
  await bytes.skip(Number.MAX_SAFE_INTEGER)
}

/** `g` speaks of all that follows and `K` of where links lead: read, and of no use. */
const extendedTypes: ReadonlySet<string> = new Set(['x', 'g', 'L', 'K'])

async function nextHeader(bytes: TakenBytes): Promise<TarHeader | undefined> {
  const block = await bytes.take(blockBytes)
  if (block.length < blockBytes) throw endsEarly()
  return parseHeader(block)
}

async function extendedContent(bytes: TakenBytes, { sizeBytes }: TarHeader): Promise<Uint8Array> {
  const content = await bytes.take(sizeBytes)
  if (content.length < sizeBytes) throw endsEarly()
  await skipWhole(bytes, paddingOf(sizeBytes))
  return content
}

type Described = TarHeader & Pick<TarEntry, 'records'>

function described(header: TarHeader, records: ReadonlyMap<string, string>): Described {
  const size = records.get('size')
  return {
    type: header.type,
    name: records.get('path') ?? header.name,
    sizeBytes: size === undefined ? header.sizeBytes : decimalOf(size),
    records,
  }
}

const isOldDirectory = ({ type, name }: TarHeader): boolean => type === '0' && name.endsWith('/')

async function* entryOf(
  bytes: TakenBytes,
  { name, type, sizeBytes, records }: Described,
  { maxWholeBytes }: Options,
): AsyncGenerator<TarEntry, void, undefined> {
  let left = sizeBytes
  async function* rest(): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const piece of bytes.pieces(left)) {
      left -= piece.length
      yield piece
    }
    if (left > 0) throw endsEarly()
  }
  yield {
    name,
    sizeBytes,
    records,
    kind: files.has(type) && !isSparse(records) ? 'file' : 'other',
    async open() {
      if (sizeBytes > maxWholeBytes) return readableStreamOf(rest())
      const whole = await bytes.take(sizeBytes)
      left -= whole.length
      if (left > 0) throw endsEarly()
      return whole
    },
  }
  await passOver(bytes, left, sizeBytes)
}

/** Of a file with holes the archive has the rest, and a list of where the holes are. */
const isSparse = (records: ReadonlyMap<string, string>): boolean =>
  records.size > 0 && [...records.keys()].some((key) => key.startsWith('GNU.sparse.'))

const passOver = (bytes: TakenBytes, left: number, sizeBytes = left): Promise<void> =>
  skipWhole(bytes, left + paddingOf(sizeBytes))

async function skipWhole(bytes: TakenBytes, length: number): Promise<void> {
  if (length > 0 && (await bytes.skip(length)) < length) throw endsEarly()
}

const paddingOf = (sizeBytes: number): number =>
  (blockBytes - (sizeBytes % blockBytes)) % blockBytes

const endsEarly = () => new TarFault('ends before its end')
