import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { git, runGit } from '../support/git-client.ts'
import { fsck } from '../support/ledger-clients.ts'
import { createRandom, seedOf } from '../support/random.ts'
import {
  access,
  account,
  startService,
  temporaryDirectory,
  testKeys,
} from '../support/service-process.ts'

const cycles = Number(process.env['SEDGE_PUSH_KILL_CYCLES'] ?? 4)
const environment = { PUSHES_PER_MINUTE: '100000' }
const filesOfPush = 4

/** One push: some files in two commits. */
interface Attempt {
  readonly number: number
  isAcknowledged: boolean
}

const pathOf = ({ number }: Attempt, index: number) =>
  `acme/v1/pushed/${number % 10}/${number}-${index}.txt`
const textOf = ({ number }: Attempt, index: number) => `push ${number}, file ${index}\n`.repeat(20)

async function commitFiles(clone: string, attempt: Attempt): Promise<void> {
  for (let index = 0; index < filesOfPush; index += 1) {
    const path = join(clone, 'clients', pathOf(attempt, index))
    await mkdir(join(path, '..'), { recursive: true })
    await writeFile(path, textOf(attempt, index))
    if (index % 2 === 0) continue
    await runGit(clone, 'add', '-A')
    await runGit(clone, 'commit', '-q', '-m', `Push ${attempt.number}, ${index}`)
  }
}

/** Tries again where a write came first; answers whether anybody is there. */
async function pushed(clone: string, remote: string, attempt: Attempt): Promise<boolean> {
  for (let tries = 0; tries < 5; tries += 1) {
    const { exitCode, errors } = await git(clone, ['push', '-q', remote, 'HEAD:main'])
    attempt.isAcknowledged = exitCode === 0
    if (exitCode === 0) return true
    if (!errors.includes('rejected')) return false
    if ((await git(clone, ['pull', '-q', '--rebase', remote, 'main'])).exitCode !== 0) return false
  }
  return true
}

test(
  `${cycles} kills during pushes lose nothing acknowledged and publish nothing half`,
  async () => {
    const random = createRandom(seedOf('push kill loop'))
    await using directory = await temporaryDirectory()
    const dataDirectory = join(directory.path, 'data')
    const clone = join(directory.path, 'clone')
    const attempts: Attempt[] = []
    const puts = new Map<string, string>()

    const verify = async (url: string) => {
      for (const attempt of attempts) {
        const found = await Promise.all(
          Array.from({ length: filesOfPush }, async (_, index) => {
            const response = await fetch(`${url}/${pathOf(attempt, index)}`)
            const text = await response.text()
            return response.ok ? text === textOf(attempt, index) : undefined
          }),
        )
        const expected = attempt.isAcknowledged || found.some((each) => each !== undefined)
        expect({ attempt, found }).toEqual({
          attempt,
          found: found.map(() => (expected ? true : undefined)),
        })
      }
      for (const [path, text] of puts)
        expect(await (await fetch(`${url}/${path}`)).text()).toBe(text)
    }

    /** Pushes one after another until the service is gone. */
    const pushOn = async (url: string) => {
      const remote = `${url.replace('://', `://x:${testKeys.ACCESS_KEY}@`)}/git/`
      if (!existsSync(clone)) await runGit(directory.path, 'clone', '-q', remote, clone)
      for (;;) {
        if ((await git(clone, ['fetch', '-q', remote, 'main'])).exitCode !== 0) return
        await runGit(clone, 'reset', '-q', '--hard', 'FETCH_HEAD')
        const attempt = { number: attempts.length, isAcknowledged: false }
        attempts.push(attempt)
        await commitFiles(clone, attempt)
        if (!(await pushed(clone, remote, attempt))) return
      }
    }

    /** Writes that pushes race. */
    const putOn = async (url: string, cycle: number) => {
      for (let count = 0; ; count += 1) {
        const path = `acme/v1/put/${cycle}-${count}.txt`
        try {
          const init = { method: 'PUT', headers: access, body: path }
          const response = await fetch(`${url}/api/storage/${path}`, init)
          if (response.status === 201) puts.set(path, path)
          await Bun.sleep(random.integer(100, 800))
        } catch {
          return
        }
      }
    }

    for (let cycle = 0; cycle < cycles; cycle += 1) {
      const service = await startService({ dataDirectory, environment })
      if (cycle === 0)
        await fetch(`${service.url}/api/core/zones`, {
          method: 'POST',
          headers: account,
          body: '{"Name":"acme"}',
        })
      await verify(service.url)
      const done = () => attempts.filter(({ isAcknowledged }) => isAcknowledged).length
      const before = { attempts: attempts.length, done: done() }
      const working = Promise.all([pushOn(service.url), putOn(service.url, cycle)])
      // On a slow machine nothing would ever be under way before the kill.
      const deadline = Date.now() + 20_000
      const isEarly = () =>
        cycle % 2 === 0 ? done() === before.done : attempts.length === before.attempts
      while (isEarly() && Date.now() < deadline) await Bun.sleep(5)
      await Bun.sleep(random.integer(0, 1500))
      await service.kill()
      await working
    }

    await using service = await startService({ dataDirectory, environment })
    await verify(service.url)
    expect(fsck(dataDirectory)).toBe('')
    expect(existsSync(join(dataDirectory, 'repository.git', 'sedge-pushes'))).toBe(false)
    const acknowledged = attempts.filter(({ isAcknowledged }) => isAcknowledged).length
    console.log(
      `${cycles} kills, ${acknowledged} of ${attempts.length} pushes acknowledged, ${puts.size} writes, none lost`,
    )
    expect(acknowledged).toBeGreaterThan(0)
  },
  cycles * 40_000 + 60_000,
)
