import { expect, test } from 'bun:test'

import { MemoryLogStore } from '../../adapters/memory/traffic/memory-log-store.ts'
import { createLog } from '../../lib/log.ts'
import type { LogRecord, LogStore } from '../../ports/traffic/log-store.ts'
import { createLogRecorder } from './log-recorder.ts'

const at = new Date('2026-11-20T10:00:00.000Z')

function setUp() {
  const lines: string[] = []
  const recorder = createLogRecorder({ now: () => at })
  const log = recorder.listenTo(
    createLog({ level: 'warn', pretty: false, write: (line) => lines.push(line) }),
  )
  return { lines, recorder, log }
}

const everything = { since: new Date(0), limit: 10_000 }

test('warnings, errors and refusals are kept, whatever the log itself leaves out', async () => {
  const { lines, recorder, log } = setUp()
  const store = new MemoryLogStore()
  log.warn('before there is a store')
  recorder.storeIn(store)
  log.debug('noise')
  log.info('noise')
  log.debug('request refused', { code: 'NotFound', requestId: 'r', zone: 'acme', method: 'GET' })
  log.error('broken', { error: new TypeError('in /etc/passwd') })
  await recorder.flush()

  expect((await store.query(everything)).toReversed()).toMatchObject([
    { level: 'warn', message: 'before there is a store', fields: {} },
    { level: 'info', code: 'NotFound', requestId: 'r', zone: 'acme', fields: { method: 'GET' } },
    { level: 'error', message: 'broken', fields: { error: 'TypeError' } },
  ])
  expect(lines).toHaveLength(2)
})

test('no secret, no stack, no file and no long text is kept', async () => {
  const { recorder, log } = setUp()
  const kept: LogRecord[] = []
  using _watch = recorder.watch((record) => void kept.push(record))
  log.warn('x'.repeat(10_000), {
    AccessKey: 'secret-value',
    token: 'secret-value',
    nested: { password: 'secret-value' },
    error: new Error('ENOENT: /secret/file'),
    text: 'y'.repeat(10_000),
  })

  const text = JSON.stringify(kept)
  expect(text).not.toContain('secret')
  expect(text.length).toBeLessThan(1_500)
})

test('a flood is cut off, and how much was is kept', async () => {
  const { recorder, log } = setUp()
  const store = new MemoryLogStore()
  recorder.storeIn(store)
  for (let count = 0; count < 5_000; count += 1) log.warn(`${count}`)
  await recorder.flush()

  const records = await store.query(everything)
  expect(records).toHaveLength(1_001)
  expect(records[0]?.fields).toEqual({ notKept: 4_000 })
  expect(recorder.lost).toBe(4_000)
})

test('a store that fails loses records and nothing else', async () => {
  const { lines, recorder, log } = setUp()
  recorder.storeIn({ append: () => Promise.reject(new Error('full')) } as unknown as LogStore)
  log.warn('a')
  await recorder.flush()
  await recorder[Symbol.asyncDispose]()

  expect(recorder.lost).toBe(1)
  expect(lines).toHaveLength(1)
})
