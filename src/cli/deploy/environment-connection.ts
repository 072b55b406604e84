import { UsageError } from '../support/command.ts'
import type { Connection } from '../support/connection.ts'

interface Asked {
  readonly url?: string | undefined
}

type Environment = Readonly<Record<string, string | undefined>>

/** Which service is meant where nobody signs in: what jobs of continuous integration are given. */
export async function connectionOf({ url }: Asked, environment: Environment): Promise<Connection> {
  const given = url ?? environment['SEDGE_URL'] ?? ''
  if (!URL.canParse(given) || !/^https?:$/u.test(new URL(given).protocol))
    throw new UsageError('Say where the service is: SEDGE_URL, e.g. https://assets.example')
  return { url: given, token: environment['SEDGE_TOKEN'] }
}
