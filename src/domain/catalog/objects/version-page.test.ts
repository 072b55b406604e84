import { expect, test } from 'bun:test'

import fc from 'fast-check'

import { MemoryDatabase } from '../../../adapters/memory/content/memory-database.ts'
import { MemoryObjectVersions } from '../../../adapters/memory/content/memory-object-versions.ts'
import { compareByBytes } from '../../../lib/text/byte-order.ts'
import { type ListedVersion, listVersionPage } from './version-page.ts'

const unit = fc.constantFrom('a', 'b', '/', '-', 'ﬁ', '😀')
const text = fc.array(unit, { maxLength: 4 }).map((units) => units.join(''))
const keys = fc.array(
  text.filter((key) => key !== ''),
  { maxLength: 60 },
)

function storeOf(all: readonly string[]) {
  const database = new MemoryDatabase()
  const versionAt = (path: string, number: number) => ({
    path,
    commitId: `c${number}`,
    committedAt: new Date(number),
    content: undefined,
  })
  database.versions = all.map((key, number) => versionAt(`acme/v1/${key}`, number))
  database.versions.push(
    versionAt('acme/v10', 0),
    versionAt('acme/v0/a', 0),
    versionAt('b/v1/a', 0),
  )
  return new MemoryObjectVersions(database)
}

const textOf = (entry: ListedVersion): string =>
  entry.kind === 'prefix'
    ? `${entry.prefix} …`
    : `${entry.key} ${entry.version.commitId}${entry.isLatest ? ' latest' : ''}`

/** All that S3 would list on one page without end. */
function naive(all: readonly string[], prefix: string, delimiter: string | undefined) {
  const versions = all
    .map((key, number) => ({ key, number }))
    .filter(({ key }) => key.startsWith(prefix))
    .toSorted((one, other) => compareByBytes(one.key, other.key) || other.number - one.number)
  const entries = versions.map(({ key, number }) => {
    const end = delimiter === undefined ? -1 : key.indexOf(delimiter, prefix.length)
    if (end !== -1) return `${key.slice(0, end + (delimiter ?? '').length)} …`
    return `${key} c${number}${number === all.lastIndexOf(key) ? ' latest' : ''}`
  })
  return [...new Set(entries)]
}

test('pages of versions, put together, are all of them, and say which is the latest', async () => {
  await fc.assert(
    fc.asyncProperty(
      keys,
      fc.record({
        prefix: text,
        delimiter: fc.constantFrom(undefined, '/', 'a', 'b/'),
        limit: fc.integer({ min: 1, max: 5 }),
      }),
      async (all, asked) => {
        const store = storeOf(all)
        const query = { zone: 'acme', ...asked }
        const found: string[] = []
        let [after, afterCommitId]: [string, string | undefined] = ['', undefined]
        for (;;) {
          const page = await listVersionPage({ ...query, after, afterCommitId }, store)
          found.push(...page.entries.map(textOf))
          const last = page.entries.at(-1)
          if (!page.isTruncated || last === undefined) break
          expect(page.entries).toHaveLength(asked.limit)
          ;[after, afterCommitId] =
            last.kind === 'prefix' ? [last.prefix, undefined] : [last.key, last.version.commitId]
        }
        expect(found).toEqual(naive(all, asked.prefix, asked.delimiter))
      },
    ),
    { numRuns: 300 },
  )
})
