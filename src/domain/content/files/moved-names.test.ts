import { expect, test } from 'bun:test'

import { openContentWorld, operator, tenantOf } from '../../../../test/fixtures/content-world.ts'
import type { Actor } from '../../access/actor.ts'
import { parseAssetPath } from '../asset-path.ts'
import { createAssetHistory } from './asset-history.ts'
import { createFormerNames } from './former-names.ts'

async function setUp() {
  const world = await openContentWorld()
  for (const zone of ['acme', 'bolt']) await world.zones.create(zone, operator)
  const { content, catalog: published, past, fileEdits } = world
  const history = createAssetHistory({ content, published })
  const formerNames = createFormerNames({ past, published })
  const tick = () => (world.clock.ms += 1000)
  const move = async (from: string, to: string) => {
    tick()
    await fileEdits.apply(
      {
        edits: [
          {
            kind: 'move',
            from: parseAssetPath(from),
            to: parseAssetPath(to),
            overwrite: true,
            fields: { from: 'From', to: 'To' },
          },
        ],
        isDryRun: false,
      },
      operator,
    )
  }
  const put = async (path: string, text: string) => {
    tick()
    await world.put(path, text)
  }
  const told = async (path: string, actor: Actor = operator) =>
    (await history.versions(parseAssetPath(path), 50, actor)).map((version) => {
      const { movedFrom, movedTo } = version
      const how = movedFrom !== undefined ? ` from ${movedFrom}` : movedTo ? ` to ${movedTo}` : ''
      return `${version.file === undefined ? '-' : '+'} ${version.path}${how}`
    })
  const names = async (path: string, actor: Actor = operator) =>
    (await formerNames.of(parseAssetPath(path), actor)).map((each) => each.path as string)
  return { ...world, history, put, move, told, names, tick }
}

test('the history of a file goes on under the names it had before', async () => {
  const { put, move, told, history } = await setUp()
  await put('acme/v1/logos/a.svg', 'one')
  await put('acme/v1/logos/a.svg', 'two')
  await move('acme/v1/logos/a.svg', 'acme/v1/icons/b.svg')
  await move('acme/v1/icons', 'bolt/v1/brand')
  await put('bolt/v1/brand/b.svg', 'three')

  expect(await told('bolt/v1/brand/b.svg')).toEqual([
    '+ bolt/v1/brand/b.svg',
    '+ bolt/v1/brand/b.svg from acme/v1/icons/b.svg',
    '+ acme/v1/icons/b.svg from acme/v1/logos/a.svg',
    '+ acme/v1/logos/a.svg',
    '+ acme/v1/logos/a.svg',
  ])
  expect(await told('acme/v1/logos/a.svg')).toEqual([
    '- acme/v1/logos/a.svg to acme/v1/icons/b.svg',
    '+ acme/v1/logos/a.svg',
    '+ acme/v1/logos/a.svg',
  ])
  const path = parseAssetPath('bolt/v1/brand/b.svg')
  const oldest = (await history.versions(path, 50, operator)).at(-1)
  const file = await history.fileAt(path, oldest?.id ?? '', operator)
  expect(await new Response((await file.open()) as Uint8Array<ArrayBuffer>).text()).toBe('one')
})

test('a file that was overwritten by a move keeps its own history beside', async () => {
  const { put, move, told } = await setUp()
  await put('acme/v1/logos/a.svg', 'a')
  await put('acme/v1/logos/b.svg', 'b')
  await move('acme/v1/logos/a.svg', 'acme/v1/logos/b.svg')

  expect(await told('acme/v1/logos/b.svg')).toEqual([
    '+ acme/v1/logos/b.svg from acme/v1/logos/a.svg',
    '+ acme/v1/logos/b.svg',
    '+ acme/v1/logos/a.svg',
  ])
})

test('who does not reach the zone of a former name is not told of it', async () => {
  const { put, move, told, names } = await setUp()
  await put('acme/v1/logos/a.svg', 'one')
  await move('acme/v1/logos/a.svg', 'bolt/v1/logos/a.svg')

  expect(await told('bolt/v1/logos/a.svg', tenantOf('bolt'))).toEqual([
    '+ bolt/v1/logos/a.svg from acme/v1/logos/a.svg',
  ])
  expect(await names('bolt/v1/logos/a.svg', tenantOf('bolt'))).toEqual([])
  expect(await names('bolt/v1/logos/a.svg')).toEqual(['acme/v1/logos/a.svg'])
})

test('a commit that only says it moved something has moved nothing', async () => {
  const { put, told, names, content, catalog, heard } = await setUp()
  await put('acme/v1/logos/secret.svg', 'secret')
  await put('bolt/v1/logos/mine.svg', 'mine')
  const mine = catalog.asset('bolt/v1/logos/mine.svg')
  if (!mine) throw new Error('it was stored')
  heard.length = 0
  const moves = [
    { from: 'clients/acme/v1/logos/secret.svg', to: 'clients/bolt/v1/logos/other.svg' },
  ]
  await content.commit({ subject: 'a lie', author: 'x', moves }, async () => [
    { kind: 'put', path: 'clients/bolt/v1/logos/other.svg', blob: mine },
  ])

  expect(await told('bolt/v1/logos/other.svg')).toEqual(['+ bolt/v1/logos/other.svg'])
  expect(await names('bolt/v1/logos/other.svg')).toEqual([])
  expect(heard[0]?.data['movedFrom']).toBeUndefined()
})

test('names are followed through files and directories, and not for what came later', async () => {
  const { put, move, names } = await setUp()
  await put('acme/v1/logos/deep/a.svg', 'one')
  await move('acme/v1/logos/deep/a.svg', 'acme/v1/logos/deep/b.svg')
  await move('acme/v1/logos', 'acme/v1/brand')
  await put('acme/v1/brand/deep/late.svg', 'late')

  expect(await names('acme/v1/brand/deep/b.svg')).toEqual([
    'acme/v1/logos/deep/b.svg',
    'acme/v1/logos/deep/a.svg',
  ])
  expect(await names('acme/v1/brand/deep/late.svg')).toEqual([])
})

test('what goes there and back again in one second has an end', async () => {
  const { put, fileEdits, names } = await setUp()
  await put('acme/v1/logos/a', 'one')
  for (const [from, to] of [
    ['acme/v1/logos/a', 'acme/v1/logos/b'],
    ['acme/v1/logos/b', 'acme/v1/logos/a'],
  ] as const)
    await fileEdits.apply(
      {
        edits: [
          {
            kind: 'move',
            from: parseAssetPath(from),
            to: parseAssetPath(to),
            overwrite: false,
            fields: { from: 'From', to: 'To' },
          },
        ],
        isDryRun: false,
      },
      operator,
    )

  expect((await names('acme/v1/logos/a')).length).toBeLessThanOrEqual(2)
})
