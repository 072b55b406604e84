import type { RequestLog } from '../../domain/logs/requests/request-log.ts'
import {
  type AccessLogOutlet,
  createAccessLogFiles,
} from '../../domain/logs/access-log/access-log-files.ts'
import { accessLogLine } from '../../domain/logs/access-log/access-log-line.ts'
import { createAccessLogStream } from '../../domain/logs/access-log/access-log-stream.ts'
import { openBackupTarget } from '../backups/backup-target.ts'
import type { World } from '../world.ts'

interface Opened {
  readonly requests: Pick<RequestLog, 'watch'>
  readonly opening: AsyncDisposableStack
  /** Names this process for all time. */
  readonly process: string
}

/** Hands lines of requests to other programs too, where somebody wants that. Open it before what it watches is closed. */
export async function openAccessLog(
  world: Pick<World, 'config' | 'log' | 'now'>,
  { requests, opening, process: name }: Opened,
): Promise<void> {
  const { accessLogFormat: format } = world.config
  const outlet = await openOutlet(world, name)
  if (outlet === undefined) return
  opening.use(outlet)
  requests.watch((lines) =>
    outlet.add(lines.map((line) => ({ at: line.at, text: accessLogLine(format, line) }))),
  )
}

async function openOutlet(
  world: Pick<World, 'config' | 'log' | 'now'>,
  name: string,
): Promise<AccessLogOutlet | undefined> {
  const { config, log } = world
  const place = config.accessLogTo
  if (place === undefined) return undefined
  if (place === 'stdout') return createAccessLogStream(writeToStandardOutput, log)
  const credentials = {
    ...config,
    backupS3AccessKeyId: config.accessLogS3AccessKeyId,
    backupS3SecretAccessKey: config.accessLogS3SecretAccessKey,
  }
  return createAccessLogFiles({
    target: await openBackupTarget(place, credentials, world),
    everyMs: config.accessLogEverySeconds * 1_000,
    process: name,
    extension: config.accessLogFormat === 'json' ? '.ndjson' : '.log',
    log,
  })
}

const writeToStandardOutput = async (text: string): Promise<void> =>
  await new Promise((resolve, reject) => {
    process.stdout.write(text, (error) => (error ? reject(error) : resolve()))
  })
