import { expect, test } from 'bun:test'
import { chmod, mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { have, s3fs } from '../../support/needs.ts'
import { bucket, openS3World, type S3World } from '../../support/s3-world.ts'
import { until } from '../../support/until.ts'

const isAble = have('s3fs', s3fs)

async function mount(s3: S3World): Promise<AsyncDisposable & { readonly path: string }> {
  const path = join(s3.directory, 'mounted')
  const password = join(s3.directory, 'password')
  await mkdir(path)
  await writeFile(password, `${s3.accessKeyId}:${s3.secretAccessKey}\n`)
  await chmod(password, 0o600)
  const options = `passwd_file=${password},url=${s3.endpoint},use_path_request_style`
  await s3.run(['s3fs', bucket, path, '-o', options])
  return { path, [Symbol.asyncDispose]: async () => void (await s3.run(['umount', path])) }
}

test.skipIf(!isAble)(
  's3fs mounts a zone as a directory that files are written to, read, renamed and removed in',
  async () => {
    await using s3 = await openS3World()
    await s3.world.put(`${bucket}/v1/logos/logo.svg`, '<svg/>')
    await using mounted = await mount(s3)
    const at = (path: string): string => join(mounted.path, path)

    expect(await readFile(at('logos/logo.svg'), 'utf8')).toBe('<svg/>')
    await mkdir(at('notes'))
    await writeFile(at('notes/a.txt'), 'first')
    await rename(at('notes/a.txt'), at('notes/b.txt'))
    expect(await readdir(at('notes'))).toEqual(['b.txt'])
    const stored = await s3.world.client.getFile({ path: `${bucket}/v1/notes/b.txt` })
    expect(await stored.text()).toBe('first')
    await rm(at('notes'), { recursive: true })
    await until(async () => !(await readdir(mounted.path)).includes('notes'))
  },
  60_000,
)
