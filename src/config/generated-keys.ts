import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { flushDirectory, makeDurableDirectory } from '../lib/files/durable-files.ts'
import { Secret } from '../lib/secrets/secret.ts'

const fileName = 'keys.json'
const keyBytes = 32

export interface LoadedKeys {
  /** One for each name that was asked for. */
  readonly secrets: ReadonlyMap<string, Secret>
  /** Those among them that did not exist before. */
  readonly generated: ReadonlyMap<string, Secret>
  /** All that the file holds now, asked for or not. */
  readonly kept: ReadonlyMap<string, Secret>
}

/**
 * Completes `given`: what is `undefined` comes from `keys.json` in `directory`, and what is not there
 * either is generated. Answers once new ones would survive a power cut, so that nobody is told a key
 * that is lost later. Only the owner can read the file, and a directory made here.
 */
export async function loadGeneratedKeys(
  directory: string,
  given: ReadonlyMap<string, Secret | undefined>,
): Promise<LoadedKeys> {
  await makePrivateDirectory(directory)
  const path = join(directory, fileName)
  const kept = await readKept(path)
  const missing = [...given].filter(([name, secret]) => secret === undefined && !kept.has(name))
  const generated = new Map(missing.map(([name]) => [name, generateKey()]))
  if (generated.size > 0) await write(directory, path, new Map([...kept, ...generated]))
  const pairs = [...given].map(
    ([name, secret]) => [name, secret ?? generated.get(name) ?? kept.get(name)] as const,
  )
  return {
    secrets: new Map(pairs.filter((pair): pair is [string, Secret] => pair[1] !== undefined)),
    generated,
    kept: new Map([...kept, ...generated]),
  }
}

/** What the file in `directory` holds; empty where there is none. */
export const readKeptKeys = (directory: string): Promise<ReadonlyMap<string, Secret>> =>
  readKept(join(directory, fileName))

/** Sets, and with `undefined` removes, keys in the file. Answers once that would survive a power cut. */
export async function changeKeptKeys(
  directory: string,
  changes: ReadonlyMap<string, Secret | undefined>,
): Promise<void> {
  await makePrivateDirectory(directory)
  const path = join(directory, fileName)
  const keys = new Map(await readKept(path))
  for (const [name, secret] of changes)
    if (secret === undefined) keys.delete(name)
    else keys.set(name, secret)
  await write(directory, path, keys)
}

export const generateKey = () => new Secret(randomBytes(keyBytes).toString('base64url'))

async function makePrivateDirectory(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  await makeDurableDirectory(directory)
}

async function readKept(path: string): Promise<ReadonlyMap<string, Secret>> {
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return '{}'
    throw error
  })
  const entries = parse(text)
  // Making new keys in place of unreadable ones would lock out everybody who has the old ones.
  if (entries === undefined)
    throw new Error(`${path} must be a JSON object of texts; mend it, or restore it from a backup`)
  return new Map(entries.map(([name, value]) => [name, new Secret(value)]))
}

function parse(text: string): [string, string][] | undefined {
  try {
    const entries = Object.entries(JSON.parse(text) as object)
    return entries.every(isTextEntry) ? entries : undefined
  } catch {
    return undefined
  }
}

const isTextEntry = (entry: [string, unknown]): entry is [string, string] =>
  typeof entry[1] === 'string' && entry[1] !== ''

async function write(
  directory: string,
  path: string,
  keys: ReadonlyMap<string, Secret>,
): Promise<void> {
  const texts = Object.fromEntries([...keys].map(([name, secret]) => [name, secret.reveal()]))
  const temporary = `${path}.new`
  {
    await using handle = await open(temporary, 'w', 0o600)
    // One left behind by a crash may have been made with another mode.
    await handle.chmod(0o600)
    await handle.writeFile(`${JSON.stringify(texts, undefined, 2)}\n`)
    await handle.sync()
  }
  await rename(temporary, path)
  await flushDirectory(directory)
}
