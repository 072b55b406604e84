import { expect, test } from 'bun:test'
import { connect } from 'node:net'

import {
  access,
  account,
  startService,
  temporaryDirectory,
  testKeys,
} from '../support/service-process.ts'

test('told to end, the service finishes what is in flight and takes nothing more', async () => {
  await using directory = await temporaryDirectory()
  await using service = await startService({ dataDirectory: directory.path })
  const zone = { method: 'POST', headers: account, body: '{"Name":"acme"}' }
  await (await fetch(`${service.url}/api/core/zones`, zone)).arrayBuffer()

  const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
  const response = new Promise<string>((resolve) => {
    let text = ''
    socket.on('data', (data) => (text += data.toString()))
    socket.on('close', () => resolve(text))
  })
  const head = [
    'PUT /api/storage/acme/v1/logos/slow.txt HTTP/1.1',
    'Host: 127.0.0.1',
    `AccessKey: ${testKeys.ACCESS_KEY}`,
    'Content-Length: 8',
    'Connection: close',
    '',
    'half',
  ]
  await new Promise<void>((resolve) => socket.write(head.join('\r\n'), () => resolve()))
  // A request that came later on another connection has been answered: the slow one is being read.
  await (await fetch(`${service.url}/api/health`)).arrayBuffer()
  const stopped = service.stop()
  await refused(service.url)
  socket.write('half')

  expect(await response).toContain('HTTP/1.1 201')
  expect(await stopped).toBe(0)
  await using again = await startService({ dataDirectory: directory.path })
  const stored = await fetch(`${again.url}/api/storage/acme/v1/logos/slow.txt`, { headers: access })
  expect(await stored.text()).toBe('halfhalf')
}, 60_000)

test('a hang-up is no reason to end', async () => {
  await using directory = await temporaryDirectory()
  await using service = await startService({ dataDirectory: directory.path })
  process.kill(service.pid, 'SIGHUP')

  expect((await fetch(`${service.url}/api/health`)).status).toBe(200)
  expect(await service.stop()).toBe(0)
}, 60_000)

/** Resolves once new connections are refused. */
async function refused(url: string): Promise<void> {
  const deadline = performance.now() + 5_000
  while (performance.now() < deadline) {
    const isOpen = await fetch(`${url}/api/health`).then(
      () => true,
      () => false,
    )
    if (!isOpen) return
    await Bun.sleep(10)
  }
  throw new Error('the service still takes requests')
}
