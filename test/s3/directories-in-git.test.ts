import { expect, test } from 'bun:test'
import { join } from 'node:path'

import { runGit } from '../support/git-client.ts'
import { temporaryDirectory, testKeys } from '../support/service-process.ts'
import { openS3Tenant } from './s3-tenant.ts'

test('a directory that is an object, and what is said of it, are cloned, pushed and merged', async () => {
  await using tenant = await openS3Tenant()
  await using directory = await temporaryDirectory()
  const { service, s3 } = tenant
  const put = (owner: string) => s3.put('acme/folder/', '', { 'x-amz-meta-owner': owner })
  const owner = async () => (await s3.head('acme/folder/')).headers.get('x-amz-meta-owner')
  expect((await put('ada')).status).toBe(200)

  const url = `${service.url.replace('://', `://x:${testKeys.ACCESS_KEY}@`)}/git/acme.git`
  const clone = join(directory.path, 'clone')
  await runGit(directory.path, 'clone', '-q', url, clone)
  const names = (await runGit(clone, 'ls-files')).split('\n')
  const sidecar = names.find((name) => name.startsWith('.sedge/') && name.includes('folder')) ?? ''
  expect(names).toContain('v1/folder/.keep')
  expect(await Bun.file(join(clone, sidecar)).text()).toContain('ada')

  const push = async (subject: string) => {
    await runGit(clone, 'add', '-A')
    await runGit(clone, 'commit', '-q', '-m', subject)
    await runGit(clone, 'push', '-q', 'origin', 'HEAD:main')
  }
  const said = await Bun.file(join(clone, sidecar)).text()
  await Bun.write(join(clone, sidecar), said.replace('ada', 'bea'))
  await push('Say who owns it')
  expect(await owner()).toBe('bea')

  // What is said by S3 while a clone is behind is merged with what the clone did elsewhere.
  expect((await put('cid')).status).toBe(200)
  await Bun.write(join(clone, 'v1/folder/file.txt'), 'in it')
  await runGit(clone, 'add', '-A')
  await runGit(clone, 'commit', '-q', '-m', 'Put a file into it')
  await runGit(clone, 'pull', '-q', '--no-rebase', '--no-edit')
  await runGit(clone, 'push', '-q', 'origin', 'HEAD:main')
  expect(await owner()).toBe('cid')
  expect(await (await s3.get('acme/folder/file.txt')).text()).toBe('in it')

  await runGit(clone, 'rm', '-q', 'v1/folder/.keep', sidecar)
  await runGit(clone, 'commit', '-q', '-m', 'It is a directory like any other')
  await runGit(clone, 'push', '-q', 'origin', 'HEAD:main')
  expect((await s3.head('acme/folder/')).status).toBe(404)
  expect((await s3.head('acme/folder/file.txt')).status).toBe(200)
  await runGit(clone, 'fsck', '--strict')
}, 60_000)
