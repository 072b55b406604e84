import { expect, test } from 'bun:test'
import { join } from 'node:path'

import { git, runGit } from '../support/git-client.ts'
import { openLocalService } from '../support/local-service.ts'
import { svgOf } from '../support/seeing-service.ts'
import { account, temporaryDirectory, testKeys } from '../support/service-process.ts'
import { startVisionServer, visionReplies } from '../support/vision-server.ts'
import { worldOf } from '../support/world.ts'

test('a push to what is live is held to what its zone holds back, one to a preview is not', async () => {
  await using directory = await temporaryDirectory()
  await using server = startVisionServer(visionReplies.good)
  await using service = await openLocalService({
    dataDirectory: join(directory.path, 'data'),
    environment: { VISION_BASE_URL: server.baseUrl, VISION_MODEL: 'eyes' },
  })
  await worldOf(service).zone('acme')
  await worldOf(service).put('acme/v1/data/a.txt', 'words')
  const held = await fetch(`${service.url}/api/core/zones/acme`, {
    method: 'PATCH',
    headers: account,
    body: JSON.stringify({ Moderation: 'hold' }),
  })
  expect(held.status).toBe(200)
  const made = await fetch(`${service.url}/api/core/zones/acme/previews`, {
    method: 'POST',
    headers: account,
    body: JSON.stringify({ Name: 'spring' }),
  })
  expect(made.status).toBeLessThan(300)
  const work = join(directory.path, 'clone')
  const url = `${service.url.replace('://', `://x:${testKeys.ACCESS_KEY}@`)}/git/acme.git`
  await runGit(directory.path, 'clone', '-q', url, work)
  await Bun.write(join(work, 'v1/photos/leaf.svg'), svgOf('green'))
  await runGit(work, 'add', '-A')
  await runGit(work, 'commit', '-q', '-m', 'Add a leaf')
  const live = await git(work, ['push', '-q', 'origin', 'HEAD:main'])

  expect(live.exitCode).not.toBe(0)
  expect(live.errors).toContain('Images that the zone holds back: 1')
  expect(live.errors).toContain('v1/photos/leaf.svg')
  expect((await fetch(`${service.url}/acme/v1/photos/leaf.svg`)).status).toBe(404)
  const preview = await git(work, ['push', '-q', '-o', 'preview=spring', 'origin', 'HEAD:main'])
  expect(preview).toMatchObject({ exitCode: 0 })
}, 120_000)
