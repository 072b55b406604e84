import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { writeFileDurably } from '../../../lib/files/durable-files.ts'
import { ifPresent } from '../../../lib/files/file-faults.ts'
import { runGit, tryGit } from '../objects/git-command.ts'
import { objectIdPattern } from '../objects/object-id.ts'
import type { PackedObject } from '../objects/pack-format.ts'
import { clearUnfinishedPacks } from '../upkeep/leftovers.ts'
import { PackStore } from '../write/pack-store.ts'

/**
 * What may be fetched is decided before git hears of it (`zone-requests`): git itself gives away every
 * object that it can read to whoever knows the id (protocol version 2), and it can read all zones.
 */
const settings: Readonly<Record<string, string>> = {
  'core.hookspath': '/dev/null',
  'core.fsync': 'all',
  'gc.auto': '0',
  'maintenance.auto': 'false',
  'pack.threads': '1',
  'pack.windowmemory': '64m',
  'uploadpack.allowfilter': 'true',
  'uploadpack.allowanysha1inwant': 'true',
  'uploadpackfilter.allow': 'false',
  'uploadpackfilter.blob:none.allow': 'true',
  'uploadpackfilter.blob:limit.allow': 'true',
  'uploadpackfilter.tree.allow': 'true',
  'http.receivepack': 'false',
}

const branch = 'refs/heads/main'
/** Each request opens every one of them. */
const joinAtPacks = 32

/** A bare repository with the commits of one zone. Trees and files are those of the whole repository. */
export class ZoneRepository {
  readonly directory: string
  readonly #shared: string

  /** @param shared - where the objects of the whole repository are: git follows no relative path twice. */
  constructor(directory: string, shared: string) {
    this.directory = directory
    this.#shared = shared
  }

  /** The newest commit, if the repository is there with it. */
  async newest(): Promise<string | undefined> {
    const text = await ifPresent(readFile(join(this.directory, branch), 'latin1'))
    const id = text?.trim()
    if (id === undefined || !objectIdPattern.test(id)) return undefined
    const { exitCode } = await tryGit(this.directory, ['cat-file', '-e', `${id}^{tree}`])
    return exitCode === 0 ? id : undefined
  }

  /** Adds commits, which are there after a power cut once it answers. */
  async add(objects: readonly PackedObject[]): Promise<void> {
    await this.#prepare()
    if (objects.length === 0) return
    await clearUnfinishedPacks(this.directory)
    const packs = await PackStore.open(this.directory)
    try {
      await packs.install(await packs.write(objects))
    } finally {
      await packs[Symbol.asyncDispose]()
    }
  }

  async moveTo(id: string): Promise<void> {
    await writeFileDurably(join(this.directory, branch), `${id}\n`)
  }

  /** Joins packs where there have come to be many. What is read meanwhile git finds in the new one. */
  async tidy(): Promise<void> {
    const names = await readdir(join(this.directory, 'objects', 'pack'))
    if (names.filter((name) => name.endsWith('.pack')).length < joinAtPacks) return
    await runGit(this.directory, ['repack', '-a', '-d', '-l', '-q'])
    await runGit(this.directory, ['commit-graph', 'write', '--reachable', '--no-progress'])
  }

  async remove(): Promise<void> {
    await rm(this.directory, { recursive: true, force: true })
  }

  /** `HEAD` is not there before everything else is. */
  async #prepare(): Promise<void> {
    const info = join(this.directory, 'objects', 'info')
    if (existsSync(join(info, 'alternates'))) return
    await this.remove()
    await mkdir(this.directory, { recursive: true })
    const options = ['--bare', '--quiet', '--template=', '--object-format=sha1']
    await runGit(this.directory, ['init', ...options, '--initial-branch=main'])
    for (const [name, value] of Object.entries(settings))
      await runGit(this.directory, ['config', '--local', name, value])
    await mkdir(info, { recursive: true })
    await mkdir(join(this.directory, 'refs', 'heads'), { recursive: true })
    await writeFileDurably(join(info, 'alternates'), `${this.#shared}\n`)
  }
}
