import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'

import type { Terminal } from '../../support/command.ts'

/** The service forgets uploads too; what is older than the newest of these is not worth asking for. */
const maxRemembered = 200

/** Which upload, where: the same bytes to the same place of the same service. */
interface BegunUpload {
  readonly url: string
  readonly path: string
  readonly sha256: string
}

/** Uploads that were begun and not finished, so that the same command goes on with them. */
export interface BegunUploads {
  idOf(upload: BegunUpload): Promise<string | undefined>
  remember(upload: BegunUpload, id: string): Promise<void>
  forget(upload: BegunUpload): Promise<void>
}

/** In a file of whoever calls. One that cannot be read or written costs the going on, and nothing else. */
export function createBegunUploads({ environment }: Pick<Terminal, 'environment'>): BegunUploads {
  const { XDG_STATE_HOME: state, HOME: home } = environment
  const path = join(state || join(home || homedir(), '.local', 'state'), 'sedge', 'uploads.json')
  /** One change at a time. */
  let changed: Promise<void> = Promise.resolve()

  async function read(): Promise<Readonly<Record<string, string>>> {
    try {
      return textsIn(JSON.parse(await readFile(path, 'utf8')))
    } catch {
      return {}
    }
  }

  async function write(ids: readonly (readonly [string, string])[]): Promise<void> {
    const temporary = `${path}.${process.pid}`
    const kept = Object.fromEntries(ids.slice(-maxRemembered))
    await mkdir(dirname(path), { recursive: true, mode: 0o700 })
    await writeFile(temporary, `${JSON.stringify(kept, undefined, 2)}\n`, { mode: 0o600 })
    await rename(temporary, path)
  }

  function change(key: string, id: string | undefined): Promise<void> {
    changed = changed.then(() => changeNow(key, id))
    return changed
  }

  async function changeNow(key: string, id: string | undefined): Promise<void> {
    const others = Object.entries(await read()).filter(([each]) => each !== key)
    await write(id === undefined ? others : [...others, [key, id] as const]).catch(() => {})
  }

  return {
    idOf: async (upload) => (await read())[keyOf(upload)],
    remember: (upload, id) => change(keyOf(upload), id),
    forget: (upload) => change(keyOf(upload), undefined),
  }
}

/** None where somebody else has written the file. */
function textsIn(value: unknown): Readonly<Record<string, string>> {
  const entries = typeof value === 'object' && value !== null ? Object.entries(value) : []
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}

const keyOf = ({ url, path, sha256 }: BegunUpload): string => `${sha256} ${path} ${url}`
