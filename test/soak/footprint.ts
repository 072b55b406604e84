import { readdirSync, readFileSync, statSync } from 'node:fs'
import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** What a service takes of the machine at a moment. */
export interface Footprint {
  readonly rssBytes: number
  /** Of `rssBytes`, what is no file: what a leak would be in. */
  readonly anonymousBytes: number
  /** Shared by the number of those who share it. */
  readonly childrenBytes: number
  readonly descriptors: number
  readonly children: number
  readonly threads: number
  /** By the first name below the data directory; of SQLite, its file and its log. */
  readonly diskByPart: ReadonlyMap<string, number>
}

/** Linux alone. */
export async function footprintOf(pid: number, dataDirectory: string): Promise<Footprint> {
  const status = read(`/proc/${pid}/status`)
  const children = descendantsOf(pid)
  return {
    rssBytes: kibibytesIn(status, 'VmRSS'),
    anonymousBytes: kibibytesIn(status, 'RssAnon'),
    childrenBytes: sum(children.map(proportionalBytes)),
    descriptors: namesIn(`/proc/${pid}/fd`).length,
    children: children.length,
    threads: namesIn(`/proc/${pid}/task`).length,
    diskByPart: await diskByPart(dataDirectory),
  }
}

/** Those that a process has started, and those that these have. */
export function descendantsOf(pid: number): readonly number[] {
  const children = namesIn(`/proc/${pid}/task`).flatMap((thread) =>
    read(`/proc/${pid}/task/${thread}/children`).split(' ').filter(Boolean).map(Number),
  )
  return children.flatMap((child) => [child, ...descendantsOf(child)])
}

/** What a process was started with. */
export const commandOf = (pid: number): string =>
  read(`/proc/${pid}/cmdline`).replaceAll('\0', ' ').trim()

async function diskByPart(directory: string): Promise<ReadonlyMap<string, number>> {
  const parts = new Map<string, number>()
  for (const entry of await readdir(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name)
    const bytes = entry.isDirectory() ? await bytesBelow(path) : bytesOf(path)
    // The log of a database is a part of it.
    const part = entry.name.replace(/-(?:wal|shm)$/u, '')
    parts.set(part, (parts.get(part) ?? 0) + bytes)
  }
  return parts
}

async function bytesBelow(directory: string): Promise<number> {
  const names = await readdir(directory, { recursive: true }).catch(() => [])
  const sizes = await Promise.all(
    names.map(async (name) => {
      const found = await stat(join(directory, name)).catch(() => undefined)
      return found?.isFile() === true ? found.size : 0
    }),
  )
  return sum(sizes)
}

/** A file may go at any moment. */
const bytesOf = (path: string): number => statSync(path, { throwIfNoEntry: false })?.size ?? 0

const kibibytesIn = (text: string, name: string): number =>
  Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'mu').exec(text)?.[1] ?? 0) * 1024

const proportionalBytes = (pid: number): number =>
  kibibytesIn(read(`/proc/${pid}/smaps_rollup`), 'Pss')

const sum = (values: readonly number[]): number => values.reduce((all, each) => all + each, 0)

function namesIn(directory: string): readonly string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}

/** A process may end at any moment. */
function read(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}
