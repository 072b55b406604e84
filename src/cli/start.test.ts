import { expect, test } from 'bun:test'
import { dirname, join, relative } from 'node:path'

const source = join(import.meta.dir, '..')
const transpiler = new Bun.Transpiler({ loader: 'ts' })

/** All that is loaded before the words of a command are looked at: files of ours and names of packages. */
async function loadedBy(file: string, found = new Set<string>()): Promise<ReadonlySet<string>> {
  if (found.has(file)) return found
  found.add(file)
  const text = (await Bun.file(file).text()).replace(/^#!.*/u, '')
  for (const { path, kind } of transpiler.scanImports(text)) {
    if (kind !== 'import-statement') continue
    if (path.startsWith('.')) await loadedBy(join(dirname(file), path), found)
    else found.add(path)
  }
  return found
}

test('no command waits for the service, an edge, or what checks files', async () => {
  const loaded = [...(await loadedBy(join(import.meta.dir, 'main.ts')))]
  const packages = loaded.filter((name) => !name.startsWith('/') && !/^(?:node:|bun)/u.test(name))
  const rooms = loaded
    .filter((name) => name.startsWith('/'))
    .map((name) => relative(source, name))
    .filter((name) => /^(?:adapters|wiring|planes|http|edge|edge-node)\//u.test(name))

  expect(packages).toEqual([])
  expect(rooms).toEqual([])
})
