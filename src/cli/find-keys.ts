import { join } from 'node:path'

import type { Terminal } from './command.ts'
import { ServiceCallError } from './service-client.ts'

interface Keys {
  readonly accessKey: string
  readonly accountKey: string | undefined
}

/** The operator's keys: from the environment, else from the data directory of a service on this machine. */
export async function findKeys(environment: Terminal['environment']): Promise<Keys> {
  const path = join(environment['DATA_DIR'] ?? './data', 'keys.json')
  const kept = await readKeys(path)
  const keyOf = (name: string) => environment[name] ?? kept[name]
  const accessKey = keyOf('ACCESS_KEY')
  if (accessKey === undefined)
    throw new ServiceCallError(`Set ACCESS_KEY: it is neither in the environment nor in ${path}`)
  return { accessKey, accountKey: keyOf('ACCOUNT_KEY') }
}

/** The key of the control plane alone, looked for in the same places. */
export async function findAccountKey(environment: Terminal['environment']): Promise<string> {
  const path = join(environment['DATA_DIR'] ?? './data', 'keys.json')
  const given = environment['ACCOUNT_KEY']?.trim() ?? ''
  const accountKey = given === '' ? (await readKeys(path))['ACCOUNT_KEY'] : given
  if (accountKey === undefined)
    throw new ServiceCallError(`Set ACCOUNT_KEY: it is neither in the environment nor in ${path}`)
  return accountKey
}

async function readKeys(path: string): Promise<Readonly<Record<string, string>>> {
  try {
    return (await Bun.file(path).json()) as Record<string, string>
  } catch {
    return {}
  }
}
