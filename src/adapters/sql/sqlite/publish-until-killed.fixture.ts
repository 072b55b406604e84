import { assetAt, entry } from '../../../ports/content/publication-store.contract.ts'
import { SqlPublicationStore } from '../content/sql-publication-store.ts'
import { openSqliteDatabase } from './sqlite-database.ts'

/**
 * Publishes to the database file named by its argument until somebody kills it, and says which commits
 * were acknowledged: one line each, `<seq> <commit>`.
 */
const database = await openSqliteDatabase({
  file: process.argv[2] ?? '',
  changesBetween: 20,
})
const store = new SqlPublicationStore(database)
for (let round = 0; ; round += 1) {
  const publications = Array.from({ length: 1 + (round % 3) }, () => {
    const commitId = crypto.randomUUID()
    return {
      commitId,
      assets: [assetAt(`acme/v1/${commitId}`, { commitId })],
      feed: [{ ...entry(`acme/v1/${commitId}`), commitId }],
    }
  })
  const entries = await store.publish(publications)
  process.stdout.write(entries.map(({ seq, commitId }) => `${seq} ${commitId}\n`).join(''))
}
