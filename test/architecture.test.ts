import { expect, test } from 'bun:test'
import { Glob } from 'bun'
import { dirname, join, normalize } from 'node:path'

/**
 * What each folder of `src/` may import of ours, besides itself. `types:` allows `import type` alone.
 * The reasons are in ARCHITECTURE.md.
 */
const importTable: Readonly<Record<string, readonly string[]>> = {
  lib: [],
  ports: ['types:lib'],
  domain: ['ports', 'lib'],
  adapters: ['ports', 'lib'],
  http: ['domain/errors.ts', 'lib'],
  edge: ['http', 'ports', 'lib', 'domain/errors.ts', 'domain/content/'],
  planes: ['domain', 'http', 'lib', 'types:ports', 'ports/records'],
  client: ['lib/async/back-off.ts'],
  cli: [
    'domain/catalog/human-size.ts',
    'main.ts',
    'client',
    'planes',
    'http',
    'lib',
    'wiring',
    'server',
    'edge-node',
    'config',
    'edge',
    'ports',
  ],
  config: ['lib', 'domain/errors.ts'],
  'main.ts': [
    'config',
    'service.ts',
    'types:wiring',
    'server',
    'lib',
    'ports/store-unavailable-error.ts',
  ],
}

/** What puts the parts together may import them all. */
const composing = ['service.ts', 'wiring', 'server', 'edge-node', 'cluster']

interface Import {
  readonly from: string
  readonly to: string
  readonly isType: boolean
}

const root = join(import.meta.dir, '..', 'src')
const isTest = (file: string) => /\.(test|contract)\.ts$|\/fixtures\//u.test(file)

async function imports(): Promise<readonly Import[]> {
  const found: Import[] = []
  for await (const file of new Glob('**/*.ts').scan(root)) {
    if (isTest(file)) continue
    const text = await Bun.file(join(root, file)).text()
    for (const [, keyword, specifier] of text.matchAll(
      /^(import type|import|export)\b[^'"]*?from\s+'(\.[^']+)'/gmu,
    ))
      found.push({
        from: file,
        to: normalize(join(dirname(file), specifier ?? '')),
        isType: keyword === 'import type',
      })
  }
  return found
}

const folderOf = (file: string) => file.split('/')[0] ?? file

function isAllowed({ from, to, isType }: Import): boolean {
  const folder = folderOf(from)
  if (composing.includes(folder)) return true
  if (folder === 'adapters') {
    const [, technology] = from.split('/')
    if (to.startsWith(`adapters/${technology}/`)) return true
  } else if (folderOf(to) === folder) return true
  return (importTable[folder] ?? []).some((entry) => {
    const target = entry.replace(/^types:/u, '')
    if (target !== entry && !isType) return false
    return to === target || to.startsWith(target.endsWith('/') ? target : `${target}/`)
  })
}

test('every import keeps to the import table', async () => {
  const broken = (await imports()).filter((each) => !isAllowed(each))

  expect(broken.map(({ from, to }) => `${from} → ${to}`)).toEqual([])
})

test('every source folder has its row in the import table', async () => {
  const folders = new Set<string>()
  for await (const file of new Glob('**/*.ts').scan(root))
    if (!isTest(file)) folders.add(folderOf(file))
  for (const folder of composing) folders.delete(folder)

  expect([...folders].filter((folder) => !(folder in importTable))).toEqual([])
})

test('no file hides others behind it', async () => {
  const barrels: string[] = []
  for await (const file of new Glob('**/{index,utils,helpers,common}.ts').scan(root))
    barrels.push(file)

  expect(barrels).toEqual([])
})
