import { existsSync } from 'node:fs'
import { mkdir, rename } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join } from 'node:path'

import list from './packages.json' with { type: 'json' }

export interface DebianPackage {
  readonly name: string
  readonly version: string
  readonly architecture: string
  /** Below the root of an archive. */
  readonly path: string
  readonly sizeBytes: number
  readonly sha256: string
}

/** What the image has besides the service: exact versions, so that it is the same whoever makes it, and when. */
export const debianPackages: readonly DebianPackage[] = list.packages

const cache = join(process.env['XDG_CACHE_HOME'] ?? join(homedir(), '.cache'), 'sedge', 'debian')
const chosenAt = list.chosenAt.replaceAll(/[-:]|\.\d+/gu, '')
/** What was superseded is gone from the first; the last keep all. */
const archives = [
  'http://deb.debian.org/debian',
  'http://deb.debian.org/debian-security',
  `https://snapshot.debian.org/archive/debian/${chosenAt}`,
  `https://snapshot.debian.org/archive/debian-security/${chosenAt}`,
]

/** Where its file is, from the cache or from the archive. Throws where nobody has those bytes. */
export async function packageFile(wanted: DebianPackage): Promise<string> {
  const path = cachedPath(wanted)
  if (existsSync(path)) return path
  const faults: string[] = []
  for (const archive of archives) {
    const url = `${archive}/${wanted.path}`
    try {
      const response = await fetch(url, { signal: AbortSignal.timeout(120_000) })
      const bytes = await response.bytes()
      if (!response.ok) throw new Error(`status ${response.status}`)
      if (sha256Of(bytes) !== wanted.sha256) throw new Error('other bytes than are written down')
      await mkdir(cache, { recursive: true })
      await Bun.write(`${path}.new`, bytes)
      await rename(`${path}.new`, path)
      return path
    } catch (error) {
      faults.push(`${url}: ${error instanceof Error ? error.message : String(error)}`)
    }
  }
  throw new Error(`${wanted.name} ${wanted.version} cannot be had:\n${faults.join('\n')}`)
}

/** Whether an image can be made without a network. */
export const hasAllPackages = (): boolean =>
  debianPackages.every((each) => existsSync(cachedPath(each)))

const cachedPath = ({ sha256 }: DebianPackage): string => join(cache, `${sha256}.deb`)

const sha256Of = (bytes: Uint8Array): string =>
  new Bun.CryptoHasher('sha256').update(bytes).digest('hex')
