import { expect, test } from 'bun:test'
import { inspect } from 'node:util'
import * as fc from 'fast-check'
import { createLog, type LogLevel } from './log.ts'
import { Secret } from './secrets/secret.ts'

function logTo({ pretty = false, level = 'debug' }: { pretty?: boolean; level?: LogLevel } = {}) {
  const lines: string[] = []
  return { log: createLog({ level, pretty, write: (line) => void lines.push(line) }), lines }
}

test('an event is one JSON object on one line, with time, level and its fields', () => {
  const { log, lines } = logTo()
  log.info('listening', { port: 8788 })
  expect(lines).toHaveLength(1)
  expect(lines[0]).toEndWith('\n')
  expect(JSON.parse(lines[0] ?? '')).toEqual({
    level: 'info',
    time: expect.stringMatching(/^\d{4}-.*Z$/u),
    port: 8788,
    msg: 'listening',
  })
})

test('no text of a user can start a line of its own', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.boolean(), (text, pretty) => {
      const { log, lines } = logTo({ pretty })
      log.warn(text, { path: text, nested: { [text]: text }, error: new Error(text) })
      expect(lines).toHaveLength(1)
      const line = lines[0] ?? ''
      expect(line.indexOf('\n')).toBe(line.length - 1)
      expect(line.slice(0, -1)).not.toMatch(/[\u0000-\u001f\u007f]/u)
      if (pretty) expect(line).not.toMatch(/[\u0080-\u009f\u2028-\u202e]/u)
    }),
    {
      examples: [
        ['\n{"level":"info","msg":"forged"}', true],
        ['\u001b[2J\u009b', true],
      ],
    },
  )
})

test('secrets are not printed, neither as such nor under a name that tells them', () => {
  for (const pretty of [false, true]) {
    const { log, lines } = logTo({ pretty })
    log.error('x', {
      key: new Secret('hunter2'),
      headers: { Authorization: 'hunter2', cookie: 'hunter2', AccessKey: 'hunter2' },
      config: { dashboard: { password: 'hunter2' }, sessionSecret: 'hunter2', token: 'hunter2' },
      list: [{ 'x-api-key': 'hunter2' }],
    })
    expect(lines.join('')).not.toContain('hunter2')
    expect(lines.join('')).toContain('[secret]')
  }
})

test('an error is shown with its causes', () => {
  const { log, lines } = logTo()
  log.error('failed', { error: new TypeError('outer', { cause: new Error('inner') }) })
  expect(JSON.parse(lines[0] ?? '').error).toMatchObject({
    name: 'TypeError',
    message: 'outer',
    cause: { name: 'Error', message: 'inner' },
  })
})

test('a value that contains itself does not stop the log', () => {
  const { log, lines } = logTo()
  const loop: Record<string, unknown> = {}
  loop['self'] = loop
  log.info('loop', { loop })
  expect(lines[0]).toContain('[deep]')
})

test('what is below the level is not written', () => {
  const { log, lines } = logTo({ level: 'warn' })
  log.info('quiet')
  log.warn('loud')
  expect(lines).toHaveLength(1)
})

test('a secret shows itself only when it is asked to', () => {
  const secret = new Secret('hunter2')
  expect(secret.reveal()).toBe('hunter2')
  for (const text of [String(secret), JSON.stringify({ secret }), inspect(secret)])
    expect(text).not.toContain('hunter2')
  expect(Object.keys(secret)).toEqual([])
})
