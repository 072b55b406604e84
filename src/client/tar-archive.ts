/** A file that goes into an archive. */
export interface ArchivedFile {
  readonly path: string
  readonly bytes: Uint8Array<ArrayBuffer>
  /** In hex: the service refuses the file where it arrives as another. */
  readonly sha256?: string | undefined
}

const blockBytes = 512
const encoder = new TextEncoder()

/** What `putArchive` is given. */
export interface Archive {
  readonly body: Blob
  readonly directory: string
}

/** Files of one zone are named from there on, and the zone is said: to store into a preview it has to be known. */
export function archiveOf(files: readonly ArchivedFile[]): Archive {
  const directory = zoneOfAll(files)
  if (directory === '') return { body: new Blob([...tarArchive(files)]), directory }
  const named = files.map((file) => ({ ...file, path: file.path.slice(directory.length + 1) }))
  return { body: new Blob([...tarArchive(named)]), directory }
}

/** `''` where they are of several, or of what can be none. */
function zoneOfAll(files: readonly ArchivedFile[]): string {
  const zone = files[0]?.path.split('/')[0] ?? ''
  const isOne = files.every(({ path }) => path.startsWith(`${zone}/`))
  return isOne && /^[a-z0-9-]{2,64}$/u.test(zone) ? zone : ''
}

/** The pieces of a tar archive (POSIX.1-2017 pax) of such files, to be sent as one `Blob`. */
export const tarArchive = (files: readonly ArchivedFile[]): readonly Uint8Array<ArrayBuffer>[] => [
  ...files.flatMap(entryOf),
  // Two blocks of zeros are the end.
  new Uint8Array(2 * blockBytes),
]

function entryOf({ path, bytes, sha256 }: ArchivedFile): readonly Uint8Array<ArrayBuffer>[] {
  const name = encoder.encode(path)
  const fits = name.length <= nameBytes
  const records = [
    ...(fits ? [] : [record('path', path)]),
    ...(sha256 === undefined ? [] : [record('SEDGE.sha256', sha256)]),
  ].join('')
  const file = header({ name: fits ? name : name.subarray(0, nameBytes), size: bytes.length })
  const extended = records === '' ? [] : extendedHeader(encoder.encode(records))
  return [...extended, file, bytes, padding(bytes.length)]
}

const nameBytes = 100

const extendedHeader = (records: Uint8Array<ArrayBuffer>) => [
  header({ name: encoder.encode('pax'), size: records.length, type: 'x' }),
  records,
  padding(records.length),
]

/** Its length counts the digits of the length too. */
function record(key: string, value: string): string {
  const rest = encoder.encode(` ${key}=${value}\n`).length
  const short = rest + String(rest).length
  const length = rest + String(short).length
  return `${length} ${key}=${value}\n`
}

interface Header {
  readonly name: Uint8Array
  readonly size: number
  readonly type?: string
}

/** The fields of a header that a reader looks at, each at its place; whose the file is stays out of it. */
function header({ name, size, type = '0' }: Header): Uint8Array<ArrayBuffer> {
  const block = new Uint8Array(blockBytes)
  const put = (text: string, at: number) => void encoder.encodeInto(text, block.subarray(at))
  block.set(name)
  put('0000644\0', 100)
  put(octal(size, 11), 124)
  put('        ', 148)
  put(type, 156)
  put('ustar\u000000', 257)
  let sum = 0
  for (const byte of block) sum += byte
  put(`${octal(sum, 6)}\0 `, 148)
  return block
}

const octal = (value: number, digits: number): string => value.toString(8).padStart(digits, '0')

const padding = (size: number): Uint8Array<ArrayBuffer> =>
  new Uint8Array((blockBytes - (size % blockBytes)) % blockBytes)
