import { expect, test } from 'bun:test'
import { Glob } from 'bun'
import { dirname, join, normalize } from 'node:path'

import { houses, type House, type Row } from './import-table.ts'

interface Import {
  readonly from: string
  readonly to: string
  readonly isType: boolean
}

const root = join(import.meta.dir, '..')
const isTest = (file: string) => /\.(test|contract|fixture)\.tsx?$|\/fixtures\//u.test(file)
/** The player is somebody else's, as it comes. */
const isForeign = (file: string) => file.startsWith('web/watch/hls/')

const files = [...new Glob('{src,web}/**/*.{ts,tsx}').scanSync(root)]
  .filter((file) => !isTest(file) && !isForeign(file))
  .toSorted()

async function readImports(): Promise<readonly Import[]> {
  const found = await Promise.all(
    files.map(async (from) => {
      const text = await Bun.file(join(root, from)).text()
      const matches = text.matchAll(
        /^(import type|import|export)\b[^'"]*?from\s+'(\.[^']+)'|\b(import)\('(\.[^']+)'\)/gmu,
      )
      return [...matches].map(([, keyword, named, , called]) => ({
        from,
        to: normalize(join(dirname(from), named ?? called ?? '')),
        isType: keyword === 'import type',
      }))
    }),
  )
  return found.flat()
}
const imports = await readImports()

const inside = (folder: string, file: string): string | undefined => {
  if (folder === '') return file
  return file.startsWith(`${folder}/`) ? file.slice(folder.length + 1) : undefined
}
const roomOf = (path: string) => path.split('/')[0] ?? path
const rowOf = ({ rows }: House, room: string): Row | undefined =>
  rows.find(({ rooms }) => rooms.includes(room)) ?? rows.find(({ rooms }) => rooms.includes('*'))

/** Files that stand beside folders, and share a row, are one room. */
const isLoose = (path: string) => !path.includes('/')

const isPart = (target: string, path: string) => path === target || path.startsWith(`${target}/`)

function isAllowedIn(house: House, { from, to, isType }: Import): boolean {
  const [start, end] = [inside(house.folder, from), inside(house.folder, to)]
  if (start === undefined || end === undefined || roomOf(start) === roomOf(end)) return true
  const row = rowOf(house, roomOf(start))
  if (row === undefined || row.mayImport === 'everything') return row !== undefined
  if (isLoose(start) && isLoose(end) && rowOf(house, end) === row) return true
  return row.mayImport.some((entry) => {
    const target = entry.replace(/^types:/u, '')
    return (target === entry || isType) && isPart(target, end)
  })
}

test('every import keeps to the import table', () => {
  const broken = houses.flatMap((house) =>
    imports.filter((each) => !isAllowedIn(house, each)).map(({ from, to }) => `${from} → ${to}`),
  )

  expect(broken).toEqual([])
})

test('every room has its row in the import table, and no row is of a room that is gone', () => {
  for (const house of houses) {
    const rooms = new Set(
      files.flatMap((file) => {
        const path = inside(house.folder, file)
        return path === undefined ? [] : [roomOf(path)]
      }),
    )
    const named = house.rows.flatMap((row) => row.rooms).filter((room) => room !== '*')

    expect([...rooms].filter((room) => rowOf(house, room) === undefined)).toEqual([])
    expect(named.filter((room) => !rooms.has(room))).toEqual([])
    expect(new Set(named).size).toBe(named.length)
  }
})

test('no row allows what nothing does', () => {
  const idle = houses.flatMap((house) =>
    house.rows.flatMap(({ rooms, mayImport }) =>
      (mayImport === 'everything' ? [] : mayImport)
        .filter((entry) => {
          const target = entry.replace(/^types:/u, '')
          return !imports.some(({ from, to }) => {
            const [start, end] = [inside(house.folder, from), inside(house.folder, to)]
            if (start === undefined || end === undefined || !isPart(target, end)) return false
            return rowOf(house, roomOf(start))?.rooms === rooms
          })
        })
        .map((entry) => `${house.folder}: ${rooms.join(', ')} → ${entry}`),
    ),
  )

  expect(idle).toEqual([])
})

/** What can be come to from a node again, one of those ways each. */
function circles(next: ReadonlyMap<string, readonly string[]>): readonly string[] {
  const done = new Set<string>()
  const found: string[] = []
  const walk = (node: string, way: readonly string[]): void => {
    const at = way.indexOf(node)
    if (at >= 0) {
      found.push([...way.slice(at), node].join(' → '))
      return
    }
    if (done.has(node)) return
    for (const each of next.get(node) ?? []) walk(each, [...way, node])
    done.add(node)
  }
  for (const node of next.keys()) walk(node, [])
  return found
}

test('files import each other in no circle, types counted', () => {
  const next = Map.groupBy(imports, ({ from }) => from)
  const targets = [...next].map(([from, all]) => [from, all.map(({ to }) => to)] as const)

  expect(circles(new Map(targets))).toEqual([])
  expect(
    circles(
      new Map([
        ['a', ['b']],
        ['b', ['c']],
        ['c', ['b']],
      ]),
    ),
  ).toEqual(['b → c → b'])
})

/** Which rooms of a folder lead to which, as imports are. */
function arrowsIn({ folder }: House): ReadonlyMap<string, readonly string[]> {
  const arrows = new Map<string, Set<string>>()
  for (const { from, to } of imports) {
    const [start, end] = [inside(folder, from), inside(folder, to)]
    if (start === undefined || end === undefined) continue
    // A file that stands alone is a room: what it leads to is not what its neighbours lead to.
    const [room, other] = [roomOf(start), roomOf(end)]
    if (room !== other) arrows.set(room, (arrows.get(room) ?? new Set()).add(other))
  }
  return new Map([...arrows].map(([room, others]) => [room, [...others]]))
}

test('rooms import each other one way', () => {
  for (const house of houses)
    if (house.mayTurnBack !== true)
      expect([house.folder, circles(arrowsIn(house))]).toEqual([house.folder, []])
})

/** How many rooms stand one upon the other. */
function floorsOf(arrows: ReadonlyMap<string, readonly string[]>): number {
  const heightOf = (room: string): number =>
    1 + Math.max(0, ...(arrows.get(room) ?? []).map(heightOf))
  return Math.max(...[...arrows.keys()].map(heightOf))
}

test('the edge stands on at most six floors', () => {
  const folders = new Map<string, Set<string>>()
  for (const { from, to } of imports) {
    const [start, end] = [inside('src/edge', dirname(from)), inside('src/edge', dirname(to))]
    if (start === undefined || end === undefined || start === end) continue
    folders.set(start, (folders.get(start) ?? new Set()).add(end))
  }
  const arrows = new Map([...folders].map(([folder, others]) => [folder, [...others]]))

  expect(circles(arrows)).toEqual([])
  expect(floorsOf(arrows)).toBeLessThanOrEqual(6)
})

/** Migrations only ever become more, and nobody looks for one among them but by its number. */
const mayBeLong = new Set(['src/adapters/sql/migrations'])

test('no folder holds more than fifteen files', () => {
  const byFolder = Map.groupBy(files, (file) => dirname(file))
  const crowded = [...byFolder].filter(([folder, all]) => all.length > 15 && !mayBeLong.has(folder))

  expect(crowded.map(([folder, all]) => `${folder}: ${all.length}`)).toEqual([])
})

test('no file hides others behind it', () => {
  const barrels = files.filter((file) =>
    /(?:^|\/)(?:index|utils|helpers|common)\.tsx?$/u.test(file),
  )

  expect(barrels).toEqual([])
})

/** Where a rule file is shown as an example. */
const examples = new Set(['src/planes/core/rules.ts', 'web/dashboard/rules/rule-editor.tsx'])

test('how long a response may be used is said in one place', async () => {
  const sayers = await Promise.all(
    files.map(async (file) => {
      const text = await Bun.file(join(root, file)).text()
      return /\b(?:public|private), max-age=/u.test(text) && !examples.has(file) ? [file] : []
    }),
  )

  expect(sayers.flat()).toEqual(['src/http/response/cache-lifetimes.ts'])
})
