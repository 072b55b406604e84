import { expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { temporaryDirectory } from '../../test/support/service-process.ts'
import { openLog } from '../lib/log.ts'
import { startRendering } from './rendering.ts'

const worldIn = (dataDirectory: string): Parameters<typeof startRendering>[0] => ({
  config: { dataDirectory },
  log: openLog('silent'),
})

test('where nothing comes of the start, what images are made with is ended', async () => {
  await using directory = await temporaryDirectory()
  const opening = new AsyncDisposableStack()
  const { renderer } = startRendering(worldIn(directory.path), opening)
  const { pids } = await renderer
  expect(pids).toHaveLength(1)
  await opening.disposeAsync()

  for (const pid of pids) expect(existsSync(`/proc/${pid}`)).toBe(false)
})

test('where images cannot be made, whoever waits for it is told, and nobody else', async () => {
  await using directory = await temporaryDirectory()
  await writeFile(join(directory.path, 'cache'), 'no directory')
  await using opening = new AsyncDisposableStack()
  const { renderer } = startRendering(worldIn(directory.path), opening)
  await Bun.sleep(0)

  await expect(renderer).rejects.toThrow()
})
