import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'

import { compiledServiceName, serviceCommand } from '../../test/support/service-command.ts'
import {
  startService,
  type TemporaryDirectory,
  temporaryDirectory,
  testKeys,
} from '../../test/support/service-process.ts'
import { compileService } from './compile-service.ts'

const given = process.env[compiledServiceName]
let directory: TemporaryDirectory

beforeAll(async () => {
  directory = await temporaryDirectory()
  if (given !== undefined) return
  const program = join(directory.path, 'sedge')
  await compileService(program)
  process.env[compiledServiceName] = program
})
afterAll(async () => {
  if (given === undefined) delete process.env[compiledServiceName]
  await directory[Symbol.asyncDispose]()
})

test('the compiled service is well in all its parts, and has the files of the checkout', async () => {
  await using service = await startService({ dataDirectory: join(directory.path, 'whole') })

  const page = await fetch(`${service.url}/docs/concepts`)
  expect({ status: page.status, isPage: (await page.text()).includes('<h1') }).toEqual({
    status: 200,
    isPage: true,
  })
  expect((await fetch(`${service.url}/api/health?deep=1`)).status).toBe(200)
})

test('the compiled service ends with the process that started it', async () => {
  const script = `
    const child = Bun.spawn(${JSON.stringify([...serviceCommand(), 'serve'])}, {
      env: { ...process.env, DATA_DIR: ${JSON.stringify(join(directory.path, 'orphan'))}, PORT: '0' },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await child.stdout.getReader().read()
    process.kill(process.pid, 'SIGKILL')`
  const parent = Bun.spawn([process.execPath, '-e', script], {
    env: { PATH: process.env['PATH'] ?? '', ...testKeys, SEARCH_BY_NAME_ONLY: 'true' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  // The service has the other end of it for as long as it lives.
  await new Response(parent.stderr).text()
  expect(parent.signalCode).toBe('SIGKILL')
})
