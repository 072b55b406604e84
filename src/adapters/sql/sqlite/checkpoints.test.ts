import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { until } from '../../../../test/support/until.ts'
import { openCheckpoints } from './checkpoints.ts'

/** Of 4 KiB: more than a log that is left to grow has. */
const pages = 9_000

async function openLongLog() {
  const directory = await mkdtemp(join(tmpdir(), 'sedge-checkpoints-'))
  const file = join(directory, 'long.db')
  const database = new Database(file)
  database.run('pragma journal_mode = wal')
  database.run('pragma wal_autocheckpoint = 0')
  database.run('create table pieces (bytes blob)')
  database.transaction(() => {
    const insert = database.query('insert into pieces values (zeroblob(4000))')
    for (let count = 0; count < pages; count += 1) insert.run()
  })()
  const checkpoints = openCheckpoints(database, { file, changesBetween: 1 })
  const probe = new Database(file)
  return {
    database,
    checkpoints,
    /** How many pages the log has, and how many of them the database has too. */
    state: () => (probe.query('pragma wal_checkpoint(noop)').values()[0] ?? []).map(Number),
    async [Symbol.asyncDispose]() {
      await checkpoints[Symbol.asyncDispose]()
      probe.close()
      database.close()
      await rm(directory, { recursive: true })
    },
  }
}

test('the end of a long log is copied after a transaction that was open when it was due', async () => {
  await using opened = await openLongLog()
  const { database, checkpoints } = opened
  database.run('begin immediate')
  database.run('insert into pieces values (1)')
  checkpoints.afterCommit()
  await until(() => (opened.state()[2] ?? 0) >= pages)
  // What the thread has said is taken up meanwhile.
  for (let turn = 0; turn < 50; turn += 1) await Bun.sleep(1)
  database.run('commit')
  checkpoints.afterCommit()
  database.run('insert into pieces values (2)')

  expect(opened.state()[1]).toBeLessThan(pages)
})
