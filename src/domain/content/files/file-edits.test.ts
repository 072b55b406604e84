import { expect, test } from 'bun:test'

import { openContentWorld, operator, tenantOf } from '../../../../test/fixtures/content-world.ts'
import type { Actor } from '../../access/actor.ts'
import { parseAssetPath } from '../asset-path.ts'
import type { FileEdit, Relocation } from './file-edit.ts'

const relocation = (
  kind: Relocation['kind'],
  [from, to]: readonly [string, string],
  more: Partial<Relocation> = {},
): Relocation => ({
  kind,
  from: parseAssetPath(from),
  to: parseAssetPath(to),
  overwrite: false,
  fields: { from: 'From', to: 'To' },
  ...more,
})

const removal = (path: string, index = 0): FileEdit => ({
  kind: 'delete',
  from: parseAssetPath(path.replace(/\/$/u, '')),
  isDirectory: path.endsWith('/'),
  fields: { from: `Paths[${index}]` },
})

async function setUp() {
  const world = await openContentWorld()
  for (const zone of ['acme', 'bolt']) await world.zones.create(zone, operator)
  const apply = (edits: readonly FileEdit[], actor: Actor = operator) =>
    world.fileEdits.apply({ edits, isDryRun: false }, actor)
  const move = (from: string, to: string, more: Partial<Relocation> = {}) =>
    apply([relocation('move', [from, to], more)])
  const copy = (from: string, to: string, more: Partial<Relocation> = {}) =>
    apply([relocation('copy', [from, to], more)])
  const refusal = async (attempt: Promise<unknown>) => {
    const before = await world.content.head()
    const error: unknown = await attempt.then(
      () => undefined,
      (thrown: unknown) => thrown,
    )
    expect(await world.content.head()).toBe(before)
    return error
  }
  return { ...world, apply, move, copy, refusal }
}

const sidecar = (path: string) => `clients/acme/.sedge/assets/${path.slice('acme/'.length)}.json`

test('a moved file is at its new path alone, in one commit, and both events tell of it', async () => {
  const { put, move, paths, read, heard, catalog, content } = await setUp()
  await put('acme/v1/logos/a.svg', 'one')
  const created = catalog.asset('acme/v1/logos/a.svg')?.createdAt
  heard.length = 0
  const before = await content.head()
  const { edited, commitId } = await move('acme/v1/logos/a.svg', 'acme/v1/icons/b.svg')

  expect(edited).toMatchObject([{ isDirectory: false, fileCount: 1 }])
  expect(paths()).toEqual(['acme/v1/icons/b.svg'])
  expect(await read('acme/v1/icons/b.svg')).toBe('one')
  expect(catalog.asset('acme/v1/icons/b.svg')?.createdAt).toEqual(created)
  const [commit, ...others] = await Array.fromAsync(content.commitsAfter(before))
  expect([commit?.id, others]).toEqual([commitId, []])
  expect(heard.map(({ event, data }) => [event, data['movedTo'] ?? data['movedFrom']])).toEqual([
    ['asset.deleted', 'clients/acme/v1/icons/b.svg'],
    ['asset.created', 'clients/acme/v1/logos/a.svg'],
    ['deploy.completed', undefined],
  ])
})

test('a directory is moved with all that is below it, and placeholders stay', async () => {
  const { put, move, paths, content } = await setUp()
  for (const name of ['a.svg', 'deep/er/b.svg', 'deep/c.svg'])
    await put(`acme/v1/logos/${name}`, name)
  const { edited } = await move('acme/v1/logos', 'bolt/v1/brand/logos')

  expect(edited).toMatchObject([{ isDirectory: true, fileCount: 3 }])
  expect(paths()).toEqual([
    'bolt/v1/brand/logos/a.svg',
    'bolt/v1/brand/logos/deep/c.svg',
    'bolt/v1/brand/logos/deep/er/b.svg',
  ])
  expect(await content.find('clients/acme/v1/logos/.keep')).toBeDefined()
})

test('a move reads no byte of what it moves, and keeps a type that was declared', async () => {
  const { put, move, copy, catalog, blobs } = await setUp()
  await put('acme/v1/logos/a', 'one', 'image/svg+xml')
  await put('acme/v1/logos/b.txt', 'two')
  blobs.read = () => Promise.reject(new Error('a byte was read'))
  await move('acme/v1/logos/a', 'acme/v1/icons/a')
  await copy('acme/v1/icons/a', 'acme/v1/icons/a.svg')
  await move('acme/v1/logos/b.txt', 'acme/v1/logos/b.css')

  const typeOf = (path: string) => catalog.asset(path)?.contentType
  expect(typeOf('acme/v1/icons/a')).toBe('image/svg+xml')
  expect(typeOf('acme/v1/icons/a.svg')).toBe('image/svg+xml')
  expect(typeOf('acme/v1/logos/b.css')).toBe('text/css; charset=utf-8')
})

test('what is known of a file goes where the file goes, in the same commit', async () => {
  const { put, writeRaw, move, copy, apply, read, content } = await setUp()
  await put('acme/v1/logos/a.svg', 'one')
  await put('acme/v1/logos/plain.svg', 'two')
  await writeRaw({ [sidecar('acme/v1/logos/a.svg')]: '{"a": 1}' })
  const known = async (path: string) => await read(sidecar(path).slice('clients/'.length))
  await copy('acme/v1/logos/a.svg', 'acme/v1/icons/copy.svg')
  const head = await content.head()
  await move('acme/v1/logos', 'acme/v1/brand')

  expect(await Array.fromAsync(content.commitsAfter(head))).toHaveLength(1)
  expect(await known('acme/v1/icons/copy.svg')).toBe('{"a": 1}')
  expect(await known('acme/v1/brand/a.svg')).toBe('{"a": 1}')
  expect(await known('acme/v1/logos/a.svg')).toBeUndefined()
  await move('acme/v1/brand/plain.svg', 'acme/v1/brand/a.svg', { overwrite: true })
  expect(await read('acme/v1/brand/a.svg')).toBe('two')
  expect(await known('acme/v1/brand/a.svg')).toBeUndefined()
  await apply([removal('acme/v1/icons/copy.svg')])
  expect(await known('acme/v1/icons/copy.svg')).toBeUndefined()
})

test('a file that is deleted alone takes what is known of it with it', async () => {
  const { put, writeRaw, files, content } = await setUp()
  await put('acme/v1/logos/a.svg', 'one')
  await writeRaw({ [sidecar('acme/v1/logos/a.svg')]: '{}' })
  await files.remove(parseAssetPath('acme/v1/logos/a.svg'), operator)

  expect(await content.find(sidecar('acme/v1/logos/a.svg'))).toBeUndefined()
})

test('what is stored at the new path stays unless it may go', async () => {
  const { put, move, copy, read, paths, refusal } = await setUp()
  await put('acme/v1/logos/a.svg', 'a')
  await put('acme/v1/icons/a.svg', 'old')
  await put('acme/v1/icons/only-here.svg', 'here')

  expect(await refusal(copy('acme/v1/logos', 'acme/v1/icons'))).toMatchObject({
    code: 'PathConflict',
    target: 'To',
  })
  await move('acme/v1/logos', 'acme/v1/icons', { overwrite: true })
  expect(await read('acme/v1/icons/a.svg')).toBe('a')
  expect(paths()).toEqual(['acme/v1/icons/a.svg', 'acme/v1/icons/only-here.svg'])
})

test('what a clone elsewhere could not hold is refused', async () => {
  const { put, move, copy, refusal, paths } = await setUp()
  await put('acme/v1/logos/a.svg', 'a')
  await put('acme/v1/icons/B.svg', 'b')
  await put('acme/v1/icons/deep/c.svg', 'c')
  const before = paths()

  const refused: readonly (readonly [string, string])[] = [
    ['acme/v1/logos/a.svg', 'acme/v1/icons/b.svg'],
    ['acme/v1/logos/a.svg', 'acme/v1/Icons/a.svg'],
    ['acme/v1/logos/a.svg', 'acme/v1/icons/deep'],
    ['acme/v1/logos/a.svg', 'acme/v1/icons/B.svg/a.svg'],
    ['acme/v1/logos', 'acme/v1/icons/B.svg'],
  ]
  for (const [from, to] of refused)
    for (const attempt of [
      move(from, to, { overwrite: true }),
      copy(from, to, { overwrite: true }),
    ])
      expect(await refusal(attempt)).toMatchObject({ code: 'PathConflict' })
  expect(paths()).toEqual(before)
})

test('a file or a directory may change the case of its own name', async () => {
  const { put, move, paths } = await setUp()
  await put('acme/v1/Brand/Logo.svg', 'a')
  await move('acme/v1/Brand/Logo.svg', 'acme/v1/Brand/logo.svg')
  expect(paths()).toEqual(['acme/v1/Brand/logo.svg'])
  await move('acme/v1/Brand', 'acme/v1/brand')

  expect(paths()).toEqual(['acme/v1/brand/logo.svg'])
})

test('a file takes the place of the directory that it was alone in', async () => {
  const { put, move, paths } = await setUp()
  await put('acme/v1/brand/logo', 'a')
  await move('acme/v1/brand/logo', 'acme/v1/brand')

  expect(paths()).toEqual(['acme/v1/brand'])
})

test('nothing goes onto itself or below itself', async () => {
  const { put, move, copy, refusal } = await setUp()
  await put('acme/v1/logos/a.svg', 'a')

  for (const [from, to] of [
    ['acme/v1/logos/a.svg', 'acme/v1/logos/a.svg'],
    ['acme/v1/logos', 'acme/v1/logos/old'],
    ['acme/v1/logos/a.svg', 'acme/v1/logos/a.svg/b'],
  ] as const)
    for (const attempt of [move(from, to), copy(from, to, { overwrite: true })])
      expect(await refusal(attempt)).toMatchObject({ code: 'InvalidParameter', target: 'To' })
})

test('what is not there, or not the caller’s, is refused by the name of its field', async () => {
  const { put, apply, refusal, files } = await setUp()
  await put('acme/v1/logos/a.svg', 'a')
  await put('bolt/v1/logos/b.svg', 'b')
  const edit = (from: string, to: string) => [relocation('move', [from, to])]
  const tenant = tenantOf('acme')
  const cases = [
    [edit('acme/v1/logos/no.svg', 'acme/v1/icons/x.svg'), operator, 'AssetNotFound'],
    [edit('acme/v1/icons', 'acme/v1/brand'), operator, 'AssetNotFound'],
    [edit('acme/v1/logos/a.svg', 'none/v1/icons/x.svg'), operator, 'ZoneNotFound'],
    [edit('bolt/v1/logos/b.svg', 'acme/v1/logos/b.svg'), tenant, 'ZoneNotFound'],
    [edit('acme/v1/logos/a.svg', 'bolt/v1/logos/a.svg'), tenant, 'ZoneNotFound'],
  ] as const
  for (const [edits, actor, code] of cases)
    expect(await refusal(apply(edits, actor))).toMatchObject({ code, target: 'From' })
  expect(await refusal(apply([removal('acme/v1/logos')]))).toMatchObject({
    code: 'InvalidParameter',
    target: 'Paths[0]',
  })
  expect(await refusal(apply([removal('acme/v1/logos/a.svg/')]))).toMatchObject({
    code: 'AssetNotFound',
  })
  expect(files).toBeDefined()
})

test('a suspended zone neither gives nor takes', async () => {
  const { put, zones, copy, refusal } = await setUp()
  await put('acme/v1/logos/a.svg', 'a')
  await put('bolt/v1/logos/b.svg', 'b')
  await zones.update('bolt', { suspended: true }, operator)

  for (const [from, to] of [
    ['acme/v1/logos/a.svg', 'bolt/v1/logos/a.svg'],
    ['bolt/v1/logos/b.svg', 'acme/v1/logos/b.svg'],
  ] as const)
    expect(await refusal(copy(from, to))).toMatchObject({ code: 'ZoneSuspended' })
})

test('a precondition is asked of the file that is there when the commit is made', async () => {
  const { put, move, refusal, paths } = await setUp()
  await put('acme/v1/logos/a.svg', 'a')
  const seen: (string | undefined)[] = []
  const precondition = (sha256: string | undefined) => {
    seen.push(sha256)
    return false
  }
  for (const from of ['acme/v1/logos/a.svg', 'acme/v1/logos'])
    expect(await refusal(move(from, 'acme/v1/icons/x', { precondition }))).toMatchObject({
      code: 'PreconditionFailed',
    })

  expect(seen).toEqual([new Bun.CryptoHasher('sha256').update('a').digest('hex'), undefined])
  expect(paths()).toEqual(['acme/v1/logos/a.svg'])
})

test('many edits land together or not at all, and every one that cannot be is told', async () => {
  const { put, apply, refusal, paths } = await setUp()
  for (const name of ['a', 'b', 'c']) await put(`acme/v1/logos/${name}.svg`, name)
  const error = await refusal(
    apply([
      removal('acme/v1/logos/a.svg', 0),
      removal('acme/v1/logos/no.svg', 1),
      removal('acme/v1/logos/a.svg', 2),
      removal('acme/v1/logos', 3),
    ]),
  )
  expect(error).toMatchObject({
    code: 'AssetNotFound',
    target: 'Paths[1]',
    details: [
      { target: 'Paths[1]', code: 'AssetNotFound' },
      { target: 'Paths[2]', code: 'InvalidParameter' },
      { target: 'Paths[3]', code: 'InvalidParameter' },
    ],
  })
  await apply([removal('acme/v1/logos/a.svg', 0), removal('acme/v1/logos/b.svg', 1)])
  expect(paths()).toEqual(['acme/v1/logos/c.svg'])
})

test('two files change places, since none of the edits sees the other', async () => {
  const { put, apply, read } = await setUp()
  await put('acme/v1/logos/a.svg', 'a')
  await put('acme/v1/logos/b.svg', 'b')
  await apply([
    relocation('move', ['acme/v1/logos/a.svg', 'acme/v1/logos/b.svg']),
    relocation('move', ['acme/v1/logos/b.svg', 'acme/v1/logos/a.svg']),
  ])

  expect(await read('acme/v1/logos/a.svg')).toBe('b')
  expect(await read('acme/v1/logos/b.svg')).toBe('a')
})

test('two files that would share a path are refused', async () => {
  const { put, apply, refusal } = await setUp()
  await put('acme/v1/logos/a.svg', 'a')
  await put('acme/v1/icons/a.svg', 'b')
  const both = (to: readonly [string, string]) => [
    relocation('copy', ['acme/v1/logos/a.svg', to[0]], {
      fields: { from: 'Paths[0]', to: 'Paths[0]' },
    }),
    relocation('copy', ['acme/v1/icons/a.svg', to[1]], {
      fields: { from: 'Paths[1]', to: 'Paths[1]' },
    }),
  ]
  for (const to of [
    ['acme/v1/titles/a.svg', 'acme/v1/titles/a.svg'],
    ['acme/v1/titles/a.svg', 'acme/v1/titles/A.svg'],
    ['acme/v1/titles/a', 'acme/v1/titles/a/b'],
  ] as const)
    expect(await refusal(apply(both(to)))).toMatchObject({ code: 'PathConflict' })
})

test('a dry run refuses what it would refuse, and changes nothing', async () => {
  const { put, fileEdits, refusal, paths, content } = await setUp()
  await put('acme/v1/logos/a.svg', 'a')
  const dry = (from: string) =>
    fileEdits.apply(
      { edits: [relocation('move', [from, 'acme/v1/icons/b.svg'])], isDryRun: true },
      operator,
    )
  const head = await content.head()

  expect(await dry('acme/v1/logos/a.svg')).toMatchObject({
    commitId: undefined,
    edited: [{ fileCount: 1 }],
  })
  expect(await refusal(dry('acme/v1/logos/b.svg'))).toMatchObject({ code: 'AssetNotFound' })
  expect(paths()).toEqual(['acme/v1/logos/a.svg'])
  expect(await content.head()).toBe(head)
})

test('of two that move one file at once, one does', async () => {
  const { put, move, paths } = await setUp()
  await put('acme/v1/logos/a.svg', 'a')
  const moves = await Promise.allSettled(
    ['b', 'c', 'd'].map((name) => move('acme/v1/logos/a.svg', `acme/v1/icons/${name}.svg`)),
  )

  expect(moves.map(({ status }) => status).toSorted()).toEqual([
    'fulfilled',
    'rejected',
    'rejected',
  ])
  expect(paths()).toHaveLength(1)
})

test('a move leaves a rule for what was moved in the same commit, where that is wanted', async () => {
  const { put, fileEdits, catalog, content, refusal } = await setUp()
  await put('acme/v1/logos/a.svg', 'a')
  const edits = [relocation('move', ['acme/v1/logos', 'acme/v1/brand'])]
  const request = { edits, redirect: true, isDryRun: false }
  expect(await refusal(fileEdits.apply(request, tenantOf('acme')))).toMatchObject({
    code: 'InsufficientScope',
  })
  const head = await content.head()
  await fileEdits.apply(request, operator)

  expect(await Array.fromAsync(content.commitsAfter(head))).toHaveLength(1)
  expect(catalog.ruleFile('_redirects')).toBe('/acme/v1/logos/* /acme/v1/brand/:splat 301\n')
})

test('what is known of a file is refused where something is in its way, and never half moved', async () => {
  const { put, writeRaw, move, refusal } = await setUp()
  await put('acme/v1/logos/a', 'one')
  await put('acme/v1/icons/a.json/b', 'two')
  await writeRaw({
    [sidecar('acme/v1/logos/a')]: '{}',
    [sidecar('acme/v1/icons/a.json/b')]: '{}',
  })

  expect(await refusal(move('acme/v1/logos/a', 'acme/v1/icons/a'))).toMatchObject({
    code: 'PathConflict',
  })
  expect(await refusal(move('acme/v1/logos/a', `acme/v1/icons/${'x'.repeat(252)}`))).toMatchObject({
    code: 'PathConflict',
  })
})

test('the refusal names the part at fault, whichever of the two is in the way of the other', async () => {
  const { put, writeRaw, move, copy, apply, paths, refusal } = await setUp()
  for (const name of ['a', 'b.json/c', 'icons/a.json/b', 'brand/a'])
    await put(`acme/v1/logos/${name}`, name)
  await writeRaw({
    [sidecar('acme/v1/logos/a')]: '{}',
    [sidecar('acme/v1/logos/b.json/c')]: '{}',
    [sidecar('acme/v1/logos/icons/a.json/b')]: '{}',
    [sidecar('acme/v1/logos/brand/a')]: '{}',
  })
  const known = { code: 'PathConflict', target: 'To' }
  const why = { message: expect.stringContaining('no room for what is known') }
  const [onto, below] = ['acme/v1/logos/icons/a', 'acme/v1/logos/brand/a.json/c'] as const

  expect(await refusal(copy('acme/v1/logos/a', onto))).toMatchObject({ ...known, ...why })
  expect(await refusal(copy('acme/v1/logos/b.json/c', below))).toMatchObject({ ...known, ...why })
  const both = [
    relocation('copy', ['acme/v1/logos/a', 'bolt/v1/logos/a']),
    relocation('copy', ['acme/v1/logos/b.json/c', 'bolt/v1/logos/a.json/c'], {
      fields: { from: 'From', to: 'Other' },
    }),
  ]
  expect(await refusal(apply(both))).toMatchObject({ code: 'PathConflict', details: [{}] })
  await apply([
    relocation('move', ['acme/v1/logos/brand/a', 'bolt/v1/brand/a']),
    relocation('move', ['acme/v1/logos/b.json/c', below]),
  ])
  await move('acme/v1/logos', 'bolt/v1/logos')
  expect(paths()).toContain('bolt/v1/logos/brand/a.json/c')
})
