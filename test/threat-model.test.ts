import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dir, '..')
const page = await Bun.file(join(root, 'docs', 'threat-model.md')).text()

/** Each boundary with the rows of its table, their first two left out. */
const boundaries = page
  .split(/^## /mu)
  .slice(1)
  .map((section) => ({
    title: section.split('\n', 1)[0] ?? '',
    rows: section
      .split('\n')
      .filter((line) => line.startsWith('|'))
      .slice(2),
  }))
  .filter(({ rows }) => rows.length > 0)

test('every boundary of the threat model has something that holds', () => {
  expect(boundaries.map(({ title }) => title)).toEqual([
    'Client and delivery',
    'Client and interface',
    'Tenant and tenant',
    "Tenant's file and the children that read it",
    'Browser and dashboard',
    'Webhook and receiver',
    'Edge and origin',
    'Node, database and bucket',
    'Mirror and git host',
    'Agent and MCP',
    'Identity provider',
    'Certificate authority',
    "The operator's machine",
    'Supply chain',
  ])
})

test('all that holds is shown by tests that are there', () => {
  for (const { title, rows } of boundaries)
    for (const row of rows) {
      const shownBy = row.split('|').at(-2) ?? ''
      const files = [...shownBy.matchAll(/`([^`]+)`/gu)].map(([, file = '']) => file)
      expect({ title, row, isShown: files.length > 0 }).toMatchObject({ isShown: true })
      for (const file of files)
        expect({ title, file, exists: existsSync(join(root, file)) }).toEqual({
          title,
          file,
          exists: file.endsWith('.test.ts'),
        })
    }
})
