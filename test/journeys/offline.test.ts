import { expect, test } from 'bun:test'
import { join } from 'node:path'

import { have, strace } from '../support/needs.ts'
import { temporaryDirectory } from '../support/service-process.ts'

const support = JSON.stringify(join(import.meta.dir, '../support/in-process-service.ts'))

const writing = JSON.stringify(join(import.meta.dir, '../fixtures/writing.ts'))

/**
 * A service that stores, reads, searches and answers, with its models; says `done` once meaning counted
 * and what is written in a banner had been read.
 */
const script = `
  const { openInProcess } = await import(${support})
  const { drawWritings } = await import(${writing})
  await using service = await openInProcess({ environment: { SEARCH_BY_NAME_ONLY: 'false' } })
  await service.createZone('acme')
  const [body] = await drawWritings([{ text: 'Summer Carnival', ground: '#fff' }])
  await service.storage('PUT', 'acme/v1/banners/b-17.png', { body })
  for (const name of ['violin', 'house'])
    await service.storage('PUT', \`acme/v1/pictures/\${name}.txt\`, { body: name })
  for (let round = 0; round < 90; round += 1) {
    const found = await (await service.fetch('/api/search?q=musical%20instrument')).json()
    const body = JSON.stringify({ message: 'What happens when the disk is full?' })
    const headers = { Accept: 'application/json' }
    await service.fetch('/api/chat', { method: 'POST', headers, body })
    const banner = await (await service.fetch('/api/search?q=carnival&limit=1')).text()
    if (found.degraded === false && banner.includes('b-17')) {
      console.log('done', found.results[0]?.name)
      break
    }
    await Bun.sleep(500)
  }`

test.skipIf(!have('nothing is asked of another host', strace))(
  'nothing is asked of another host unless somebody sets one',
  async () => {
    await using directory = await temporaryDirectory()
    const trace = join(directory.path, 'trace')
    const watched = ['strace', '-f', '-qq', '-e', 'trace=connect', '-o', trace]
    const child = Bun.spawn([...watched, process.execPath, '--no-orphans', '-e', script], {
      stderr: 'ignore',
    })
    expect((await new Response(child.stdout).text()).trim()).toBe('done violin.txt')
    const connections = (await Bun.file(trace).text())
      .split('\n')
      .filter((line) => /connect\(.*AF_INET6?\b/u.test(line))

    expect(connections).toEqual([])
  },
  120_000,
)
