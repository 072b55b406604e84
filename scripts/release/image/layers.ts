import { createReadStream, createWriteStream } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'

import { run } from '../run.ts'

export interface Layer {
  readonly path: string
  /** Of the archive as it is unpacked, by which a configuration names it. */
  readonly diffId: string
  /** Of the compressed file. */
  readonly sha256: string
  readonly sizeBytes: number
}

interface Contents {
  readonly directory: string
  /** Of all files. */
  readonly owner: number
  readonly to: string
}

/** All of a directory as a layer, the same bytes for the same files whatever their times and order. */
export async function makeLayer({ directory, owner, to }: Contents): Promise<Layer> {
  const archive = `${to}.tar`
  const order = ['--sort=name', '--mtime=@0', '--format=gnu', '--numeric-owner']
  const owners = [`--owner=${owner}`, `--group=${owner}`, '--mode=u-s,g-s']
  // Each by its name: the root itself is nobody's to own anew.
  const names = (await readdir(directory)).toSorted()
  await run([
    'tar',
    '--create',
    `--file=${archive}`,
    ...order,
    ...owners,
    '-C',
    directory,
    ...names,
  ])
  await pipeline(createReadStream(archive), createGzip({ level: 6 }), createWriteStream(to))
  return {
    path: to,
    diffId: await sha256OfFile(archive),
    sha256: await sha256OfFile(to),
    sizeBytes: Bun.file(to).size,
  }
}

async function sha256OfFile(path: string): Promise<string> {
  const hash = new Bun.CryptoHasher('sha256')
  for await (const chunk of Bun.file(path).stream()) hash.update(chunk)
  return hash.digest('hex')
}
