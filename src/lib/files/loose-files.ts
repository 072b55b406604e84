import { mkdir, mkdtemp, open, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

import { flushDirectory, makeDurableDirectory } from './durable-files.ts'
import { looseFilesName, programFile } from './program-files.ts'

/** What an executable has to unpack, `loose.json` in it. */
export interface LooseFiles {
  /** Of the names and contents of all of them. */
  readonly sha256: string
  /** By their paths below `loose/` in the executable. */
  readonly paths: readonly string[]
}

/**
 * Files that the linker and fontconfig open are put on the disk by the first start of an executable, below
 * a name that says what is in them; all else stays in it. From a checkout there is nothing to do. Take the
 * lock of the data directory first: what another version has left is removed.
 */
export async function unpackLooseFiles(dataDirectory: string): Promise<void> {
  if (!Bun.isStandaloneExecutable) return
  const parent = resolve(dataDirectory, 'cache', 'program')
  const files = (await Bun.file(programFile('loose.json')).json()) as LooseFiles
  process.env[looseFilesName] = await unpacked(files, { from: programFile('loose'), parent })
}

interface Places {
  readonly from: string
  /** Nobody else's; made where it is not there. */
  readonly parent: string
}

/** Answers where they are. A directory that has its name is whole: it got it once all of it was flushed. */
export async function unpacked(files: LooseFiles, { from, parent }: Places): Promise<string> {
  await makeDurableDirectory(parent)
  const directory = join(parent, files.sha256)
  const found = await readdir(parent)
  for (const name of found)
    if (name !== files.sha256) await rm(join(parent, name), { recursive: true, force: true })
  if (found.includes(files.sha256)) return directory
  const begun = await mkdtemp(join(parent, 'begun-'))
  const folders = new Set([begun])
  for (const path of files.paths) {
    const to = join(begun, path)
    for (let folder = dirname(to); folder !== begun; folder = dirname(folder)) folders.add(folder)
    await copyDurably(join(from, path), to)
  }
  for (const folder of folders) await flushDirectory(folder)
  await rename(begun, directory)
  await flushDirectory(parent)
  return directory
}

async function copyDurably(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  await using handle = await open(to, 'wx', 0o600)
  await handle.writeFile(await Bun.file(from).bytes())
  await handle.datasync()
}
