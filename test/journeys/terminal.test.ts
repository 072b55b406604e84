import { expect, test } from 'bun:test'
import { join } from 'node:path'

import { freePort } from '../support/free-port.ts'
import { temporaryDirectory } from '../support/service-process.ts'

const cli = join(import.meta.dir, '..', '..', 'src', 'cli', 'main.ts')

/** A service at a terminal of its own, where nothing is set but a port. */
async function startAtTerminal(cwd: string) {
  let text = ''
  const waiting = new Set<() => void>()
  const child = Bun.spawn([process.execPath, cli, 'serve'], {
    cwd,
    env: { PATH: process.env['PATH'] ?? '', HOME: cwd, PORT: String(await freePort()) },
    terminal: {
      cols: 200,
      rows: 40,
      data(_terminal, bytes) {
        text += new TextDecoder().decode(bytes).replaceAll('\r\n', '\n')
        for (const look of waiting) look()
      },
    },
  })
  return {
    text: () => text,
    exited: child.exited,
    press: (keys: string) => child.terminal?.write(keys),
    /** What matches, once something does. */
    async see(what: RegExp): Promise<readonly string[]> {
      const seen = Promise.withResolvers<readonly string[]>()
      const look = () => {
        const match = what.exec(text)
        if (match) seen.resolve(match)
      }
      waiting.add(look)
      look()
      const found = await seen.promise
      waiting.delete(look)
      return found
    },
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await child.exited
    },
  }
}

test('at a terminal the start shows where to go, how to sign in and how to end it, and each request', async () => {
  await using directory = await temporaryDirectory()
  await using service = await startAtTerminal(directory.path)
  await service.see(/Stop +Ctrl-C\n/u)
  const [, dashboard = ''] = await service.see(
    /Dashboard +(http:\/\/localhost:\d+\/dashboard\/)\n/u,
  )
  const [, once = ''] = await service.see(/Sign in +http\S+login\?once=(\S+)\n/u)
  const keys = await Bun.file(join(directory.path, 'data', 'keys.json')).json()
  expect(service.text()).toContain('npx sedge keys show DASHBOARD_PASSWORD')
  for (const key of Object.values<string>(keys)) expect(service.text()).not.toContain(key)

  const signedIn = await fetch(`${dashboard}login`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ once }),
  })
  expect(signedIn.status).toBe(303)
  await service.see(/^\d\d:\d\d:\d\d {2}303 {2}POST +[\d.]+ ms {2}\/dashboard\/login\n/mu)
  await fetch(new URL('/nothing?once=x', dashboard))
  await service.see(/ {2}404 {2}GET +[\d.]+ ms {2}\/nothing\n/u)

  service.press('\u0003')
  await service.see(/Sedge is stopping/u)
  expect(await service.exited).toBe(0)
}, 30_000)
