import { expect, test } from 'bun:test'
import { join } from 'node:path'

import { sedge } from '../support/sedge-command.ts'
import { startService, temporaryDirectory } from '../support/service-process.ts'

test('a new installation does not start with a key that is no protection, one that is there warns', async () => {
  await using directory = await temporaryDirectory()
  const dataDirectory = join(directory.path, 'data')
  const environment = { ACCESS_KEY: 'a', DASHBOARD_PASSWORD: 'secret', PURGE_KEY: 'a'.repeat(12) }
  const refused = await sedge(['serve'], { DATA_DIR: dataDirectory, PORT: '0', ...environment })
  expect(refused.exitCode).toBe(1)
  for (const name of ['ACCESS_KEY', 'DASHBOARD_PASSWORD'])
    expect(refused.error).toContain(`${name} must have at least 8 characters`)
  expect(refused.error).not.toContain('PURGE_KEY')

  await using first = await startService({ dataDirectory })
  await first.stop()
  const doctor = await sedge(['doctor'], { DATA_DIR: dataDirectory, ...environment })
  expect(doctor.exitCode).toBe(0)
  for (const name of Object.keys(environment)) expect(doctor.error).toContain(name)
}, 60_000)
