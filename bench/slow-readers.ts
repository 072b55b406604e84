/**
 * What clients hold that ask for a large file and do not read: how far the memory of the service rises for each, with
 * the hot line and without. What the kernel holds for them is not in it, and is the same either way. `CLIENTS` says
 * how many there are.
 */
import { join } from 'node:path'

import {
  access,
  account,
  startService,
  temporaryDirectory,
} from '../test/support/service-process.ts'
import { asInProduction, report, type Row } from './harness.ts'
import { residentBytes } from './process-usage.ts'

const clients = Number(process.env['CLIENTS'] ?? 10_000)
const sizes = { 'of 1 MB': 1_048_576, 'of 200 KB': 200_000 }

await using directory = await temporaryDirectory()
const rows: Row[] = []
for (const hotLine of ['on', 'off']) {
  await using service = await startService({
    dataDirectory: join(directory.path, hotLine),
    environment: { ...asInProduction, IDLE_WORK: 'none', HOT_LINE: hotLine },
  })
  await send('core/zones', { method: 'POST', headers: account, body: '{"Name":"bench"}' })
  const url = new URL(service.url)
  for (const [name, bytes] of Object.entries(sizes)) {
    const path = `/bench/v1/files/${bytes}.bin`
    const body = crypto.getRandomValues(new Uint8Array(65_536))
    const whole = new Uint8Array(bytes).map((_, index) => body[index % body.length] ?? 0)
    await send(`storage${path}`, { method: 'PUT', headers: access, body: whole })
    for (let time = 0; time < 3; time += 1) await (await fetch(service.url + path)).bytes()
    const before = await residentBytes(service.pid)
    const sockets = await openSlow(url, path)
    const rise = ((await residentBytes(service.pid)) - before) / clients / 1024
    const response = await fetch(service.url + path)
    if ((await response.bytes()).length !== bytes) throw new Error('another client was cut off')
    for (const socket of sockets) socket.terminate()
    rows.push({
      what: `hot line ${hotLine}: ${clients.toLocaleString('en-US')} clients that do not read a file ${name}`,
      figure: '≤ 64 KB each',
      measured: `${rise.toFixed(1)} KB each`,
    })
  }

  async function send(path: string, init: RequestInit): Promise<void> {
    const response = await fetch(`${service.url}/api/${path}`, init)
    if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
  }
}
await report('slow-readers', rows)

async function openSlow(url: URL, path: string) {
  const request = `GET ${path} HTTP/1.1\r\nHost: ${url.host}\r\n\r\n`
  const sockets = []
  for (let count = 0; count < clients; count += 1) {
    const socket = await Bun.connect({
      hostname: url.hostname,
      port: Number(url.port),
      socket: {
        open(opened) {
          opened.pause()
          opened.write(request)
        },
        data(opened) {
          opened.pause()
        },
      },
    })
    sockets.push(socket)
  }
  // Until the kernel takes no more for any of them.
  await Bun.sleep(3_000)
  return sockets
}
