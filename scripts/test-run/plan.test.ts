import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

import { plan, titleOf } from './plan.ts'
import kept from './seconds.json'

const paths = [
  'src/a.test.ts',
  'src/b.test.ts',
  'test/faults/kill.test.ts',
  'test/journeys/client.test.ts',
  'test/journeys/stores-elsewhere.test.ts',
]
const everything = { paths, tier: 'full', seconds: {}, words: [] } as const

test('what takes longest is begun first', () => {
  const seconds = { 'src/b.test.ts': 3, 'test/journeys/client.test.ts (on servers)': 9 }
  const titles = plan({ ...everything, seconds }).map(titleOf)
  expect(titles.slice(0, 2)).toEqual(['test/journeys/client.test.ts (on servers)', 'src/b.test.ts'])
})

test('what needs the whole machine comes last', () => {
  const stalls = 'test/faults/stalls.test.ts'
  const last = plan({ ...everything, paths: [stalls, ...paths], seconds: { [stalls]: 99 } }).at(-1)
  expect(last).toEqual({ path: stalls, isAlone: true, isFromSources: true })
})

test('some files go on starting the service from its sources', () => {
  const sources = plan(everything).filter(({ isFromSources }) => isFromSources === true)
  expect(sources.map(titleOf)).toEqual(['test/faults/kill.test.ts'])
})

test('every file runs as it is, but for the one that is about being elsewhere', () => {
  const here = plan(everything).filter(({ stores }) => stores === undefined)
  expect(here.map(({ path }) => path)).toEqual(paths.slice(0, -1))
})

test('the fast tier leaves out what kills, and keeps a journey of each kind of store', () => {
  const titles = plan({ ...everything, tier: 'fast' }).map(titleOf)
  expect(titles).not.toContain('test/faults/kill.test.ts')
  expect(titles.filter((title) => title.includes('('))).toEqual([
    'test/journeys/client.test.ts (on servers)',
    'test/journeys/keys-and-tokens.test.ts (through a standby)',
  ])
})

test('words choose by what is in a title', () => {
  const titles = plan({ ...everything, words: ['kill', 'client.test.ts (on'] }).map(titleOf)
  expect(titles).toEqual(['test/faults/kill.test.ts', 'test/journeys/client.test.ts (on servers)'])
})

test('what is planned and what is known of it are of files that there are', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const named = [...plan({ ...everything, paths: [] }).map(titleOf), ...Object.keys(kept)]
  expect(named.filter((title) => !existsSync(root + title.split(' (')[0]))).toEqual([])
})
