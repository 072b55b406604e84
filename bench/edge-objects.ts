import { link, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { brotliCompressSync, constants } from 'node:zlib'

import { placeOf } from '../src/adapters/disk/blob-layout.ts'

export interface ListedAsset {
  readonly path: string
  readonly sha256: string
  readonly sizeBytes: number
  readonly contentType: string
}

/** The same bytes as blobs for the edge and, by hard links, as plain files for a peer. */
export interface BenchObjects {
  readonly directory: string
  readonly webRoot: string
  readonly manyCount: number
}

const manyBytes = 4096

/** Lays out a 10 KB, a 1 MB and a text object, and `manyCount` different ones of 4 KB. */
export async function writeObjects(directory: string, manyCount: number): Promise<BenchObjects> {
  const webRoot = join(directory, 'www')
  const text = Buffer.from(
    Array.from({ length: 1200 }, (_, line) => `.rule-${line} { margin: ${line % 97}px }\n`).join(
      '',
    ),
  )
  const assets = [
    await write({ directory, webRoot, name: 'a.png' }, noise(10 * 1024)),
    await write({ directory, webRoot, name: 'big.png' }, noise(1024 * 1024)),
    await write({ directory, webRoot, name: 'a.css' }, text),
  ]
  const coded = brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 11 } })
  await Bun.write(join(webRoot, 'coded', 'a.css'), coded)
  for (let index = 0; index < manyCount; index += 1)
    assets.push(await write({ directory, webRoot, name: `n${index}.png` }, noise(manyBytes)))
  await Bun.write(join(directory, 'assets.json'), JSON.stringify(assets))
  return { directory, webRoot, manyCount }
}

interface Place {
  readonly directory: string
  readonly webRoot: string
  readonly name: string
}

async function write({ directory, webRoot, name }: Place, bytes: Buffer): Promise<ListedAsset> {
  const sha256 = new Bun.CryptoHasher('sha256').update(bytes).digest('hex')
  const blob = placeOf(directory, sha256)?.path ?? ''
  const path = `bench/v1/icons/${name}`
  await Bun.write(blob, bytes)
  await mkdir(dirname(join(webRoot, path)), { recursive: true })
  await link(blob, join(webRoot, path))
  const contentType = name.endsWith('.css') ? 'text/css; charset=utf-8' : 'image/png'
  return { path, sha256, sizeBytes: bytes.length, contentType }
}

const noise = (length: number): Buffer => {
  const bytes = Buffer.alloc(length)
  for (let start = 0; start < length; start += 65_536)
    crypto.getRandomValues(bytes.subarray(start, start + 65_536))
  return bytes
}
