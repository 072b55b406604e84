import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

export interface AccessLine {
  /** In milliseconds since the epoch. */
  readonly at: number
  /** Without its end. */
  readonly text: string
}

export interface ClosedFile {
  readonly name: string
  /** Compressed. */
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly lines: number
}

/** Lines of one hour that are to be a file. */
export interface FileOfLines {
  add(line: AccessLine): void
  /** Whether the line belongs into it: none of another hour does, nor one more where it is full. */
  takes(line: AccessLine): boolean
  readonly characters: number
  close(): Promise<ClosedFile>
}

const maxFileCharacters = 8 * 2 ** 20
/** Half of the processor time that the usual level (6) takes, for files that are larger by a fifteenth. */
const level = 3
const compress = promisify(gzip)

/** `end` is what its name ends with, after the moment of its first line. */
export function createFileOfLines(first: AccessLine, end: string): FileOfLines {
  const texts = [first.text]
  let characters = first.text.length + 1
  return {
    takes: ({ at }) => hourOf(at) === hourOf(first.at) && characters < maxFileCharacters,
    add({ text }) {
      texts.push(text)
      characters += text.length + 1
    },
    get characters() {
      return characters
    },
    async close() {
      const bytes = new Uint8Array(
        await compress(texts.map((text) => `${text}\n`).join(''), { level }),
      )
      return { name: nameOf(first.at, end), bytes, lines: texts.length }
    },
  }
}

const hourMs = 3_600_000
const hourOf = (at: number): number => Math.floor(at / hourMs)

function nameOf(at: number, end: string): string {
  const moment = new Date(at).toISOString()
  const folders = moment.slice(0, 13).replaceAll(/[-T]/gu, '/')
  return `${folders}/${moment.slice(0, 19).replaceAll(/[-:]/gu, '')}Z-${end}`
}
