import { expect, test } from 'bun:test'

import fc from 'fast-check'

import type { AssetMetadata } from '../../ports/records/asset-metadata.ts'
import { type AssetRecord, assetWith } from '../../ports/records/asset.ts'
import type { Publication } from '../../ports/content/publication-store.ts'
import type { ZoneRecord } from '../../ports/records/zone.ts'
import { type AssetPath, categoryOf, formatOf, standardDirectories } from '../content/asset-path.ts'
import { type Catalog, createCatalog, type Directory } from './catalog.ts'
import { foldCase, wordsOf } from './columns/word-marks.ts'
import { plainAsset } from './fixtures/plain-asset.ts'
import type { AssetPage, AssetQuery } from './listing.ts'
import { listSortKeys } from './listing.ts'
import { sortDirections } from './order/sort-orders.ts'

/** A catalog whose upkeep runs when the test says so. */
function setUpCatalog() {
  const slices: (() => void)[] = []
  const catalog = createCatalog({ schedule: (slice) => void slices.push(slice), runId: 'run' })
  const runSlices = (atMost = Number.POSITIVE_INFINITY) => {
    for (let count = 0; count < atMost && slices.length > 0; count += 1) slices.shift()?.()
  }
  return { catalog, runSlices, slices }
}

const at = (day: number) => new Date(Date.UTC(2026, 0, 1 + day))

function asset(path: string, changes: Partial<AssetRecord> = {}): AssetRecord {
  const name = path.slice(path.lastIndexOf('/') + 1)
  return {
    path,
    zone: path.slice(0, path.indexOf('/')),
    category: categoryOf(path as AssetPath),
    name,
    format: formatOf(name),
    sizeBytes: 10,
    sha256: 'a'.repeat(64),
    contentType: 'image/svg+xml',
    createdAt: at(0),
    changedAt: at(0),
    commitId: 'c0',
    ...changes,
  }
}

const zone = (name: string, changes: Partial<ZoneRecord> = {}): ZoneRecord => ({
  name,
  createdAt: at(0),
  enabled: true,
  suspended: false,
  ...changes,
})

const publication = (changes: Partial<Publication>): Publication => ({ feed: [], ...changes })

const query = (changes: Partial<AssetQuery> = {}): AssetQuery => ({
  sort: 'name',
  order: 'asc',
  page: 1,
  perPage: 50,
  ...changes,
})

const pathsOf = (records: readonly AssetRecord[]) => records.map(({ path }) => path)

function withAssets(...paths: readonly string[]) {
  const setUp = setUpCatalog()
  setUp.catalog.apply([publication({ assets: paths.map((path) => asset(path)) })])
  const found = (changes: Partial<AssetQuery>) => pathsOf(setUp.catalog.list(query(changes)).items)
  return { ...setUp, found }
}

function listed(catalog: Catalog, asked: AssetQuery): AssetPage {
  const page = catalog.list(asked)
  return { ...page, items: page.items.map((item) => assetWith(item, {})) }
}

function directoryIn(catalog: Catalog, path: string): Directory {
  const directory = catalog.directory(path)
  return { ...directory, files: directory.files.map((file) => assetWith(file, {})) }
}

test('what is applied is in the next answer, before any upkeep', () => {
  const { catalog, slices } = setUpCatalog()
  const logo = asset('acme/v1/logos/logo.svg')

  catalog.apply([publication({ zones: [zone('acme')], assets: [logo] })])

  expect(slices).toHaveLength(1)
  expect(plainAsset(catalog.asset(logo.path))).toEqual(logo)
  expect(catalog.zone('acme')).toEqual(zone('acme'))
  expect(listed(catalog, query({ words: ['logo'] })).items).toEqual([logo])
})

test('an asset is the same object until it changes', () => {
  const { catalog, runSlices } = withAssets('acme/v1/logos/a.svg', 'acme/v1/logos/b.svg')
  const before = catalog.asset('acme/v1/logos/a.svg')

  catalog.apply([publication({ assets: [asset('acme/v1/logos/b.svg', { sizeBytes: 11 })] })])
  runSlices()

  expect(catalog.asset('acme/v1/logos/a.svg')).toBe(before)
  expect(catalog.asset('acme/v1/logos/b.svg')?.sizeBytes).toBe(11)
})

test('what is said of assets moves them in no order, and leaves nothing for upkeep', () => {
  const paths = Array.from({ length: 500 }, (_, n) => `acme/v1/logos/${n}.svg`)
  const { catalog, runSlices, slices } = withAssets(...paths)
  runSlices()
  const metadata = { tags: ['new'], expiresAt: at(9) }
  catalog.apply([publication({ assets: paths.map((path) => asset(path, { metadata })) })])
  runSlices(1)

  expect(slices).toHaveLength(0)
  const attributes = { tags: ['new'] }
  expect(catalog.list(query({ attributes })).totalItems).toBe(500)
  expect([...catalog.expiring('acme')]).toHaveLength(500)
  expect(catalog.zoneSummary('acme')).toMatchObject({ fileCount: 500, storageBytes: 5_000 })
})

test('a publication takes zones and assets away before it brings new ones', () => {
  const { catalog } = withAssets('acme/v1/logos/old.svg', 'acme-2/v1/logos/other.svg')

  catalog.apply([
    publication({
      removedZones: ['acme'],
      zones: [zone('acme')],
      removedAssets: ['acme/v1/logos/new.svg'],
      assets: [asset('acme/v1/logos/new.svg')],
    }),
  ])

  expect(catalog.zone('acme')).toBeDefined()
  expect(pathsOf(catalog.zoneFiles('acme'))).toEqual(['acme/v1/logos/new.svg'])
  expect(pathsOf(catalog.zoneFiles('acme-2'))).toEqual(['acme-2/v1/logos/other.svg'])
})

test('rule files are kept by name, and can go', () => {
  const { catalog } = setUpCatalog()
  catalog.apply([
    publication({ ruleFiles: [{ name: '_headers', content: '/*', changedAt: at(0) }] }),
  ])
  expect(catalog.ruleFile('_headers')).toBe('/*')

  catalog.apply([publication({ removedRuleFiles: ['_headers'] })])
  expect(catalog.ruleFile('_headers')).toBeUndefined()
})

test('the version differs after every change', async () => {
  const { catalog } = setUpCatalog()
  const versions = [catalog.version]
  catalog.apply([publication({ zones: [zone('acme')] })])
  versions.push(catalog.version)
  catalog.apply([publication({})])
  versions.push(catalog.version)
  await catalog.load({ assets: [], zones: [], ruleFiles: [] })
  versions.push(catalog.version)
  catalog.clear()
  versions.push(catalog.version)

  expect(new Set(versions).size).toBe(versions.length)
  expect(versions.every((version) => version.startsWith('run-'))).toBe(true)
})

test('a catalog that is loaded has what the store has, in whatever order it comes', async () => {
  const { catalog } = withAssets('gone/v1/logos/gone.svg')
  const assets = ['b/v1/x/2.svg', 'b/v1/x/1.svg', 'a/v1/y/3.png'].map((path) => asset(path))

  await catalog.load({
    assets,
    zones: [zone('a'), zone('b')],
    ruleFiles: [{ name: '_redirects', content: '/a /b', changedAt: at(0) }],
  })

  expect(pathsOf(catalog.list(query({ sort: 'path' })).items)).toEqual([
    'a/v1/y/3.png',
    'b/v1/x/1.svg',
    'b/v1/x/2.svg',
  ])
  expect(plainAsset(catalog.asset('a/v1/y/3.png'))).toEqual(assets[2] as AssetRecord)
  expect(catalog.asset('gone/v1/logos/gone.svg')).toBeUndefined()
  expect(pathsOf(catalog.list(query({ words: ['png'] })).items)).toEqual(['a/v1/y/3.png'])
  expect(catalog.zones().map(({ name }) => name)).toEqual(['a', 'b'])
  expect(catalog.ruleFile('_redirects')).toBe('/a /b')
})

test('a loaded catalog has all that is known of an asset', async () => {
  const { catalog } = setUpCatalog()
  const described = asset('acme/v1/a.svg', {
    metadata: { title: 'A', tags: ['leaf'], expiresAt: at(1) },
  })
  await catalog.load({ assets: [described], zones: [], ruleFiles: [] })

  expect(plainAsset(catalog.asset('acme/v1/a.svg'))).toEqual(described)
})

test('what a load leaves to whoever asks first is done in upkeep that is asked for', async () => {
  const { catalog, runSlices, slices } = setUpCatalog()
  const assets = Array.from({ length: 40_000 }, (_, n) => asset(`acme/v1/logos/${n}.svg`))
  const asked = query({ words: ['logos', '39977'] })
  await catalog.load({ assets, zones: [zone('acme')], ruleFiles: [] })
  expect(slices).toEqual([])
  expect(await isReadyAtOnce(catalog, asked)).toBe(false)

  await catalog.load({ assets, zones: [zone('acme')], ruleFiles: [] })
  catalog.keepUp()
  expect(catalog.isKeptUp).toBe(false)
  runSlices()
  expect(catalog.isKeptUp).toBe(true)
  expect(await isReadyAtOnce(catalog, asked)).toBe(true)
  expect(catalog.list(asked).totalItems).toBe(1)
})

/** Whether nobody else has a turn before it can be asked. */
async function isReadyAtOnce(catalog: Catalog, asked: AssetQuery): Promise<boolean> {
  let isAtOnce = true
  const turn = setImmediate(() => (isAtOnce = false))
  await catalog.ready(asked)
  clearImmediate(turn)
  return isAtOnce
}

test('a cleared catalog is empty', () => {
  const { catalog, runSlices } = withAssets('acme/v1/logos/a.svg')
  catalog.clear()
  runSlices()

  expect(catalog.list(query())).toEqual({ items: [], totalItems: 0, totalPages: 1, page: 1 })
  expect(catalog.directory('').directories).toEqual([])
})

test('totals are exact, and a page past the end is empty', () => {
  const { catalog } = withAssets('a/v1/x/1.svg', 'a/v1/x/2.svg', 'a/v1/x/3.svg')

  expect(catalog.list(query({ perPage: 2, page: 2 }))).toMatchObject({
    totalItems: 3,
    totalPages: 2,
    page: 2,
    items: [{ path: 'a/v1/x/3.svg' }],
  })
  expect(catalog.list(query({ perPage: 2, page: 3 }))).toEqual({
    totalItems: 3,
    totalPages: 2,
    page: 3,
    items: [],
  })
})

test('filters match exactly', () => {
  const { found } = withAssets(
    'aka/v1/logos/a.svg',
    'akande/v1/logo/a.svg',
    'akande/v1/logos/a.SVG',
  )

  expect(found({ project: 'aka' })).toEqual(['aka/v1/logos/a.svg'])
  expect(found({ project: 'AKA' })).toEqual([])
  expect(found({ category: 'logo' })).toEqual(['akande/v1/logo/a.svg'])
  expect(found({ format: 'sv' })).toEqual([])
  expect(found({ format: 'svg' })).toHaveLength(3)
})

test('every word must occur somewhere in name or path, in any case', () => {
  const { found } = withAssets('acme/v1/logos/Big-Sun.svg', 'acme/v1/icons/sun.svg')

  expect(found({ words: ['SUN'] })).toHaveLength(2)
  expect(found({ words: ['sun', 'LOGO'] })).toEqual(['acme/v1/logos/Big-Sun.svg'])
  expect(found({ words: ['sun', 'moon'] })).toEqual([])
  expect(found({ words: ['icons/SU'] })).toEqual(['acme/v1/icons/sun.svg'])
  expect(found({ words: ['acme/v1/icons/sun.svg'] })).toEqual(['acme/v1/icons/sun.svg'])
  expect(found({ words: ['icons/'] })).toEqual(['acme/v1/icons/sun.svg'])
  expect(found({ words: ['/'] })).toHaveLength(2)
})

test('words are found beyond ASCII whatever their case', () => {
  const { found } = withAssets('a/v1/x/ÉTÉ Straße.svg', 'a/v1/x/ΟΔΟΣ.svg', 'a/v1/x/😀.svg')

  expect(found({ words: ['été'] })).toEqual(['a/v1/x/ÉTÉ Straße.svg'])
  expect(found({ words: ['STRAßE'] })).toEqual(['a/v1/x/ÉTÉ Straße.svg'])
  expect(found({ words: ['οδος'] })).toEqual(['a/v1/x/ΟΔΟΣ.svg'])
  expect(found({ words: ['ΟΔΟΣ'] })).toEqual(['a/v1/x/ΟΔΟΣ.svg'])
  expect(found({ words: ['😀'] })).toEqual(['a/v1/x/😀.svg'])
  expect(found({ words: ['\ud83d'] })).toEqual([])
  expect(found({ words: ['\0'] })).toEqual([])
})

test('a decomposed word finds a composed name', () => {
  const { found } = withAssets('a/v1/x/café.svg')
  expect(found({ words: ['cafe\u0301'] })).toEqual(['a/v1/x/café.svg'])
})

test('more words than a mask has bits are all looked for', async () => {
  const { catalog } = setUpCatalog()
  const letters = 'abcdefghijklmnopqrstuvwxyz0123456789'.split('')
  const paths = Array.from({ length: 300 }, (_, n) => `zone/v1/x/${letters.join('')}${n}.gif`)
  const assets = [...paths, 'zone/v1/x/abc.gif'].map((path) => asset(path))
  await catalog.load({ assets, zones: [], ruleFiles: [] })

  expect(catalog.list(query({ words: letters })).totalItems).toBe(300)
  expect(catalog.list(query({ words: [...letters, 'ä'] })).totalItems).toBe(0)
})

test('a caller sees the zones it may see and no other', () => {
  const { found } = withAssets('a/v1/x/1.svg', 'b/v1/x/1.svg')

  expect(found({ zones: new Set(['a']) })).toEqual(['a/v1/x/1.svg'])
  expect(found({ zones: new Set(['a']), project: 'b' })).toEqual([])
  expect(found({ zones: new Set() })).toEqual([])
})

test('a response that was kept is not given after a change', () => {
  const { catalog, found } = withAssets('a/v1/icons/1.svg')
  const icons = { category: 'icons' }
  expect(found(icons)).toEqual(['a/v1/icons/1.svg'])

  catalog.apply([publication({ assets: [asset('a/v1/icons/2.svg')] })])
  expect(found(icons)).toEqual(['a/v1/icons/1.svg', 'a/v1/icons/2.svg'])

  catalog.apply([publication({ removedAssets: ['a/v1/icons/1.svg'] })])
  expect(found(icons)).toEqual(['a/v1/icons/2.svg'])
})

test('ties are in path order, whichever way the order goes', () => {
  const { catalog } = setUpCatalog()
  catalog.apply([
    publication({
      assets: [
        asset('b/v1/x/1.svg', { sizeBytes: 1 }),
        asset('a/v1/x/1.svg', { sizeBytes: 1 }),
        asset('a/v1/x/2.svg', { sizeBytes: 2 }),
      ],
    }),
  ])

  const sorted = (order: 'asc' | 'desc') =>
    pathsOf(catalog.list(query({ sort: 'size', order })).items)
  expect(sorted('asc')).toEqual(['a/v1/x/1.svg', 'b/v1/x/1.svg', 'a/v1/x/2.svg'])
  expect(sorted('desc')).toEqual(['a/v1/x/2.svg', 'a/v1/x/1.svg', 'b/v1/x/1.svg'])
})

test('a directory lists its sub-directories, then its files, by name', () => {
  const { catalog } = withAssets(
    'acme/v1/readme.txt',
    'acme/v1/logos/a.svg',
    'acme/v1/logos/deep/er/b.svg',
    'acme/v1/logos/deep.svg',
    'acme/v1/logos-2/c.svg',
  )

  expect(catalog.directory('acme/v1').directories.map(({ name }) => name)).toEqual([
    'logos',
    'logos-2',
  ])
  expect(pathsOf(catalog.directory('acme/v1').files)).toEqual(['acme/v1/readme.txt'])
  expect(catalog.directory('acme/v1/logos').directories.map(({ name }) => name)).toEqual(['deep'])
  expect(pathsOf(catalog.directory('acme/v1/logos').files)).toEqual([
    'acme/v1/logos/a.svg',
    'acme/v1/logos/deep.svg',
  ])
  expect(catalog.directory('acme/v1/logos/deep').files).toEqual([])
  expect(catalog.directory('acme/v2')).toEqual({ directories: [], files: [] })
})

test('a zone without files has its standard directories, as long as it exists', () => {
  const { catalog } = setUpCatalog()
  catalog.apply([publication({ zones: [zone('acme', { createdAt: at(3) })] })])
  const made = (name: string) => ({ name, createdAt: at(3), changedAt: at(3) })

  expect(catalog.directory('').directories).toEqual([made('acme')])
  expect(catalog.directory('acme').directories).toEqual([made('v1')])
  expect(catalog.directory('acme/v1').directories).toEqual(standardDirectories.map(made))
  expect(catalog.directory('acme/v1/icons')).toEqual({ directories: [], files: [] })

  catalog.apply([publication({ removedZones: ['acme'] })])
  expect(catalog.directory('').directories).toEqual([])
  expect(catalog.directory('acme').directories).toEqual([])
})

test('a directory is as old as its oldest file and as new as its newest, also after these are gone', () => {
  const { catalog } = setUpCatalog()
  const put = (path: string, createdDay: number, changedDay: number) =>
    catalog.apply([
      publication({
        assets: [asset(path, { createdAt: at(createdDay), changedAt: at(changedDay) })],
      }),
    ])
  put('acme/v1/x/a.svg', 1, 9)
  put('acme/v1/x/deep/b.svg', 2, 4)
  put('acme/v1/x/deep/c.svg', 3, 5)
  const dates = () => catalog.directory('acme/v1').directories

  expect(dates()).toEqual([{ name: 'x', createdAt: at(1), changedAt: at(9) }])
  catalog.apply([publication({ removedAssets: ['acme/v1/x/a.svg'] })])
  expect(dates()).toEqual([{ name: 'x', createdAt: at(2), changedAt: at(5) }])
  put('acme/v1/x/deep/c.svg', 3, 6)
  expect(dates()).toEqual([{ name: 'x', createdAt: at(2), changedAt: at(6) }])
})

test('a zone summary counts files and bytes and names what there is', () => {
  const { catalog } = setUpCatalog()
  const assets = [
    asset('acme/v1/logos/a.svg', { sizeBytes: 5 }),
    asset('acme/v1/icons/a.png', { sizeBytes: 7 }),
    asset('acme/v1/a.png', { sizeBytes: 1 }),
  ]
  catalog.apply([publication({ zones: [zone('acme')], assets })])
  expect(catalog.zoneSummary('acme')).toEqual({
    fileCount: 3,
    storageBytes: 13,
    categories: ['general', 'icons', 'logos'],
    formats: ['png', 'svg'],
    kinds: [
      { category: 'logos', format: 'svg', fileCount: 1, storageBytes: 5 },
      { category: 'icons', format: 'png', fileCount: 1, storageBytes: 7 },
      { category: 'general', format: 'png', fileCount: 1, storageBytes: 1 },
    ],
  })
  expect(catalog.zoneSummary('acme')).toBe(catalog.zoneSummary('acme'))

  catalog.apply([publication({ removedAssets: ['acme/v1/logos/a.svg', 'acme/v1/none.svg'] })])
  expect(catalog.zoneSummary('acme')).toMatchObject({
    fileCount: 2,
    formats: ['png'],
    kinds: [{ category: 'icons' }, { category: 'general' }],
  })
  catalog.apply([publication({ removedZones: ['acme'] })])
  expect(catalog.zoneSummary('acme').fileCount).toBe(0)
})

test('siblings are stored assets of the same directory and stem', () => {
  const { catalog } = withAssets(
    'a/v1/x/logo.svg',
    'a/v1/x/logo.PNG',
    'a/v1/x/logo.min.svg',
    'a/v1/x/logo-2.webp',
    'a/v1/x/logo',
    'a/v1/x/deep/logo.webp',
    'a/v1/x/.hidden.svg',
    'a/v1/x/.hidden',
  )

  expect(pathsOf(catalog.siblings('a/v1/x/logo.svg'))).toEqual(['a/v1/x/logo.PNG'])
  expect(pathsOf(catalog.withStem('a/v1/x/logo'))).toEqual(['a/v1/x/logo.PNG', 'a/v1/x/logo.svg'])
  expect(pathsOf(catalog.siblings('a/v1/x/.hidden.svg'))).toEqual([])
  expect(pathsOf(catalog.withStem('a/v1/x/.hidden'))).toEqual(['a/v1/x/.hidden.svg'])
  expect(catalog.withStem('a/v1/x/none')).toEqual([])
})

test('names that come and go leave nothing behind', () => {
  const { catalog, runSlices } = setUpCatalog()
  catalog.apply([publication({ assets: [asset('stays/v1/x/stays.svg')] })])
  for (let round = 0; round < 4; round += 1) {
    const paths = Array.from({ length: 2_500 }, (_, n) => `acme/v1/x/${n}-of-${round}.svg`)
    catalog.apply([publication({ assets: paths.map((path) => asset(path)) })])
    runSlices(round * 7)
    expect(catalog.list(query({ words: [`of-${round}`] })).totalItems).toBe(paths.length)
    catalog.apply([publication({ removedAssets: paths })])
    // The first removals are under way when names of the next round come.
    runSlices(round * 20)
  }
  runSlices()

  expect(catalog.list(query({ words: ['of-'] })).totalItems).toBe(0)
  catalog.apply([publication({ assets: [asset('acme/v1/x/7-of-0.svg')] })])
  expect(pathsOf(catalog.list(query({ words: ['of-0'] })).items)).toEqual(['acme/v1/x/7-of-0.svg'])
  expect(catalog.list(query({ words: ['stay'] })).totalItems).toBe(1)
})

test('lists by what images look like follow what is found, and those by other things stay', () => {
  const { catalog } = setUpCatalog()
  const widths = new Map<string, number>()
  catalog.knowColours({
    get version() {
      return widths.size
    },
    namesOf: (sha256) => (widths.has(sha256) ? ['red'] : []),
    isHdr: (sha256) => widths.has(sha256),
    sizeOf(sha256) {
      const width = widths.get(sha256)
      return width === undefined ? undefined : { width, height: 1 }
    },
  })
  const assets = ['1', '2', '3'].map((sha256) => asset(`acme/v1/x/${sha256}.png`, { sha256 }))
  catalog.apply([publication({ assets })])
  /** Before anything is found, and after each find. */
  function listsOf(wanted: Partial<AssetQuery>): readonly string[] {
    const names = () =>
      catalog
        .list(query({ project: 'acme', ...wanted }))
        .items.map(({ sha256 }) => sha256)
        .join('')
    widths.clear()
    const lists = [names()]
    for (const [sha256, width] of [
      ['3', 5],
      ['2', 9],
    ] as const) {
      widths.set(sha256, width)
      lists.push(names())
    }
    return lists
  }

  expect(listsOf({})).toEqual(['123', '123', '123'])
  expect(listsOf({ attributes: { colour: ['red'] } })).toEqual(['', '3', '23'])
  expect(listsOf({ attributes: { hdr: true } })).toEqual(['', '3', '23'])
  expect(listsOf({ sort: 'dimensions', order: 'desc' }).map((list) => list[0])).toEqual([
    '1',
    '3',
    '2',
  ])
})

function hasFieldNaively(
  metadata: AssetMetadata | undefined,
  field: NonNullable<AssetQuery['attributes']>['field'],
): boolean {
  if (field === undefined) return true
  const values = [metadata?.custom?.[field.name] ?? []].flat()
  return values.some((value) => typeof value !== 'object' && String(value) === field.value)
}

function passesNaively(
  { metadata, createdAt }: AssetRecord,
  { tags = [], created, missing = [], field }: AssetQuery['attributes'] = {},
): boolean {
  return (
    tags.every((tag) => metadata?.tags?.includes(tag)) &&
    (created?.from ?? createdAt) <= createdAt &&
    missing.every((member) => metadata?.[member] === undefined) &&
    hasFieldNaively(metadata, field)
  )
}

function isInPlaceNaively({ path, zone: name }: AssetRecord, asked: AssetQuery): boolean {
  const { directory, isDirectly, zones } = asked
  if (zones?.has(name) === false) return false
  if (directory === undefined) return true
  const rest = path.startsWith(`${directory}/`) ? path.slice(directory.length + 1) : undefined
  return rest !== undefined && (isDirectly !== true || !rest.includes('/'))
}

/** Images by the bytes that tests give them. */
const sizes = {
  version: 1,
  namesOf: () => [],
  isHdr: () => false,
  sizeOf: (sha256: string) =>
    /^[1-9]$/u.test(sha256) ? { width: Number(sha256), height: 2 } : undefined,
}

/** The same questions, answered by looking at everything. */
class NaiveCatalog {
  readonly assetByPath = new Map<string, AssetRecord>()

  apply({ removedZones = [], removedAssets = [], assets = [] }: Publication) {
    for (const name of removedZones)
      for (const { path } of [...this.assetByPath.values()].filter((found) => found.zone === name))
        this.assetByPath.delete(path)
    for (const path of removedAssets) this.assetByPath.delete(path)
    for (const added of assets) this.assetByPath.set(added.path, added)
  }

  list(asked: AssetQuery) {
    const { project, category, format, words = [], sort, order, page, perPage } = asked
    const key = {
      name: (found: AssetRecord) => found.name,
      path: (found: AssetRecord) => found.path,
      size: (found: AssetRecord) => found.sizeBytes,
      project: (found: AssetRecord) => found.zone,
      category: (found: AssetRecord) => found.category,
      format: (found: AssetRecord) => found.format,
      date: (found: AssetRecord) => found.changedAt.getTime(),
      created: (found: AssetRecord) => found.createdAt.getTime(),
      title: (found: AssetRecord) => foldCase(found.metadata?.title ?? found.name),
      dimensions: ({ sha256 }: AssetRecord) => (sizes.sizeOf(sha256)?.width ?? 0) * 2,
    }[sort]
    const sign = order === 'asc' ? 1 : -1
    const all = [...this.assetByPath.values()]
      .filter((found) => passesNaively(found, asked.attributes))
      .filter(
        (found) =>
          (project ?? found.zone) === found.zone &&
          (category ?? found.category) === found.category &&
          (format ?? found.format) === found.format &&
          isInPlaceNaively(found, asked) &&
          words.every((word) => foldCase(found.path).includes(foldCase(word))),
      )
      .sort((a, b) => {
        const [left, right] = [key(a), key(b)]
        if (left !== right) return left < right ? -sign : sign
        return a.path < b.path ? -1 : 1
      })
    return {
      items: all.slice((page - 1) * perPage, page * perPage),
      totalItems: all.length,
      totalPages: Math.max(1, Math.ceil(all.length / perPage)),
      page,
    }
  }

  sums(path: string) {
    const prefix = path === '' ? '' : `${path}/`
    const below = [...this.assetByPath.values()].filter((found) => found.path.startsWith(prefix))
    const { directories, files } = this.directory(path)
    return {
      fileCount: below.length,
      sizeBytes: below.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
      ownFileCount: files.length,
      directoryCount: directories.length,
    }
  }

  directory(path: string) {
    const prefix = path === '' ? '' : `${path}/`
    const below = [...this.assetByPath.values()].filter((found) => found.path.startsWith(prefix))
    const rest = below.map((found) => found.path.slice(prefix.length))
    const names = rest.flatMap((text) => (text.includes('/') ? [text.split('/')[0] as string] : []))
    return {
      directories: [...new Set(names)]
        .sort((a, b) => (a < b ? -1 : 1))
        .map((name) => {
          const inside = below.filter((found) => found.path.startsWith(`${prefix}${name}/`))
          return {
            name,
            createdAt: new Date(Math.min(...inside.map((found) => found.createdAt.getTime()))),
            changedAt: new Date(Math.max(...inside.map((found) => found.changedAt.getTime()))),
          }
        }),
      files: below
        .filter((found) => !found.path.slice(prefix.length).includes('/'))
        .sort((a, b) => (a.path < b.path ? -1 : 1)),
    }
  }
}

const zoneNames = ['aa', 'aa-b', 'ab', 'zz']
const segments = ['icons', 'Icon', 'ico', 'é', 'x-y', 'i']
const stems = ['icon', 'Icon-1', 'on', 'ÉCOLE', 'σίσυφος', 'a b', '😀x', 'i', '.dot', 'n.n']
const anyPath = fc
  .tuple(
    fc.constantFrom(...zoneNames),
    fc.array(fc.constantFrom(...segments), { maxLength: 2 }),
    fc.constantFrom(...stems),
    fc.constantFrom('.svg', '.png', '.PNG', ''),
  )
  .map(([name, below, stem, end]) => [name, 'v1', ...below, `${stem}${end}`].join('/'))
const anyAsset = fc
  .tuple(anyPath, fc.nat({ max: 3 }), fc.nat({ max: 3 }), fc.nat({ max: 3 }), anyMetadata())
  .map(([path, sizeBytes, created, changed, metadata]) =>
    asset(path, {
      sizeBytes,
      sha256: String(sizeBytes),
      createdAt: at(created),
      changedAt: at(changed),
      ...(metadata && { metadata }),
    }),
  )

function anyMetadata(): fc.Arbitrary<AssetMetadata | undefined> {
  const title = fc.constantFrom('Icon', 'école', 'Zebra')
  const tags = fc.subarray(['a', 'b', 'c'], { minLength: 1 })
  const custom = fc.record({ season: fc.constantFrom('x', 1, ['x', 2], { x: 1 }) })
  return fc.option(fc.record({ title, tags, custom }, { requiredKeys: [] }), { nil: undefined })
}

const rarely = <T>(value: fc.Arbitrary<T>) => fc.option(value, { freq: 3, nil: undefined })
const anyQuery: fc.Arbitrary<AssetQuery> = fc.record({
  project: rarely(fc.constantFrom(...zoneNames)),
  category: rarely(fc.constantFrom(...segments, 'general')),
  format: rarely(fc.constantFrom('svg', 'png', '')),
  words: rarely(
    fc.array(
      fc.oneof(
        fc.constantFrom(
          'i',
          'ic',
          'ICO',
          'icon',
          'icon-1',
          '/',
          's/i',
          'v1/icons/',
          '/icon.s',
          'É',
        ),
        anyPath.chain((path) =>
          fc
            .tuple(fc.nat({ max: path.length }), fc.nat({ max: path.length }))
            .map(([a, b]) => path.slice(Math.min(a, b), Math.max(a, b)))
            .filter((word) => word.isWellFormed()),
        ),
      ),
      { maxLength: 3 },
    ),
  ),
  zones: rarely(fc.subarray(zoneNames).map((names) => new Set(names))),
  attributes: rarely(
    fc.record(
      {
        tags: fc.subarray(['a', 'b', 'c']),
        created: fc.record({ from: fc.constantFrom(at(0), at(2)) }),
        field: fc.constantFrom({ name: 'season', value: 'x' }, { name: 'season', value: '1' }),
        missing: fc.subarray(['title', 'tags'] as const),
      },
      { requiredKeys: [] },
    ),
  ),
  directory: rarely(anyPath.map((path) => path.slice(0, path.lastIndexOf('/')))),
  isDirectly: fc.boolean(),
  sort: fc.constantFrom(...listSortKeys),
  order: fc.constantFrom(...sortDirections),
  page: fc.integer({ min: 1, max: 4 }),
  perPage: fc.constantFrom(1, 3, 50),
})
type Step =
  | { readonly kind: 'apply'; readonly change: Publication }
  | { readonly kind: 'ask'; readonly asked: AssetQuery; readonly isPrepared: boolean }
  | { readonly kind: 'look'; readonly path: string }
  | { readonly kind: 'upkeep'; readonly slices: number }
const anyStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .record({
        removedZones: fc.subarray(zoneNames, { maxLength: 1 }),
        removedAssets: fc.array(anyPath, { maxLength: 20 }),
        assets: fc.array(anyAsset, { maxLength: 30 }),
      })
      .map((change) => ({ kind: 'apply' as const, change: publication(change) })),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('ask' as const),
      asked: anyQuery,
      isPrepared: fc.boolean(),
    }),
  },
  {
    weight: 1,
    arbitrary: anyPath.map((path) => ({
      kind: 'look' as const,
      path: path.slice(0, path.lastIndexOf('/')),
    })),
  },
  {
    weight: 2,
    arbitrary: fc.nat({ max: 30 }).map((slices) => ({ kind: 'upkeep' as const, slices })),
  },
)

for (const size of ['few', 'many'] as const)
  test(`${size} assets: whatever is applied, asked and kept up in whatever order, answers are those of looking at everything`, async () => {
    const seed = Date.now()
    console.log(`seed ${seed}`)
    await fc.assert(
      fc.asyncProperty(
        fc.array(anyAsset, { maxLength: 20 }),
        fc.array(anyStep, { maxLength: 25 }),
        async (first, steps) => {
          const { catalog, runSlices } = setUpCatalog()
          catalog.knowColours(sizes)
          const naive = new NaiveCatalog()
          // Zones with so many assets are not searched one asset after another.
          const bulk = size === 'few' ? [] : zoneNames.flatMap(manyIn)
          naive.apply(publication({ assets: [...first, ...bulk] }))
          await catalog.load({ assets: naive.assetByPath.values(), zones: [], ruleFiles: [] })
          let lastAsked = query({ category: 'icons' })
          for (const step of steps)
            if (step.kind === 'upkeep') runSlices(step.slices)
            else if (step.kind === 'apply') {
              catalog.apply([step.change])
              naive.apply(step.change)
              expect(listed(catalog, lastAsked)).toEqual(naive.list(lastAsked))
            } else if (step.kind === 'look') {
              expect(directoryIn(catalog, step.path)).toEqual(naive.directory(step.path))
              expect(catalog.folder(step.path)).toMatchObject(naive.sums(step.path))
            } else {
              lastAsked = step.asked
              if (step.isPrepared) await catalog.ready(lastAsked)
              expect(listed(catalog, lastAsked)).toEqual(naive.list(lastAsked))
            }
          expect(directoryIn(catalog, '')).toEqual(naive.directory(''))
          expect(catalog.folder('')).toMatchObject(naive.sums(''))
        },
      ),
      { seed, numRuns: size === 'few' ? 300 : 60 },
    )
  })

const manyIn = (name: string) =>
  Array.from({ length: 200 }, (_, n) =>
    asset(`${name}/v1/${segments[n % segments.length]}/Icon-${n}.svg`, { sizeBytes: n % 7 }),
  )

test('a search text is split at white space of any kind', () => {
  expect(wordsOf('  big\tsun\u3000icon ')).toEqual(['big', 'sun', 'icon'])
  expect(wordsOf(' ')).toEqual([])
})

test('what has been loaded is found by words at once, and whoever waits until it is ready gives others turns', async () => {
  const { catalog } = setUpCatalog()
  const paths = Array.from({ length: 40_000 }, (_, index) => `acme/v1/icons/icon-${index}.svg`)
  const contents = {
    zones: [zone('acme')],
    ruleFiles: [],
    assets: paths.map((path) => asset(path)),
  }
  const asked = query({ words: ['icon-399'], perPage: 1 })
  await catalog.load(contents)
  expect(catalog.list(asked).totalItems).toBe(111)

  await catalog.load(contents)
  let turns = 0
  const other = setInterval(() => (turns += 1), 0)
  await catalog.ready(asked)
  clearInterval(other)
  expect(turns).toBeGreaterThan(0)
  expect(catalog.list(asked).totalItems).toBe(111)
})

test('whoever waits until an order is ready gives others turns, and finds in it what was applied', async () => {
  const { catalog } = setUpCatalog()
  const paths = Array.from({ length: 3_000 }, (_, index) => `acme/v1/icons/${index % 7}/${index}`)
  catalog.apply([publication({ zones: [zone('acme')], assets: paths.map((path) => asset(path)) })])
  let turns = 0
  const other = setInterval(() => (turns += 1), 0)
  await catalog.ready({ sort: 'path', order: 'asc' })
  const found = catalog.list(query({ sort: 'path', perPage: 3_000 })).items.map(({ path }) => path)
  clearInterval(other)

  expect(found).toEqual(paths.toSorted())
  expect(turns).toBeGreaterThan(0)
})
