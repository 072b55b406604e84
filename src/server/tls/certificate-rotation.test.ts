import { expect, test } from 'bun:test'

import type { Certificate } from './certificates.ts'
import { createCertificateRotation } from './certificate-rotation.ts'

const certificateOf = (cert: string): readonly Certificate[] => [{ cert, key: 'k', names: [] }]

/** Two processes, of which one may not answer, and a clock that goes on when told to. */
function setUp({ answering = [1, 1] }: { readonly answering?: readonly number[] } = {}) {
  const log: string[] = []
  const waiting: (() => void)[] = []
  let fault: Error | undefined
  const rotation = createCertificateRotation({
    port: 443,
    holders: answering.map((count, place) => ({
      async openBeside([certificate]) {
        if (fault !== undefined) throw fault
        log.push(`${place} opens ${certificate?.cert}`)
        return count
      },
      closeFormer: () => void log.push(`${place} closes`),
    })),
    steering: {
      steer: (_port, { from, count }) => log.push(`to ${from}, ${count} of them`) > 0,
      release: () => log.push('to any') > 0,
    },
    wait: () => new Promise((resolve) => waiting.push(resolve)),
  })
  return {
    log,
    rotation,
    fail: (error: Error | undefined) => void (fault = error),
    /** Lets the time pass that is waited for, and what comes of it happen. */
    async later(times = 1) {
      for (let time = 0; time < times; time += 1) {
        waiting.shift()?.()
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
  }
}

test('the new listeners get all connections before the former ones are closed', async () => {
  const world = setUp()
  await world.rotation.change(certificateOf('a'))
  expect(world.log).toEqual(['0 opens a', '1 opens a', 'to 2, 2 of them'])
  await world.later(2)

  expect(world.log.slice(3)).toEqual(['to 2, 1 of them', '0 closes', '1 closes', 'to any'])
})

test('a process that does not answer is not sent anybody', async () => {
  const world = setUp({ answering: [1, 0] })
  await world.rotation.change(certificateOf('a'))

  expect(world.log.at(-1)).toBe('to 1, 1 of them')
})

test('changes that come meanwhile are made together, the last one counts', async () => {
  const world = setUp()
  await world.rotation.change(certificateOf('a'))
  const later = ['b', 'c', 'd'].map((cert) => world.rotation.change(certificateOf(cert)))
  expect(world.log.filter((line) => line.startsWith('0 opens'))).toEqual(['0 opens a'])
  await world.later(2)
  await Promise.all(later)

  expect(world.log.filter((line) => line.startsWith('0 opens'))).toEqual(['0 opens a', '0 opens d'])
})

test('a change that fails is told, and the next one is made', async () => {
  const world = setUp()
  world.fail(new Error('no certificate'))
  expect(await world.rotation.change(certificateOf('a')).catch(String)).toContain('no certificate')
  world.fail(undefined)
  await world.rotation.change(certificateOf('b'))

  expect(world.log[0]).toBe('0 opens b')
})
