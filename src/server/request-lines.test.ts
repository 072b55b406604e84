import { expect, test } from 'bun:test'

import { withRequestLines } from './request-lines.ts'

async function lineFor(url: string, init: RequestInit = {}): Promise<string> {
  let line = ''
  const times = [10, 12.34]
  const respond = withRequestLines(() => new Response(null, { status: 304 }), {
    write: (text) => void (line += text),
    now: () => new Date(2026, 10, 22, 9, 8, 7),
    monotonicMs: () => times.shift() ?? 0,
  })
  await respond(new Request(url, init), '127.0.0.1', () => {})
  return line
}

test('a line has the time, the status, the method, how long it took, and the path', async () => {
  expect(await lineFor('http://localhost:8788/acme/v1/logos/logo.svg')).toBe(
    '09:08:07  304  GET          2.3 ms  /acme/v1/logos/logo.svg\n',
  )
})

test('no secret of an address and nothing that a terminal acts on is written, and no line is long', async () => {
  expect(await lineFor('http://localhost/dashboard/login?once=secret')).toEndWith(
    '  /dashboard/login\n',
  )
  expect(await lineFor('http://localhost/\u001b[31m\u202e', { method: 'DELETE' })).toMatch(
    /^[\u0020-\u007e]+\n$/u,
  )
  expect((await lineFor(`http://localhost/${'a'.repeat(100_000)}`)).length).toBeLessThan(250)
})
