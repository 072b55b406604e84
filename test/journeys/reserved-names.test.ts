import { expect, test } from 'bun:test'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { runGit } from '../support/git-client.ts'
import { openInProcess, type InProcessService } from '../support/in-process-service.ts'
import { access, temporaryDirectory } from '../support/service-process.ts'
import { until } from '../support/until.ts'

const statusOf = async (service: InProcessService, path: string): Promise<number> => {
  const response = await service.fetch(path)
  await response.body?.cancel()
  return response.status
}

test('no zone is made of a name below which another protocol has its paths', async () => {
  await using service = await openInProcess()
  for (const name of ['s3', 'dav', 'iiif', 'mcp', 'git', '@acme', 'ac@me']) {
    const response = await service.core('POST', 'zones', { Name: name })
    const { error } = (await response.json()) as {
      readonly error: { readonly code: string; readonly message: string }
    }
    expect([name, response.status, error.code]).toEqual([name, 400, 'InvalidParameter'])
    expect(error.message).toContain(name.includes('@') ? 'must match' : `reserved name "${name}"`)
  }
})

test('zones that have such names go on, are named at the start, and can be given others by git', async () => {
  await using directory = await temporaryDirectory()
  const environment = { DATA_DIR: join(directory.path, 'data') }
  const clone = join(directory.path, 'clone')
  const file = (zone: string) => `/${zone}/v1/texts/a.txt`
  {
    await using service = await openInProcess({ environment })
    await runGit(
      directory.path,
      'clone',
      '--quiet',
      join(environment.DATA_DIR, 'repository.git'),
      clone,
    )
    for (const zone of ['s3', 'git']) {
      await mkdir(join(clone, `clients/${zone}/v1/texts`), { recursive: true })
      await writeFile(join(clone, `clients${file(zone)}`), 'a')
    }
    await push(clone, 'Zones of before')
    await until(async () => (await statusOf(service, file('s3'))) === 200)
    expect(await statusOf(service, file('git'))).toBe(200)
  }
  await using service = await openInProcess({ environment })
  const warned = service.logged.find((line) => line.includes('names that are reserved now'))
  expect(JSON.parse(warned ?? '{}')).toMatchObject({ zones: ['git', 's3'] })
  const stored = await service.storage('PUT', 's3/v1/texts/b.txt', { body: 'b' })
  expect([stored.status, await statusOf(service, '/s3/v1/texts/b.txt')]).toEqual([201, 200])
  expect((await service.fetch('/s3/')).headers.get('content-type')).toBe('application/xml')

  await runGit(clone, 'pull', '--quiet', '--rebase', 'origin', 'main')
  await runGit(clone, 'mv', 'clients/s3', 'clients/s3-files')
  await push(clone, 'Rename zone s3')
  await until(async () => (await statusOf(service, file('s3-files'))) === 200)
  const former = await service.fetch(file('s3'), { headers: access })
  expect(former.headers.get('content-type')).toBe('application/xml')
}, 60_000)

async function push(clone: string, message: string): Promise<void> {
  await runGit(clone, 'add', '--all')
  await runGit(clone, 'commit', '--quiet', '--message', message)
  await runGit(clone, 'push', '--quiet', 'origin', 'HEAD:main')
}
