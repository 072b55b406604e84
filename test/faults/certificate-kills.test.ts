import { expect, test } from 'bun:test'
import { join } from 'node:path'

import { DiskCertificateStore } from '../../src/adapters/disk/disk-certificate-store.ts'
import { killsOf } from '../support/kills.ts'
import { createRandom, seedOf } from '../support/random.ts'
import { temporaryDirectory } from '../support/service-process.ts'

const cycles = killsOf(6)
const hostname = 'a.example'
const program = new URL('../fixtures/certify-until-killed.ts', import.meta.url).pathname

test(
  `${cycles} kills while certificates change leave the one that was acknowledged, or a newer, whole`,
  async () => {
    const random = createRandom(seedOf('certificate kills'))
    await using temporary = await temporaryDirectory()
    const directory = join(temporary.path, 'certificates')
    let next = 1
    let acknowledged = 0
    for (let cycle = 0; cycle < cycles; cycle += 1) {
      const last = await lastBeforeKill([directory, hostname, String(next)], random.integer(1, 40))
      acknowledged += last - next + 1
      const unreadable: string[] = []
      const store = await DiskCertificateStore.open({
        directory,
        onUnreadable: (file) => unreadable.push(file),
      })
      const [found, ...others] = await store.list()
      expect({ unreadable, others }).toEqual({ unreadable: [], others: [] })
      const number = Number(found?.key.slice('key '.length))
      expect([last, last + 1]).toContain(number)
      expect(found?.chain).toBe(`${number} `.repeat(8_192))
      expect(found?.validFrom).toEqual(new Date(number))
      next = number + 1
    }
    console.log(`${cycles} kills, ${acknowledged} acknowledged certificates, none lost`)
  },
  cycles * 20_000 + 60_000,
)

/** Which one was the last that was said to be kept, when the program was killed after so many. */
async function lastBeforeKill(words: readonly string[], enough: number): Promise<number> {
  const child = Bun.spawn([process.execPath, program, ...words], {
    stdout: 'pipe',
    stderr: 'inherit',
  })
  let output = ''
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
    output += chunk
    if (output.split('\n').length > enough) child.kill('SIGKILL')
  }
  await child.exited
  return Number(output.trim().split('\n').at(-1))
}
