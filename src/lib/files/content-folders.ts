import { type FileHandle, mkdir, open, readdir, rename, stat, utimes } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { ifPresent } from './file-faults.ts'

/** What a name says of the bytes of its file. */
export interface NameMeaning {
  /** Their SHA-256 in lower-case hex, or how it begins. */
  readonly digest: string
  /** Where every name says it, nothing but names is looked at when files are taken up. */
  readonly sizeBytes?: number
}

export interface FoundFile {
  readonly name: string
  readonly sizeBytes: number
  /** 0 where only the name was looked at. */
  readonly modifiedAtMs: number
}

const folderPattern = /^[0-9a-f]{2}$/u

/** The files with a meaning, each in the folder that its name begins with. */
export async function* filesIn(
  directory: string,
  meaningOf: (name: string) => NameMeaning | undefined,
): AsyncIterable<FoundFile> {
  for (const folder of await namesIn(directory)) {
    if (!folderPattern.test(folder)) continue
    for (const name of await namesIn(join(directory, folder))) {
      const meaning = name.startsWith(folder) ? meaningOf(name) : undefined
      const found = meaning && (await lookAt(join(directory, folder, name), meaning))
      if (found !== undefined) yield { name, ...found }
    }
  }
}

async function lookAt(
  path: string,
  { sizeBytes }: NameMeaning,
): Promise<Omit<FoundFile, 'name'> | undefined> {
  if (sizeBytes !== undefined) return { sizeBytes, modifiedAtMs: 0 }
  const found = await ifPresent(stat(path))
  return found?.isFile() === true
    ? { sizeBytes: found.size, modifiedAtMs: found.mtimeMs }
    : undefined
}

const namesIn = async (directory: string): Promise<readonly string[]> =>
  (await ifPresent(readdir(directory))) ?? []

/** Writes a new file. */
export async function writeHashed(
  source: AsyncIterable<Uint8Array>,
  path: string,
): Promise<Bun.CryptoHasher> {
  const hasher = new Bun.CryptoHasher('sha256')
  await using file = await openNew(path)
  for await (const chunk of source) {
    hasher.update(chunk)
    await writeAll(file, chunk)
  }
  return hasher
}

async function openNew(path: string): Promise<FileHandle> {
  const file = await ifPresent(open(path, 'wx', 0o600))
  if (file !== undefined) return file
  await mkdir(dirname(path), { recursive: true })
  return await open(path, 'wx', 0o600)
}

async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let done = 0; done < chunk.length;) {
    const { bytesWritten } = await file.write(chunk, done)
    done += bytesWritten
  }
}

export async function hashFile(path: string): Promise<Bun.CryptoHasher> {
  const hasher = new Bun.CryptoHasher('sha256')
  for await (const chunk of Bun.file(path).stream()) hasher.update(chunk)
  return hasher
}

/** Makes the folder where it is missing. */
export async function moveTo(from: string, to: string): Promise<void> {
  try {
    await rename(from, to)
  } catch {
    await mkdir(dirname(to), { recursive: true })
    await rename(from, to)
  }
}

/** Sets the time of a file, for others who look at it. Never rejects. */
export async function noteUse(path: string, atMs: number): Promise<void> {
  await utimes(path, new Date(atMs), new Date(atMs)).catch(() => {})
}
