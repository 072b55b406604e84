import { Database } from 'bun:sqlite'
import { expect, test } from 'bun:test'
import { join } from 'node:path'

import { access, account, startService, temporaryDirectory } from '../support/service-process.ts'

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 400 100"><rect width="200" height="100"/></svg>'
const paths = ['acme/v1/logos/a.svg', 'acme/v1/logos/b.svg', 'other/v1/logos/twin.svg'] as const
const environment = { IDLE_WORK: 'none', SEARCH_BY_NAME_ONLY: 'true' }

async function pointsAt(url: string) {
  const read = async (path: string) => {
    const answer = await fetch(`${url}/api/assets/metadata?path=${path}`, { headers: access })
    return ((await answer.json()) as { readonly FocalPoint: unknown }).FocalPoint
  }
  return await Promise.all(paths.map(read))
}

/** As an older version left it: focal points by the SHA-256 of bytes. */
function makeOld(dataDirectory: string): void {
  using database = new Database(join(dataDirectory, 'sedge.db'))
  database.run(`update media_facts set focal_point = '{"x":0.125,"y":1}'`)
}

test('focal points of an older version are given to every asset with those bytes, once', async () => {
  await using directory = await temporaryDirectory()
  const dataDirectory = directory.path
  const start = () => startService({ dataDirectory, environment })
  {
    await using service = await start()
    for (const zone of ['acme', 'other'])
      await fetch(`${service.url}/api/core/zones`, {
        method: 'POST',
        headers: account,
        body: JSON.stringify({ Name: zone }),
      })
    for (const path of paths)
      await fetch(`${service.url}/api/storage/${path}`, {
        method: 'PUT',
        headers: access,
        body: svg,
      })
    expect(await pointsAt(service.url)).toEqual([null, null, null])
    await service.stop()
  }
  makeOld(dataDirectory)
  const point = { x: 0.125, y: 1 }
  {
    await using service = await start()
    expect(await pointsAt(service.url)).toEqual([point, point, point])
    const log = await Bun.$`git -C ${join(dataDirectory, 'repository.git')} log --format=%s main`
      .quiet()
      .text()
    expect(log.split('\n')[0]).toBe('Give 3 assets the focal points of their bytes')
    await fetch(`${service.url}/api/assets/metadata?path=${paths[0]}`, {
      method: 'PATCH',
      headers: { ...access, 'Content-Type': 'application/json' },
      body: JSON.stringify({ FocalPoint: null }),
    })
    await service.stop()
  }
  await using service = await start()
  expect(await pointsAt(service.url)).toEqual([null, point, point])
  using database = new Database(join(dataDirectory, 'sedge.db'), { readonly: true })
  expect(database.query('select focal_point from media_facts').all()).toEqual([
    { focal_point: '{"x":0.125,"y":1}' },
  ])
}, 60_000)
