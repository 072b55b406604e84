import { mkdir, open, rename } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'

/** Answers once the names in a directory (files made, renamed, removed) would survive a power cut. */
export async function flushDirectory(path: string): Promise<void> {
  await using handle = await open(path, 'r')
  await handle.sync()
}

/**
 * Makes a directory and its missing parents, and answers once they would survive a power cut. The
 * name of one that is there already is flushed too: whoever made it may have been killed before.
 */
export async function makeDurableDirectory(path: string): Promise<void> {
  const wanted = resolve(path)
  const firstMade = (await mkdir(wanted, { recursive: true })) ?? wanted
  let parent = dirname(wanted)
  await flushDirectory(parent)
  while (parent.length > dirname(firstMade).length) {
    parent = dirname(parent)
    await flushDirectory(parent)
  }
}

/**
 * Gives a small file new contents, all or nothing, and answers once they would survive a power cut.
 * Only one writer of a path at a time.
 */
export async function writeFileDurably(path: string, text: string | Uint8Array): Promise<void> {
  const temporary = `${path}.new`
  {
    await using handle = await open(temporary, 'w')
    await handle.writeFile(text)
    await handle.datasync()
  }
  await rename(temporary, path)
  await flushDirectory(dirname(path))
}
