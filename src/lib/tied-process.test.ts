import { expect, test } from 'bun:test'

import { processesWith, untilNoneWith } from '../../test/support/running-commands.ts'
import { until } from '../../test/support/until.ts'
import { startTied } from './tied-process.ts'

const env = { PATH: process.env['PATH'] ?? '' }

test('the exit code and what was said on standard error are told', async () => {
  using tied = startTied(['sh', '-c', 'echo wrong >&2; exit 3'], env)

  expect(await tied.ended).toEqual({ exitCode: 3, errors: 'wrong\n' })
})

test('words are handed on as they are', async () => {
  using tied = startTied(['sh', '-c', 'printf "%s|" "$@" >&2', 'sh', 'a b', '$(c)', "'", ''], env)

  expect(await tied.ended).toEqual({ exitCode: 0, errors: "a b|$(c)|'||" })
})

test('it runs at the lowest priority and does not end while nobody ends it', async () => {
  using tied = startTied(['sh', '-c', 'sleep 0.3; nice >&2'], env)
  Bun.gc(true)

  expect(await tied.ended).toEqual({ exitCode: 0, errors: '19\n' })
})

test('disposed, it ends with all that it has started', async () => {
  const mark = `300.${process.pid}1`
  const tied = startTied(['sh', '-c', `sleep ${mark} & sleep ${mark}; true`], env)
  const sleeping = async () =>
    (await processesWith(mark)).filter((line) => line.startsWith('sleep'))
  await until(async () => (await sleeping()).length === 2)
  tied[Symbol.dispose]()

  expect((await tied.ended).exitCode).not.toBe(0)
  await untilNoneWith(mark)
})

test('of a process killed at any moment nothing is left of what it had started', async () => {
  const mark = `300.${process.pid}2`
  const program = JSON.stringify(`${import.meta.dir}/tied-process.ts`)
  const script = `
    const { startTied } = await import(${program})
    console.log('starts')
    await startTied(['sh', '-c', 'sleep ${mark} & sleep ${mark}; true'], process.env).ended
  `
  for (const afterMs of [0, 3, 10, 30, 100]) {
    const child = Bun.spawn([process.execPath, '-e', script], { stdout: 'pipe', stderr: 'inherit' })
    await child.stdout.getReader().read()
    await Bun.sleep(afterMs)
    child.kill('SIGKILL')
    await child.exited
    await untilNoneWith(mark)
  }
})
