import { createHash } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

import type { FuzzTarget, Input } from './fuzz-target.ts'

const root = join(import.meta.dir, '..', 'fixtures', 'fuzz')

/** What is kept for a target and what it brings itself. */
export async function corpusOf({ name, seeds }: FuzzTarget): Promise<readonly Input[]> {
  const files = (await readdir(join(root, name))).toSorted()
  const kept = await Promise.all(files.map((file) => Bun.file(join(root, name, file)).bytes()))
  return [...kept, ...((await seeds?.()) ?? [])]
}

/** Keeps what showed a fault, so that it is tried for ever after; answers the path. */
export async function keepFault({ name }: FuzzTarget, input: Input): Promise<string> {
  const digest = createHash('sha256').update(input).digest('hex').slice(0, 12)
  const path = join(root, name, `fault-${digest}.bin`)
  await Bun.write(path, input)
  return path
}
