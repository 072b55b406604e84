import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { copyFile, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { openSqliteDatabase } from '../../src/adapters/sql/sqlite/sqlite-database.ts'
import { killsOf } from '../support/kills.ts'
import { createRandom, seedOf } from '../support/random.ts'
import { temporaryDirectory } from '../support/service-process.ts'

const cycles = killsOf(6)
const former = '003-traffic'
const program = new URL('../fixtures/migrate-until-killed.ts', import.meta.url).pathname

test(
  `${cycles} kills while a database is brought to its newest form leave the one form or the other`,
  async () => {
    const random = createRandom(seedOf('migration kills'))
    await using directory = await temporaryDirectory()
    const [old, whole, file] = ['old', 'whole', 'file'].map((name) => join(directory.path, name))
    if (old === undefined || whole === undefined || file === undefined) throw new Error('no place')
    await close(await openSqliteDatabase({ file: old, upTo: former }))
    await close(await openSqliteDatabase({ file: whole }))
    const [oldForm, newForm] = [formOf(old), formOf(whole)]
    expect(oldForm).not.toEqual(newForm)

    let untouched = 0
    for (let cycle = 0; cycle < cycles; cycle += 1) {
      for (const suffix of ['', '-wal', '-shm']) await rm(file + suffix, { force: true })
      await copyFile(old, file)
      await killWithin(file, random.integer(0, 500))
      const found = formOf(file)
      expect([oldForm, newForm]).toContainEqual(found)
      if (Bun.deepEquals(found, oldForm)) untouched += 1
      await close(await openSqliteDatabase({ file }))
      expect(formOf(file)).toEqual(newForm)
    }
    console.log(`${cycles} kills of migrations, ${untouched} before they were done, none lost`)
  },
  cycles * 20_000 + 60_000,
)

const close = (database: AsyncDisposable) => database[Symbol.asyncDispose]()

async function killWithin(file: string, ms: number): Promise<void> {
  const child = Bun.spawn([process.execPath, program, file], { stdout: 'pipe', stderr: 'inherit' })
  const output = child.stdout.getReader()
  await output.read()
  await Bun.sleep(ms)
  child.kill('SIGKILL')
  await child.exited
}

/** All tables and indexes, and which steps they are of. */
function formOf(file: string) {
  using database = new Database(file)
  const all = (query: string) => database.query<Record<string, unknown>, []>(query).all()
  return {
    tables: all('select name, sql from sqlite_master order by name'),
    steps: all('select name from migrations order by name'),
  }
}
