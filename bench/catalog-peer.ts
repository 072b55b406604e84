import { Database, type SQLQueryBindings } from 'bun:sqlite'

import { foldCase } from '../src/domain/catalog/columns/word-marks.ts'
import type { AssetQuery } from '../src/domain/catalog/listing.ts'
import type { SortKey } from '../src/domain/catalog/order/sort-orders.ts'
import type { AssetRecord } from '../src/ports/records/asset.ts'

const columnBySort = {
  name: 'name',
  path: 'path',
  size: 'size',
  project: 'zone',
  category: 'category',
  format: 'format',
  date: 'changed',
  created: 'created',
  title: 'title',
} as const satisfies Record<SortKey, string>

/**
 * The same catalogue in SQLite, in memory, with an index for every order and FTS5's trigrams for words
 * (which speed up `LIKE` from three characters on).
 */
export function createPeer(assets: readonly AssetRecord[]) {
  const database = new Database(':memory:')
  database.run(
    'CREATE TABLE assets (id INTEGER PRIMARY KEY, path, name, zone, category, format, size, changed, created, title)',
  )
  database.run('CREATE UNIQUE INDEX by_path ON assets (path)')
  for (const column of Object.values(columnBySort).filter((name) => name !== 'path')) {
    database.run(`CREATE INDEX by_${column} ON assets (${column}, path)`)
    database.run(`CREATE INDEX by_${column}_down ON assets (${column} DESC, path)`)
  }
  database.run(
    "CREATE VIRTUAL TABLE words USING fts5(path, tokenize='trigram', detail='none', content='assets', content_rowid='id')",
  )
  const insert = database.prepare('INSERT INTO assets VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)')
  database.transaction(() => {
    for (const [id, asset] of assets.entries()) {
      const { path, name, zone, category, format, sizeBytes, changedAt, createdAt } = asset
      const times = [changedAt.getTime(), createdAt.getTime()]
      const title = foldCase(asset.metadata?.title ?? name)
      insert.run(id, path, name, zone, category, format, sizeBytes, ...times, title)
    }
  })()
  database.run("INSERT INTO words (words) VALUES ('rebuild')")
  database.run('ANALYZE')

  return {
    list(query: AssetQuery) {
      const { where, values } = conditionsOf(query)
      const column = columnBySort[query.sort as SortKey]
      const count = database.query<{ total: number }, SQLQueryBindings[]>(
        `SELECT count(*) AS total FROM assets ${where}`,
      )
      const page = database.query<{ path: string }, SQLQueryBindings[]>(
        `SELECT path, name, zone, category, format, size FROM assets ${where}
         ORDER BY ${column} ${query.order}, path LIMIT ${query.perPage} OFFSET ?`,
      )
      return {
        totalItems: count.get(...values)?.total ?? 0,
        items: page.all(...values, (query.page - 1) * query.perPage),
      }
    },
  }
}

function conditionsOf({ project, category, format, words = [] }: AssetQuery) {
  const conditions: string[] = []
  const values: SQLQueryBindings[] = []
  for (const [column, value] of Object.entries({ zone: project, category, format }))
    if (value !== undefined) {
      conditions.push(`${column} = ?`)
      values.push(value)
    }
  for (const word of words) {
    const isIndexed = word.length >= 3
    conditions.push(isIndexed ? 'id IN (SELECT rowid FROM words WHERE path LIKE ?)' : 'path LIKE ?')
    values.push(`%${word}%`)
  }
  return { where: conditions.length > 0 ? `WHERE ${conditions.join(' AND ')}` : '', values }
}
