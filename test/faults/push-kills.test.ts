import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { git, runGit } from '../support/git-client.ts'
import { killsOf } from '../support/kills.ts'
import { fsck } from '../support/ledger-clients.ts'
import { createRandom, seedOf } from '../support/random.ts'
import {
  access,
  account,
  startService,
  temporaryDirectory,
  testKeys,
} from '../support/service-process.ts'

const cycles = killsOf(4)
const environment = { PUSHES_PER_MINUTE: '100000' }
const filesOfPush = 4

/** Where pushes go: the repository, that of the zone, and a preview. */
interface Target {
  readonly name: string
  readonly repository: string
  /** Where the zone is in a clone. */
  readonly root: string
  readonly options: readonly string[]
  /** What stands before the paths of the URLs at which it is seen. */
  readonly shownAt: string
}

const targets: readonly Target[] = [
  { name: 'main', repository: '', root: 'clients/acme/', options: [], shownAt: '' },
  { name: 'zone', repository: 'acme.git', root: '', options: [], shownAt: '' },
  {
    name: 'preview',
    repository: 'acme.git',
    root: '',
    options: ['-o', 'preview=held'],
    shownAt: '@~held/',
  },
]

/** One push: some files in two commits. */
interface Attempt {
  readonly target: Target
  readonly number: number
  isAcknowledged: boolean
}

/** Below the zone. */
const pathOf = ({ target, number }: Attempt, index: number) =>
  `v1/pushed-${target.name}/${number % 10}/${number}-${index}.txt`
const textOf = ({ number }: Attempt, index: number) => `push ${number}, file ${index}\n`.repeat(20)

async function commitFiles(clone: string, attempt: Attempt): Promise<void> {
  for (let index = 0; index < filesOfPush; index += 1) {
    const path = join(clone, attempt.target.root, pathOf(attempt, index))
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
    const { exitCode, errors } = await git(clone, [
      'push',
      '-q',
      ...attempt.target.options,
      remote,
      'HEAD:main',
    ])
    attempt.isAcknowledged = exitCode === 0
    if (exitCode === 0) return true
    if (!errors.includes('rejected')) return false
    if ((await git(clone, ['pull', '-q', '--rebase', remote, 'main'])).exitCode !== 0) return false
  }
  return true
}

async function prepare(url: string): Promise<void> {
  for (const [path, Name] of [
    ['zones', 'acme'],
    ['zones/acme/previews', 'held'],
  ]) {
    const made = await fetch(`${url}/api/core/${path}`, {
      method: 'POST',
      headers: account,
      body: JSON.stringify({ Name }),
    })
    expect(made.status).toBe(201)
  }
}

test(
  `${cycles} kills during pushes lose nothing acknowledged and publish nothing half`,
  async () => {
    const random = createRandom(seedOf('push kill loop'))
    await using directory = await temporaryDirectory()
    const dataDirectory = join(directory.path, 'data')
    const attempts: Attempt[] = []
    const puts = new Map<string, string>()

    const verify = async (url: string) => {
      for (const attempt of attempts) {
        const found = await Promise.all(
          Array.from({ length: filesOfPush }, async (_, index) => {
            const { shownAt } = attempt.target
            const response = await fetch(`${url}/${shownAt}acme/${pathOf(attempt, index)}`)
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
    const pushOn = async (url: string, target: Target) => {
      const clone = join(directory.path, `clone-${target.name}`)
      const remote = `${url.replace('://', `://x:${testKeys.ACCESS_KEY}@`)}/git/${target.repository}`
      if (!existsSync(clone)) await git(directory.path, ['clone', '-q', remote, clone])
      for (;;) {
        if ((await git(clone, ['fetch', '-q', remote, 'main'])).exitCode !== 0) return
        await runGit(clone, 'reset', '-q', '--hard', 'FETCH_HEAD')
        const attempt = { target, number: attempts.length, isAcknowledged: false }
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
      if (cycle === 0) await prepare(service.url)
      await verify(service.url)
      const done = () => attempts.filter(({ isAcknowledged }) => isAcknowledged).length
      const before = { attempts: attempts.length, done: done() }
      const working = Promise.all([
        ...targets.map((target) => pushOn(service.url, target)),
        putOn(service.url, cycle),
      ])
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
    for (const target of targets) {
      const own = attempts.filter((attempt) => attempt.target === target)
      const acknowledged = own.filter(({ isAcknowledged }) => isAcknowledged).length
      console.log(
        `${cycles} kills, ${target.name}: ${acknowledged} of ${own.length} pushes acknowledged`,
      )
    }
    console.log(`${puts.size} writes, none lost`)
    expect(attempts.some(({ isAcknowledged }) => isAcknowledged)).toBe(true)
  },
  cycles * 40_000 + 60_000,
)
