import { expect, test } from 'bun:test'

import { bundleDashboard } from './dashboard-files.ts'

const transpiler = new Bun.Transpiler({ loader: 'js' })

test('the shell runs main, and has all that it imports at once fetched beside it', async () => {
  const { shell, parts } = await bundleDashboard()
  const named = (pattern: RegExp) =>
    [...shell.matchAll(pattern)].map(([, name = '']) => name).toSorted()
  const scripts = named(/<script type="module" src="\/dashboard\/assets\/([^"]+)"/gu)
  const preloads = named(/<link rel="modulepreload" href="\/dashboard\/assets\/([^"]+)"/gu)
  expect(scripts).toHaveLength(1)
  expect(preloads.filter((name) => name.startsWith('dashboard-'))).toHaveLength(1)

  const wanted = new Set(scripts.concat(preloads.filter((name) => name.startsWith('dashboard-'))))
  for (const name of wanted)
    for (const { path, kind } of transpiler.scanImports(new TextDecoder().decode(parts.get(name))))
      if (kind === 'import-statement') wanted.add(path.slice(path.lastIndexOf('/') + 1))
  expect([...preloads, ...scripts].toSorted()).toEqual([...wanted].toSorted())
  expect(preloads.length).toBeGreaterThan(1)
})
