import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'bun:test'
import { DataDirectoryLockedError, lockDataDirectory } from './data-directory-lock.ts'

const scratch = { directory: '' }
beforeEach(async () => {
  scratch.directory = await mkdtemp(join(tmpdir(), 'sedge-lock-'))
})
afterEach(() => rm(scratch.directory, { recursive: true, force: true }))

/** Another process that holds the lock until it is killed. */
async function startHolder() {
  const module = new URL('data-directory-lock.ts', import.meta.url).href
  const script = `import { lockDataDirectory } from ${JSON.stringify(module)}
    const lock = await lockDataDirectory(process.argv.at(-1))
    console.log('locked')
    setInterval(() => lock, 1e6)`
  const holder = Bun.spawn([process.execPath, '-e', script, scratch.directory], { stdout: 'pipe' })
  const { value } = await holder.stdout.getReader().read()
  expect(new TextDecoder().decode(value)).toBe('locked\n')
  return holder
}

test('a second process is refused, and told the first one’s id', async () => {
  const holder = await startHolder()
  const refused = lockDataDirectory(scratch.directory)
  expect(refused).rejects.toThrow(DataDirectoryLockedError)
  expect(refused).rejects.toThrow(`is in use by process ${holder.pid};`)
  holder.kill('SIGKILL')
  await holder.exited
})

test('after kill -9 of the holder the next one gets the lock at once', async () => {
  for (let round = 0; round < 3; round += 1) {
    const holder = await startHolder()
    holder.kill('SIGKILL')
    await holder.exited
    await using _lock = await lockDataDirectory(scratch.directory)
  }
})

test('within one process too there is one holder at a time', async () => {
  {
    await using _lock = await lockDataDirectory(scratch.directory)
    expect(lockDataDirectory(scratch.directory)).rejects.toThrow(`process ${process.pid}`)
  }
  await using _again = await lockDataDirectory(scratch.directory)
})

test('a directory that cannot be made is an error that is not about another process', async () => {
  const file = join(scratch.directory, 'file')
  await Bun.write(file, '')
  expect(lockDataDirectory(join(file, 'data'))).rejects.not.toThrow(DataDirectoryLockedError)
})
