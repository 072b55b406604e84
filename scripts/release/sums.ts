import { createHash } from 'node:crypto'
import { join } from 'node:path'

import { run } from './run.ts'

/** What signatures of releases are for, and for nothing else (`ssh-keygen -Y`, namespaces). */
const namespace = 'sedge-release'

/** Lines as `sha256sum --check` reads them, by name. */
export async function sumsOf(directory: string, names: readonly string[]): Promise<string> {
  const lines = names.toSorted().map(async (name) => {
    const hash = createHash('sha256')
    for await (const chunk of Bun.file(join(directory, name)).stream()) hash.update(chunk)
    return `${hash.digest('hex')}  ${name}\n`
  })
  return (await Promise.all(lines)).join('')
}

/** Beside the file, as `SHA256SUMS.sig`. */
export async function signSums(sums: string, key: string): Promise<void> {
  await run(['ssh-keygen', '-q', '-Y', 'sign', '-f', key, '-n', namespace, sums])
}
