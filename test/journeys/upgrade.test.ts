import { expect, test } from 'bun:test'
import { join } from 'node:path'

import { keptReleases, responsesOf } from '../support/kept-release.ts'
import { sedge } from '../support/sedge-command.ts'
import { access, startService, temporaryDirectory } from '../support/service-process.ts'

const releases = await keptReleases()
const newest = (await Bun.file(join(import.meta.dir, '../../package.json')).json()) as {
  readonly version: string
}

test('a data directory of this version is kept for those to come', () => {
  expect(releases.map(({ version }) => version)).toContain(newest.version)
})

for (const release of releases)
  test(`what ${release.version} left is served as it was, and written to`, async () => {
    await using temporary = await temporaryDirectory()
    const dataDirectory = join(temporary.path, 'data')
    await release.unpack(dataDirectory)
    const service = await startService({ dataDirectory, environment: onDisk })

    // Newer versions say more, and nothing else.
    expect(await responsesOf(service.url)).toMatchObject(release.responses)
    const path = '/api/storage/acme/v1/texts/newer.txt'
    const put = { method: 'PUT', headers: access, body: 'newer' }
    expect((await fetch(`${service.url}${path}`, put)).status).toBe(201)
    expect(await service.stop()).toBe(0)

    const { out, error, exitCode } = await sedge(['doctor'], { DATA_DIR: dataDirectory, ...onDisk })
    expect({ exitCode, out, error: exitCode === 0 ? '' : error }).toMatchObject({
      exitCode: 0,
      error: '',
    })
  }, 120_000)

/** Whatever the other tests keep elsewhere: what is in a data directory is the point here. */
const onDisk = { DATABASE_URL: '', BLOB_STORE: '' }
