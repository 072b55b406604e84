import { readdir, rm } from 'node:fs/promises'
import { join, resolve } from 'node:path'

import { Mutex } from '../../../lib/async/mutex.ts'
import { Slots } from '../../../lib/async/slots.ts'
import { ifPresent } from '../../../lib/files/file-faults.ts'
import type { CloneSource } from '../../../ports/content/clone-source.ts'
import type {
  ZoneCommitStore,
  ZoneProgress,
} from '../../../ports/zone-repositories/zone-commit-store.ts'
import type {
  ZoneOrigin,
  ZoneRepositories,
} from '../../../ports/zone-repositories/zone-repositories.ts'
import { tryGit } from '../objects/git-command.ts'
import { ZoneClones } from './zone-clones.ts'
import { readZone } from './zone-reading.ts'
import { ZoneRepository } from './zone-repository.ts'

interface Options {
  /** The whole repository. */
  readonly repository: string
  /** Where those of zones are kept: `<zone>.git` each. */
  readonly directory: string
  readonly commits: ZoneCommitStore
  /** The newest published commit. */
  readonly newest: () => Promise<string | undefined>
  /** What a commit is called by now. */
  readonly idNow?: (commitId: string) => Promise<string>
  /** Where a zone's files are in the whole repository. */
  readonly directoryOf: (zone: string) => string
}

/** The repository of a zone, as of now. */
export interface LedRepository {
  readonly directory: string
  readonly newest: string | undefined
}

/** Each is a process that reads the history. */
const madeAtOnce = 2
const extension = '.git'

/** Makes them of the whole history, and leads them on, when somebody asks. */
export class GitZoneRepositories implements ZoneRepositories {
  readonly #options: Options
  readonly #slots = new Slots(madeAtOnce)
  readonly #turnByZone = new Map<string, Mutex>()

  constructor(options: Options) {
    this.#options = {
      ...options,
      repository: resolve(options.repository),
      directory: resolve(options.directory),
    }
  }

  async open(zone: ZoneOrigin): Promise<CloneSource> {
    const { directory } = await this.lead(zone)
    const { commits } = this.#options
    return new ZoneClones({ directory, known: (ids) => commits.known(zone.name, ids) })
  }

  /** Each who asks sees all that was published before: nobody joins a look that began earlier. */
  async lead(origin: ZoneOrigin): Promise<LedRepository> {
    const zone = await this.#asNow(origin)
    const { directory, repository: whole, newest } = this.#options
    const path = join(directory, `${zone.name}${extension}`)
    const repository = new ZoneRepository(path, join(whole, 'objects'))
    using _turn = await this.#turnOf(zone.name).acquire()
    const head = await newest()
    if (head !== undefined) await this.#leadTo(head, zone, repository)
    return { directory: path, newest: await repository.newest() }
  }

  /** The repository as those see it who push to it. */
  pushed(zone: ZoneOrigin) {
    const directory = join(this.#options.directory, `${zone.name}${extension}`)
    return {
      name: zone.name,
      path: this.#options.directoryOf(zone.name),
      directory,
      newest: async () => (await this.lead(zone)).newest,
      /** Whether one commit leads to the other in it. */
      async buildsOn(id: string, formerId: string): Promise<boolean> {
        const args = ['merge-base', '--is-ancestor', '--end-of-options', formerId, id]
        return (await tryGit(directory, args)).exitCode === 0
      },
    }
  }

  async keepOnly(zones: ReadonlySet<string>): Promise<void> {
    const { directory, commits } = this.#options
    for (const name of (await ifPresent(readdir(directory))) ?? []) {
      const zone = name.slice(0, -extension.length)
      if (!name.endsWith(extension) || zones.has(zone)) continue
      using _turn = await this.#turnOf(zone).acquire()
      await commits.forget(zone)
      await rm(join(directory, name), { recursive: true, force: true })
    }
  }

  async #asNow({ name, commitId }: ZoneOrigin): Promise<ZoneOrigin> {
    if (commitId === undefined) return { name }
    return { name, commitId: (await this.#options.idNow?.(commitId)) ?? commitId }
  }

  #turnOf(zone: string): Mutex {
    const turn = this.#turnByZone.get(zone) ?? new Mutex()
    this.#turnByZone.set(zone, turn)
    return turn
  }

  async #leadTo(head: string, zone: ZoneOrigin, repository: ZoneRepository): Promise<void> {
    const { commits, repository: whole, directoryOf } = this.#options
    const known = await this.#progress(zone, repository)
    if (known?.readTo === head) return
    using _slot = await this.#slots.take()
    const former = known && (await this.#leads(known.readTo, head)) ? known : undefined
    if (former === undefined) {
      await commits.forget(zone.name)
      await repository.remove()
    }
    const span = {
      zone: zone.name,
      directory: directoryOf(zone.name),
      head,
      after: former?.readTo,
      beginning: zone.commitId,
    }
    await readZone({ whole, repository, commits, span, newest: former?.newest })
    await repository.tidy()
  }

  /** How far it is; `undefined` where that is of another zone, or not what the repository has. */
  async #progress(
    { name, commitId = '' }: ZoneOrigin,
    repository: ZoneRepository,
  ): Promise<ZoneProgress | undefined> {
    const known = await this.#options.commits.progress(name)
    if (known?.newest === undefined || known.beginning !== commitId) return undefined
    return known.newest === (await repository.newest()) ? known : undefined
  }

  /** Whether one commit is behind the other along first parents. */
  async #leads(one: string, other: string): Promise<boolean> {
    const { repository } = this.#options
    const range = ['--end-of-options', `${one}..${other}`]
    const counted = await tryGit(repository, ['rev-list', '--first-parent', '--count', ...range])
    if (counted.exitCode !== 0) return false
    const steps = counted.output.toString('latin1').trim()
    const found = await tryGit(repository, [
      'rev-parse',
      '--verify',
      '--quiet',
      `${other}~${steps}`,
    ])
    return found.output.toString('latin1').trim() === one
  }
}
