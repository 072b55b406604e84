import { signUrl } from '../../client/client.ts'
import { UsageError } from '../support/command.ts'
import { cleanPath } from './remote-files.ts'
import { commonExitCodes, commonUsage, serviceCommand } from '../support/service-command.ts'
import { secondsOf } from './time-span.ts'

export const signCommand = serviceCommand({
  name: 'sign',
  summary: 'make a URL that anybody may fetch for a while',
  usage: `sedge sign <path> [--for <time>]

Prints an url of an asset, a private one too, that is good for a while. With
SIGNED_URL_SECRET, from the environment or from the data directory of a service on this
machine (DATA_DIR, default ./data), the service is not asked; without it, it signs for
whoever may read the file (scope storage:read).

  --for <time>         how long, e.g. 90s, 15m, 1h (default), 7d (the most)
${commonUsage}

${commonExitCodes}`,
  options: { for: { type: 'string', default: '1h' } },
  plan({ values, positionals: [text, ...rest] }) {
    if (text === undefined || rest.length > 0) throw new UsageError('Name one asset')
    const path = `/${cleanPath(text)}`
    const seconds = secondsOf(values.for)
    return async ({ client, connection, print }) => {
      const { url, signingSecret: secret } = connection
      if (secret === undefined) {
        const { Url, ExpiresAt } = await client.signAsset({
          body: { path, expiresInSeconds: seconds },
        })
        return print({ url: Url, expiresAt: ExpiresAt }, () => `${Url}\n`)
      }
      const expiresAt = new Date(Date.now() + seconds * 1000)
      const signed = await signUrl({ url, path, expiresAt, secret })
      print({ url: signed, expiresAt: expiresAt.toISOString() }, () => `${signed}\n`)
    }
  },
})
